// SPDX-License-Identifier: Apache-2.0
// A car as a picture: body and glass from side profiles, wheels with spokes. Frame of the car: x forward, y left, z up, origin on the
// road below the CG.
import * as THREE from "three";
import type { Geometry } from "../engine/types";

export interface CarModel { root: THREE.Group; body: THREE.Group; wheels: THREE.Group[]; spin: THREE.Group[]; dispose(): void }
export const kColors = [0x2f6690, 0xc8702a, 0x3a8068, 0x7b5ea7];

const kPaint = (color: number, ghost: boolean) => new THREE.MeshPhongMaterial({ color, shininess: 60, specular: 0x333333, transparent: ghost, opacity: ghost ? 0.35 : 1, depthWrite: !ghost });

function extrude(shape: THREE.Shape, width: number, bevel: number): THREE.BufferGeometry {
  const g = new THREE.ExtrudeGeometry(shape, { depth: width - 2 * bevel, bevelEnabled: true, bevelSize: bevel * 0.6, bevelThickness: bevel, bevelSegments: 2, curveSegments: 10 });
  g.translate(0, 0, -(width - 2 * bevel) / 2);
  g.rotateX(Math.PI / 2); // profile x-z, extruded along y
  return g;
}
function lowerBody(g: Geometry, front: number, rear: number, hub: number): THREE.Shape {
  const sill = g.radius * 0.62, r = g.radius * 1.22, belt = g.radius * 2.65;
  const s = new THREE.Shape();
  s.moveTo(front - 0.06, sill);
  s.lineTo(front, sill + 0.22);
  s.quadraticCurveTo(front - 0.02, belt - 0.2, front - 0.35, belt - 0.13); // nose
  s.lineTo(g.a - 0.35, belt + 0.02); // bonnet
  s.lineTo(-g.b - 0.2, belt + 0.04); // belt line
  s.quadraticCurveTo(rear + 0.1, belt + 0.04, rear + 0.03, belt - 0.12); // tail
  s.lineTo(rear, sill + 0.25);
  s.lineTo(rear + 0.08, sill);
  const t = new THREE.Shape(); // the same edge, closed over the arches from rear to front
  t.setFromPoints(s.getPoints(10));
  arch(t, -g.b, r, sill, hub);
  arch(t, g.a, r, sill, hub);
  return t;
}
// An arch of radius r round x on the lower edge, from rear to front.
function arch(shape: THREE.Shape, x: number, r: number, sill: number, hub: number): void {
  const half = Math.sqrt(Math.max(0.01, r * r - (hub - sill) ** 2)), angle = Math.atan2(sill - hub, half);
  shape.lineTo(x - half, sill);
  shape.absarc(x, hub, r, Math.PI - angle, angle, true);
}
function glass(g: Geometry): THREE.Shape {
  const belt = g.radius * 2.65, roof = g.radius * 4.4, s = new THREE.Shape();
  s.moveTo(g.a - 0.4, belt);
  s.quadraticCurveTo(g.a - 0.95, roof - 0.04, g.a - 1.25, roof - 0.02);
  s.lineTo(-g.b + 0.75, roof - 0.03);
  s.quadraticCurveTo(-g.b + 0.2, roof - 0.1, -g.b - 0.3, belt + 0.02);
  s.closePath();
  return s;
}
function roofOf(g: Geometry): THREE.Shape {
  const roof = g.radius * 4.4, s = new THREE.Shape();
  s.moveTo(g.a - 1.12, roof - 0.03);
  s.quadraticCurveTo(0, roof + 0.06, -g.b + 0.65, roof - 0.03);
  s.lineTo(-g.b + 0.65, roof - 0.05);
  s.lineTo(g.a - 1.12, roof - 0.05);
  s.closePath();
  return s;
}
function wheel(radius: number, width: number, ghost: boolean): { turn: THREE.Group; spin: THREE.Group } {
  const turn = new THREE.Group(), spin = new THREE.Group(), half = width / 2;
  const alpha = ghost ? { transparent: true, opacity: 0.35 } : {};
  const section = [[0.62, -half * 0.9], [0.9, -half], [0.98, -half * 0.75], [1, -half * 0.4], [1, half * 0.4], [0.98, half * 0.75], [0.9, half], [0.62, half * 0.9]];
  const tire = new THREE.LatheGeometry(section.map(([r, y]) => new THREE.Vector2(r! * radius, y!)), 32);
  spin.add(new THREE.Mesh(tire, new THREE.MeshPhongMaterial({ color: 0x23272b, shininess: 8, side: THREE.DoubleSide, ...alpha })));
  const metal = new THREE.MeshPhongMaterial({ color: 0xc3c9cf, shininess: 80, ...alpha });
  const rim = new THREE.Mesh(new THREE.CylinderGeometry(radius * 0.63, radius * 0.63, half * 1.1, 24, 1, true), metal);
  metal.side = THREE.DoubleSide;
  spin.add(rim);
  for (let i = 0; i < 5; ++i) {
    const spoke = new THREE.Mesh(new THREE.BoxGeometry(radius * 0.13, half * 1.2, radius * 0.6), metal);
    spoke.position.set(Math.sin(i * 1.2566) * radius * 0.32, 0, Math.cos(i * 1.2566) * radius * 0.32);
    spoke.rotation.y = i * 1.2566;
    spin.add(spoke);
  }
  turn.add(spin); // spin about y, the axle
  return { turn, spin };
}

export function makeCar(g: Geometry, places: [number, number][], color: number, ghost = false): CarModel {
  const root = new THREE.Group(), body = new THREE.Group();
  const length = g.length || g.wheelbase + 1.9, front = g.front || g.a + 0.9, rear = front - length;
  const width = g.width || Math.max(g.track_f, g.track_r) + 0.25, paint = kPaint(color, ghost);
  body.add(new THREE.Mesh(extrude(lowerBody(g, front, rear, g.radius), width, 0.07), paint));
  body.add(new THREE.Mesh(extrude(glass(g), width * 0.8, 0.1), new THREE.MeshPhongMaterial({ color: 0x1d2a33, shininess: 100, specular: 0x667788, transparent: ghost, opacity: ghost ? 0.3 : 1, depthWrite: !ghost })));
  body.add(new THREE.Mesh(extrude(roofOf(g), width * 0.74, 0.05), paint));
  if (!ghost) body.add(...lamps(front, rear, width, g.radius));
  root.add(body);
  const made = places.map(([x, y]) => {
    const w = wheel(g.radius, 0.21, ghost);
    w.turn.position.set(x, y, g.radius);
    root.add(w.turn);
    return w;
  });
  return { root, body, wheels: made.map((w) => w.turn), spin: made.map((w) => w.spin), dispose: () => dispose(root) };
}
function lamps(front: number, rear: number, width: number, radius: number): THREE.Mesh[] {
  const out: THREE.Mesh[] = [];
  for (const side of [-1, 1])
    for (const [x, color] of [[front - 0.07, 0xf2f4f0], [rear + 0.05, 0xa02828]] as const) {
      const lamp = new THREE.Mesh(new THREE.BoxGeometry(0.1, width * 0.2, 0.1), new THREE.MeshPhongMaterial({ color, emissive: color, emissiveIntensity: 0.25 }));
      lamp.position.set(x, side * width * 0.33, radius * (color === 0xa02828 ? 2.1 : 1.8));
      out.push(lamp);
    }
  return out;
}
export function dispose(root: THREE.Object3D): void {
  root.removeFromParent();
  root.traverse((o) => {
    const mesh = o as THREE.Mesh;
    mesh.geometry?.dispose();
    for (const m of Array.isArray(mesh.material) ? mesh.material : mesh.material ? [mesh.material] : []) m.dispose();
  });
}
