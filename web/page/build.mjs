// SPDX-License-Identifier: Apache-2.0
// Builds the page: one HTML file with script, style, engine and catalog inside. usage: node build.mjs [--out FILE] [--wasm FILE]
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url)), root = resolve(here, "../..");
const option = (name, otherwise) => { const i = process.argv.indexOf(name); return i < 0 ? otherwise : process.argv[i + 1]; };
const out = resolve(option("--out", join(root, "build/page/index.html")));
const wasmFile = resolve(option("--wasm", join(root, "build/wasm/engine.wasm")));
if (!existsSync(wasmFile)) {
  console.error(`${wasmFile}: no engine; build it first, or name it with --wasm`);
  process.exit(2);
}

async function bundle(entry, plugins = []) {
  const made = await build({
    entryPoints: [join(here, entry)], bundle: true, write: false, minify: true, format: "iife", target: "es2022", outfile: "page.js",
    jsx: "automatic", jsxImportSource: "preact", legalComments: "none", logLevel: "warning", charset: "utf8", plugins,
    loader: { ".css": "text" },
  });
  return made.outputFiles[0].text;
}
const worker = await bundle("src/engine/worker.ts");
const script = await bundle("src/main.tsx", [{
  name: "worker", setup: (b) => {
    b.onResolve({ filter: /^worker:source$/ }, (a) => ({ path: a.path, namespace: "worker" }));
    b.onLoad({ filter: /.*/, namespace: "worker" }, () => ({ contents: worker, loader: "text" }));
  },
}]);
const css = (await build({ entryPoints: [join(here, "src/style.css")], bundle: true, minify: true, write: false, outfile: "p.css", logLevel: "warning" })).outputFiles[0].text;
const licence = (name) => `== ${name}\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8")}`;
const notices = [readFileSync(join(here, "NOTICES.txt"), "utf8"), ...["three", "preact", "uplot", "yaml"].map(licence)].join("\n");
// The list of the catalog, asked of the engine here: the page need not read every file before it starts.
async function listing() {
  const { Engine } = await import(pathToFileURL(join(here, "src/engine/loader.mjs")).href);
  const engine = await Engine.make(readFileSync(wasmFile), JSON.parse(readFileSync(join(dirname(wasmFile), "catalog.json"), "utf8")));
  return JSON.stringify(engine.ask({ op: "catalog" }));
}
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
const wasm = packed(readFileSync(wasmFile)), catalog = packed(readFileSync(join(dirname(wasmFile), "catalog.json"))), list = packed(await listing());

for (const [name, text] of Object.entries({ script, css })) if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${name} cannot stand in a page`);
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; style-src ${hash(css)}; worker-src blob:; img-src data: blob:; connect-src 'self'`;
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>VDSim</title>
<link rel="icon" href="data:,">
<style>${css}</style>
</head>
<body>
<!--
${notices.replaceAll("--", "- -")}-->
<div id="app"><p class="loading">Loading the engine</p></div>
<noscript>This page computes in the browser and needs JavaScript.</noscript>
<script type="application/wasm" id="engine">${wasm}</script>
<script type="application/json" id="catalog">${catalog}</script>
<script type="application/json" id="listing">${list}</script>
<script>${script}</script>
</body>
</html>
`;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(`${out}.tmp`, html);
renameSync(`${out}.tmp`, out);
const kB = (text) => (gzipSync(text).length / 1000).toFixed(0);
console.log(`${out}: ${(html.length / 1e6).toFixed(2)} MB; gzip: script ${kB(script)} kB, engine ${(wasm.length * 0.75 / 1000).toFixed(0)} kB, catalog ${(catalog.length * 0.75 / 1000).toFixed(0)} kB, page ${kB(html)} kB`);
