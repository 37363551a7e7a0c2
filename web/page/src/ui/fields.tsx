// SPDX-License-Identifier: Apache-2.0
// Every field of the scene, from the engine's tables: search, change, see what differs, copy as --set.
import { useMemo, useState } from "preact/hooks";
import type { Field } from "../engine/types";
import { shown } from "../app/units";
import { useApp, useApp1 } from "./context";

const kMostShown = 60; // matches of a search that are listed at once

export function Fields() {
  const app = useApp(), fields = useApp1((s) => s.fields), opened = useApp1((s) => s.opened);
  const [search, setSearch] = useState(""), [only, setOnly] = useState(false);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const changed = (f: Field) => opened.get(f.path) !== f.value;
  const found = fields.filter((f) => (!only || changed(f)) && words.every((w) => f.path.toLowerCase().includes(w) || f.meaning.toLowerCase().includes(w)));
  const ids = useApp1((s) => s.session)?.cars.map((c) => c.id) ?? [], groups = useMemo(() => group(found, ids), [fields, search, only, opened]);
  const sets = fields.filter(changed).map((f) => `--set ${quoted(`${f.path}=${f.value}`)}`).join(" ");
  return (
    <aside class="fields" aria-label="Parameters">
      <header><h2>Parameters</h2>
        <input type="search" placeholder="Search name or meaning" value={search} onInput={(e) => setSearch(e.currentTarget.value)} aria-label="Search parameters" />
        <div class="tools">
          <label><input type="checkbox" checked={only} onChange={(e) => setOnly(e.currentTarget.checked)} /> changed ({fields.filter(changed).length})</label>
          <button type="button" disabled={!sets} onClick={() => void app.copy(sets, "Copied as --set")}>Copy --set</button>
          <button type="button" disabled={!sets} onClick={() => void app.edit(fields.filter(changed).map((f) => [f.path, opened.get(f.path) ?? f.default]))}>Undo all</button>
        </div>
      </header>
      <div class="list">
        {groups.map(([name, list]) => (
          <details key={name} open={words.length > 0 || only}>
            <summary>{name || "scene"} <small>{list.length}</small>{list.some(changed) && <b class="dot" title="changed" />}</summary>
            {list.slice(0, words.length ? kMostShown : undefined).map((f) => <Row key={f.path} field={f} name={name} changed={changed(f)} initial={opened.get(f.path)} />)}
          </details>))}
        {!found.length && <p class="empty">Nothing matches.</p>}
      </div>
    </aside>
  );
}
const rangeText = ({ lo, hi, lo_open, hi_open }: Field) =>
  hi == null ? `${lo_open ? "above" : "at least"} ${lo}` : lo == null ? `${hi_open ? "below" : "at most"} ${hi}` : `${lo_open ? "above " : ""}${lo} to ${hi_open ? "below " : ""}${hi}`;
const quoted = (text: string) => (/^[\w.=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
// By part, of several cars by car and part.
function group(fields: Field[], cars: string[]): [string, Field[]][] {
  const out = new Map<string, Field[]>();
  for (const f of fields) {
    const parts = f.path.split("."), own = cars.includes(parts[0]!) ? 1 : 0, rest = parts.length - own;
    const name = parts.slice(0, rest < 2 ? own : own + (rest > 2 && parts[own] === "tire" ? 2 : 1)).join(".");
    if (!out.has(name)) out.set(name, []);
    out.get(name)!.push(f);
  }
  return [...out];
}

function Row({ field, name, changed, initial }: { field: Field; name: string; changed: boolean; initial: string | undefined }) {
  const app = useApp(), units = useApp1((s) => s.units), unit = shown(field.unit, units), number = field.kind === "number" || field.kind === "integer";
  const text = number && unit.scale !== 1 && field.value !== "" ? String(Number((Number(field.value) * unit.scale).toPrecision(10))) : field.value;
  const range = [field.lo, field.hi].some((v) => v != null) ? `${rangeText(field)}${field.unit && field.unit !== "-" ? ` ${field.unit}` : ""}` : "";
  const put = (value: string) => {
    const si = number && unit.scale !== 1 && value.trim() !== "" && !isNaN(Number(value)) ? String(Number(value) / unit.scale) : value;
    if (si !== field.value) void app.edit([[field.path, si]]);
  };
  const short = name && field.path.startsWith(`${name}.`) ? field.path.slice(name.length + 1) : field.path;
  return (
    <div class={`field ${changed ? "changed" : ""}`} title={[field.path, field.meaning, range, `default ${field.default || "none"}`].filter(Boolean).join("\n")}>
      <label for={`f-${field.path}`}>{short}</label>
      <Value field={field} text={text} put={put} />
      <span class="unit">{unit.unit === "-" ? "" : unit.unit}</span>
      {changed ? <button type="button" class="undo" aria-label={`Reset ${field.path}`} title={`was ${initial}`} onClick={() => void app.edit([[field.path, initial ?? field.default]])}>&#x21ba;</button> : <span />}
    </div>
  );
}
function Value({ field, text, put }: { field: Field; text: string; put: (v: string) => void }) {
  const id = `f-${field.path}`;
  if (field.kind === "flag") return <input id={id} type="checkbox" checked={field.value === "true"} onChange={(e) => put(String(e.currentTarget.checked))} />;
  if (field.kind === "choice") return <select id={id} value={field.value} onChange={(e) => put(e.currentTarget.value)}>{(field.choices ?? []).map((c) => <option key={c} value={c}>{c}</option>)}</select>;
  if (field.kind === "other") return <span id={id} class="other">see scene.yaml</span>;
  return <input id={id} type="text" inputMode={field.kind === "text" ? "text" : "decimal"} value={text} spellcheck={false}
    onChange={(e) => { put(e.currentTarget.value); e.currentTarget.value = text; }} onKeyDown={(e) => { if (e.key === "Escape") { e.currentTarget.value = text; e.currentTarget.blur(); } }} />;
}
