// SPDX-License-Identifier: Apache-2.0
// Any signal by name over time, one cursor for all; paused, the cursor moves the car.
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { shown, short, tick } from "../app/units";
import { useApp, useApp1 } from "./context";

const kSpan = 20; // [s] shown while it runs
const kLineColors = 6;
export const lineColor = (i: number): string => `var(--line-${i % kLineColors})`;
export const lineInk = (style: CSSStyleDeclaration, i: number): string => style.getPropertyValue(`--line-${i % kLineColors}`);
// A flat curve is not blown up to its rounding.
export const range = (_: uPlot, lo: number | null, hi: number | null): [number, number] => {
  const [a, b] = lo == null || hi == null ? [0, 1] : Math.max(Math.abs(lo), Math.abs(hi)) < 1e-9 ? [-1, 1] : [lo, hi], least = Math.max(1e-9, 1e-6 * Math.max(Math.abs(a), Math.abs(b))), pad = Math.max((b - a) * 0.08, least);
  return [a - pad, b + pad];
};
const sync = uPlot.sync("time");

export function Plots() {
  const app = useApp(), plots = useApp1((s) => s.plots), session = useApp1((s) => s.session);
  const names = [...new Set((session?.cars ?? []).flatMap((c) => c.signals.map((s) => s.name)))];
  const put = (i: number, list: string[]) => app.set({ plots: plots.map((p, k) => (k === i ? list : p)).filter((p) => p.length) });
  return (
    <aside class="plots" aria-label="Plots">
      <header><h2>Plots</h2><AddSignal names={names} label="New plot" onAdd={(n) => app.set({ plots: [...plots, [n]] })} /></header>
      <div class="list">{plots.map((signals, i) => <Plot key={signals.join() + i} signals={signals} names={names} onChange={(list) => put(i, list)} />)}</div>
    </aside>
  );
}
function AddSignal({ names, label, onAdd }: { names: string[]; label: string; onAdd: (name: string) => void }) {
  const [text, setText] = useState(""), id = `signals-${label.replace(" ", "-")}`;
  const add = (value: string) => { if (names.includes(value)) { onAdd(value); setText(""); } else setText(value); };
  return <><input class="add" list={id} placeholder={`${label}: signal`} aria-label={`${label}: name of a signal`} value={text} onInput={(e) => setText(e.currentTarget.value)}
    onChange={(e) => add(e.currentTarget.value.trim())} /><datalist id={id}>{names.map((n) => <option key={n} value={n} />)}</datalist></>;
}

function Plot({ signals, names, onChange }: { signals: string[]; names: string[]; onChange: (list: string[]) => void }) {
  const app = useApp(), box = useRef<HTMLDivElement>(null), units = useApp1((s) => s.units), session = useApp1((s) => s.session), theme = useApp1((s) => s.theme);
  const [adding, setAdding] = useState(false);
  const cars = session?.cars ?? [], lines = cars.flatMap((car, c) => signals.map((name) => ({ car, c, name, signal: car.signals.findIndex((s) => s.name === name) })).filter((l) => l.signal >= 0));
  const unitOf = (l: (typeof lines)[0]) => shown(l.car.signals[l.signal]!.unit, units);
  const text = lines.map((l) => `${cars.length > 1 ? `${l.car.id} ` : ""}${l.name}`);
  useEffect(() => {
    const element = box.current!, style = getComputedStyle(element), ink = style.getPropertyValue("--ink-soft"), grid = { stroke: style.getPropertyValue("--grid"), width: 1 };
    if (!lines.length) return;
    const axis = { stroke: ink, grid, ticks: { show: false }, font: "11px system-ui", gap: 2 };
    const plot = new uPlot({
      width: element.clientWidth || 300, height: 118, legend: { show: false }, padding: [6, 6, 0, 0],
      cursor: { sync: { key: sync.key }, y: false, points: { size: 5 } }, scales: { x: { time: false }, y: { range } },
      axes: [{ ...axis, size: 22, space: 60, values: (_, v) => v.map(tick) }, { ...axis, size: 52, values: (_, v) => v.map(tick) }],
      series: [{}, ...lines.map((l, i) => ({ stroke: lineInk(style, i), width: 1.6, dash: l.c ? [6, 3] : undefined }))],
      hooks: { setCursor: [(u) => { const t = u.cursor.idx == null ? null : u.data[0]![u.cursor.idx]!; values(u.cursor.idx ?? null, u); if (!app.state.running && t != null && u.cursor.event) app.cursorTo(t); }] },
    }, [[], ...lines.map(() => [])] as unknown as uPlot.AlignedData, element);
    sync.sub(plot);
    const readouts = element.parentElement!.querySelectorAll(".value");
    const values = (idx: number | null, u: uPlot) => lines.forEach((_, i) => {
      const column = u.data[i + 1]!, v = column[idx ?? column.length - 1];
      if (readouts[i]) readouts[i]!.textContent = v == null ? "" : short(v);
    });
    let stopped = false, seen = NaN, timer = 0;
    const fill = async () => {
      const t = app.live.frame?.time ?? 0, end = app.state.running ? t : (app.live.frame?.lastStep ?? 0) * (session?.dt ?? 0.001);
      if (!stopped && t !== seen && element.clientWidth) {
        seen = t;
        const span = app.state.running ? kSpan : 120, from = Math.max(0, end - span);
        const columns = await Promise.all(cars.map((_, c) => app.client.history(c, lines.filter((l) => l.c === c).map((l) => l.signal), from, end + 1e-9, 600)));
        if (stopped) return;
        const data: ArrayLike<number>[] = [columns[0]![0]!], used = cars.map(() => 1);
        for (const l of lines) { const scale = unitOf(l).scale, column = columns[l.c]![used[l.c]!++]!; data.push(scale === 1 ? column : column.map((v) => v * scale)); }
        if (plot.width !== element.clientWidth) plot.setSize({ width: element.clientWidth, height: 118 });
        plot.setData(data as unknown as uPlot.AlignedData);
        if (plot.cursor.idx == null) values(null, plot);
      }
      if (!stopped) timer = window.setTimeout(fill, 150);
    };
    void fill();
    return () => { stopped = true; clearTimeout(timer); sync.unsub(plot); plot.destroy(); };
  }, [signals.join(), units, theme, session?.generation, cars.map((c) => c.id + c.signals.length).join(), session?.dt]);
  return (
    <figure class="plot">
      <figcaption>
        {lines.map((l, i) => <span key={text[i]} title={l.car.signals[l.signal]!.meaning}><i style={{ background: lineColor(i) }} />{text[i]} <b class="value" /> <small>{unitOf(l).unit}</small></span>)}
        {!lines.length && <span>{signals.join(", ")}: not a signal of this car</span>}
        <button type="button" aria-label="Add a signal" title="Add a signal" onClick={() => setAdding(!adding)}>+</button>
        <button type="button" aria-label={`Remove ${signals.at(-1)}`} title={`Remove ${signals.at(-1)}`} onClick={() => onChange(signals.slice(0, -1))}>&#x2212;</button>
      </figcaption>
      {adding && <AddSignal names={names} label="Add" onAdd={(n) => { setAdding(false); onChange([...signals, n]); }} />}
      <div ref={box} class="chart" />
    </figure>
  );
}
