// SPDX-License-Identifier: Apache-2.0
import type { Fault } from "./types";
export class EngineError extends Error { errors: Fault[]; refused: boolean }
export class Engine {
  static make(wasm: ArrayBuffer | WebAssembly.Module, files: Record<string, unknown>): Promise<Engine>;
  ask(question: Record<string, unknown>): any;
  command(car: number, command: { steer?: number; throttle?: number; brake?: number; handbrake?: number; gear?: number }): void;
  advance(steps: number): number;
  values(car: number): Float64Array;
  time(): number;
  step(): number;
  floats64(at: number, count: number): Float64Array;
  floats32(at: number, count: number): Float32Array;
}
