// SPDX-License-Identifier: Apache-2.0
// The engine as WebAssembly under node: the bits of the command line; what is refused leaves nothing behind; size and speed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { EngineError } from '../../web/page/src/engine/loader.mjs';
import { newEngine, root, vdsim, wasmFile } from './places.mjs';

const seconds = 2;
const engine = await newEngine();
const catalog = engine.ask({ op: 'catalog' });

// Rows of `vdsim run` with all digits, by car.
function nativeRows(scene, cars) {
  const folder = mkdtempSync(join(tmpdir(), 'vdsim_page_'));
  try {
    const sets = [`duration=${seconds}`, 'rate=50', 'control=internal'].flatMap((set) => ['--set', set]);
    execFileSync(vdsim(), ['run', scene, ...sets, '--precision', '17', '--no-report', '--quiet', '--out', folder], { cwd: root });
    return cars.map((car) => {
      const lines = readFileSync(join(folder, cars.length > 1 ? car.id : '', 'run.csv'), 'utf8').trimEnd().split('\n').filter((line) => !line.startsWith('#'));
      return { names: lines[0].split(','), rows: lines.slice(1).map((line) => line.split(',').map(Number)) };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const { id } of catalog.scenes)
  test(`${id}: ${seconds} s have the bits of the command line`, () => {
    const session = engine.ask({ op: 'open', scene: id, sets: [['duration', `${seconds}`], ['rate', '50'], ['control', 'internal']] });
    const native = nativeRows(id, session.cars);
    session.cars.forEach((car, i) => assert.deepEqual(car.signals.map((signal) => signal.name), native[i].names));
    for (let row = 0; row < native[0].rows.length; ++row) {
      engine.advance(Math.round(native[0].rows[row][0] / session.dt) - engine.step());
      native.forEach(({ names, rows }, i) => {
        if (row >= rows.length) return; // it diverged there
        const values = engine.values(i);
        names.forEach((name, k) => {
          if (name === 't') return assert.ok(Math.abs(values[k] - rows[row][k]) < 1e-9);
          assert.equal(values[k] + 0, rows[row][k], `${session.cars[i].id} ${name} at t = ${rows[row][0]}`);
        });
      });
    }
  });
