// SPDX-License-Identifier: Apache-2.0
// Share and download.
import { useRef } from "preact/hooks";
import { useApp } from "./context";

export function Files() {
  const app = useApp(), menu = useRef<HTMLDetailsElement>(null);
  const pick = (what: () => Promise<void>) => () => { menu.current!.open = false; void app.attempt(what); };
  return (
    <>
      <button type="button" onClick={() => void app.attempt(() => app.share())} title="A link with scene, edits and drive">Share</button>
      <details ref={menu} class="menu"><summary>Files</summary><div>
        <button type="button" onClick={pick(() => app.downloadCsv())}>run.csv</button>
        <button type="button" onClick={pick(() => app.downloadScene())}>scene.yaml</button>
        <button type="button" onClick={pick(() => app.downloadTape())}>tape</button>
        <button type="button" onClick={pick(() => app.downloadPicture())}>picture (PNG)</button>
        <label class="open">open a tape or a scene<input type="file" accept=".json,.yaml,.yml" onChange={(e) => { const f = e.currentTarget.files?.[0]; menu.current!.open = false; if (f) void app.openFile(f); }} /></label>
      </div></details>
    </>
  );
}
