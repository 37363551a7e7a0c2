// SPDX-License-Identifier: Apache-2.0
// Tires, manoeuvres, results, and what the page costs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ask, openPage, pageFile, root, settle } from "./browser.mjs";

const program = process.env.VDSIM_BIN && existsSync(process.env.VDSIM_BIN) ? process.env.VDSIM_BIN : join(root, "build/exact/vdsim");
const native = (...words) => execFileSync(program, words, { encoding: "utf8", cwd: root, maxBuffer: 1 << 26 });
const tir = join(root, "configs/tir/book_205_60R15.tir");

// 9: a dropped .tir file draws the curve of `vdsim tire eval`, and can be driven; a broken one is refused by line.
export async function droppedTirIsThatOfTireEval(browser) {
  const { page } = await openPage(browser);
  await page.click("#tab-tires");
  await page.setInputFiles('.drop input[type="file"]', { name: "mine.tir", mimeType: "text/plain", buffer: readFileSync(tir) });
  await page.waitForSelector('.chips li:has-text("mine.tir")');
  await page.waitForSelector(".lint");
  const { curves } = await ask(page, "tire_curves", { tire: "/dropped/mine.tir", loads: [4000], what: "alpha", from: -0.1, to: 0.1, count: 3, speed: 15, mu: 1 });
  assert.equal(curves[0].fy.length, 3);
  let note = "not compared: no program";
  if (existsSync(program)) {
    const folder = mkdtempSync(join(tmpdir(), "vdsim_page_")), points = join(folder, "points.csv");
    writeFileSync(points, `fz,kappa,alpha,vx,mu\n${[-0.1, 0, 0.1].map((alpha) => `4000,0,${alpha},15,1`).join("\n")}\n`);
    const lines = native("tire", "eval", "--tire", tir, "--input", points).split("\n").filter((l) => l && !l.startsWith("#")), names = lines[0].split(",");
    rmSync(folder, { recursive: true });
    const mine = curves[0].fy[2];
    for (const name of ["fx", "fy", "mz"])
      lines.slice(1, 4).forEach((line, i) => {
        const theirs = Number(line.split(",")[names.indexOf(name)]), ours = curves[0][name][i];
        assert.ok(Math.abs(ours - theirs) <= 1e-6 * Math.max(1, Math.abs(theirs)), `${name}: page ${ours}, tire eval ${theirs}`); // the table is printed with fewer digits
      });
    note = `Fy ${mine.toFixed(1)} N`;
  }
  await page.click('.chips li:has-text("mine.tir") >> text=Drive this');
  await page.waitForFunction(() => vdsim.state.tab === "drive" && vdsim.tire.endsWith("mine.tir"), null, { timeout: 20000 });
  await page.waitForFunction(() => vdsim.state.fields.some((f) => f.path.endsWith("tir_path") && f.value.includes("mine.tir")), null, { timeout: 20000 });
  await page.click("#tab-tires");
  await page.setInputFiles('.drop input[type="file"]', { name: "broken.tir", mimeType: "text/plain", buffer: Buffer.from("[MODEL]\nFITTYP = 62\n[VERTICAL]\nFNOMIN = abc\n") });
  await page.waitForSelector('.lint:has-text("broken.tir") li');
  assert.match(await page.textContent('.lint:has-text("broken.tir")'), /line \d/);
  return note;
}

// 10: the same numbers as summary.json of the command line.
export async function maneuverIsThatOfTheProgram(browser) {
  const { page } = await openPage(browser);
  await page.click("#tab-maneuvers");
  await page.selectOption(".sheet select >> nth=0", "iso3888_2");
  await page.click("button.primary");
  await page.waitForSelector("[data-verdict]", { timeout: 60000 });
  const metrics = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("[data-metric]")].map((e) => [e.dataset.metric, e.dataset.value])));
  assert.ok(Object.keys(metrics).length > 3);
  assert.ok((await page.locator(".above .cone").count()) > 8);
  if (!existsSync(program)) return "not compared: no program";
  const folder = mkdtempSync(join(tmpdir(), "vdsim_page_"));
  try {
    native("maneuver", "run", "iso3888_2", "--vehicle", "vehicle.sedan_comfort", "--level", "L2", "--out", join(folder, "out"), "--quiet");
    const summary = JSON.parse(readFileSync(join(folder, "out/summary.json"), "utf8"));
    for (const m of summary.metrics) { // the drive has the same bits; what a metric takes from the C library (hypot, cos) may differ in the last of them
      const mine = Number(metrics[m.name] ?? NaN), theirs = m.value ?? NaN;
      assert.ok(Object.is(mine, theirs) || Math.abs(mine - theirs) <= 1e-12 * Math.max(1, Math.abs(theirs)), `${m.name}: page ${mine}, program ${theirs}`);
    }
    assert.equal(await page.getAttribute("[data-verdict]", "data-verdict"), summary.verdict);
    return `${summary.metrics.length} metrics`;
  } finally { rmSync(folder, { recursive: true }); }
}

export async function resultsAreReadFromFiles(browser) {
  const { page, problems } = await openPage(browser);
  await page.click("#tab-results");
  await page.setInputFiles('.drop input[type="file"]', [
    { name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("# comment\nt,vx\n0,1\n1,2\n") },
    { name: "b.csv", mimeType: "text/csv", buffer: Buffer.from("t,vx\n0.5,3\n1,4\n") },
    { name: "summary.json", mimeType: "application/json", buffer: Buffer.from('{"verdict":"pass","metrics":{"stop":{"value":4.2}}}') },
  ]);
  await page.waitForSelector(".chart-card");
  assert.match(await page.textContent(".grid"), /metrics\.stop\.value/);
  assert.deepEqual(problems, []);
}

// The trouble of the engine is said, and the page starts again.
export async function deadEngineIsSaid(browser) {
  const { page } = await openPage(browser);
  await page.evaluate(() => vdsim.client.onBroken("the engine ended with 1"));
  await page.click('.fault button:has-text("Reload")');
  await page.waitForFunction(() => window.vdsim?.state.ready && !vdsim.state.broken, null, { timeout: 60000 });
}

// Budgets of size; of time what a busy machine can hold to.
export async function pageIsSmallAndSoonThere(browser) {
  const html = readFileSync(pageFile), part = (id) => new RegExp(`id="${id}">([^<]*)<`).exec(html)?.[1] ?? "";
  const script = /<script>([^]*)<\/script>/.exec(html)[1], kB = (n) => Math.round(n / 1000);
  const sizes = { script: kB(gzipSync(script).length), engine: kB(part("engine").length * 0.75), page: kB(gzipSync(html).length), file: kB(statSync(pageFile).size) };
  assert.ok(sizes.script < 300, `script ${sizes.script} kB`);
  const { page } = await openPage(browser, { draw: true });
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  await settle(page, 3000);
  const times = await page.evaluate(() => { const s = vdsim.scriptTimes.slice(5).sort((a, b) => a - b); return [s[s.length >> 1], s[Math.floor(s.length * 0.95)], vdsim.ready]; });
  return `gzip kB: script ${sizes.script}, engine ${sizes.engine}, page ${sizes.page}; first paint ${Math.round(paint)} ms, drivable ${Math.round(times[2])} ms; script per frame ${times[0]?.toFixed(1)} ms, p95 ${times[1]?.toFixed(1)} ms`;
}
