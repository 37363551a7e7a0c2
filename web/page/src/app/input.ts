// SPDX-License-Identifier: Apache-2.0
// Keys, gamepad and touch become one command. Nobody has the wheel until the first of them is used.
import { Command, kRest } from "../engine/types";

const kSteer = 0.5; // [rad] road wheel angle at full lock of an input
const kDeadZone = 0.08;
const kGrid = 8192; // the engine rounds commands to this grid; here too, so that an unchanged one is not sent again

export class Input {
  private keys = new Set<string>();
  touch = { steer: 0, throttle: 0, brake: 0, active: false };
  private steer = 0;
  private throttle = 0;
  private brake = 0;
  reverse = false;
  taken = false;

  static readonly driving: Record<string, string> = {
    ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", KeyW: "up", KeyS: "down", KeyA: "left", KeyD: "right", Space: "hand",
  };
  press(code: string): boolean {
    const key = Input.driving[code];
    if (!key) return false;
    this.keys.add(key);
    this.taken = true;
    return true;
  }
  lift(code: string): void { const key = Input.driving[code]; if (key) this.keys.delete(key); }
  letGo(): void { this.keys.clear(); }
  release(): void { // the scene's driver drives again
    this.keys.clear();
    this.taken = this.reverse = false;
    this.steer = this.throttle = this.brake = 0;
  }

  // After dt of real time at this speed of the car; null while the scene's driver drives.
  command(dt: number, speed: number): Command | null {
    const pad = this.pad();
    if (pad || this.touch.active) this.taken = true;
    if (!this.taken) return null;
    const has = (k: string) => (this.keys.has(k) ? 1 : 0);
    const lock = 1 / (1 + (speed / 14) ** 2); // full lock is for parking
    const want = has("left") - has("right");
    this.steer = toward(this.steer, want * lock, (want ? 1.6 : 3) * dt);
    this.throttle = toward(this.throttle, has("up"), (has("up") ? 1.5 : 4) * dt);
    this.brake = toward(this.brake, has("down"), (has("down") ? 2 : 5) * dt);
    const analog = pad ?? (this.touch.active ? this.touch : null);
    const pick = (key: number, other: number | undefined) => (other !== undefined && Math.abs(other) > Math.abs(key) ? other : key);
    return {
      steer: grid(pick(this.steer, analog?.steer) * kSteer), throttle: grid(pick(this.throttle, analog?.throttle)),
      brake: grid(pick(this.brake, analog?.brake)), handbrake: has("hand"), gear: this.reverse ? -1 : kRest.gear,
    };
  }
  private pad(): { steer: number; throttle: number; brake: number } | null {
    const pad = [...(navigator.getGamepads?.() ?? [])].find((p) => p?.connected);
    if (!pad) return null;
    const axis = pad.axes[0] ?? 0, far = Math.max(0, Math.abs(axis) - kDeadZone) / (1 - kDeadZone);
    const out = { steer: -Math.sign(axis) * far, throttle: pad.buttons[7]?.value ?? 0, brake: pad.buttons[6]?.value ?? 0 };
    return out.steer || out.throttle || out.brake ? out : null;
  }
}

const toward = (value: number, goal: number, most: number): number => value + Math.max(-most, Math.min(most, goal - value));
const grid = (value: number): number => Math.round(value * kGrid) / kGrid;
