// SPDX-License-Identifier: Apache-2.0
// Numbers over the picture; every one is run.csv's at this step.
import type { LiveCar } from "../app/live";
import { fixed, shown, smallLength } from "../app/units";
import { useApp, useApp1 } from "./context";

const kTable: [signal: string, digits: number][] = [["kappa", 3], ["alpha", 2], ["fx", 0], ["fy", 0], ["fz", 0], ["mu", 2]]; // what the table draws
const kSymbols: Record<string, string> = { kappa: "\u03ba", alpha: "\u03b1", fx: "Fx", fy: "Fy", fz: "Fz", mu: "\u03bc" };

export function Hud() {
  const app = useApp();
  useApp1((s) => s.tick);
  const car = app.car;
  if (!car?.sample) return null;
  return (
    <div class="hud">
      <Drive car={car} />
      <Accelerations car={car} />
      <Wheels car={car} />
      <Standing car={car} />
    </div>
  );
}

const unitOf = (car: LiveCar, name: string) => car.info.signals[car.index.get(name) ?? -1]?.unit ?? "";

function Drive({ car }: { car: LiveCar }) {
  const { units, reverse } = useApp().state, speed = shown(unitOf(car, "vx"), units), steer = shown(unitOf(car, "steer"), units);
  const gear = car.or("gear", car.or("gear_command", 1));
  return (
    <section class="card drive" aria-label="Speed, gear and pedals">
      <div class="speed"><b data-signal="vx">{fixed(car.get("vx") * speed.scale, 1)}</b> <span>{speed.unit}</span>
        <span class="gear" title="gear">{gear < 0 || reverse ? "R" : gear === 0 ? "N" : fixed(gear, 0)}</span></div>
      <Bar name="throttle" value={car.or("throttle", 0)} kind="go" />
      <Bar name="brake" value={car.or("brake", 0)} kind="stop" />
      <Bar name="handbrake" value={car.or("handbrake", 0)} kind="stop" />
      <div class="bar"><span>steer</span><i class="steer"><u style={{ left: `${50 - 50 * Math.max(-1, Math.min(1, car.or("steer", 0) / 0.6))}%` }} /></i>
        <em>{fixed(car.get("steer") * steer.scale, units === "si" ? 3 : 1)} {steer.unit}</em></div>
    </section>
  );
}
const Bar = ({ name, value, kind }: { name: string; value: number; kind: string }) => (
  <div class="bar"><span>{name}</span><i class={kind}><u style={{ width: `${100 * Math.max(0, Math.min(1, value))}%` }} /></i><em>{fixed(value, 2)}</em></div>
);

function Accelerations({ car }: { car: LiveCar }) {
  const g = 9.80665, ax = car.or("ax", 0) / g, ay = car.or("ay", 0) / g, at = (v: number) => 40 - 32 * Math.max(-1.2, Math.min(1.2, v));
  const { factor, slow, hash, running } = useApp().state;
  return (
    <section class="card gg" aria-label="Acceleration and clock">
      <svg viewBox="0 0 80 80" width="80" height="80" role="img" aria-label={`acceleration ${fixed(ax, 2)} g forward, ${fixed(ay, 2)} g left`}>
        <circle cx="40" cy="40" r="32" /><circle cx="40" cy="40" r="16" /><path d="M8 40H72M40 8V72" />
        <circle class="dot" cx={at(ay)} cy={at(ax)} r="4" />
      </svg>
      <dl>
        <dt>forward</dt><dd>{fixed(ax, 2)} g</dd><dt>left</dt><dd>{fixed(ay, 2)} g</dd>
        <dt>clock</dt><dd class={slow && running ? "warn" : ""}>{running ? `\u00d7 ${fixed(factor, 2)}` : "paused"}{slow && running ? " slow" : ""}</dd>
        <dt>state</dt><dd class="hash" data-hash={hash} title="Hash of all states: the same in page, server and command line">{hash || "\u2013"}</dd>
      </dl>
    </section>
  );
}

function Wheels({ car }: { car: LiveCar }) {
  const { units } = useApp().state, wheels = car.info.wheels;
  return (
    <section class="card wheels" aria-label="Wheels">
      <table>
        <thead><tr><th /> {kTable.map(([s]) => <th key={s} title={car.info.signals[car.index.get(`${s}_${wheels[0]}`) ?? -1]?.meaning}>{kSymbols[s]}</th>)}</tr>
          <tr class="unit"><th />{kTable.map(([s]) => <th key={s}>{shown(unitOf(car, `${s}_${wheels[0]}`), units).unit}</th>)}</tr></thead>
        <tbody>{wheels.map((w) => (
          <tr key={w}><th>{w.toUpperCase()}</th>{kTable.map(([s, digits]) => {
            const unit = shown(unitOf(car, `${s}_${w}`), units);
            return <td key={s} data-signal={`${s}_${w}`}>{fixed(car.get(`${s}_${w}`) * unit.scale, unit.scale === 1 && s === "alpha" ? 4 : digits)}</td>;
          })}</tr>))}
        </tbody>
      </table>
    </section>
  );
}

function Standing({ car }: { car: LiveCar }) {
  const app = useApp(), drift = car.drift(), ghost = app.live.ghost, other = ghost?.sample ? ghost.drift() : null, law = app.lugre();
  const name = law === "blend" ? "LuGre off" : law ? `LuGre ${law}` : car.info.id;
  return (
    <section class="card standing" aria-label="Drift since the stop" aria-live="off">
      <div class="row"><span>{name}</span><b data-drift={drift?.distance ?? ""}>{drift ? smallLength(drift.distance) : "driving"}</b>
        <small>{drift ? `drift in ${fixed(drift.time, 1)} s` : ""}</small></div>
      {ghost && <div class="row ghost"><span>blend ghost (LuGre off)</span><b data-ghost={other?.distance ?? ""}>{other ? smallLength(other.distance) : "rolls"}</b>
        <small>{other ? `creep in ${fixed(other.time, 1)} s` : ""}</small></div>}
    </section>
  );
}
