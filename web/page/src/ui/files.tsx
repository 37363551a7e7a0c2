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
      <details ref={menu} class="menu"><summary>Download</summary><div>
        <button type="button" onClick={pick(() => app.downloadCsv())}>run.csv</button>
        <button type="button" onClick={pick(() => app.downloadScene())}>scene.yaml</button>
        <button type="button" onClick={pick(() => app.downloadTape())}>tape</button>
        <button type="button" onClick={pick(() => app.downloadPicture())}>picture (PNG)</button>
      </div></details>
    </>
  );
}
