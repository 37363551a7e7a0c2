// SPDX-License-Identifier: Apache-2.0
// Where things are that the tests of the page use. VDSIM_BUILD: the build folder of the command line.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Engine } from '../../web/page/src/engine/loader.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const build = process.env.VDSIM_BUILD ?? join(root, 'build', 'exact');
export const probe = (name) => [join(build, 'tests', name), join(build, name)].find(existsSync);
export const vdsim = () => process.env.VDSIM_BIN ?? join(build, existsSync(join(build, 'vdsim')) ? 'vdsim' : 'vdsim_daily');
export const wasmFile = process.env.VDSIM_WASM ?? join(root, 'build', 'wasm', 'engine.wasm');

export const catalogFiles = () => JSON.parse(readFileSync(join(dirname(wasmFile), 'catalog.json'), 'utf8'));
let module;
export async function newEngine() {
  module ??= await WebAssembly.compile(readFileSync(wasmFile));
  return Engine.make(module, catalogFiles());
}
