// SPDX-License-Identifier: Apache-2.0
// The engine of bindings/wasm behind the interface of the worker.
import { Engine as Loaded, EngineError } from "./loader.mjs";
import { Engine, Refused } from "./types";

class Wrapped implements Engine {
  constructor(private engine: Loaded) {}
  ask(request: Record<string, unknown>): any {
    try {
      const reply = this.engine.ask(request);
      if (request.op === "road")
        for (const key of ["heights", "mu"]) reply[key] = this.engine.floats32(reply[key][0], reply[key][1]);
      if (request.op === "maneuver") reply.data = reply.data.map(([at, count]: [number, number]) => this.engine.floats64(at, count));
      return reply;
    } catch (error) {
      throw error instanceof EngineError ? new Refused(error.errors) : error;
    }
  }
  command(car: number, steer: number, throttle: number, brake: number, handbrake: number, gear: number): void {
    this.engine.command(car, { steer, throttle, brake, handbrake, gear });
  }
  advance(steps: number): number { return this.engine.advance(steps); }
  values(car: number): Float64Array { return this.engine.values(car); }
  time(): number { return this.engine.time(); }
  step(): number { return this.engine.step(); }
}

// A function that makes one more engine of the same code.
export async function makeEngine(wasm: ArrayBuffer | null, files: string | null): Promise<() => Promise<Engine>> {
  if (!wasm) throw new Error("no engine in this page");
  const module = await WebAssembly.compile(wasm), catalog = JSON.parse(files ?? "{}");
  return async () => new Wrapped(await Loaded.make(module, catalog));
}
