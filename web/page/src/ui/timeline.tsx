// SPDX-License-Identifier: Apache-2.0
// Play, pause, step, back, scrub; the marks are edits.
import { useRef } from "preact/hooks";
import { fixed } from "../app/units";
import { useApp, useApp1 } from "./context";

const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20];

export function Timeline() {
  const app = useApp(), { running, speed, session, marks, factor } = useApp1((s) => s), frame = app.live.frame;
  const dt = session?.dt ?? 0.001, step = frame?.step ?? 0, last = Math.max(1, frame?.lastStep ?? 0), pending = useRef(false);
  const scrub = async (to: number) => {
    if (pending.current) return;
    pending.current = true;
    await app.rewind(to);
    pending.current = false;
  };
  return (
    <div class="timeline" role="group" aria-label="Timeline">
      <button type="button" onClick={() => app.toggleRun()} aria-label={running ? "Pause" : "Play"} title={running ? "Pause (P)" : "Play (P)"} class="play">{running ? <Pause /> : <Play />}</button>
      <button type="button" onClick={() => app.step(-Math.round(0.1 / dt))} title="Back 0.1 s (,)" aria-label="Back 0.1 s">&#x2039;</button>
      <button type="button" onClick={() => app.step(1)} title="One step (.)" aria-label="One step">&#x203a;</button>
      <button type="button" onClick={() => void app.reset()} title="To the start (R)">Reset</button>
      <div class="track">
        <input type="range" min="0" max={last} value={step} aria-label="Time" aria-valuetext={`${fixed(step * dt, 3)} s`}
          onInput={(e) => void scrub(Number(e.currentTarget.value))} />
        {marks.map((m, i) => <i key={i} title={`${fixed(m.time, 2)} s: ${m.text}`} style={{ left: `${100 * Math.min(1, m.time / (last * dt))}%` }} />)}
      </div>
      <output class="time">{fixed(app.live.time, 3)} s</output>
      <label class="rate">speed
        <select value={speed} onChange={(e) => { app.set({ speed: Number(e.currentTarget.value) }); e.currentTarget.blur(); }}>
          {kSpeeds.map((s) => <option key={s} value={s}>&#xd7;{s}</option>)}
        </select>
      </label>
      {running && factor < 0.9 * speed && <span class="slow" role="status">slow motion &#xd7;{fixed(factor, 2)}</span>}
    </div>
  );
}
const Play = () => <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path d="M3 1.5 14 8 3 14.5Z" fill="currentColor" /></svg>;
const Pause = () => <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path d="M3 2h3.5v12H3zM9.500 2H13v12H9.500z" fill="currentColor" /></svg>;
