// SPDX-License-Identifier: Apache-2.0
// Chromium on the built page, for the tests of this folder. The page's policy forbids eval: evaluate functions, not strings.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const pageFile = process.env.VDSIM_PAGE ?? join(root, "build/page/index.html");
export const skip = (why) => { console.log(`skipped: ${why}`); process.exit(77); };

export function chromiumPath() {
  for (const name of ["chromium", "chromium-browser", "google-chrome"])
    try { return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(); } catch { /* the next */ }
  return "";
}
export async function startBrowser() {
  const require = createRequire(join(root, "web/page/package.json"));
  let playwright;
  try { playwright = require("playwright-core"); } catch { skip("no playwright-core: npm ci --ignore-scripts in web/page"); }
  if (!existsSync(pageFile)) skip(`no ${pageFile}: node web/page/build.mjs`);
  const path = chromiumPath();
  if (!path) skip("no Chromium");
  return playwright.chromium.launch({ executablePath: path, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-dev-shm-usage"] });
}
// The page over HTTP, with the headers of its server; a path of its own is 404.
export async function serve() {
  const server = createServer((request, response) => {
    if (request.url !== "/") { response.writeHead(404).end(); return; }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "x-content-type-options": "nosniff" }).end(readFileSync(pageFile));
  });
  await new Promise((yes) => server.listen(0, "127.0.0.1", yes));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
export const fileUrl = `file://${pageFile}`;

// A fresh profile; `draw`: the picture goes on after the first frames.
// `problems` collects console messages, page errors and every request that leaves the file.
export async function openPage(browser, { url = fileUrl, width = 1280, height = 800, theme = "light", touch = false, draw = false, ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, hasTouch: touch, isMobile: touch, acceptDownloads: true, offline: url.startsWith("file:"), ...more });
  const page = await context.newPage(), problems = [];
  page.on("console", (m) => { if (["error", "warning"].includes(m.type()) && !/GPU stall|GL Driver/.test(m.text())) problems.push(`${m.type()}: ${m.text()}`); });
  page.on("pageerror", (e) => problems.push(`exception: ${e.message}`));
  page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url()) && !r.url().startsWith(url.split("#")[0])) problems.push(`request: ${r.url()}`); });
  await page.goto(url);
  await page.waitForFunction(() => window.vdsim?.state.ready && window.vdsim.view?.drawn > 2, null, { timeout: 60000 });
  if (!draw) await page.evaluate(() => { vdsim.draw.length = 0; }); // without a GPU the picture takes most of the machine
  return { context, page, problems, close: () => context.close() };
}

export const state = (page) => page.evaluate(() => {
  const { session, running, speed, hash, faults, taken, camera, source } = vdsim.state, f = vdsim.live.frame ?? {};
  return { session, running, speed, hash, faults, taken, camera, source: source?.name, step: f.step, time: f.time, lastStep: f.lastStep, law: vdsim.lugre() };
});
export const value = (page, name, car = 0) => page.evaluate(([name, car]) => vdsim.live.cars[car].get(name), [name, car]);
export const ask = (page, op, request = {}) => page.evaluate(([op, request]) => vdsim.client.ask(op, request), [op, request]);
export const open = (page, scene, sets = []) => page.evaluate(([scene, sets]) => vdsim.open({ scene, sets, name: typeof scene === "string" ? scene : "test" }), [scene, sets]);
// Paused, so many steps, and the frame that shows them; without the picture's clock, so the same on every machine.
export async function advance(page, steps) {
  await page.evaluate(async (steps) => {
    vdsim.set({ running: false });
    while (vdsim.client.busy || vdsim.dirty || !vdsim.live.frame) await new Promise((yes) => setTimeout(yes, 5));
    const goal = vdsim.live.frame.step + steps;
    vdsim.step(steps);
    while (vdsim.live.frame.step < goal) await new Promise((yes) => setTimeout(yes, 5));
  }, steps);
}
export const hash = async (page) => (await ask(page, "hash")).hash;
export const settle = (page, ms) => page.waitForTimeout(ms);
