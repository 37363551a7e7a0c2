// SPDX-License-Identifier: Apache-2.0
// YAML text as the tree that the engine reads, {k, l, c, t, q, i, e}, or {error: {l, c, path, what}}. The same trees, and the same texts
// refused, as by the command line (src/vdsim/config/yaml_parse.cpp); the words of a refusal may differ.
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';

const MOST_BYTES = 1 << 20, MOST_LEVELS = 64;
const NULLS = new Set(['', '~', 'null', 'Null', 'NULL']);
// Names and labels reach terminals: no control characters, but lines may break.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

class Refused extends Error {
  constructor(offset, what, path = '') {
    super(what);
    this.offset = offset;
    this.path = path;
  }
}

class Tree {
  constructor(text, lines) {
    this.text = text;
    this.lines = lines;
  }
  at(offset) { // columns count bytes
    const { line, col } = this.lines.linePos(offset), before = this.text.slice(offset - col + 1, offset);
    return { l: line, c: /^[\u0000-\u007f]*$/.test(before) ? col : new TextEncoder().encode(before).length + 1 };
  }
  node(node, depth, offset, flow = false) {
    if (node === null || node === undefined) return { k: 'null', ...this.at(offset) };
    const start = node.range ? node.range[0] : offset;
    if (isAlias(node)) throw new Refused(start, 'aliases (*name) are not allowed, write the value out');
    if (node.tag !== undefined) throw new Refused(start, `tags (${node.tag}) are not allowed`);
    if (isScalar(node)) return this.scalar(node, start, flow);
    if (depth >= MOST_LEVELS) throw new Refused(start, `nested more than ${MOST_LEVELS} levels deep`);
    if (isSeq(node)) return { k: 'list', ...this.at(start), i: node.items.map((item) => this.node(item, depth + 1, start, node.flow)) };
    if (isMap(node)) return { k: 'map', ...this.at(start), e: this.entries(node, depth, start) };
    throw new Refused(start, 'neither a value, a list nor a block of keys');
  }
  scalar(node, start, flow) {
    const quoted = node.type !== 'PLAIN';
    if (flow && !quoted && node.value.startsWith('?')) throw new Refused(start, 'YAML syntax: a text in [] or {} cannot begin with ?, quote it');
    if (CONTROL.test(node.value)) throw new Refused(start, 'control characters are not allowed in a text');
    if (!quoted && NULLS.has(node.value)) return { k: 'null', ...this.at(start) };
    return quoted ? { k: 'scalar', ...this.at(start), t: node.value, q: true } : { k: 'scalar', ...this.at(start), t: node.value };
  }
  entries(map, depth, start) {
    const first = new Map();
    return map.items.map((pair) => {
      const key = this.node(pair.key, depth + 1, start, map.flow);
      if (key.k !== 'scalar') throw new Refused(pair.key?.range?.[0] ?? start, 'a key must be a plain name');
      if (first.has(key.t))
        throw new Refused(pair.key.range[0], `key given twice, first in line ${first.get(key.t)}`, key.t);
      first.set(key.t, key.l);
      return [key.t, key.l, key.c, this.node(pair.value, depth + 1, pair.key.range[2], map.flow)];
    });
  }
}

export function yamlTree(whole) {
  const text = whole.startsWith('\ufeff') ? whole.slice(1) : whole;
  const refuse = (l, c, what, path = '') => ({ error: { l, c, path, what } });
  if (text.length > MOST_BYTES || new TextEncoder().encode(text).length > MOST_BYTES)
    return refuse(0, 0, 'larger than 1 MB, not a configuration file');
  if (text.includes('\0')) return refuse(0, 0, `byte ${text.indexOf('\0')} is zero, not a text file`);
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { schema: 'failsafe', lineCounter: lines, uniqueKeys: false, version: '1.2' });
  if (documents.length === 0) return { k: 'null', l: 0, c: 0 };
  for (const document of documents)
    if (document.errors.length > 0) {
      const error = document.errors[0], { line, col } = lines.linePos(error.pos[0]);
      return refuse(line, col, `YAML syntax: ${error.message.split(' at line ')[0]}`);
    }
  if (documents.length > 1) {
    const { line } = lines.linePos(documents[1].range[0]);
    return refuse(line, 1, 'more than one document in one file');
  }
  const tree = new Tree(text, lines);
  try {
    return tree.node(documents[0].contents, 0, 0);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    const { l, c } = tree.at(refused.offset);
    return refuse(l, c, refused.message, refused.path);
  }
}
