// SPDX-License-Identifier: Apache-2.0
// The tests of the page, one after another in one browser. usage: node run.mjs [PATTERN]
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startBrowser } from "./browser.mjs";

const here = dirname(fileURLToPath(import.meta.url)), pattern = new RegExp(process.argv[2] ?? ".");
const files = readdirSync(here).filter((f) => f.startsWith("test_") && f.endsWith(".mjs")).sort();
const browser = await startBrowser();
const kMost = Number(process.env.VDSIM_PAGE_SECONDS ?? 120); // per test
let failed = 0, ran = 0;
for (const file of files) {
  const tests = await import(pathToFileURL(`${here}/${file}`));
  for (const [name, test] of Object.entries(tests)) {
    if (typeof test !== "function" || !pattern.test(`${file} ${name}`)) continue;
    const began = Date.now();
    ++ran;
    try {
      const note = await Promise.race([test(browser), new Promise((_, no) => setTimeout(() => no(new Error(`longer than ${kMost} s`)), kMost * 1000).unref())]);
      console.log(`ok      ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)${note ? `: ${note}` : ""}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}: ${error?.stack ?? error}`);
    }
    for (const context of browser.contexts()) await context.close();
  }
}
await browser.close();
console.log(failed ? `${failed} of ${ran} failed` : `all ${ran} passed`);
process.exit(failed || !ran ? 1 : 0);
