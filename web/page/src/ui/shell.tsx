// SPDX-License-Identifier: Apache-2.0
// The frame of the page: tabs, switches, panels, timeline, messages.
import { useEffect } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Tab } from "../app/app";
import { faultText } from "../engine/types";
import { Maneuvers } from "../tabs/maneuvers";
import { Race } from "../tabs/race";
import { Results } from "../tabs/results";
import { Tires } from "../tabs/tires";
import { useApp, useApp1 } from "./context";
import { Picture } from "./drive";
import { Fields } from "./fields";
import { Files } from "./files";
import { Help } from "./help";
import { Plots } from "./plots";
import { Switches } from "./switches";
import { Timeline } from "./timeline";

const kTabs: [Tab, string][] = [["drive", "Drive"], ["race", "Race"], ["tires", "Tires"], ["maneuvers", "Manoeuvres"], ["results", "Results"]];

export function Shell() {
  const app = useApp(), tab = useApp1((s) => s.tab), ready = useApp1((s) => s.ready), theme = useApp1((s) => s.theme), units = useApp1((s) => s.units), panel = useApp1((s) => s.panel);
  useEffect(() => { document.documentElement.dataset.theme = theme; }, [theme]);
  const live = tab === "drive" || tab === "race";
  return (
    <div class={`shell tab-${tab} panel-${panel || "none"}`}>
      <header class="top">
        <h1>VDSim</h1>
        <nav role="tablist" aria-label="Pages">{kTabs.map(([id, name]) => (
          <button key={id} type="button" role="tab" id={`tab-${id}`} aria-selected={tab === id} onClick={() => app.set({ tab: id })}>{name}</button>))}</nav>
        <div class="tools">
          <Files />
          <button type="button" onClick={() => app.set({ units: units === "si" ? "road" : "si" })} title="Units on the screen">{units === "si" ? "SI" : "km/h deg"}</button>
          <button type="button" onClick={() => app.set({ theme: theme === "auto" ? "light" : theme === "light" ? "dark" : "auto" })} title="Light, dark, or as the system">{theme}</button>
          <button type="button" onClick={() => app.set({ help: true })} title="Keys (?)" aria-label="Keys">?</button>
        </div>
      </header>
      {live && ready && <Switches />}
      <main id="main" aria-labelledby={`tab-${tab}`}>
        <div class="drive-tab" hidden={!live}>
          {ready && <Fields />}
          <div class="center">{tab === "race" && <Race />}<Picture /></div>
          {ready && <Plots />}
        </div>
        {tab === "tires" && <Tires />}
        {tab === "maneuvers" && <Maneuvers />}
        {tab === "results" && <Results />}
      </main>
      {live && ready && <div class="bottom"><Ticking><Timeline /></Ticking>
        <div class="panels">
          <button type="button" aria-pressed={panel === "fields"} onClick={() => app.set({ panel: panel === "fields" ? "" : "fields" })}>Parameters</button>
          <button type="button" aria-pressed={panel === "plots"} onClick={() => app.set({ panel: panel === "plots" ? "" : "plots" })}>Plots</button>
        </div></div>}
      <Messages />
      <Help />
    </div>
  );
}
function Ticking({ children }: { children: ComponentChildren }) { useApp1((s) => s.tick); return <>{children}</>; }

function Messages() {
  const app = useApp(), faults = useApp1((s) => s.faults), notice = useApp1((s) => s.notice), broken = useApp1((s) => s.broken);
  if (!faults.length && !notice && !broken) return null;
  return (
    <div class="messages" role="alert">
      {broken && <div class="fault"><b>The engine stopped.</b> {broken} <button type="button" onClick={() => location.reload()}>Reload</button></div>}
      {faults.length > 0 && <div class="fault"><b>Refused, nothing has changed.</b><ul>{faults.map((f, i) => <li key={i}>{faultText(f)}</li>)}</ul>
        <button type="button" onClick={() => app.set({ faults: [] })}>Close</button></div>}
      {notice && <div class="notice">{notice} <button type="button" onClick={() => app.set({ notice: "" })} aria-label="Close">&#xd7;</button></div>}
    </div>
  );
}
