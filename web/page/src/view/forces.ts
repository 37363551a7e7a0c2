// SPDX-License-Identifier: Apache-2.0
// What the road does to one tire: arrows Fx red, Fy green, Fz blue; the friction ellipse with the force as a point; the bristles.
// Frame: the contact, x in the wheel plane, y left, z up. Lengths: 1 m = 4 kN, bristles 200 times.
import * as THREE from "three";

export const kNewtonPerMeter = 4000;
export const kBristleScale = 200;
export const kForceColors = { fx: 0xd0342c, fy: 0x1f9d45, fz: 0x2b62d9 };
const kFull = 0.98; // share of the peak above which the ellipse is solid

class Arrow {
  readonly root = new THREE.Group();
  private shaft: THREE.Mesh;
  private head: THREE.Mesh;
  readonly tip = new THREE.Vector3();
  constructor(color: number, private along: THREE.Vector3) {
    const paint = new THREE.MeshBasicMaterial({ color, depthTest: false }); // seen through the body
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.022, 0.022, 1, 8), paint);
    this.shaft.geometry.translate(0, 0.5, 0);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(0.06, 0.16, 12), paint);
    this.head.geometry.translate(0, -0.08, 0);
    this.shaft.renderOrder = this.head.renderOrder = 10;
    this.root.add(this.shaft, this.head);
  }
  set(length: number): void {
    const size = Math.abs(length), shaft = Math.max(1e-3, size - 0.14);
    this.root.visible = size > 0.01;
    this.root.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.along.clone().multiplyScalar(Math.sign(length) || 1));
    this.shaft.scale.set(1, shaft, 1);
    this.head.position.y = size;
    const small = Math.min(1, size / 0.2);
    this.head.scale.set(small, small, small);
    this.tip.copy(this.along).multiplyScalar(length);
  }
}

export interface TireForces { fx: number; fy: number; fz: number; fxPeak: number; fyPeak: number; zx: number; zy: number; held: boolean }

export class ForceView {
  readonly root = new THREE.Group();
  readonly arrows = { fx: new Arrow(kForceColors.fx, new THREE.Vector3(1, 0, 0)), fy: new Arrow(kForceColors.fy, new THREE.Vector3(0, 1, 0)), fz: new Arrow(kForceColors.fz, new THREE.Vector3(0, 0, 1)) };
  private ellipse = new THREE.Group();
  private edge: THREE.LineLoop;
  private fill: THREE.Mesh;
  private point: THREE.Mesh;
  private tuft = new THREE.Group();
  private hairs: THREE.BufferAttribute;
  private tips: THREE.Mesh[] = [];
  private held = [new THREE.MeshBasicMaterial({ color: 0x8a5a00 }), new THREE.MeshBasicMaterial({ color: 0x8a5a00, wireframe: true })];
  private roots: [number, number][] = [];

  constructor() {
    const circle = new THREE.CircleGeometry(1, 48), points = new THREE.EllipseCurve(0, 0, 1, 1).getPoints(48);
    this.edge = new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: 0x5b4a86 }));
    this.fill = new THREE.Mesh(circle, new THREE.MeshBasicMaterial({ color: 0x7d63b8, transparent: true, opacity: 0.12, depthWrite: false, side: THREE.DoubleSide }));
    this.point = new THREE.Mesh(new THREE.SphereGeometry(0.055, 12, 8), new THREE.MeshBasicMaterial({ color: 0x3d2c73, depthTest: false }));
    this.point.renderOrder = 9;
    this.ellipse.add(this.edge, this.fill);
    for (const x of [-0.08, 0, 0.08]) for (const y of [-0.07, 0, 0.07]) this.roots.push([x, y]);
    this.hairs = new THREE.BufferAttribute(new Float32Array(this.roots.length * 6), 3);
    const lines = new THREE.BufferGeometry().setAttribute("position", this.hairs);
    const hairs = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: 0x8a5a00 }));
    hairs.frustumCulled = false;
    this.tuft.add(hairs);
    for (const _ of this.roots) { const tip = new THREE.Mesh(new THREE.SphereGeometry(0.018, 6, 4), this.held[0]); this.tips.push(tip); this.tuft.add(tip); }
    this.ellipse.position.z = 0.012;
    this.root.add(this.ellipse, this.point, this.tuft, this.arrows.fx.root, this.arrows.fy.root, this.arrows.fz.root);
  }
  set(f: TireForces, show: { forces: boolean; ellipses: boolean; bristles: boolean }, outward: number): void {
    this.arrows.fx.set(show.forces ? f.fx / kNewtonPerMeter : 0);
    this.arrows.fy.set(show.forces ? f.fy / kNewtonPerMeter : 0);
    this.arrows.fz.set(show.forces ? f.fz / kNewtonPerMeter : 0);
    const a = f.fxPeak / kNewtonPerMeter, b = f.fyPeak / kNewtonPerMeter, drawn = show.ellipses && a > 1e-3 && b > 1e-3;
    this.ellipse.visible = this.point.visible = drawn;
    if (drawn) {
      this.ellipse.scale.set(a, b, 1);
      const used = Math.hypot(f.fx / f.fxPeak, f.fy / f.fyPeak);
      (this.fill.material as THREE.MeshBasicMaterial).opacity = used > kFull ? 0.6 : 0.12;
      this.point.position.set(f.fx / kNewtonPerMeter, f.fy / kNewtonPerMeter, 0.03);
    }
    this.tuft.visible = show.bristles;
    if (show.bristles) this.bristles(f, outward);
  }
  private bristles(f: TireForces, outward: number): void {
    const high = 0.16, x = f.zx * kBristleScale, y = f.zy * kBristleScale;
    this.tuft.position.set(0, outward * 0.28, 0.01); // beside the tire, where it can be seen
    this.roots.forEach(([rx, ry], i) => {
      this.hairs.setXYZ(2 * i, rx, ry, 0);
      this.hairs.setXYZ(2 * i + 1, rx + x, ry + y, high);
      this.tips[i]!.position.set(rx + x, ry + y, high);
      this.tips[i]!.material = this.held[f.held ? 0 : 1]!;
    });
    this.hairs.needsUpdate = true;
  }
}
