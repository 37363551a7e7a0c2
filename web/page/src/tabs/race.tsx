// SPDX-License-Identifier: Apache-2.0
// Two to four cars on one command stream: what differs between them, and what it does.
import { useEffect, useState } from "preact/hooks";
import type { Field } from "../engine/types";
import { fixed, shown, smallLength } from "../app/units";
import { useApp, useApp1 } from "../ui/context";
import { kColors } from "../view/car_model";

interface Entrant { id: string; vehicle: string; level: string; law: string; tire: string }
interface Setup { id: string; name: string; text: string; road: string; start: string; driver: string; cars: Entrant[]; faster?: number }

const pair: Entrant[] = ["rolling", "blend"].map((law) => ({ id: law, vehicle: "vehicle.sedan_comfort", level: "L2", law, tire: "tire.lugre_on" }));
const kSetups: Setup[] = [
  { id: "hold", name: "Hold", text: "Parked on 20 % with the brake at 0.3. LuGre stands; the blend creeps. After 10 s the clock goes 20 times as fast.", road: "grade: 0.2", start: "vx0: 0", driver: "brake: 0.3", cars: pair, faster: 10 },
  { id: "stop", name: "Stop", text: "From 5 m/s with the brake at 0.3. The brake alone needs 4.2 m; the blend stops where no brake could.", road: "grade: 0", start: "vx0: 5", driver: "brake: 0.3", cars: pair },
  { id: "ice", name: "Ice", text: "Across a 10 % bank on ice, mu 0.05. The tires cannot hold the car and it slides; the blend wrongly stands.", road: "bank: 0.1\nmu: 0.05", start: "vx0: 0", driver: "brake: 0.3", cars: pair },
];
function sceneOf(setup: Setup): string {
  const lanes = setup.cars.map((_, i) => (i - (setup.cars.length - 1) / 2) * -3.2);
  return `id: race_${setup.id}\nversion: 1\nlabel: Race, ${setup.name}\nduration: 600\n${setup.road}\nfleet:\n` + setup.cars.map((c, i) =>
    `  - id: ${c.id}\n    blueprint: ${c.vehicle}\n    level: ${c.level}\n${c.tire ? `    parts:\n      tire: ${c.tire}\n` : ""}` +
    (c.law ? `    overrides:\n      tire:\n        lugre:\n          enabled: ${c.law !== "blend"}\n${c.law === "blend" ? "" : `          law: ${c.law}\n`}` : "") +
    `    y0: ${lanes[i]}\n    ${setup.start}\n    driver:\n      ${setup.driver}\n`).join("");
}

export function Race() {
  const app = useApp(), [chosen, setChosen] = useState("hold"), [own, setOwn] = useState<Setup | null>(null);
  const begin = (setup: Setup) => {
    setChosen(setup.id);
    void app.open({ scene: setup.id === "own" ? { text: sceneOf(setup) } : `race_${setup.id}`, sets: [], name: `race_${setup.id}` }).then((ok) => { if (ok) { app.set({ speed: 1, camera: 2 }); app.view?.cameras.lookAt(2, 2.6, 0.42, 10.5); } });
  };
  useEffect(() => { if (!app.state.source?.name.startsWith("race_")) begin(kSetups[0]!); }, []);
  const setup = kSetups.find((s) => s.id === chosen) ?? own;
  return (
    <section class="race" aria-label="Race">
      <div class="bar-row">
        <div class="segments" role="radiogroup" aria-label="Race">{kSetups.map((s) => (
          <button key={s.id} type="button" role="radio" aria-checked={chosen === s.id} onClick={() => begin(s)}>{s.name}</button>))}
          <button type="button" role="radio" aria-checked={chosen === "own"} onClick={() => { setOwn(own ?? { ...kSetups[0]!, id: "own", name: "own" }); setChosen("own"); }}>Own</button></div>
        <p>{chosen === "own" ? "Two to four cars; your keys drive all of them." : setup?.text}</p>
      </div>
      {chosen === "own" && own && <Lineup setup={own} onChange={setOwn} onStart={() => begin(own)} />}
      <Standings faster={setup?.faster} />
    </section>
  );
}

function Lineup({ setup, onChange, onStart }: { setup: Setup; onChange: (s: Setup) => void; onStart: () => void }) {
  const { catalog } = useApp().state, put = (i: number, patch: Partial<Entrant>) => onChange({ ...setup, cars: setup.cars.map((c, k) => (k === i ? { ...c, ...patch } : c)) });
  const pick = (i: number, key: keyof Entrant, label: string, choices: [string, string][]) => (
    <label><span class="hidden">{label} of car {i + 1}</span><select value={setup.cars[i]![key]} onChange={(e) => put(i, { [key]: e.currentTarget.value })}>{choices.map(([v, t]) => <option key={v} value={v}>{t}</option>)}</select></label>);
  return (
    <div class="lineup">
      {setup.cars.map((_, i) => <div key={i}>
        {pick(i, "vehicle", "Vehicle", catalog.vehicles.map((v) => [v.id, v.label || v.id]))}
        {pick(i, "level", "Level", ["L1", "L2", "L3", "L5"].map((l) => [l, l]))}
        {pick(i, "tire", "Tire", [["", "own tires"], ...catalog.parts.filter((p) => p.type === "tire").map((p): [string, string] => [p.id, p.label || p.id])])}
        {pick(i, "law", "Law", [["", "own law"], ["rolling", "rolling"], ["breakaway", "breakaway"], ["blend", "blend"]])}
        {setup.cars.length > 2 && <button type="button" onClick={() => onChange({ ...setup, cars: setup.cars.filter((_, k) => k !== i) })} aria-label={`Remove car ${i + 1}`}>&#x2212;</button>}
      </div>)}
      <label>Road <input type="text" value={setup.road} onChange={(e) => onChange({ ...setup, road: e.currentTarget.value })} aria-label="Road, as in a scene" /></label>
      <label>Driver <input type="text" value={setup.driver} onChange={(e) => onChange({ ...setup, driver: e.currentTarget.value })} aria-label="Driver, as in a scene" /></label>
      {setup.cars.length < 4 && <button type="button" onClick={() => onChange({ ...setup, cars: [...setup.cars, { ...setup.cars.at(-1)!, id: `car${setup.cars.length + 1}` }] })}>Add a car</button>}
      <button type="button" class="primary" onClick={onStart}>Start</button>
    </div>
  );
}

// Fields whose values are not the same on all cars.
export function differing(fields: Field[], ids: string[]): [path: string, values: string[]][] {
  const rows = new Map<string, string[]>();
  for (const f of fields)
    for (const [i, id] of ids.entries())
      if (f.path.startsWith(`${id}.`)) {
        const path = f.path.slice(id.length + 1);
        if (!rows.has(path)) rows.set(path, ids.map(() => ""));
        rows.get(path)![i] = f.value;
      }
  return [...rows].filter(([path, values]) => path !== "y0" && new Set(values).size > 1);
}

function Standings({ faster }: { faster: number | undefined }) {
  const app = useApp(), fields = useApp1((s) => s.fields), session = useApp1((s) => s.session);
  useApp1((s) => s.tick);
  const { units, speed, taken } = app.state, cars = app.live.cars, unit = shown("m/s", units);
  useEffect(() => { if (faster && app.live.time >= faster && app.live.time < faster + 1 && speed === 1 && !taken) app.set({ speed: 20 }); });
  if (!session || cars.length < 2) return null;
  const rows = differing(fields, session.cars.map((c) => c.id)).slice(0, 6);
  return (
    <table class="standings">
      <thead><tr><th>car</th>{rows.map(([p]) => <th key={p} class="what">{p}</th>)}<th>speed <small>{unit.unit}</small></th><th>way <small>m</small></th><th>since the stop</th></tr></thead>
      <tbody>{cars.map((car, i) => {
        const drift = car.sample ? car.drift() : null;
        return <tr key={car.info.id} data-car={car.info.id}><th><i style={{ background: `#${kColors[i % kColors.length]!.toString(16).padStart(6, "0")}` }} />{car.info.id}</th>
          {rows.map(([p, values]) => <td key={p} class="what">{values[i] || "\u2013"}</td>)}
          <td>{fixed(car.speed() * unit.scale, 2)}</td><td data-way={car.get("x")}>{fixed(car.get("x"), 3)}</td>
          <td class="drift" data-drift={drift?.distance ?? ""}>{drift ? `${smallLength(drift.distance)} in ${fixed(drift.time, 1)} s` : "moves"}</td></tr>;
      })}</tbody>
    </table>
  );
}
