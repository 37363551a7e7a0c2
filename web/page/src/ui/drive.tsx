// SPDX-License-Identifier: Apache-2.0
// The picture with its numbers, and what lies on it.
import { useEffect, useRef, useState } from "preact/hooks";
import { kCameras } from "../view/cameras";
import { kBristleScale, kNewtonPerMeter } from "../view/forces";
import { View } from "../view/view";
import { fixed } from "../app/units";
import { useApp, useApp1 } from "./context";
import { Hud } from "./hud";
import { Touch } from "./touch";

export function Picture() {
  const app = useApp(), canvas = useRef<HTMLCanvasElement>(null), words = useRef<HTMLDivElement>(null), [trouble, setTrouble] = useState("");
  const taken = useApp1((s) => s.taken), ghost = useApp1((s) => s.ghost), camera = useApp1((s) => s.camera), show = useApp1((s) => s.show), tab = useApp1((s) => s.tab);
  useEffect(() => {
    let view: View;
    // the page is painted before WebGL starts, which takes most of a second without a GPU
    const timer = setTimeout(() => {
      try {
        view = new View(app, canvas.current!, words.current!);
        view.cameras.calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        app.view = view;
        app.draw.push(draw);
      } catch (error) { setTrouble(String((error as Error).message ?? error)); }
    }, 0);
    const draw = () => view.frame();
    return () => { clearTimeout(timer); const i = app.draw.indexOf(draw); if (i >= 0) app.draw.splice(i, 1); };
  }, []);
  return (
    <div class="picture">
      <canvas ref={canvas} role="img" aria-describedby="in-words" tabIndex={0} aria-label="The car, its road and its tire forces" />
      <div ref={words} class="forces" aria-hidden="true" />
      {trouble && <p class="trouble" role="alert">No WebGL here, so no picture; everything else works. ({trouble})</p>}
      <Hud />
      <div class="viewbar" role="toolbar" aria-label="View">
        <label>camera <select value={camera} onChange={(e) => { app.set({ camera: Number(e.currentTarget.value) }); e.currentTarget.blur(); }}>
          {kCameras.map((name, i) => <option key={name} value={i + 1}>{i + 1} {name}</option>)}</select></label>
        {(["forces", "ellipses", "bristles", "numbers"] as const).map((name) => (
          <button key={name} type="button" aria-pressed={show[name]} onClick={() => app.set({ show: { ...show, [name]: !show[name] } })}>{name}</button>))}
        <span class="legend"><i class="fx" />Fx <i class="fy" />Fy <i class="fz" />Fz <small>1 m = {kNewtonPerMeter / 1000} kN, bristles &#xd7;{kBristleScale}</small></span>
      </div>
      {!taken && tab === "drive" && <p class="hint"><b>Arrow keys drive.{app.lugre() ? " L switches LuGre." : ""}</b>{ghost && <span> The orange ghost is the same car with LuGre off, drawn beside it.</span>}</p>}
      <Touch />
      <InWords />
    </div>
  );
}

// The picture in words, every 2 s.
function InWords() {
  const app = useApp(), [text, setText] = useState("");
  useEffect(() => {
    const timer = setInterval(() => {
      const car = app.car;
      if (!car?.sample) return;
      const v = car.get("vx"), d = car.drift();
      const most = car.info.wheels.map((w) => [w, Math.hypot(car.get(`fx_${w}`) / car.get(`fx_peak_${w}`), car.get(`fy_${w}`) / car.get(`fy_peak_${w}`))] as const)
        .sort((a, b) => b[1] - a[1])[0];
      setText(`${d ? "The car stands" : `The car drives ${v < 0 ? "backwards " : ""}at ${fixed(Math.abs(v) * 3.6, 0)} km/h`}, ` +
        `${fixed(Math.abs(car.or("ay", 0)), 1)} m/s² sideways; ${most && Number.isFinite(most[1]) ? `tire ${most[0]} uses ${fixed(100 * most[1], 0)} percent of its grip` : ""}.`);
    }, 2000);
    return () => clearInterval(timer);
  }, []);
  return <p id="in-words" class="hidden" aria-live="off">{text}</p>;
}
