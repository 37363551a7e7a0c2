// SPDX-License-Identifier: Apache-2.0
// The road round the car as a mesh, sampled from the engine: heights, friction as colour, a grid of 1 m and 10 m. In road
// coordinates: the slope is that of the group it hangs in.
import * as THREE from "three";
import type { Client } from "../engine/client";
import type { Field } from "../engine/types";

const kAhead = 90, kAcross = 24, kStep = 1, kMove = 25; // [m]
interface RoadReply { heights: Float32Array; mu: Float32Array }

// Friction as colour: dry grey, wet blue-grey, ice pale blue; the legend says so.
export const kFriction: [number, number, string][] = [[0, 0xd4ecf7, "ice"], [0.3, 0xa9cfe3, "0.3"], [0.6, 0x8c9aa3, "0.6"], [1, 0x85898c, "1"], [1.3, 0x6f6a66, "1.3"]];
const kFrictionDark: [number, number, string][] = [[0, 0x9cc6da, "ice"], [0.3, 0x5e8ca3, "0.3"], [0.6, 0x45525b, "0.6"], [1, 0x3a4046, "1"], [1.3, 0x302e2c, "1.3"]];
function colorOf(mu: number, dark: boolean, out: THREE.Color): void {
  const table = dark ? kFrictionDark : kFriction;
  let i = 0;
  while (i + 2 < table.length && mu > table[i + 1]![0]) ++i;
  const [a, ca] = table[i]!, [b, cb] = table[i + 1]!;
  out.set(ca).lerp(new THREE.Color(cb), Math.min(1, Math.max(0, (mu - a) / (b - a))));
}

function gridTexture(): THREE.Texture {
  const size = 512, canvas = document.createElement("canvas"), c = canvas.getContext("2d")!;
  canvas.width = canvas.height = size;
  c.fillStyle = "#fff";
  c.fillRect(0, 0, size, size);
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let i = 0; i < 9000; ++i) { // a little grain, so that motion is seen
    c.fillStyle = `rgba(0,0,0,${0.07 * random()})`;
    c.fillRect(random() * size, random() * size, 1 + 3 * random(), 1 + 3 * random());
  }
  c.strokeStyle = "rgba(0,0,0,.13)";
  for (let i = 0; i < 10; ++i) { c.lineWidth = 2; c.strokeRect(i * 51.2, -9, 51.2, size + 18); c.strokeRect(-9, i * 51.2, size + 18, 51.2); }
  c.strokeStyle = "rgba(0,0,0,.3)";
  c.lineWidth = 5;
  c.strokeRect(0, 0, size, size);
  const t = new THREE.CanvasTexture(canvas);
  t.wrapS = t.wrapT = THREE.RepeatWrapping;
  t.anisotropy = 4;
  t.colorSpace = THREE.SRGBColorSpace;
  return t;
}

export class RoadView {
  readonly root = new THREE.Group();
  private mesh: THREE.Mesh | null = null;
  private center = new THREE.Vector2(1e9, 0);
  private under = false;
  private again = false;
  private texture = gridTexture();
  private nx = Math.round(2 * kAhead / kStep) + 1;
  private ny = Math.round(2 * kAcross / kStep) + 1;
  private heights: Float32Array = new Float32Array(0);
  dark = false;
  constructor(private client: Client) {}

  renew(): void { this.again = true; }
  follow(x: number, y: number): void {
    if (this.under || !Number.isFinite(x + y)) return;
    if (!this.again && Math.hypot(x - this.center.x, y - this.center.y) < kMove) return;
    this.under = true;
    this.again = false;
    const cx = Math.round(x / kMove) * kMove, cy = Math.round(y / 4) * 4;
    const ask = { x0: cx - kAhead, y0: cy - kAcross * 1, dx: kStep, dy: kStep, nx: this.nx, ny: this.ny };
    this.client.ask<RoadReply>("road", ask).then((reply) => { this.build(cx, cy, reply); this.under = false; }, () => { this.under = false; });
  }
  heightAt(x: number, y: number): number {
    if (!this.heights.length) return 0;
    const i = Math.round((x - this.center.x + kAhead) / kStep), j = Math.round((y - this.center.y + kAcross) / kStep);
    return i < 0 || j < 0 || i >= this.nx || j >= this.ny ? 0 : this.heights[j * this.nx + i]!;
  }
  // The lane of a vertical loop, which is no height over x and y.
  private ring: THREE.Mesh | null = null;
  loop(fields: Field[]): void {
    const of = (name: string) => Number(fields.find((f) => f.path === `stunt.loop.${name}`)?.value ?? 0);
    const radius = of("radius"), x0 = of("x0"), half = of("width") / 2, drift = of("drift"), n = 96, place: number[] = [], index: number[] = [];
    this.ring?.removeFromParent();
    this.ring?.geometry.dispose();
    this.ring = null;
    if (!(radius > 0)) return;
    for (let i = 0; i <= n; ++i) {
      const turn = (2 * Math.PI * i) / n, y = (drift * i) / n;
      for (const side of [-half, half]) place.push(x0 + radius * Math.sin(turn), y + side, radius * (1 - Math.cos(turn)) + 0.005);
      if (i < n) index.push(2 * i, 2 * i + 2, 2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3);
    }
    const g = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(place), 3));
    g.setIndex(index);
    g.computeVertexNormals();
    this.ring = new THREE.Mesh(g, new THREE.MeshLambertMaterial({ color: 0x8a8f94, side: THREE.DoubleSide, transparent: true, opacity: 0.75 }));
    this.root.add(this.ring);
  }
  private build(cx: number, cy: number, reply: RoadReply): void {
    this.center.set(cx, cy);
    this.heights = reply.heights;
    const { nx, ny } = this, n = nx * ny, color = new THREE.Color();
    const place = new Float32Array(3 * n), colors = new Float32Array(3 * n), uv = new Float32Array(2 * n), index = new Uint32Array(6 * (nx - 1) * (ny - 1));
    for (let j = 0, k = 0; j < ny; ++j)
      for (let i = 0; i < nx; ++i, ++k) {
        const x = cx - kAhead + i * kStep, y = cy - kAcross + j * kStep;
        place.set([x - cx, y - cy, reply.heights[k]!], 3 * k);
        colorOf(reply.mu[k]!, this.dark, color);
        colors.set([color.r, color.g, color.b], 3 * k);
        uv.set([x / 10, y / 10], 2 * k);
      }
    for (let j = 0, k = 0; j + 1 < ny; ++j)
      for (let i = 0; i + 1 < nx; ++i, k += 6) {
        const a = j * nx + i;
        index.set([a, a + 1, a + nx, a + 1, a + nx + 1, a + nx], k);
      }
    const g = new THREE.BufferGeometry();
    g.setAttribute("position", new THREE.BufferAttribute(place, 3));
    g.setAttribute("color", new THREE.BufferAttribute(colors, 3));
    g.setAttribute("uv", new THREE.BufferAttribute(uv, 2));
    g.setIndex(new THREE.BufferAttribute(index, 1));
    g.computeVertexNormals();
    if (this.mesh) { this.mesh.geometry.dispose(); this.mesh.geometry = g; }
    else { this.mesh = new THREE.Mesh(g, new THREE.MeshLambertMaterial({ vertexColors: true, map: this.texture })); this.root.add(this.mesh); }
    this.mesh.position.set(cx, cy, 0);
  }
}
