// SPDX-License-Identifier: Apache-2.0
// A manoeuvre of the catalog on a car: run, looked at from above with its cones, measured, judged.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Fault, faultText, Refused } from "../engine/types";
import { fixed, short, tick, unitText } from "../app/units";
import { Chart } from "../ui/chart";
import { useApp, useApp1 } from "../ui/context";

interface Metric { name: string; label?: string; value: number | null; unit: string; limit: string; pass: boolean | null; reference?: number | null }
interface Course { cones: [number, number, number][] }
interface Summary { verdict: string; label: string; standard?: string; notes: string[]; metrics: Metric[]; phases: { name: string; from: number; to: number }[]; course?: Course; parameters: { name: string; value: number; unit: string; meaning: string }[]; car: { width: number; length: number; front: number } }
interface Outcome { summary: Summary; names: string[]; data: Float64Array[] }

export function Maneuvers() {
  const app = useApp(), catalog = useApp1((s) => s.catalog);
  const [id, setId] = useState("iso3888_2"), [vehicle, setVehicle] = useState("vehicle.sedan_comfort"), [level, setLevel] = useState("L2"), [search, setSearch] = useState(false);
  const [busy, setBusy] = useState(false), [faults, setFaults] = useState<Fault[]>([]), [outcome, setOutcome] = useState<Outcome | null>(null), [signal, setSignal] = useState("ay");
  const run = async () => {
    setBusy(true);
    setFaults([]);
    try {
      const reply = await app.client.ask("maneuver", { id, vehicle, level, sets: [], find_max_speed: search });
      setOutcome({ summary: reply.summary, data: reply.data, names: reply.columns.map((c: { name: string }) => c.name) });
    } catch (error) { setFaults(error instanceof Refused ? error.faults : [{ what: String(error) }]); }
    setBusy(false);
  };
  const column = (name: string) => outcome?.data[outcome.names.indexOf(name)] ?? [];
  const curves = useMemo(() => [{ name: signal, y: column(signal) }], [outcome, signal]);
  return (
    <section class="sheet"><h2>Manoeuvres</h2>
      <div class="controls">
        <label>manoeuvre <select value={id} onChange={(e) => setId(e.currentTarget.value)}>{catalog.maneuvers.map((m) => <option key={m.id} value={m.id}>{m.label || m.id}</option>)}</select></label>
        <label>car <select value={vehicle} onChange={(e) => setVehicle(e.currentTarget.value)}>{catalog.vehicles.map((m) => <option key={m.id} value={m.id}>{m.label || m.id}</option>)}</select></label>
        <label>level <select value={level} onChange={(e) => setLevel(e.currentTarget.value)}>{["L1", "L2", "L3", "L5"].map((l) => <option key={l}>{l}</option>)}</select></label>
        <label><input type="checkbox" checked={search} onChange={(e) => setSearch(e.currentTarget.checked)} /> largest speed</label>
        <button type="button" class="primary" disabled={busy} onClick={() => void run()}>{busy ? "Running" : "Run"}</button>
      </div>
      {faults.length > 0 && <ul class="warn" role="alert">{faults.map((f, i) => <li key={i}>{faultText(f)}</li>)}</ul>}
      {outcome && <>
        <p class="verdict" role="status"><b>{outcome.summary.label}</b> {outcome.summary.standard} <b class={outcome.summary.verdict === "fail" ? "bad" : "good"} data-verdict={outcome.summary.verdict}>{outcome.summary.verdict}</b>
          {outcome.summary.parameters.map((p) => <small key={p.name} title={p.meaning}> {p.name} {tick(p.value)} {p.unit === "-" ? "" : p.unit};</small>)}{outcome.summary.notes.map((n) => <span key={n}> {n}</span>)}</p>
        <Above outcome={outcome} />
        <div class="charts">
          <div class="scroll"><table class="grid" data-table="metrics"><thead><tr><th>metric</th><th>value</th><th>unit</th><th>limit</th><th>verdict</th></tr></thead><tbody>{outcome.summary.metrics.map((m) => (
            <tr key={m.name} title={m.label}><th>{m.name}</th><td data-metric={m.name} data-value={m.value}>{m.value == null ? "\u2013" : short(m.value)}</td><td>{unitText(m.unit)}</td><td>{m.limit}</td>
              <td class={m.pass === false ? "bad" : m.pass ? "good" : ""}>{m.pass == null ? "" : m.pass ? "passed" : "failed"}</td></tr>))}</tbody></table></div>
          {outcome.names.length > 0 && <div><div class="controls"><label>signal <select value={signal} onChange={(e) => setSignal(e.currentTarget.value)}>{outcome.names.map((n) => <option key={n}>{n}</option>)}</select></label></div>
            <Chart title={signal} x={column("t")} xName="t (s)" yName={signal} curves={curves} /></div>}
        </div></>}
    </section>
  );
}

// The run from above, replayed.
function Above({ outcome }: { outcome: Outcome }) {
  const at = (name: string) => outcome.data[outcome.names.indexOf(name)] ?? new Float64Array(), cones = outcome.summary.course?.cones ?? [], car = outcome.summary.car, t = at("t"), x = at("x"), y = at("y"), psi = at("psi");
  const [k, setK] = useState(0), playing = useRef(false), [play, setPlay] = useState(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  playing.current = play;
  useEffect(() => {
    let stopped = false, began = performance.now();
    const step = () => {
      if (stopped) return;
      if (playing.current && t.length) {
        const now = ((performance.now() - began) / 1000) % (t.at(-1)! + 0.8);
        let i = t.findIndex((v) => v >= now);
        if (i < 0) i = t.length - 1;
        setK(i);
      }
      setTimeout(step, 40);
    };
    step();
    return () => { stopped = true; };
  }, [outcome]);
  if (!x.length) return null;
  const xs = [...x, ...cones.map((c) => c[0])], ys = [...y, ...cones.map((c) => c[1])];
  const lo = [Math.min(...xs) - 4, Math.min(...ys) - 4], hi = [Math.max(...xs) + 4, Math.max(...ys) + 4], size = Math.max(hi[0]! - lo[0]!, (hi[1]! - lo[1]!) * 3) / 150;
  const step = Math.max(1, Math.floor(x.length / 800)), path = [...x].filter((_, i) => i % step === 0).map((v, i) => `${v.toFixed(2)},${(-y[i * step]!).toFixed(2)}`).join(" ");
  const phase = outcome.summary.phases.findLast((p) => p.from <= (t[k] ?? 0))?.name ?? "";
  return (
    <figure class="chart-card above"><figcaption><b>From above</b><span>{fixed(t[k] ?? 0, 2)} s {phase}</span>
      <button type="button" onClick={() => setPlay(!play)}>{play ? "Pause" : "Play"}</button>
      <input type="range" min="0" max={x.length - 1} value={k} aria-label="Time of the replay" onInput={(e) => { setPlay(false); setK(Number(e.currentTarget.value)); }} /></figcaption>
      <svg viewBox={`${lo[0]} ${-hi[1]!} ${hi[0]! - lo[0]!} ${hi[1]! - lo[1]!}`} role="img" aria-label="Path and cones">
        {cones.map(([cx, cy], i) => <circle key={i} cx={cx} cy={-cy} r={size * 0.35} class="cone" />)}
        <polyline points={path} class="line-0" />
        <g transform={`translate(${x[k] ?? 0} ${-(y[k] ?? 0)}) rotate(${(-(psi[k] ?? 0) * 180) / Math.PI})`}><rect x={car.front - car.length} y={-car.width / 2} width={car.length} height={car.width} rx="0.4" class="car" /></g>
      </svg></figure>
  );
}
