// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advance, ask, fileUrl, hash, open, openPage, root, serve, settle, state, value } from "./browser.mjs";

const program = process.env.VDSIM_BIN && existsSync(process.env.VDSIM_BIN) ? process.env.VDSIM_BIN : join(root, "build/exact/vdsim");
const hasProgram = () => existsSync(program);
const replay = (tape) => { // {hash, csv} by the command line
  const folder = mkdtempSync(join(tmpdir(), "vdsim_page_"));
  try {
    writeFileSync(join(folder, "tape.json"), tape);
    execFileSync(program, ["replay", join(folder, "tape.json"), "--out", join(folder, "out"), "--quiet"], { cwd: root });
    return { csv: readFileSync(join(folder, "out/run.csv"), "utf8"), summary: readFileSync(join(folder, "out/summary.json"), "utf8") };
  } finally { rmSync(folder, { recursive: true }); }
};

// A drive with commands and edits, by the clock of the page.
async function drive(page) {
  await open(page, "lugre_grade_demo", [["grade", "0"], ["driver.brake", "0"]]);
  await page.focus("canvas");
  await page.keyboard.down("ArrowUp");
  await page.waitForFunction(() => vdsim.car.get("vx") > 1.5, null, { timeout: 60000 });
  await page.keyboard.down("ArrowLeft");
  await settle(page, 400);
  await page.keyboard.press("l");
  await page.waitForFunction(() => vdsim.lugre() === "blend");
  await settle(page, 200);
  await page.keyboard.up("ArrowUp");
  await page.keyboard.up("ArrowLeft");
  await page.evaluate(() => vdsim.set({ running: false }));
  await page.waitForFunction(() => !vdsim.client.busy);
  await advance(page, 1500);
}

// 5: a link opened in a fresh profile repeats the drive to the bit.
export async function linkRepeatsTheDrive(browser) {
  const { page, close } = await openPage(browser);
  await drive(page);
  const mine = await hash(page), end = (await state(page)).step;
  await page.evaluate(() => { navigator.clipboard.writeText = async () => {}; });
  await page.click("text=Share");
  await page.waitForFunction(() => location.hash.startsWith("#v1."), null, { timeout: 10000 });
  const link = await page.evaluate(() => location.hash);
  assert.ok(link.length < 32 * 1024, `the link has ${link.length} characters`);
  await close();
  const other = await openPage(browser, { url: fileUrl + link });
  await other.page.waitForFunction(() => vdsim.state.shared, null, { timeout: 60000 });
  assert.equal(await other.page.evaluate(() => vdsim.state.shared), mine);
  await other.page.evaluate(() => vdsim.set({ speed: 20 }));
  await other.page.waitForFunction((end) => vdsim.live.frame.step === end && !vdsim.state.running, end, { timeout: 60000 });
  assert.equal(await hash(other.page), mine);
  assert.deepEqual(other.problems, []);
  return `${link.length} characters, ${mine}`;
}
export async function brokenLinkIsSaid(browser) {
  const { page } = await openPage(browser, { url: `${fileUrl}#v1.AAAA` });
  await page.waitForSelector(".fault", { timeout: 20000 });
  assert.equal((await state(page)).running, true);
}

// 2 and 11: what the page shows and gives away is what `vdsim replay` writes, to the byte.
export async function csvIsThatOfReplay(browser) {
  const { page } = await openPage(browser);
  await drive(page);
  const { tape } = await ask(page, "tape");
  const [download] = await Promise.all([page.waitForEvent("download"), page.evaluate(() => vdsim.downloadCsv())]);
  const csv = readFileSync(await download.path(), "utf8"), lines = csv.split("\n").filter((l) => l && !l.startsWith("#"));
  const names = lines[0].split(","), last = lines.at(-1).split(",").map(Number), t = await value(page, "t");
  assert.ok(Math.abs(last[names.indexOf("t")] - t) < 0.006, "the last row is of another time");
  if (Math.abs(last[names.indexOf("t")] - t) < 1e-9)
    for (const name of ["x", "y", "vx", "fx_fl", "fy_rr"]) {
      const shown = await value(page, name), written = last[names.indexOf(name)];
      assert.ok(Math.abs(shown - written) <= 1e-6 * Math.max(1, Math.abs(written)), `${name}: ${shown} shown, ${written} written`);
    }
  await page.waitForFunction((vx) => { // the HUD shows 0.1 km/h
    const shown = Number(document.querySelector('.speed [data-signal="vx"]').textContent.replace("\u2212", "-"));
    return Math.abs(shown - 3.6 * vx) <= 0.05 + 1e-6;
  }, await value(page, "vx"), { timeout: 30000 });
  if (!hasProgram()) return "not compared: no program";
  const native = replay(tape);
  assert.equal(csv, native.csv);
  return `${lines.length - 1} rows, the same bytes`;
}

// 6: over HTTP as from a file; nothing is asked for.
export async function servedPageIsTheSame(browser) {
  const server = await serve();
  try {
    const { page, problems } = await openPage(browser, { url: server.url });
    await advance(page, 500);
    const served = await hash(page);
    const file = await openPage(browser);
    await open(file.page, "lugre_grade_demo", [["driver.brake", "0.3"]]);
    await open(page, "lugre_grade_demo", [["driver.brake", "0.3"]]);
    for (const p of [page, file.page]) { await p.evaluate(() => vdsim.set({ running: false })); await p.waitForFunction(() => !vdsim.client.busy); }
    const target = Math.max(...await Promise.all([page, file.page].map(async (p) => (await state(p)).step))) + 500;
    for (const p of [page, file.page]) await advance(p, target - (await state(p)).step);
    assert.equal(await hash(page), await hash(file.page));
    assert.deepEqual(problems, []);
    assert.ok(served);
  } finally { server.close(); }
}
