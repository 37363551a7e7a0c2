// SPDX-License-Identifier: Apache-2.0
// The engine as the worker sees it, and what its replies hold. Names, units, ranges and meanings come from the engine's tables.

export interface Signal { name: string; unit: string; meaning: string }
export interface Geometry {
  wheelbase: number; a: number; b: number; track_f: number; track_r: number; radius: number; width: number; h: number;
  length?: number; front?: number; // CG to the front end
}
export interface CarInfo { id: string; level: string; wheels: string[]; signals: Signal[]; geometry: Geometry }
export interface SessionInfo {
  cars: CarInfo[]; dt: number; rate: number; duration: number; generation: number; grade: number; bank: number;
  label?: string; step?: number; end?: number; mu?: number;
}
export interface Field {
  path: string; unit: string; meaning: string; kind: string; lo: number | null; hi: number | null;
  default: string; choices?: string[]; value: string; lo_open?: boolean; hi_open?: boolean;
}
export interface CatalogEntry { id: string; label?: string; type?: string; tags?: string[] }
export interface Catalog { scenes: CatalogEntry[]; vehicles: CatalogEntry[]; parts: CatalogEntry[]; maneuvers: CatalogEntry[] }
export type Assignment = [path: string, value: string];

// YAML of a user as the engine reads it: kind, line, column, text, quoted, items, entries.
export interface Node {
  k: "null" | "scalar" | "list" | "map"; l: number; c: number; t?: string; q?: boolean; i?: Node[];
  e?: [string, number, number, Node][];
}

export interface Fault { file?: string; line?: number; column?: number; path?: string; what: string }
export class Refused extends Error {
  constructor(readonly faults: Fault[]) { super(faults.map(faultText).join("\n")); }
}
export const faultText = (f: Fault): string =>
  [f.file, f.line ? `line ${f.line}` : "", f.path].filter(Boolean).join(", ").concat(f.file || f.line || f.path ? ": " : "", f.what);

// A request that changes something and is refused throws Refused, and nothing has changed.
export interface Engine {
  ask(request: Record<string, unknown>): any;
  command(car: number, steer: number, throttle: number, brake: number, handbrake: number, gear: number): void;
  advance(steps: number): number; // steps done
  values(car: number): Float64Array; // of signals(car); valid until the next call
  time(): number;
  step(): number;
}

export interface Command { steer: number; throttle: number; brake: number; handbrake: number; gear: number }
export const kRest: Command = { steer: 0, throttle: 0, brake: 0, handbrake: 0, gear: 1 };
