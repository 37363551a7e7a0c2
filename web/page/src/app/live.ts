// SPDX-License-Identifier: Apache-2.0
// What the cars do now: the last two samples by signal name, and how far a standing car has crept.
import type { FrameReply, Sample } from "../engine/messages";
import type { CarInfo } from "../engine/types";

const kStopped = 0.01, kMoving = 0.05; // [m/s]

export class LiveCar {
  readonly index: Map<string, number>;
  sample: Sample | null = null;
  blend = 1;
  private stop: { x: number; y: number; t: number } | null = null;
  constructor(readonly info: CarInfo) { this.index = new Map(info.signals.map((s, i) => [s.name, i])); }

  has(name: string): boolean { return this.index.has(name); }
  // as in run.csv at this step
  get(name: string): number {
    const i = this.index.get(name);
    return i === undefined || !this.sample ? NaN : this.sample.current[i]!;
  }
  or(name: string, otherwise: number): number { const v = this.get(name); return Number.isFinite(v) ? v : otherwise; }
  // where the picture is: one step behind, between two steps
  drawn(name: string, otherwise = 0): number {
    const i = this.index.get(name);
    if (i === undefined || !this.sample) return otherwise;
    const a = this.sample.previous[i]!, b = this.sample.current[i]!;
    return Number.isFinite(a) && Number.isFinite(b) ? a + (b - a) * this.blend : otherwise;
  }
  speed(): number { return Math.hypot(this.or("vx", 0), this.or("vy", 0)); }

  take(sample: Sample, blend: number): void {
    this.sample = sample;
    this.blend = blend;
    const v = this.speed(), here = { x: this.get("x"), y: this.get("y"), t: this.get("t") };
    if (v > kMoving || (this.stop && here.t < this.stop.t)) this.stop = null;
    if (!this.stop && v < kStopped) this.stop = here;
  }
  restart(): void { this.stop = null; }
  // distance from where it came to rest [m] and time since then [s]; null while it drives
  drift(): { distance: number; time: number } | null {
    return this.stop && { distance: Math.hypot(this.get("x") - this.stop.x, this.get("y") - this.stop.y), time: this.get("t") - this.stop.t };
  }
}

export class Live {
  cars: LiveCar[] = [];
  ghost: LiveCar | null = null;
  frame: FrameReply | null = null;
  get time(): number { return this.frame?.time ?? 0; }
  follow(cars: CarInfo[]): void {
    this.cars = cars.map((info, i) => {
      const old = this.cars[i];
      return old && same(old.info, info) ? old : new LiveCar(info);
    });
  }
  take(frame: FrameReply): void {
    this.frame = frame;
    frame.cars.forEach((s, i) => {
      if (this.cars[i]?.index.size === s.current.length) this.cars[i]!.take(s, frame.blend);
    });
    if (frame.ghost && this.ghost) this.ghost.take(frame.ghost, frame.blend);
  }
}

const same = (a: CarInfo, b: CarInfo): boolean =>
  a.id === b.id && a.signals.length === b.signals.length && a.signals.every((s, i) => s.name === b.signals[i]!.name) &&
  JSON.stringify(a.geometry) === JSON.stringify(b.geometry);
