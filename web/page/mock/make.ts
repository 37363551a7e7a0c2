// SPDX-License-Identifier: Apache-2.0
// Stands in for the engine where there is none yet (build.mjs --mock): a kinematic car with plausible signals. Never in a shipped page.
import { Engine, Refused, SessionInfo } from "../src/engine/types";

const kCar = "t:s x:m y:m psi:rad vx:m/s vy:m/s r:rad/s ax:m/s^2 ay:m/s^2 steer:rad throttle:- brake:- handbrake:- gear_command:-";
const kWheel = "omega:rad/s kappa:- alpha:rad fz:N fx:N fy:N mu:- zx:m zy:m fx_peak:N fy_peak:N held:-";
const kWheels = ["fl", "fr", "rl", "rr"];
const g = 9.81, m = 1500;
const wheels = kWheels.flatMap((w) => kWheel.split(" ").map((s) => s.replace(":", `_${w}:`)));
const signals = [...kCar.split(" "), ...wheels].map((s) => ({ name: s.split(":")[0]!, unit: s.split(":")[1]!, meaning: "mock" }));
const at = new Map(signals.map((s, i) => [s.name, i]));

class Mock implements Engine {
  private k = 0; private n = signals.length; private cars = 1;
  private state = [[0, 0, 0, 0], [0, 0, 0, 0]]; private cmd = [[0, 0, 0.3, 0, 1], [0, 0, 0.3, 0, 1]];
  private log = new Map<number, string>();
  private fields = new Map<string, string>([["level", "L2"], ["tire.lugre.enabled", "true"], ["tire.lugre.law", "rolling"],
    ["solver.integrator", "rk4"], ["solver.dt", "0.001"], ["grade", "0.08"], ["mu", "1"], ["chassis.mass", "1500"]]);
  private generation = 0;
  private num(p: string) { return Number(this.fields.get(p)); }
  private session(): SessionInfo {
    return { dt: 0.001, rate: 200, duration: 20, generation: this.generation, grade: this.num("grade"), bank: 0, label: "Mock",
      cars: Array.from({ length: this.cars }, (_, i) => ({ id: i ? "other" : "ego", level: "L2", wheels: kWheels, signals,
        geometry: { wheelbase: 2.7, a: 1.2, b: 1.5, track_f: 1.55, track_r: 1.55, radius: 0.32, width: 1.8, h: 0.55 } })) };
  }
  ask(q: any): any {
    if (q.op === "about") return { version: "mock", catalog: "0" };
    if (q.op === "catalog") return { scenes: [{ id: "lugre_grade_demo", label: "Braked sedan on an 8 % grade", type: "scene", tags: [] }],
      vehicles: [], parts: [{ id: "tire.lugre_on", label: "Touring", type: "tire", tags: [] }], maneuvers: [] };
    if (q.op === "open") { this.k = 0; this.state = [[0, 0, 0, 0], [0, 3, 0, 0]]; this.edit(q.sets ?? []); return this.session(); }
    if (q.op === "session") return this.session();
    if (q.op === "fields") return { fields: [...this.fields].map(([path, value]) => ({ path, value, unit: "", meaning: "of the mock", kind: isNaN(+value) ? "text" : "number", lo: 0, hi: null, default: value, choices: [] })) };
    if (q.op === "edit") { this.edit(q.sets); return { generation: ++this.generation }; }
    if (q.op === "reset") { this.state = [[0, 0, 0, 0], [0, 3, 0, 0]]; return {}; }
    if (q.op === "rewind") { const s = this.log.get(Math.floor(q.step / 100) * 100); if (s) { this.state = JSON.parse(s); this.k = Math.floor(q.step / 100) * 100; } return {}; }
    if (q.op === "hash") return { hash: "0123456789abcdef" };
    if (q.op === "road") { const n = q.nx * q.ny; return { heights: new Float32Array(n), mu: new Float32Array(n).fill(1) }; }
    throw new Refused([{ what: `the mock has no ${q.op}` }]);
  }
  private edit(sets: [string, string][]) {
    for (const [p, v] of sets) if (p === "grade" && !(Math.abs(+v) <= 10)) throw new Refused([{ path: p, what: "expected -10 to 10" }]);
    for (const [p, v] of sets) this.fields.set(p, v);
  }
  command(car: number, ...c: [number, number, number, number, number]) { this.cmd[car] = c; }
  advance(steps: number) {
    for (let i = 0; i < steps; ++i, ++this.k) {
      if (this.k % 100 === 0) this.log.set(this.k, JSON.stringify(this.state));
      for (const [c, s] of this.state.entries()) {
        const [steer, throttle, brake, , gear] = this.cmd[c]!, slope = g * this.num("grade"), v = s[3]!;
        const hold = this.fields.get("tire.lugre.enabled") === "true" ? 0 : -0.0007;
        let a = throttle! * 4 * gear! - slope - 0.02 * v;
        if (brake! > 0) a -= Math.sign(v) * brake! * 9;
        s[3] = v + a * 0.001;
        if (brake! > 0.05 && (v * s[3]! <= 0)) s[3] = Math.abs(slope) < brake! * 9 ? hold : s[3]!;
        s[0]! += s[3]! * Math.cos(s[2]!) * 0.001; s[1]! += s[3]! * Math.sin(s[2]!) * 0.001; s[2]! += s[3]! * Math.tan(steer!) / 2.7 * 0.001;
      }
    }
    return steps;
  }
  values(car: number) {
    const out = new Float64Array(this.n), s = this.state[car]!, [steer, throttle, brake, hb, gear] = this.cmd[car]!;
    const set = (name: string, v: number) => { out[at.get(name)!] = v; };
    const r = s[3]! * Math.tan(steer!) / 2.7, fx = m * g * this.num("grade") / 4 + throttle! * 1500, fy = m * s[3]! * r / 4;
    set("t", this.k * 0.001); set("x", s[0]!); set("y", s[1]!); set("psi", s[2]!); set("vx", s[3]!); set("r", r); set("ay", s[3]! * r);
    set("steer", steer!); set("throttle", throttle!); set("brake", brake!); set("handbrake", hb!); set("gear_command", gear!);
    for (const w of kWheels) {
      const fz = m * g / 4 * (w.endsWith("l") ? 1 - s[3]! * r / 20 : 1 + s[3]! * r / 20);
      set(`omega_${w}`, s[3]! / 0.32); set(`fz_${w}`, fz); set(`fx_${w}`, fx); set(`fy_${w}`, fy); set(`mu_${w}`, 1);
      set(`fx_peak_${w}`, fz); set(`fy_peak_${w}`, fz); set(`zx_${w}`, fx / 3e5); set(`zy_${w}`, fy / 1e5); set(`held_${w}`, Math.abs(s[3]!) < 1e-3 ? 1 : 0);
      set(`kappa_${w}`, fx / 1e5); set(`alpha_${w}`, -fy / 8e4);
    }
    return out;
  }
  time() { return this.k * 0.001; }
  step() { return this.k; }
}
export const makeEngine = async (_wasm: ArrayBuffer | null, _files: string | null) => async () => new Mock() as Engine;
