// SPDX-License-Identifier: Apache-2.0
// Fixed steps up to the time of the frame, and what the frame shows: the last two samples of every car.
import { History, kRowsPerSecond } from "./history";
import type { FrameReply, FrameRequest, Sample } from "./messages";
import type { Engine, SessionInfo } from "./types";

const kMostPerFrame = 0.1; // [s] of simulated time per unit of speed; beyond: slow motion

export class Runner {
  readonly history: History[] = [];
  ghost: Engine | null = null;
  private owed = 0; // simulated time that the frame asks for beyond the last step [s]
  private samples: Sample[] = [];
  private ghostSample: Sample | null = null;
  private every = 1;
  private dt = 0.001;
  private end = 0;

  constructor(private engine: Engine) {}

  // After open, edit, reset, rewind: cars or signals may be others.
  follow(session: SessionInfo, fresh: boolean): void {
    this.dt = session.dt;
    this.every = Math.max(1, Math.round(1 / (kRowsPerSecond * this.dt)));
    session.cars.forEach((car, i) => {
      if (fresh || this.history[i]?.width !== car.signals.length) this.history[i] = new History(car.signals.length);
      this.samples[i] = { previous: this.engine.values(i).slice(), current: this.engine.values(i).slice() };
    });
    this.history.length = this.samples.length = session.cars.length;
    this.owed = 0;
    if (fresh) this.end = 0;
    this.record();
  }
  cut(): void { this.end = this.engine.step(); }

  frame(request: FrameRequest): FrameReply {
    const began = performance.now();
    for (const [car, command] of request.commands) {
      if (!command) continue;
      const { steer, throttle, brake, handbrake, gear } = command;
      this.engine.command(car, steer, throttle, brake, handbrake, gear);
      if (car === 0) this.ghost?.command(0, steer, throttle, brake, handbrake, gear);
    }
    const asked = request.wall * request.speed, most = kMostPerFrame * Math.max(1, request.speed);
    this.owed += Math.min(asked, most);
    const due = request.speed > 0 ? Math.floor(this.owed / this.dt + 1e-9) : request.steps;
    const steps = request.until ? Math.max(0, Math.min(due, request.until - this.engine.step())) : due;
    if (request.speed > 0) this.owed = Math.max(0, this.owed - due * this.dt); else this.owed = 0;
    const done = this.go(steps);
    this.end = Math.max(this.end, this.engine.step());
    return {
      step: this.engine.step(), time: this.engine.time(), lastStep: this.end, done, slow: asked > most, failed: done < steps,
      blend: request.speed > 0 ? Math.min(1, this.owed / this.dt) : 1, cost: performance.now() - began,
      cars: this.samples.map(copy), ghost: this.ghostSample && this.ghost ? copy(this.ghostSample) : null,
    };
  }

  private go(steps: number): number {
    let done = 0;
    while (done < steps) {
      const last = steps - done === 1;
      if (last) this.keep("previous");
      const toRow = this.every - (this.engine.step() % this.every);
      const n = last ? 1 : Math.min(toRow, steps - done - 1);
      const made = this.engine.advance(n);
      this.ghost?.advance(made);
      done += made;
      if (this.engine.step() % this.every === 0) this.record();
      if (made < n) break;
    }
    if (done) this.keep("current");
    return done;
  }
  private keep(which: "previous" | "current"): void {
    this.samples.forEach((sample, i) => sample[which].set(this.engine.values(i)));
    if (!this.ghost) return;
    const values = this.ghost.values(0);
    if (this.ghostSample?.current.length !== values.length)
      this.ghostSample = { previous: values.slice(), current: values.slice() };
    this.ghostSample[which].set(values);
  }
  private record(): void {
    this.history.forEach((h, i) => h.record(this.engine.step(), this.engine.time(), this.engine.values(i)));
  }
}

const copy = (s: Sample): Sample => ({ previous: s.previous.slice(), current: s.current.slice() });
