// SPDX-License-Identifier: Apache-2.0
// Curves over one axis that do not move: tires and results.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { short, tick } from "../app/units";
import { lineColor, lineInk, range } from "./plots";
import { useApp1 } from "./context";

export interface Curve { name: string; y: ArrayLike<number | null> }
interface Props { title: string; x: ArrayLike<number>; xName: string; yName: string; curves: Curve[]; height?: number }

export function Chart({ title, x, xName, yName, curves, height = 240 }: Props) {
  const box = useRef<HTMLDivElement>(null), theme = useApp1((s) => s.theme);
  useEffect(() => {
    const element = box.current!, style = getComputedStyle(element), ink = style.getPropertyValue("--ink-soft"), grid = { stroke: style.getPropertyValue("--grid"), width: 1 };
    const axis = { stroke: ink, grid, ticks: { show: false }, font: "11px system-ui", labelFont: "12px system-ui", labelSize: 18, values: (_: uPlot, v: number[]) => v.map(tick) };
    const plot = new uPlot({
      width: element.clientWidth || 320, height, legend: { show: false }, scales: { x: { time: false }, y: { range } }, cursor: { y: false },
      axes: [{ ...axis, label: xName, size: 26 }, { ...axis, label: yName, size: 54 }], series: [{}, ...curves.map((_, i) => ({ stroke: lineInk(style, i), width: 1.8 }))],
      hooks: { setCursor: [(u) => {
        const idx = u.cursor.idx;
        element.parentElement!.querySelectorAll(".value").forEach((e, i) => { e.textContent = idx == null ? "" : short(u.data[i + 1]?.[idx] ?? NaN); });
      }] },
    }, [x, ...curves.map((c) => c.y)] as unknown as uPlot.AlignedData, element);
    const watch = new ResizeObserver(() => { if (element.clientWidth && element.clientWidth !== plot.width) plot.setSize({ width: element.clientWidth, height }); });
    watch.observe(element);
    return () => { watch.disconnect(); plot.destroy(); };
  }, [x, curves, theme, height, yName]);
  return (
    <figure class="chart-card"><figcaption><b>{title}</b>{curves.map((c, i) => <span key={c.name}><i style={{ background: lineColor(i) }} />{c.name} <b class="value" /></span>)}</figcaption>
      <div ref={box} role="img" aria-label={`${title}: ${curves.map((c) => c.name).join(", ")}`} /></figure>
  );
}
