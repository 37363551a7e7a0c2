// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import workerSource from "worker:source";
import { App, kStart } from "./app/app";
import { listenKeys } from "./app/keys";
import { unpack } from "./app/share";
import { Client } from "./engine/client";
import { AppContext } from "./ui/context";
import { Shell } from "./ui/shell";

// What the page carries beside its script, compressed: the engine and the catalog.
async function carried(id: string): Promise<ArrayBuffer | null> {
  const text = document.getElementById(id)?.textContent ?? "";
  if (!text) return null;
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
async function main(): Promise<void> {
  const root = document.getElementById("app")!;
  root.replaceChildren();
  const [wasm, files, listing] = await Promise.all([carried("engine"), carried("catalog"), carried("listing")]), text = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes);
  const client = new Client(workerSource, wasm, files && text(files)), app = new App(client);
  render(<AppContext.Provider value={app}><Shell /></AppContext.Provider>, root);
  (window as any).vdsim = app; // for the console and the tests
  listenKeys(app);
  addEventListener("dragover", (e) => e.preventDefault());
  addEventListener("drop", (e) => { // a tape, a shared drive or a scene, anywhere on the page
    const file = e.dataTransfer?.files[0];
    if (e.defaultPrevented || !file) return;
    e.preventDefault();
    if (/\.(json|ya?ml)$/.test(file.name)) void app.openFile(file);
  });
  try {
    await app.start(kStart, listing && JSON.parse(text(listing)));
    if (location.hash.startsWith("#v1.")) await app.attempt(async () => void (await app.openShared(await unpack(location.hash))));
  } catch (error) { app.set({ broken: String((error as Error).message ?? error) }); }
}
void main();
