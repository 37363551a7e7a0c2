// SPDX-License-Identifier: Apache-2.0
// The worker, seen from the page: requests as promises, one frame under way at a time.
import type { FrameReply, FrameRequest, FromWorker, ToWorker } from "./messages";
import { Refused } from "./types";

export class Client {
  private worker: Worker;
  private waiting = new Map<number, { yes: (reply: any) => void; no: (error: Refused) => void }>();
  private next = 1;
  busy = false; // a frame is under way
  onFrame: (reply: FrameReply) => void = () => {};
  onBroken: (what: string) => void = () => {};
  readonly started: Promise<any>;

  constructor(source: string, wasm: ArrayBuffer | null, files: string | null) {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.worker = new Worker(url);
    let begun: (about: any) => void, failed: (error: Error) => void;
    this.started = new Promise((yes, no) => { begun = yes; failed = no; });
    this.worker.onerror = (e) => { failed(new Error(e.message)); this.onBroken(e.message); };
    this.worker.onmessage = (e: MessageEvent<FromWorker>) => {
      const m = e.data;
      if (m.kind === "started") begun(m.about);
      else if (m.kind === "frame") { this.busy = false; this.onFrame(m.reply); }
      else if (m.kind === "broken") { this.busy = false; failed(new Error(m.what)); this.onBroken(m.what); }
      else {
        const w = this.waiting.get(m.id);
        this.waiting.delete(m.id);
        if (m.kind === "answer") w?.yes(m.reply); else w?.no(new Refused(m.faults));
      }
    };
    this.send({ kind: "start", wasm, files }, wasm ? [wasm] : []);
  }
  private send(message: ToWorker, transfer: Transferable[] = []): void { this.worker.postMessage(message, transfer); }
  private promise<T>(make: (id: number) => ToWorker): Promise<T> {
    const id = this.next++;
    return new Promise((yes, no) => { this.waiting.set(id, { yes, no }); this.send(make(id)); });
  }

  ask<T = any>(op: string, request: Record<string, unknown> = {}, ghost = false): Promise<T> {
    return this.promise((id) => ({ kind: "ask", id, request: { op, ...request }, ghost }));
  }
  history(car: number, signals: number[], from: number, to: number, most = 1500): Promise<Float64Array[]> {
    return this.promise((id) => ({ kind: "history", id, car, signals, from, to, most }));
  }
  ghost(open: Record<string, unknown> | null): Promise<any> { return this.promise((id) => ({ kind: "ghost", id, open })); }
  frame(request: FrameRequest): void { this.busy = true; this.send({ kind: "frame", request }); }
}
