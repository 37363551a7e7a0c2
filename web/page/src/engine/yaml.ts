// SPDX-License-Identifier: Apache-2.0
// YAML text as the tree that the engine reads (config/yaml.hpp): what yaml_parse.cpp makes of it natively, with the same refusals.
import { Document, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseAllDocuments } from "yaml";
import type { Node } from "./types";

export interface YamlError { l: number; c: number; path: string; what: string }
const kMostBytes = 1 << 20, kMostDepth = 64;

class Stop extends Error { constructor(readonly at: YamlError) { super(at.what); } }

class Builder {
  readonly errors: YamlError[] = [];
  constructor(private text: string, private lines: LineCounter) {}
  private place(offset: number): { l: number; c: number } {
    const { line, col } = this.lines.linePos(offset);
    return { l: line, c: col };
  }
  private refuse(offset: number, what: string): never { throw new Stop({ ...this.place(offset), path: "", what }); }
  private check(node: any): void {
    if (isAlias(node)) this.refuse(node.range![0], "aliases (*name) are not allowed, write the value out");
    const props = node?.range ? this.text.slice(this.before(node), node.range[0]) : "";
    const tag = /(?:^|\s)(!\S+)\s*$/.exec(props.split("\n").at(-1)!)?.[1] ?? (node?.tag && /^!\S/.test(this.text.slice(node.range[0])) ? node.tag : undefined);
    if (tag && node.tag) this.refuse(node.range[0], `tags (${node.tag}) are not allowed`);
  }
  private before(node: any): number { return Math.max(0, node.range[0] - 200); }

  tree(node: any, offset: number, depth: number): Node {
    this.check(node);
    if (depth > kMostDepth) this.refuse(node.range[0], `nested more than ${kMostDepth} levels deep`);
    if (isMap(node)) return { k: "map", ...this.place(node.range![0]), e: this.entries(node, depth) };
    if (isSeq(node)) return { k: "list", ...this.place(node.range![0]), i: node.items.map((i: any) => this.tree(i, i?.range?.[0] ?? node.range![0], depth + 1)) };
    if (!isScalar(node)) return { k: "null", ...this.place(offset) };
    const at = this.place(node.range![0]), plain = node.type === "PLAIN" || node.type === undefined, text = String(node.value ?? "");
    if (plain && (node.source === undefined || /^(~|null|Null|NULL|)$/.test(node.source))) return { k: "null", ...at };
    if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(text)) this.refuse(node.range![0], "control characters are not allowed in a text");
    return { k: "scalar", ...at, t: text, q: !plain };
  }
  private entries(map: any, depth: number): [string, number, number, Node][] {
    const seen = new Map<string, number>();
    return map.items.filter(isPair).map((pair: any): [string, number, number, Node] => {
      const key = pair.key;
      this.check(key);
      if (!isScalar(key)) this.refuse(key?.range?.[0] ?? map.range[0], "a key must be a plain name");
      const name = String(key.value ?? ""), at = this.place(key.range![0]);
      if (name === "" && key.type === "PLAIN") this.refuse(key.range![0], "a key must be a plain name");
      const first = seen.get(name);
      if (first !== undefined) this.errors.push({ ...at, path: name, what: `key given twice, first in line ${first}` });
      else seen.set(name, at.l);
      return [name, at.l, at.c, this.tree(pair.value, key.range![2], depth + 1)];
    });
  }
}

export function yamlTree(text: string): Node | { error: YamlError } {
  if (new TextEncoder().encode(text).length > kMostBytes) return { error: { l: 0, c: 0, path: "", what: "larger than 1 MB, not a configuration file" } };
  const zero = text.indexOf("\0");
  if (zero >= 0) return { error: { l: 0, c: 0, path: "", what: `byte ${zero} is zero, not a text file` } };
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { schema: "failsafe", lineCounter: lines, uniqueKeys: false, prettyErrors: false, keepSourceTokens: true, strict: true, version: "1.2" });
  if (!Array.isArray(documents) || !documents.length) return { k: "null", l: 0, c: 0 };
  const doc = documents[0] as Document.Parsed, bad = documents.flatMap((d) => d.errors)[0];
  const at = (offset: number) => { const p = lines.linePos(offset); return { l: p.line, c: p.col }; };
  if (bad) return { error: { ...at(bad.pos[0]), path: "", what: `YAML syntax: ${bad.message}` } };
  if (documents.length > 1) return { error: { ...at(documents[1]!.range[0]), path: "", what: "more than one document in one file" } };
  const builder = new Builder(text, lines);
  try {
    const root = builder.tree(doc.contents, 0, 0);
    return builder.errors.length ? { error: builder.errors[0]! } : root;
  } catch (error) {
    if (error instanceof Stop) return { error: error.at };
    throw error;
  }
}
