// SPDX-License-Identifier: Apache-2.0
// What the page knows and does; the components show it and call it.
import { Client } from "../engine/client";
import { Assignment, Catalog, Command, Fault, Field, Refused, SessionInfo } from "../engine/types";
import { Input } from "./input";
import { Live, LiveCar } from "./live";
import { download, kMostInLink, pack } from "./share";
import { Store } from "./store";
import type { UnitSystem } from "./units";
import type { View } from "../view/view";

export type Tab = "drive" | "race" | "tires" | "maneuvers" | "results";
export interface Source { scene: unknown; sets: Assignment[]; name: string; vehicle?: string; tire?: string }
export interface Mark { time: number; text: string }
export interface State {
  ready: boolean; broken: string; about: any; catalog: Catalog; tab: Tab; source: Source | null; session: SessionInfo | null;
  fields: Field[]; opened: Map<string, string>; running: boolean; speed: number; units: UnitSystem; theme: "auto" | "light" | "dark";
  camera: number; show: { forces: boolean; ellipses: boolean; bristles: boolean; numbers: boolean };
  plots: string[][]; faults: Fault[]; notice: string; marks: Mark[]; taken: boolean; ghost: string; help: boolean; panel: "" | "fields" | "plots";
  hash: string; tick: number; factor: number; slow: boolean; reverse: boolean; cursor: number | null;
  until: number; shared: string; // a shared drive: its last step, its hash
}

export const kStart: Source = { scene: "lugre_grade_demo", sets: [["driver.brake", "0.3"]], name: "lugre_grade_demo" };
const kGhostAfter = 5; // [s] without input
const kTick = 80; // [ms] between two updates of numbers

export class App {
  readonly live = new Live();
  readonly input = new Input();
  readonly store: Store<State>;
  readonly draw: (() => void)[] = []; // every frame
  private last = 0;
  private wall = 0;
  private pendingSteps = 0;
  dirty = true; // a frame is due although nothing moves
  private sent: string[] = [];
  private lastTick = 0;
  private lastHash = 0;
  private rate = { wall: 0, time: 0 };
  private idle = 0; // simulated time without input
  scriptTimes: number[] = []; // of the last frames [ms]
  view: View | null = null;
  ready = 0; // since the page was opened [ms]

  constructor(readonly client: Client) {
    this.store = new Store<State>({
      ready: false, broken: "", about: null, catalog: { scenes: [], vehicles: [], parts: [], maneuvers: [] }, tab: "drive", source: null,
      session: null, fields: [], opened: new Map(), running: true, speed: 1, units: "road", theme: "auto", camera: 1,
      show: { forces: true, ellipses: true, bristles: true, numbers: true },
      plots: [["vx"], ["fx_fl", "fx_rl"], ["fy_fl", "fy_fr"]], faults: [], notice: "", marks: [], taken: false, ghost: "", help: false, panel: "",
      hash: "", tick: 0, factor: 1, slow: false, reverse: false, cursor: null, until: 0, shared: "",
    });
    client.onFrame = (reply) => {
      this.live.take(reply);
      if (this.state.until && reply.step >= this.state.until && this.state.running) this.set({ running: false, until: 0 });
      if (reply.failed && this.state.running) this.set({ running: false, notice: "A car diverged and stands where it was." });
    };
    client.onBroken = (what) => this.set({ broken: what });
  }
  get state(): State { return this.store.state; }
  set(patch: Partial<State>): void { this.store.set(patch); }
  get car(): LiveCar | undefined { return this.live.cars[0]; }

  async start(source: Source, listing: Catalog | null): Promise<void> {
    const about = await this.client.started;
    this.set({ about, catalog: listing ?? (await this.client.ask<Catalog>("catalog")) });
    await this.open(source);
    this.set({ ready: true });
    this.ready = performance.now();
    requestAnimationFrame(this.loop);
    document.addEventListener("visibilitychange", () => { this.last = 0; this.input.letGo(); });
  }

  // false: refused, and shown
  async attempt(what: () => Promise<void>): Promise<boolean> {
    try {
      await what();
      this.set({ faults: [] });
      return true;
    } catch (error) {
      this.set({ faults: error instanceof Refused ? error.faults : [{ what: String(error) }] });
      return false;
    }
  }
  open(source: Source): Promise<boolean> {
    return this.attempt(async () => {
      await this.client.ask("open", opening(source));
      await this.became(source);
      await this.refresh(true);
    });
  }
  private async became(source: Source): Promise<void> {
    await this.client.ghost(null);
    this.live.ghost = null;
    this.input.release();
    this.idle = 0;
    this.sent = [];
    this.tire = source.tire ?? "";
    this.set({ source, ghost: "", marks: [], taken: false, reverse: false, running: true, cursor: null, until: 0, shared: "", speed: 1 });
  }
  async refresh(fresh: boolean): Promise<void> {
    const session = await this.client.ask<SessionInfo>("session"), { fields } = await this.client.ask<{ fields: Field[] }>("fields");
    if (fresh) { this.live.cars = []; this.live.frame = null; }
    this.live.follow(session.cars);
    this.pendingSteps = 0;
    this.dirty = true;
    this.set({ session, fields, ...(fresh ? { opened: new Map(fields.map((f) => [f.path, f.value])) } : {}) });
  }
  edit(sets: Assignment[]): Promise<boolean> {
    return this.attempt(async () => {
      await this.client.ask("edit", { sets });
      await this.refresh(false);
      const text = sets.length === 1 ? `${sets[0]![0]} = ${sets[0]![1]}` : `${sets.length} values`;
      this.set({ marks: [...this.state.marks.filter((m) => m.time <= this.live.time), { time: this.live.time, text }] });
    });
  }
  reset(): Promise<boolean> {
    return this.attempt(async () => {
      await this.client.ask("reset");
      this.input.release();
      this.sent = [];
      this.live.cars.forEach((c) => c.restart());
      this.set({ taken: false, reverse: false });
      await this.refresh(false);
    });
  }
  rewind(step: number): Promise<boolean> {
    return this.attempt(async () => {
      await this.client.ask("rewind", { step: Math.max(0, Math.round(step)) });
      this.sent = [];
      this.input.letGo();
      this.set({ running: false });
      await this.refresh(false);
    });
  }
  step(n: number): void {
    if (this.state.running) this.set({ running: false });
    if (n > 0) this.pendingSteps += n;
    else void this.rewind((this.live.frame?.step ?? 0) + n);
  }
  toggleRun(): void { this.set({ running: !this.state.running, cursor: null }); }

  // Fields of every tire of a car whose path ends so; of the first car, or of all.
  fieldsEnding(ending: string): Field[] { return this.state.fields.filter((f) => f.path === ending || f.path.endsWith(`.${ending}`)); }
  lugre(): "rolling" | "breakaway" | "blend" | "" {
    const on = this.fieldsEnding("lugre.enabled"), law = this.fieldsEnding("lugre.law");
    if (!on.length) return "";
    if (on[0]!.value !== "true") return "blend";
    return (law[0]?.value as "rolling" | "breakaway") ?? "rolling";
  }
  setLaw(law: string): Promise<boolean> {
    const on: Assignment[] = this.fieldsEnding("lugre.enabled").map((f) => [f.path, law === "blend" ? "false" : "true"]);
    const which: Assignment[] = law === "blend" ? [] : this.fieldsEnding("lugre.law").map((f) => [f.path, law]);
    return this.edit([...on, ...which]);
  }
  private lawBefore = "rolling";
  toggleLugre(): Promise<boolean> {
    const law = this.lugre();
    if (law !== "blend") this.lawBefore = law || "rolling";
    return this.setLaw(law === "blend" ? this.lawBefore : "blend");
  }

  // Another tire on every wheel of every car: while it drives if the engine can, else from the start of the scene.
  tire = "";
  async setTire(id: string): Promise<void> {
    const source = this.state.source, cars = this.state.session?.cars ?? [];
    if (!source) return;
    const sets = cars.map((c): Assignment => [cars.length > 1 ? `${c.id}.tire` : "tire", id]);
    if (id && !id.endsWith(".tir") && (await this.edit(sets))) this.tire = id;
    else if (await this.open({ ...source, tire: id || undefined })) this.tire = id;
    this.set({});
  }
  // A car of the catalog in the scene that is open.
  async setVehicle(id: string): Promise<void> {
    const source = this.state.source;
    if (source) await this.open({ ...source, vehicle: id || undefined });
  }
  async copy(text: string, notice: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.tell(notice);
    } catch { this.set({ notice: `Copy this: ${text}` }); }
  }
  tell(notice: string): void {
    this.set({ notice });
    setTimeout(() => { if (this.state.notice === notice) this.set({ notice: "" }); }, 2500);
  }
  // What a link or a file needs to show the same drive: its tape (with the scene) and the view.
  private async shared(): Promise<unknown> {
    const { camera, plots, units, show, about, tab } = this.state, { tape } = await this.client.ask<{ tape: unknown }>("tape");
    return { catalog: about?.catalog, view: { camera, plots, units, show, tab }, tape };
  }
  async share(): Promise<void> {
    const link = await pack(await this.shared());
    if (link.length > kMostInLink) return void download("vdsim_drive.json", JSON.stringify(await this.shared()), "application/json");
    history.replaceState(null, "", link);
    await this.copy(location.href, "Link copied");
  }
  // A drive of a link or a file, repeated from its start and checked against its hashes.
  openShared(shared: any): Promise<boolean> {
    return this.attempt(async () => {
      const tape = typeof shared.tape === "string" ? shared.tape : JSON.stringify(shared.schema ? shared : shared.tape);
      const reply = await this.client.ask<{ step: number; hash: string; differs?: number | null }>("replay", { tape, run: true });
      const end = reply.step, note = reply.differs != null ? `differs from its tape at step ${reply.differs}` : `repeated to the bit, hash ${reply.hash}`;
      await this.became({ scene: null, sets: [], name: "shared drive" });
      await this.client.ask("rewind", { step: 0 });
      await this.refresh(true);
      const { camera, plots, units, show, tab } = shared.view ?? {};
      const view = Object.fromEntries(Object.entries({ camera, plots, units, show, tab }).filter(([, v]) => v !== undefined));
      this.set({ until: end, shared: reply.hash, notice: `This drive was ${note}.`, ...view });
    });
  }
  async openFile(file: File): Promise<boolean> {
    return this.attempt(async () => {
      const text = await file.text();
      if (/\.ya?ml$/.test(file.name)) await this.open({ scene: { text }, sets: [], name: file.name });
      else await this.openShared(JSON.parse(text));
    });
  }
  async downloadCsv(): Promise<void> {
    const { text } = await this.client.ask<{ text: string }>("csv");
    download("run.csv", text, "text/csv");
  }
  async downloadScene(): Promise<void> { download("scene.yaml", (await this.client.ask<{ text: string }>("scene_text")).text); }
  async downloadTape(): Promise<void> {
    const { tape } = await this.client.ask<{ tape: unknown }>("tape");
    download("tape.json", typeof tape === "string" ? tape : JSON.stringify(tape), "application/json");
  }
  async downloadPicture(): Promise<void> {
    const url = this.view?.png();
    if (url) download("vdsim.png", Uint8Array.from(atob(url.split(",")[1]!), (c) => c.charCodeAt(0)), "image/png");
  }

  // Paused: the car goes where the cursor of the plots is.
  private cursorBusy = false;
  cursorTo(time: number): void {
    const dt = this.state.session?.dt ?? 0.001;
    if (this.cursorBusy || this.state.running) return;
    this.cursorBusy = true;
    void this.rewind(Math.round(time / dt)).then(() => { this.cursorBusy = false; });
  }

  private loop = (now: number): void => {
    requestAnimationFrame(this.loop);
    const began = performance.now();
    const dt = this.last ? (now - this.last) / 1000 : 0;
    this.last = now;
    this.wall += dt;
    this.request(dt);
    for (const draw of this.draw) draw();
    if (now - this.lastTick > kTick) this.numbers(now);
    this.scriptTimes.push(performance.now() - began);
    if (this.scriptTimes.length > 600) this.scriptTimes.shift();
  };
  private request(dt: number): void {
    const { running, speed } = this.state;
    const command = this.input.command(dt, this.car?.speed() ?? 0);
    if (this.client.busy || (!running && !this.pendingSteps && !this.dirty)) { if (!running) this.wall = 0; return; }
    this.client.frame({
      wall: this.wall, speed: running ? speed : 0, steps: this.pendingSteps, until: this.state.until,
      commands: command && (running || this.pendingSteps) ? this.changed(command) : [],
    });
    this.wall = 0;
    this.pendingSteps = 0;
    this.dirty = false;
  }
  private changed(command: Command): [number, Command][] {
    const text = JSON.stringify(command);
    if (!this.state.taken) this.set({ taken: true, until: 0 });
    return this.live.cars.flatMap((_, i) => {
      if (this.sent[i] === text) return [];
      this.sent[i] = text;
      return [[i, command] as [number, Command]];
    });
  }
  private numbers(now: number): void {
    const wall = (now - this.lastTick) / 1000, time = this.live.time;
    this.lastTick = now;
    this.rate = { wall: this.rate.wall * 0.9 + wall, time: this.rate.time * 0.9 + Math.max(0, time - this.before) };
    this.idle = this.state.taken ? 0 : this.idle + Math.max(0, time - this.before);
    this.before = time;
    if (this.idle > kGhostAfter && !this.state.ghost && this.state.source === kStart && this.lugre() !== "blend") void this.callGhost();
    this.set({ tick: this.state.tick + 1, factor: this.rate.wall ? this.rate.time / this.rate.wall : 0, slow: this.live.frame?.slow ?? false });
    if (now - this.lastHash > 1000) {
      this.lastHash = now;
      void this.client.ask("hash").then((r) => this.set({ hash: r.hash }), () => {});
    }
  }
  private before = 0;
  // The same car on the kinematic blend, from the same start: it creeps.
  private async callGhost(): Promise<void> {
    const source = this.state.source!;
    this.set({ ghost: "blend" });
    const off: Assignment[] = this.fieldsEnding("lugre.enabled").map((f) => [f.path, "false"]);
    try {
      const session = await this.client.ghost({ ...opening(source), sets: [...source.sets, ...off] });
      this.live.ghost = new LiveCar(session.cars[0]);
    } catch (error) {
      this.set({ faults: error instanceof Refused ? error.faults : [] });
    }
  }
}

const opening = ({ scene, sets, vehicle, tire }: Source): Record<string, unknown> => ({ scene, sets, ...(vehicle ? { vehicle } : {}), ...(tire ? { tire } : {}) });
