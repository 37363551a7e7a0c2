// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { openPage, settle } from "./browser.mjs";

// Contrast of every visible text with what lies under it, by WCAG 2; text over the picture lies on cards of its own.
const contrasts = () => {
  const parse = (c) => { const m = /rgba?\(([^)]+)\)/.exec(c)?.[1].split(/[ ,/]+/).map(Number) ?? [0, 0, 0, 0]; return [m[0], m[1], m[2], m[3] ?? 1]; };
  const light = ([r, g, b]) => [r, g, b].map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const under = (e) => {
    let out = [0, 0, 0, 0];
    for (let n = e; n && out[3] < 0.99; n = n.parentElement) {
      const c = parse(getComputedStyle(n).backgroundColor), a = c[3] * (1 - out[3]);
      out = [0, 1, 2].map((i) => out[i] + c[i] * a).concat(out[3] + a);
    }
    return out.slice(0, 3).map((v) => v / (out[3] || 1));
  };
  const bad = [];
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest("[hidden], .hidden, :disabled, svg, script, style, .touch, option") || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const r = e.getBoundingClientRect();
    if (!r.width || !r.height || getComputedStyle(e).visibility === "hidden") continue;
    const a = light(parse(getComputedStyle(e).color)), b = light(under(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push(`${ratio.toFixed(2)} ${e.tagName}.${e.className} '${e.textContent.trim().slice(0, 30)}'`);
  }
  return bad;
};
// Every control has a name.
const nameless = () => [...document.querySelectorAll("button, select, input, summary, [tabindex]")].filter((e) => !e.closest("[hidden], [aria-hidden=true]") && e.getBoundingClientRect().width)
  .filter((e) => !(e.getAttribute("aria-label") || e.labels?.length || e.title || e.textContent.trim())).map((e) => e.outerHTML.slice(0, 120));
// Cards of the picture do not lie on each other; nothing sticks out to the right.
const overlaps = () => {
  const boxes = [...document.querySelectorAll(".hud .card, .viewbar, .top h1, .top nav, .top .tools, .switches, .timeline")].map((e) => [e.className || e.tagName, e.getBoundingClientRect()]).filter(([, r]) => r.width);
  const out = [];
  boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
    if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1 && !/timeline/.test(a + b)) out.push(`${a} over ${b}`);
  }));
  if (document.documentElement.scrollWidth > innerWidth) out.push(`wider than the window by ${document.documentElement.scrollWidth - innerWidth}`);
  return out;
};
const kTabs = ["drive", "race", "tires", "maneuvers", "results"];

// Between desk and phone: nothing lies on anything else.
export async function middleWidthsFit(browser) {
  const { page } = await openPage(browser, { draw: true });
  const found = [];
  for (const width of [1340, 1341, 1180, 1020, 905, 800, 500])
    for (const panel of ["", "fields"]) {
      await page.setViewportSize({ width, height: 720 });
      await page.evaluate((panel) => vdsim.set({ panel }), panel);
      await settle(page, 150);
      found.push(...(await page.evaluate(overlaps)).map((t) => `${width} ${panel}: ${t}`));
    }
  assert.deepEqual(found, []);
}

async function look(browser, size, theme) {
  const { page, problems } = await openPage(browser, { ...size, theme, draw: !!process.env.VDSIM_SCREENSHOTS }), found = [];
  for (const tab of kTabs) {
    await page.click(`#tab-${tab}`);
    await settle(page, tab === "race" || tab === "tires" ? 900 : 250);
    for (const check of [contrasts, nameless, overlaps]) found.push(...(await page.evaluate(check)).map((t) => `${tab}: ${t}`));
    if (process.env.VDSIM_SCREENSHOTS) await page.screenshot({ path: `${process.env.VDSIM_SCREENSHOTS}/${tab}_${size.width}_${theme}.png` });
  }
  assert.deepEqual(found, []);
  assert.deepEqual(problems, []);
}
// 12, 13: every tab, light and dark, wide and on a phone.
export const wideLight = (browser) => look(browser, { width: 1400, height: 850 }, "light");
export const wideDark = (browser) => look(browser, { width: 1400, height: 850 }, "dark");
export const phoneLight = (browser) => look(browser, { width: 360, height: 740, touch: true }, "light");
export const phoneDark = (browser) => look(browser, { width: 360, height: 740, touch: true }, "dark");

// 12: from the first Tab on, by the keyboard alone: tabs, law, a parameter, the timeline.
export async function keyboardAlone(browser) {
  const { page } = await openPage(browser, { width: 1400 });
  const reached = new Set();
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => { const e = document.activeElement, r = e.getBoundingClientRect(); return { name: e.getAttribute("aria-label") || e.textContent.trim().slice(0, 30) || e.title || e.id, ring: getComputedStyle(e).outlineStyle, seen: r.width > 0 }; });
    reached.add(at.name);
    assert.ok(at.ring !== "none" || at.name === "", `no focus ring on '${at.name}'`);
  }
  for (const name of ["Drive", "Race", "Share", "Files", "blend", "Search parameters"]) assert.ok(reached.has(name), `Tab does not reach '${name}' (${[...reached].join(", ")})`);
  await page.focus('[role="radio"]:has-text("blend")');
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => vdsim.lugre() === "blend");
  await page.focus('input[type="search"]');
  await page.keyboard.type("mass_sprung");
  await page.keyboard.press("Tab");
  await page.waitForSelector(".field input");
  await page.focus(".field input");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("1340");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => vdsim.state.fields.some((f) => f.path.endsWith("mass_sprung") && Number(f.value) === 1340));
  assert.equal(await page.evaluate(() => vdsim.state.taken), false, "typing has driven the car");
  assert.match(await page.textContent("#in-words"), /^$|The car/);
  await page.waitForFunction(() => /The car/.test(document.getElementById("in-words").textContent), null, { timeout: 8000 });
}
export async function reducedMotionIsKept(browser) {
  const { page } = await openPage(browser, { reducedMotion: "reduce" });
  assert.equal(await page.evaluate(() => vdsim.view.cameras.calm), true);
}

// The race: hold. LuGre stands, the blend creeps: 17 mm in 10 s.
export async function raceHoldTellsThemApart(browser) {
  const { page } = await openPage(browser);
  await page.click("#tab-race");
  await page.waitForFunction(() => vdsim.live.cars.length === 2 && vdsim.live.cars[1].sample, null, { timeout: 20000 });
  await page.evaluate(() => vdsim.set({ speed: 10 }));
  await page.waitForFunction(() => vdsim.live.time > 10, null, { timeout: 60000 });
  const [rolling, blend, t] = await page.evaluate(() => [...vdsim.live.cars.map((c) => c.drift().distance), vdsim.live.time]);
  assert.ok(rolling < 1e-4, `LuGre has moved ${rolling} m`);
  assert.ok(blend / t > 1.6e-3 && blend / t < 2.0e-3, `the blend creeps at ${blend / t} m/s`);
  assert.match(await page.textContent(".standings"), /lugre\.enabled/);
  return `LuGre ${(rolling * 1e6).toFixed(2)} um, blend ${(blend * 1000).toFixed(1)} mm in ${t.toFixed(1)} s`;
}
