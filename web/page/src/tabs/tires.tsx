// SPDX-License-Identifier: Apache-2.0
// Steady curves of up to four tires on a rig, from the engine; a dropped .tir file is checked line by line and can be driven.
import { useEffect, useState } from "preact/hooks";
import { Fault, faultText, Refused } from "../engine/types";
import { Chart } from "../ui/chart";
import { useApp, useApp1 } from "../ui/context";
import { Drop } from "../ui/drop";

interface Rig { load: number; speed: number; camber: number; mu: number }
type Said = Fault & { kind?: string };
interface Tire { id: string; name: string; path?: string | null; faults?: Said[] } // path null: refused
interface Curves { x: number[]; fx: number[]; fy: number[]; mz: number[] }
const kMost = 4;
const kRig: [keyof Rig, string, string, number, number, number][] = [["load", "load", "N", 500, 10000, 100], ["speed", "speed", "m/s", 0.1, 80, 1], ["camber", "camber", "rad", -0.2, 0.2, 0.01], ["mu", "friction", "", 0.05, 1.5, 0.05]];
const kViews: { what: string; title: string; xName: string; y: keyof Curves; x?: keyof Curves; yName: string }[] = [
  { what: "kappa", title: "Fx over slip", xName: "slip \u03ba", y: "fx", yName: "N" }, { what: "alpha", title: "Fy over slip angle", xName: "slip angle \u03b1 (rad)", y: "fy", yName: "N" },
  { what: "alpha", title: "Mz over slip angle", xName: "slip angle \u03b1 (rad)", y: "mz", yName: "N m" },
];

export function Tires() {
  const app = useApp(), catalog = useApp1((s) => s.catalog), parts = catalog.parts.filter((p) => p.type === "tire");
  const [tires, setTires] = useState<Tire[]>([]), [rig, setRig] = useState<Rig>({ load: 4000, speed: 15, camber: 0, mu: 1 });
  const [curves, setCurves] = useState<Map<string, Curves>>(new Map()), [faults, setFaults] = useState<Fault[]>([]);
  useEffect(() => { if (!tires.length && parts.length) setTires([{ id: parts[0]!.id, name: parts[0]!.label || parts[0]!.id }]); }, [parts.length]);
  useEffect(() => {
    let stopped = false;
    void (async () => {
      const out = new Map<string, Curves>(), bad: Fault[] = [];
      for (const tire of tires.filter((t) => t.path !== null))
        for (const what of ["kappa", "alpha", "combined"])
          try {
            out.set(`${tire.id} ${what}`, await app.client.ask("tire_curves", { tire: tire.path ?? tire.id, loads: [rig.load], speed: rig.speed, camber: rig.camber, mu: rig.mu, what }).then(firstLoad));
          } catch (error) { bad.push(...(error instanceof Refused ? error.faults : [{ what: String(error) }])); }
      if (!stopped) { setCurves(out); setFaults(bad.slice(0, 6)); }
    })();
    return () => { stopped = true; };
  }, [tires, rig]);
  const drop = async (files: File[]) => {
    for (const file of files.slice(0, kMost))
      try {
        const text = await file.text(), reply = await app.client.ask("tir", { text, name: file.name });
        const said: Said[] = [...reply.errors.map((e: Fault) => ({ ...e, kind: "error" })), ...reply.warnings.map((e: Fault) => ({ ...e, kind: "warning" })),
          ...reply.findings.map((f: { error: boolean; what: string }) => ({ what: f.what, kind: f.error ? "error" : "note" }))];
        setTires((now) => [...now.filter((t) => t.id !== file.name), { id: file.name, name: file.name, path: reply.path, faults: said }].slice(-kMost));
      } catch (error) { setFaults(error instanceof Refused ? error.faults : [{ what: String(error) }]); }
  };
  return (
    <section class="sheet"><h2>Tires</h2>
      <div class="controls">
        <label>add <select value="" onChange={(e) => { const p = parts.find((t) => t.id === e.currentTarget.value); if (p && !tires.some((t) => t.id === p.id)) setTires([...tires, { id: p.id, name: p.label || p.id }].slice(-kMost)); e.currentTarget.value = ""; }}>
          <option value="">a tire of the catalog</option>{parts.map((p) => <option key={p.id} value={p.id}>{p.label || p.id}</option>)}</select></label>
        {kRig.map(([key, name, unit, lo, hi, step]) => (
          <label key={key}>{name} <input type="range" min={lo} max={hi} step={step} value={rig[key]} onInput={(e) => setRig({ ...rig, [key]: Number(e.currentTarget.value) })} />
            <output>{rig[key]} {unit}</output></label>))}
      </div>
      <ul class="chips">{tires.map((t, i) => <li key={t.id}><i class={`line-${i}`} />{t.name}
        <button type="button" disabled={t.path === null} onClick={() => void driveThis(app, t)}>Drive this</button>
        <button type="button" aria-label={`Remove ${t.name}`} onClick={() => setTires(tires.filter((x) => x !== t))}>&#xd7;</button></li>)}</ul>
      {faults.length > 0 && <ul class="warn" role="alert">{faults.map((f, i) => <li key={i}>{faultText(f)}</li>)}</ul>}
      <div class="charts">
        {kViews.map((v) => <View key={v.title} view={v} tires={tires} curves={curves} />)}
        <Circle tires={tires} curves={curves} />
      </div>
      <Drop label="Drop a .tir file here" accept=".tir,.txt" onFiles={(f) => void drop(f)} />
      {tires.filter((t) => t.faults).map((t) => <details key={t.id} open class="lint"><summary>{t.name}: {t.faults!.length ? `${t.faults!.length} messages` : "no complaints"}</summary>
        <ul>{t.faults!.map((f, i) => <li key={i}>{f.kind ? <b>{f.kind} </b> : null}{faultText(f)}</li>)}</ul></details>)}
    </section>
  );
}
const firstLoad = ({ curves }: { curves: Record<string, number[]>[] }): Curves => ({ x: curves[0]!.slip!, fx: curves[0]!.fx!, fy: curves[0]!.fy!, mz: curves[0]!.mz! });
async function driveThis(app: ReturnType<typeof useApp>, tire: Tire): Promise<void> {
  app.set({ tab: "drive" });
  await app.setTire(tire.path ?? tire.id);
}
function View({ view, tires, curves }: { view: (typeof kViews)[0]; tires: Tire[]; curves: Map<string, Curves> }) {
  const list = tires.flatMap((t) => { const c = curves.get(`${t.id} ${view.what}`); return c ? [{ name: t.name, c }] : []; });
  if (!list.length) return null;
  return <Chart title={view.title} x={list[0]!.c.x} xName={view.xName} yName={view.yName} curves={list.map((l) => ({ name: l.name, y: l.c[view.y] }))} />;
}
// Fx and Fy together: how much of one is left beside the other.
function Circle({ tires, curves }: { tires: Tire[]; curves: Map<string, Curves> }) {
  const list = tires.map((t, i) => ({ i, c: curves.get(`${t.id} combined`) })).filter((l) => l.c?.fx.length);
  if (!list.length) return null;
  const most = Math.max(...list.flatMap((l) => [...l.c!.fx, ...l.c!.fy].map(Math.abs)), 1), at = (v: number) => (v / most) * 92;
  return (
    <figure class="chart-card"><figcaption><b>Friction circle</b><span>Fx up, Fy left; rim {Math.round(most)} N</span></figcaption>
      <svg viewBox="-100 -100 200 200" class="circle" role="img" aria-label="Friction circle">
        <circle r="92" /><circle r="46" /><path d="M-100 0H100M0-100V100" />
        {list.map(({ i, c }) => <polyline key={i} class={`line-${i}`} points={c!.fx.map((fx, k) => `${(-at(c!.fy[k]!)).toFixed(1)},${(-at(fx)).toFixed(1)}`).join(" ")} />)}
      </svg></figure>
  );
}
