// SPDX-License-Identifier: Apache-2.0
// The picture: road, cars, forces, numbers at the arrows. Everything hangs in a group that is tilted by grade and bank and moves with
// the car, so that far from the start nothing shakes.
import * as THREE from "three";
import type { App } from "../app/app";
import type { LiveCar } from "../app/live";
import { fixed } from "../app/units";
import { Cameras } from "./cameras";
import { CarModel, kColors, makeCar } from "./car_model";
import { ForceView } from "./forces";
import { RoadView } from "./road";

interface Shown { of: LiveCar; model: CarModel; forces: ForceView[]; places: [number, number][]; angle: number[] }
const kBeside = -2.7; // [m] the ghost is drawn in the next lane
const kSky = { light: 0xdfe7ec, dark: 0x14191e };

export class View {
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private plane = new THREE.Group(); // the road plane
  private world = new THREE.Group(); // in it, moved against the car
  readonly road: RoadView;
  readonly cameras: Cameras;
  private shown = new Map<LiveCar, Shown>();
  private labels: HTMLElement[] = [];
  private last = 0;
  private session: unknown = null;
  drawn = 0; // pictures so far
  private ratio = Math.min(2, devicePixelRatio); // pixels of the picture per pixel of the page
  private interval = 20; // between pictures, smoothed [ms]

  constructor(private app: App, private canvas: HTMLCanvasElement, private words: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !software() });
    this.renderer.setPixelRatio(this.ratio);
    this.road = new RoadView(app.client);
    this.cameras = new Cameras(canvas);
    this.world.add(this.road.root);
    this.plane.add(this.world);
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    sun.position.set(-3, 4, 9);
    this.scene.add(this.plane, new THREE.HemisphereLight(0xf4f8ff, 0x777066, 1.7), sun);
  }
  png(): string { this.renderer.render(this.scene, this.cameras.camera); return this.canvas.toDataURL("image/png"); }

  frame(): void {
    const now = performance.now(), dt = Math.min(0.1, (now - this.last) / 1000), { session, theme, camera } = this.app.state;
    this.pace(now - this.last);
    this.last = now;
    if (!session || !this.app.car?.sample) return;
    const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
    if (dark !== this.road.dark || session !== this.session) { this.road.dark = dark; this.road.renew(); this.road.loop(this.app.state.fields); this.session = session; }
    this.scene.background ??= new THREE.Color();
    (this.scene.background as THREE.Color).set(dark ? kSky.dark : kSky.light);
    this.scene.fog ??= new THREE.Fog(0, 45, 95);
    (this.scene.fog as THREE.Fog).color.set(dark ? kSky.dark : kSky.light);
    this.resize();
    this.plane.rotation.set(Math.atan(session.bank || 0), -Math.atan(session.grade || 0), 0, "YXZ");
    const ego = this.app.car, x = ego.drawn("x"), y = ego.drawn("y");
    this.world.position.set(-x, -y, -(ego.has("z") ? ego.drawn("z") - ego.info.geometry.h : this.road.heightAt(x, y)));
    this.road.follow(x, y);
    this.cars();
    this.scene.updateMatrixWorld(true);
    const main = this.shown.get(ego);
    if (main) {
      this.cameras.kind = camera;
      this.cameras.follow(main.model.root, this.middle(main), new THREE.Vector3(...main.places[0]!, 0.2), ego.info.geometry.radius, dt);
    }
    this.renderer.render(this.scene, this.cameras.camera);
    this.numbers(main);
    ++this.drawn;
  }
  // A machine without a GPU gets a coarser picture rather than slow motion.
  private pace(ms: number): void {
    this.interval += (Math.min(300, ms) - this.interval) * 0.1;
    const most = Math.min(2, devicePixelRatio), next = this.interval > 45 ? this.ratio * 0.8 : this.interval < 19 ? this.ratio * 1.1 : this.ratio;
    const ratio = Math.max(0.5, Math.min(most, next));
    if (this.drawn < 10 || this.drawn % 20 || ratio === this.ratio) return;
    this.ratio = ratio;
    this.renderer.setPixelRatio(ratio);
  }
  private resize(): void {
    const { clientWidth: w, clientHeight: h } = this.canvas, size = this.renderer.getSize(new THREE.Vector2());
    if (!w || !h || (size.x === w && size.y === h)) return;
    this.renderer.setSize(w, h, false);
    this.cameras.camera.aspect = w / h;
    this.cameras.camera.fov = w < h * 1.1 ? 62 : 50;
    this.cameras.camera.updateProjectionMatrix();
  }

  // Of the cars that are near the first one.
  private middle(main: Shown): THREE.Vector3 {
    const at = main.model.root.getWorldPosition(new THREE.Vector3()), sum = new THREE.Vector3();
    const near = [...this.shown.values()].map((s) => s.model.root.getWorldPosition(new THREE.Vector3())).filter((p) => p.distanceTo(at) < 10);
    near.forEach((p) => sum.add(p));
    return near.length ? sum.divideScalar(near.length) : at;
  }
  private cars(): void {
    const wanted = [...this.app.live.cars, ...(this.app.live.ghost ? [this.app.live.ghost] : [])];
    for (const [car, s] of this.shown)
      if (!wanted.includes(car)) { s.model.dispose(); this.shown.delete(car); }
    wanted.forEach((car, i) => {
      if (!car.sample) return;
      let s = this.shown.get(car);
      if (!s) this.shown.set(car, (s = this.make(car, i, car === this.app.live.ghost)));
      this.place(s, s.forces.length > 0);
    });
  }
  private make(car: LiveCar, i: number, ghost: boolean): Shown {
    const g = car.info.geometry, wheels = car.info.wheels;
    const places = wheels.map((name): [number, number] => {
      const front = name.startsWith("f"), track = front ? g.track_f : g.track_r;
      return [front ? g.a : -g.b, name.endsWith("l") ? track / 2 : name.endsWith("r") && name.length > 1 ? -track / 2 : 0];
    });
    const all = wheels.length === 2 ? [places[0]!, places[0]!, places[1]!, places[1]!].map(([x], k): [number, number] => [x, (k % 2 ? -1 : 1) * (k < 2 ? g.track_f : g.track_r) / 2]) : places;
    const color = car === this.app.live.ghost ? kColors[1]! : kColors[i % kColors.length]!;
    const model = makeCar(g, all, color, ghost), forces = ghost ? [] : wheels.map(() => new ForceView());
    forces.forEach((f) => model.root.add(f.root));
    this.world.add(model.root);
    return { of: car, model, forces, places, angle: all.map(() => 0) };
  }
  // On springs the CG is at (x, y, z) and the attitude is whole; on a plane the car stands on the road.
  private place(s: Shown, forces: boolean): void {
    const car = s.of, g = car.info.geometry, wheels = car.info.wheels, root = s.model.root;
    const x = car.drawn("x"), y = car.drawn("y") + (car === this.app.live.ghost ? kBeside : 0);
    root.rotation.set(car.drawn("roll"), car.drawn("pitch"), car.drawn("psi"), "ZYX");
    root.position.set(x, y, this.road.heightAt(x, y));
    if (car.has("z")) root.position.set(x, y, car.drawn("z")).sub(new THREE.Vector3(0, 0, g.h).applyEuler(root.rotation));
    s.model.wheels.forEach((wheel, k) => {
      const name = wheels.length === 2 ? wheels[k < 2 ? 0 : 1]! : wheels[k]!;
      s.angle[k] = (s.angle[k]! + car.drawn(`omega_${name}`) * this.frameTime()) % (2 * Math.PI);
      const lean = car.has(`camber_${name}`) ? -car.drawn(`camber_${name}`) - car.drawn("roll") : 0; // of the wheel against the body
      wheel.rotation.set(Math.abs(lean) < 0.3 ? lean : 0, 0, name.startsWith("f") ? car.drawn("steer") : 0, "ZXY");
      wheel.position.z = g.radius + car.drawn(`travel_${name}`);
      s.model.spin[k]!.rotation.y = s.angle[k]!;
    });
    if (forces) s.forces.forEach((f, k) => this.force(f, s, wheels[k]!, s.places[k]!));
  }
  private frameTime(): number { return this.app.state.running ? Math.min(0.05, (this.app.live.frame?.done ?? 0) * (this.app.state.session?.dt ?? 0)) : 0; }
  private force(view: ForceView, s: Shown, wheel: string, [x, y]: [number, number]): void {
    const v = (name: string) => s.of.or(`${name}_${wheel}`, 0);
    view.root.position.set(x, y, 0.01 + s.of.drawn(`travel_${wheel}`));
    view.root.rotation.z = wheel.startsWith("f") ? s.of.drawn("steer") : 0;
    view.set({ fx: v("fx"), fy: v("fy"), fz: v("fz"), fxPeak: v("fx_peak"), fyPeak: v("fy_peak"), zx: v("zx"), zy: v("zy"), held: v("held") > 0.5 }, this.app.state.show, Math.sign(y) || 1);
  }

  // "Fx 1.2 kN" at the tips of the arrows; where two would overlap the later one is left out.
  private numbers(main: Shown | undefined): void {
    const { show, camera } = this.app.state, { clientWidth: w, clientHeight: h } = this.canvas;
    let used = 0;
    const taken: [number, number][] = [];
    if (main && show.numbers && show.forces && camera !== 4)
      main.forces.forEach((f, k) => (["fz", "fx", "fy"] as const).forEach((which) => {
        const value = main.of.get(`${which}_${main.of.info.wheels[k]}`);
        if (!(Math.abs(value) > 100)) return;
        const p = f.root.localToWorld(f.arrows[which].tip.clone()).project(this.cameras.camera);
        const px = (p.x + 1) * w / 2, py = (1 - p.y) * h / 2;
        if (p.z > 1 || px < 40 || py < 12 || px > w - 50 || py > h - 12 || taken.some(([a, b]) => Math.abs(a - px) < 66 && Math.abs(b - py) < 16)) return;
        taken.push([px, py]);
        this.label(used++, which, `F${which[1]} ${fixed(value / 1000, 2)} kN`, px, py);
      }));
    for (let i = used; i < this.labels.length; ++i) this.labels[i]!.hidden = true;
  }
  private label(i: number, which: string, text: string, x: number, y: number): void {
    const e = (this.labels[i] ??= this.words.appendChild(document.createElement("span")));
    e.hidden = false;
    e.className = `force ${which}`;
    if (e.textContent !== text) e.textContent = text;
    e.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -130%)`;
  }
}

// WebGL by the processor: no smoothing of edges, it costs four times the pixels.
function software(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2"), info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}
