// SPDX-License-Identifier: Apache-2.0
// Six cameras, keys 1..6. Dragging turns, the mouse wheel and pinching zoom.
import * as THREE from "three";

export const kCameras = ["chase", "orbit", "top", "driver", "wheel", "free"];

export class Cameras {
  readonly camera = new THREE.PerspectiveCamera(50, 1, 0.05, 800);
  private turn = { orbit: { az: 2.45, el: 0.32, r: 7.6 }, chase: { az: Math.PI - 0.62, el: 0.36, r: 7.4 }, top: 16, free: { az: 2.6, el: 0.4, r: 20 } };
  private free = new THREE.Vector3();
  private heading = 0;
  kind = 1;
  calm = false; // reduced motion: the camera does not swing

  constructor(element: HTMLElement) {
    this.camera.up.set(0, 0, 1);
    let from: { x: number; y: number } | null = null;
    element.addEventListener("pointerdown", (e) => { from = { x: e.clientX, y: e.clientY }; element.setPointerCapture(e.pointerId); });
    element.addEventListener("pointerup", () => { from = null; });
    element.addEventListener("pointermove", (e) => {
      if (!from) return;
      this.drag((e.clientX - from.x) * 0.006, (e.clientY - from.y) * 0.006);
      from = { x: e.clientX, y: e.clientY };
    });
    element.addEventListener("wheel", (e) => { e.preventDefault(); this.zoom(Math.exp(e.deltaY * 0.001)); }, { passive: false });
  }
  private arm() { return this.kind === 1 ? this.turn.chase : this.kind === 6 ? this.turn.free : this.turn.orbit; }
  lookAt(kind: number, az: number, el: number, r: number): void { this.kind = kind; Object.assign(this.arm(), { az, el, r }); }
  drag(dx: number, dy: number): void {
    const arm = this.arm();
    arm.az -= dx;
    arm.el = Math.min(1.5, Math.max(0.03, arm.el + dy));
  }
  zoom(by: number): void {
    if (this.kind === 3) this.turn.top = Math.min(200, Math.max(4, this.turn.top * by));
    else { const arm = this.arm(); arm.r = Math.min(200, Math.max(1.5, arm.r * by)); }
  }
  // `car`: its frame in the picture; `middle`: of all cars; `wheel`: the place of the wheel that camera 5 looks at.
  follow(car: THREE.Object3D, middle: THREE.Vector3, wheel: THREE.Vector3, radius: number, dt: number): void {
    const at = new THREE.Vector3().setFromMatrixPosition(car.matrixWorld), x = new THREE.Vector3(), y = new THREE.Vector3(), z = new THREE.Vector3();
    car.matrixWorld.extractBasis(x, y, z);
    const heading = Math.atan2(x.y, x.x), delta = Math.atan2(Math.sin(heading - this.heading), Math.cos(heading - this.heading));
    this.heading += delta * (this.calm ? 1 : Math.min(1, 5 * dt));
    const c = this.camera;
    c.up.set(0, 0, 1);
    if (this.kind === 3) {
      c.position.copy(at).addScaledVector(z, this.turn.top);
      c.up.copy(x);
      c.lookAt(at);
    } else if (this.kind === 4) {
      c.position.copy(at).addScaledVector(x, 0.25).addScaledVector(y, 0.35).addScaledVector(z, 1.18);
      c.up.copy(z);
      c.lookAt(c.position.clone().add(x).addScaledVector(z, -0.08));
    } else if (this.kind === 5) {
      const w = wheel.clone().applyMatrix4(car.matrixWorld);
      c.position.copy(w).addScaledVector(y, Math.sign(wheel.y || 1) * 2.2).addScaledVector(x, 0.9).addScaledVector(z, radius * 2.2);
      c.lookAt(w);
    } else {
      const arm = this.arm(), az = arm.az + (this.kind === 1 ? this.heading : 0), goal = this.kind === 6 ? this.free : middle.clone().addScaledVector(z, 0.6);
      if (this.kind !== 6) this.free.copy(middle);
      c.position.set(goal.x + arm.r * Math.cos(az) * Math.cos(arm.el), goal.y + arm.r * Math.sin(az) * Math.cos(arm.el), goal.z + arm.r * Math.sin(arm.el));
      c.lookAt(goal);
    }
    c.updateMatrixWorld();
  }
}
