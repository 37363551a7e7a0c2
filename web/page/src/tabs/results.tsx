// SPDX-License-Identifier: Apache-2.0
// Result folders that are dropped here: summaries side by side, any column over time. Nothing leaves the browser.
import { useMemo, useState } from "preact/hooks";
import { readCsv, Table } from "../app/csv";
import { short } from "../app/units";
import { Chart } from "../ui/chart";
import { Drop } from "../ui/drop";

interface Run { name: string; table: Table | null; summary: any }

async function readRuns(files: File[]): Promise<Run[]> {
  const runs = new Map<string, Run>();
  for (const file of files) {
    const path = (file as any).webkitRelativePath || file.name, folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : path.replace(/\.(csv|json)$/, "");
    const run = runs.get(folder) ?? { name: folder, table: null, summary: null };
    if (file.name.endsWith(".csv")) run.table = readCsv(await file.text());
    else if (file.name === "summary.json" || (file.name.endsWith(".json") && !path.includes("/"))) run.summary = JSON.parse(await file.text());
    else continue;
    runs.set(folder, run);
  }
  return [...runs.values()];
}
// Numbers and texts of a summary as "a.b" paths.
function flat(value: any, path = "", out: Record<string, string> = {}): Record<string, string> {
  if (value && typeof value === "object" && !Array.isArray(value)) for (const [k, v] of Object.entries(value)) flat(v, path ? `${path}.${k}` : k, out);
  else if (!Array.isArray(value) && value !== null) out[path] = typeof value === "number" ? short(value) : String(value);
  return out;
}

export function Results() {
  const [runs, setRuns] = useState<Run[]>([]), [signal, setSignal] = useState("vx"), [over, setOver] = useState("t"), [trouble, setTrouble] = useState("");
  const add = async (files: File[]) => {
    try { setRuns([...runs, ...(await readRuns(files))]); setTrouble(""); } catch (error) { setTrouble(String(error)); }
  };
  const names = [...new Set(runs.flatMap((r) => r.table?.names ?? []))], tables = runs.filter((r) => r.table?.names.includes(signal) && r.table.names.includes(over));
  const chart = useMemo(() => aligned(tables, over, signal), [runs, signal, over]);
  const rows = runs.map((r) => flat(r.summary ?? {})), keys = [...new Set(rows.flatMap((r) => Object.keys(r)))].slice(0, 80);
  return (
    <section class="sheet"><h2>Results</h2>
      <Drop label="Drop result folders or files here: run.csv, summary.json" folders accept=".csv,.json" onFiles={add} />
      {trouble && <p class="warn" role="alert">{trouble}</p>}
      {names.length > 0 && <div class="controls"><label>signal <select value={signal} onChange={(e) => setSignal(e.currentTarget.value)}>{names.map((n) => <option key={n}>{n}</option>)}</select></label>
        <label>over <select value={over} onChange={(e) => setOver(e.currentTarget.value)}>{names.map((n) => <option key={n}>{n}</option>)}</select></label>
        <button type="button" onClick={() => setRuns([])}>Clear</button></div>}
      {tables.length > 0 && <Chart title={signal} x={chart.x} xName={over} yName={signal} curves={chart.curves} height={300} />}
      {keys.length > 0 && <div class="scroll"><table class="grid"><thead><tr><th />{runs.map((r) => <th key={r.name}>{r.name}</th>)}</tr></thead>
        <tbody>{keys.map((k) => <tr key={k}><th>{k}</th>{rows.map((r, i) => <td key={i}>{r[k] ?? "\u2013"}</td>)}</tr>)}</tbody></table></div>}
    </section>
  );
}
// Curves of different runs on one axis, joined at every x that one of them has.
function aligned(runs: Run[], over: string, signal: string): { x: number[]; curves: { name: string; y: (number | null)[] }[] } {
  const column = (r: Run, name: string) => r.table!.columns[r.table!.names.indexOf(name)]!;
  const x = [...new Set(runs.flatMap((r) => [...column(r, over)]))].sort((a, b) => a - b);
  return { x, curves: runs.map((r) => {
    const at = new Map<number, number>(), xs = column(r, over), ys = column(r, signal);
    xs.forEach((v, i) => at.set(v, ys[i]!));
    return { name: r.name, y: x.map((v) => at.get(v) ?? null) };
  }) };
}
