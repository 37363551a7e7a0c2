// SPDX-License-Identifier: Apache-2.0
// The engine and its clock, away from the page's thread.
import { makeEngine } from "./make";
import type { FromWorker, ToWorker } from "./messages";
import { Runner } from "./runner";
import { Engine, Refused } from "./types";

declare const self: { postMessage(m: FromWorker, transfer?: Transferable[]): void; onmessage: ((e: MessageEvent<ToWorker>) => void) | null };

let another: (() => Promise<Engine>) | null = null;
let engine: Engine, runner: Runner;

const say = (message: FromWorker, transfer: Transferable[] = []) => self.postMessage(message, transfer);
const kChanges = new Set(["open", "edit", "reset", "rewind", "replay", "restore"]);

function ask(request: Record<string, unknown>): any {
  const op = request.op as string;
  const reply = engine.ask(request);
  if (kChanges.has(op)) {
    runner.follow(engine.ask({ op: "session" }), op === "open" || op === "replay");
    if (op === "edit" || op === "reset") runner.cut();
  }
  return reply;
}

async function ghost(open: Record<string, unknown> | null): Promise<any> {
  runner.ghost = null;
  if (!open) return null;
  const other = await another!();
  const session = other.ask({ op: "open", ...open });
  runner.ghost = other;
  return session;
}

async function take(message: ToWorker): Promise<void> {
  if (message.kind === "start") {
    another = await makeEngine(message.wasm, message.files);
    engine = await another();
    runner = new Runner(engine);
    say({ kind: "started", about: engine.ask({ op: "about" }) });
  } else if (message.kind === "frame") {
    const reply = runner.frame(message.request);
    const buffers = [...reply.cars, ...(reply.ghost ? [reply.ghost] : [])].flatMap((s) => [s.previous.buffer, s.current.buffer]);
    say({ kind: "frame", reply }, buffers as ArrayBuffer[]);
  } else if (message.kind === "history") {
    const h = runner.history[message.car];
    const columns = h ? h.columns(message.signals, message.from, message.to, message.most) : [];
    say({ kind: "answer", id: message.id, reply: columns }, columns.map((c) => c.buffer as ArrayBuffer));
  } else if (message.kind === "ghost") {
    say({ kind: "answer", id: message.id, reply: await ghost(message.open) });
  } else {
    say({ kind: "answer", id: message.id, reply: message.ghost ? runner.ghost?.ask(message.request) : ask(message.request) });
  }
}

self.onmessage = async (event) => {
  try {
    await take(event.data);
  } catch (error) {
    const faults = error instanceof Refused ? error.faults : [{ what: String((error as Error)?.message ?? error) }];
    if ("id" in event.data) say({ kind: "refused", id: event.data.id, faults });
    else say({ kind: "broken", what: faults.map((f) => f.what).join("; ") });
  }
};
