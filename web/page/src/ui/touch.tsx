// SPDX-License-Identifier: Apache-2.0
// Two pads for thumbs: left steers, right drives (up) and brakes (down).
import { useRef } from "preact/hooks";
import { useApp } from "./context";

export function Touch() {
  const app = useApp(), left = useRef<HTMLDivElement>(null), right = useRef<HTMLDivElement>(null), active = useRef(0);
  const part = (e: PointerEvent, box: HTMLElement) => {
    const r = box.getBoundingClientRect();
    return { x: Math.max(-1, Math.min(1, ((e.clientX - r.left) / r.width) * 2 - 1)), y: Math.max(-1, Math.min(1, 1 - ((e.clientY - r.top) / r.height) * 2)) };
  };
  const steer = (e: PointerEvent) => { if (e.buttons || e.pointerType === "touch") app.input.touch.steer = -part(e, left.current!).x; };
  const pedal = (e: PointerEvent) => {
    const { y } = part(e, right.current!);
    app.input.touch.throttle = Math.max(0, y);
    app.input.touch.brake = Math.max(0, -y);
  };
  const down = (e: PointerEvent, move: (e: PointerEvent) => void) => { (e.currentTarget as HTMLElement).setPointerCapture(e.pointerId); ++active.current; app.input.touch.active = true; move(e); };
  const up = (what: "steer" | "pedal") => { if (what === "steer") app.input.touch.steer = 0; else app.input.touch.throttle = app.input.touch.brake = 0; };
  return (
    <div class="touch" aria-hidden="true">
      <div class="pad" ref={left} onPointerDown={(e) => down(e, steer)} onPointerMove={steer} onPointerUp={() => up("steer")} onPointerCancel={() => up("steer")}>steer</div>
      <div class="pad" ref={right} onPointerDown={(e) => down(e, pedal)} onPointerMove={(e) => { if (e.buttons || e.pointerType === "touch") pedal(e); }} onPointerUp={() => up("pedal")} onPointerCancel={() => up("pedal")}><span>drive</span><span>brake</span></div>
    </div>
  );
}
