// SPDX-License-Identifier: Apache-2.0
// Between the page and its worker.
import type { Command, Fault } from "./types";

export interface FrameRequest {
  wall: number; // real time since the last frame [s]
  speed: number; // simulated seconds per real second; 0 = paused
  steps: number; // when paused: steps to make now
  until: number; // step to stop at; 0 = none
  commands: ([car: number] | [car: number, command: Command])[];
}
export interface Sample {
  previous: Float64Array; // values one step before
  current: Float64Array;
}
export interface FrameReply {
  step: number; time: number; lastStep: number;
  done: number; // steps made
  slow: boolean; // more than 100 ms were asked for: slow motion
  blend: number; // 0..1: where between the two samples the picture is
  failed: boolean; // a car stands where it diverged
  cost: number; // time in the worker [ms]
  cars: Sample[];
  ghost: Sample | null;
}
export type ToWorker =
  | { kind: "start"; wasm: ArrayBuffer | null; files: string | null }
  | { kind: "ask"; id: number; request: Record<string, unknown>; ghost: boolean }
  | { kind: "history"; id: number; car: number; signals: number[]; from: number; to: number; most: number }
  | { kind: "ghost"; id: number; open: Record<string, unknown> | null }
  | { kind: "frame"; request: FrameRequest };
export type FromWorker =
  | { kind: "started"; about: any }
  | { kind: "answer"; id: number; reply: any }
  | { kind: "refused"; id: number; faults: Fault[] }
  | { kind: "frame"; reply: FrameReply }
  | { kind: "broken"; what: string };
