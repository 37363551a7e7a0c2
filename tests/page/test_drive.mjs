// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { advance, ask, hash, open, openPage, settle, state, value } from "./browser.mjs";

// 1: something is drawn, and nothing complains.
export async function pictureHasColoursAndConsoleIsEmpty(browser) {
  const { page, problems } = await openPage(browser, { draw: true });
  await settle(page, 500);
  const colours = await page.evaluate(async () => {
    const image = new Image();
    image.src = vdsim.view.png();
    await image.decode();
    const canvas = document.createElement("canvas"), c = canvas.getContext("2d");
    canvas.width = image.width; canvas.height = image.height;
    c.drawImage(image, 0, 0);
    const seen = new Set(new Uint32Array(c.getImageData(0, 0, canvas.width, canvas.height).data.buffer));
    return seen.size;
  });
  assert.ok(colours > 50, `only ${colours} colours`);
  assert.deepEqual(problems, []);
  return `${colours} colours`;
}

// The first ten seconds: the car stands, forces are drawn, a hint; then the ghost creeps beside it. Speed 5: less to wait for.
export async function firstSecondsShowTheGhost(browser) {
  const { page } = await openPage(browser);
  assert.match(await page.textContent(".hint"), /Arrow keys drive\. L switches LuGre\./);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.evaluate(() => vdsim.set({ speed: 5 }));
  await page.waitForSelector("[data-ghost]", { timeout: 30000 });
  const before = await page.evaluate(() => vdsim.live.time);
  await page.waitForFunction((t) => vdsim.live.time > t + 5, before);
  const [own, ghost] = await page.evaluate(() => [vdsim.car.drift().distance, vdsim.live.ghost.drift().distance]);
  assert.ok(ghost > 1e-4, `the ghost has crept ${ghost} m`);
  assert.ok(own < 1e-4, `the car has moved ${own} m`);
  return `ghost ${(ghost * 1000).toFixed(2)} mm, car ${(own * 1e6).toFixed(2)} um`;
}

// 3: on 20 % with the brake at 0.3 the blend creeps at 1.6 to 2.0 mm/s; with L it stands to 1e-9 m/s.
export async function keyLStopsTheCreep(browser) {
  const { page } = await openPage(browser);
  await open(page, "lugre_grade_demo", [["grade", "0.2"], ["driver.brake", "0.3"]]);
  await page.focus("canvas");
  await page.keyboard.press("l");
  await page.waitForFunction(() => vdsim.lugre() === "blend");
  await advance(page, 3000);
  const off = Math.abs(await value(page, "vx"));
  assert.ok(off > 1.6e-3 && off < 2.0e-3, `creeps at ${off} m/s`);
  await page.keyboard.press("l");
  await page.waitForFunction(() => vdsim.lugre() === "rolling");
  await advance(page, 3000);
  const on = Math.abs(await value(page, "vx"));
  assert.ok(on < 1e-9, `moves at ${on} m/s`);
  return `off ${(off * 1000).toFixed(3)} mm/s, on ${on.toExponential(1)} m/s`;
}

// 4: keys, a gamepad and thumbs drive the car.
export async function keysDrive(browser) {
  const { page } = await openPage(browser);
  await open(page, "lugre_grade_demo", [["grade", "0"]]);
  await page.focus("canvas");
  const before = await state(page);
  assert.equal(before.taken, false);
  await page.keyboard.down("ArrowUp");
  await page.waitForFunction(() => vdsim.car.get("vx") > 1, null, { timeout: 30000 });
  await page.keyboard.down("ArrowLeft");
  await page.waitForFunction(() => vdsim.car.get("steer") > 0.02 && vdsim.car.get("r") > 0, null, { timeout: 30000 });
  await page.keyboard.up("ArrowUp");
  await page.keyboard.up("ArrowLeft");
  await page.keyboard.down("s");
  await page.waitForFunction(() => vdsim.car.get("brake") > 0.5, null, { timeout: 30000 });
  await page.keyboard.up("s");
  await page.keyboard.down("Space");
  await page.waitForFunction(() => vdsim.car.get("handbrake") === 1, null, { timeout: 30000 });
  await page.keyboard.up("Space");
  await page.keyboard.press("g");
  await page.waitForFunction(() => vdsim.state.reverse);
  await page.keyboard.press("3");
  assert.equal((await state(page)).camera, 3);
  await page.keyboard.press("p");
  assert.equal((await state(page)).running, false);
  await page.waitForFunction(() => !vdsim.client.busy);
  const at = (await state(page)).step;
  await page.keyboard.press(".");
  await page.waitForFunction((at) => vdsim.live.frame.step === at + 1, at);
  await page.keyboard.press(",");
  await page.waitForFunction((at) => vdsim.live.frame.step < at, at);
  await page.keyboard.press("r");
  await page.waitForFunction(() => !vdsim.state.taken && Math.abs(vdsim.car.get("vx")) < 1e-6);
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
}
export async function gamepadDrives(browser) {
  const { page } = await openPage(browser);
  await open(page, "lugre_grade_demo", [["grade", "0"]]);
  await page.evaluate(() => {
    const button = (value) => ({ value, pressed: value > 0.5, touched: value > 0 });
    window.pad = { connected: true, axes: [0.05, 0, 0, 0], buttons: Array.from({ length: 16 }, () => button(0)) };
    navigator.getGamepads = () => [window.pad];
  });
  await settle(page, 300);
  assert.equal((await state(page)).taken, false, "the dead zone of 0.08 has driven");
  await page.evaluate(() => { window.pad.buttons[7] = { value: 0.5 }; window.pad.axes[0] = -0.54; });
  await page.waitForFunction(() => vdsim.car.get("vx") > 0.5, null, { timeout: 30000 });
  const steer = await value(page, "steer_command"), throttle = await value(page, "throttle");
  assert.equal(throttle, 0.5);
  assert.ok(Math.abs(steer - 0.25) < 1e-3, `steers ${steer}`); // (0.54 - 0.08) / 0.92 of 0.5 rad, left
}
export async function thumbsDrive(browser) {
  const { page } = await openPage(browser, { touch: true, width: 412, height: 800 });
  await open(page, "lugre_grade_demo", [["grade", "0"]]);
  const pad = await page.locator(".pad").nth(1).boundingBox();
  const client = await page.context().newCDPSession(page);
  await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: pad.x + pad.width / 2, y: pad.y + 8 }] });
  await page.waitForFunction(() => vdsim.car.get("vx") > 0.3, null, { timeout: 30000 });
  await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForFunction(() => vdsim.car.get("throttle") === 0, null, { timeout: 30000 });
}

// 7: rewind 30 s and go on without touching anything: the same hash.
export async function rewindRepeats(browser) {
  const { page } = await openPage(browser);
  await open(page, "step_steer");
  await advance(page, 20000);
  await page.evaluate(() => { vdsim.input.press("ArrowUp"); vdsim.set({ running: true }); });
  await settle(page, 600);
  await page.evaluate(() => { vdsim.set({ running: false }); vdsim.input.letGo(); });
  await settle(page, 200);
  await advance(page, 10000);
  const end = (await state(page)).step, first = await hash(page);
  assert.ok(await page.evaluate((s) => vdsim.rewind(s), end - 30000 > 0 ? end - 30000 : 0));
  assert.notEqual(await hash(page), first);
  await page.evaluate(() => vdsim.input.release());
  await advance(page, end - (await ask(page, "session")).step);
  assert.equal(await hash(page), first);
  return first;
}

// 8: the switches act while it drives; a bad edit is refused, and nothing has changed.
export async function editsActAndBadOnesAreRefused(browser) {
  const { page } = await openPage(browser);
  await open(page, "step_steer", [["grade", "0"]]);
  await advance(page, 2000);
  const edits = [["mu", "0.8"], ["grade", "0.05"], ["solver.integrator", "euler"], ["solver.integrator", "rk4"], ["solver.dt", "0.0005"], ["chassis.mass", "1650"], ["level", "L3"], ["level", "L5"], ["level", "L2"]];
  for (const edit of edits) {
    assert.ok(await page.evaluate((e) => vdsim.edit([e]), edit), `${edit.join("=")}: ${JSON.stringify((await state(page)).faults)}`);
    assert.equal(Number((await page.evaluate((p) => vdsim.fieldsEnding(p)[0].value, edit[0]))) || edit[1], Number(edit[1]) || edit[1]);
    await advance(page, 50);
  }
  for (const law of ["blend", "breakaway", "rolling"]) {
    assert.ok(await page.evaluate((l) => vdsim.setLaw(l), law), law);
    assert.equal((await state(page)).law, law);
    const before = await value(page, "vx");
    await advance(page, 1);
    assert.ok(Math.abs((await value(page, "vx")) - before) < 0.05, `${law}: the speed jumps`);
  }
  const before = await hash(page), fields = await page.evaluate(() => JSON.stringify(vdsim.state.fields));
  assert.equal(await page.evaluate(() => vdsim.edit([["mu", "0.5"], ["chassis.mass", "-3"]])), false);
  const faults = (await state(page)).faults;
  assert.match(JSON.stringify(faults), /chassis\.mass/);
  assert.equal(await hash(page), before);
  assert.equal(await page.evaluate(async () => { await vdsim.refresh(false); return JSON.stringify(vdsim.state.fields); }), fields);
  assert.match(await page.textContent(".fault"), /nothing has changed/);
}
