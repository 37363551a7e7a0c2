// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import workerSource from "worker:source";
import { App, kStart } from "./app/app";
import { listenKeys } from "./app/keys";
import { Client } from "./engine/client";
import { AppContext } from "./ui/context";
import { Shell } from "./ui/shell";

async function engineBytes(): Promise<ArrayBuffer | null> {
  const text = document.getElementById("engine")?.textContent ?? "";
  if (!text) return null;
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
async function main(): Promise<void> {
  const root = document.getElementById("app")!;
  root.replaceChildren();
  const client = new Client(workerSource, await engineBytes(), null), app = new App(client);
  render(<AppContext.Provider value={app}><Shell /></AppContext.Provider>, root);
  (window as any).vdsim = app; // for the console and the tests
  listenKeys(app);
  try {
    await app.start(kStart);
  } catch (error) { app.set({ broken: String((error as Error).message ?? error) }); }
}
void main();
