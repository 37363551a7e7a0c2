// SPDX-License-Identifier: Apache-2.0
// The engine as WebAssembly under node: the bits of the command line; what is refused leaves nothing behind; size and speed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

// A drive with everything that a page does; its tape goes through every host.
function drive() {
  const session = engine.ask({ op: 'open', scene: 'lugre_grade_demo' });
  const edits = { 500: [['tire.lugre.enabled', 'false']], 900: [['mu', '0.6'], ['chassis.mass', '1400']], 1300: [['tire.lugre.enabled', 'true']], 1700: [['solver.dt', '0.0005']] };
  for (let step = 0; step < 2400; step += 10) {
    engine.command(0, { steer: 0.05 * Math.sin(step / 300), throttle: step < 1200 ? 0.4 : 0, brake: step < 1200 ? 0 : 0.2 });
    if (edits[step]) engine.ask({ op: 'edit', sets: edits[step] });
    engine.advance(10);
  }
  return session;
}

test('a drive repeats: same hash from its tape, after a rewind, and by vdsim replay; run.csv to the byte', () => {
  drive();
  const { hash, step } = engine.ask({ op: 'hash' }), { tape } = engine.ask({ op: 'tape' }), { text } = engine.ask({ op: 'csv' });
  assert.equal(engine.ask({ op: 'hash' }).hash, hash, 'csv leaves the drive alone');
  engine.ask({ op: 'rewind', step: 700 });
  assert.equal(engine.step(), 700);
  engine.advance(step - 700);
  assert.equal(engine.ask({ op: 'hash' }).hash, hash);
  const again = engine.ask({ op: 'replay', tape, run: true });
  assert.equal(again.hash, hash);
  assert.equal(again.differs, null);
  const folder = mkdtempSync(join(tmpdir(), 'vdsim_page_'));
  try {
    writeFileSync(join(folder, 'tape.json'), tape);
    execFileSync(vdsim(), ['replay', join(folder, 'tape.json'), '--no-report', '--quiet', '--out', join(folder, 'out')], { cwd: root });
    assert.equal(readFileSync(join(folder, 'out', 'run.csv'), 'utf8'), text);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what is refused changes nothing: not a byte of the memory', () => {
  drive();
  const questions = [
    { op: 'edit', sets: [['chassis.mass', '-1']] },
    { op: 'edit', sets: [['chassis.mass', '1000'], ['nonsense', '1']] },
    { op: 'edit', sets: [['tire.lugre.law', 'rubber']] },
    { op: 'edit', sets: [['solver.dt', '1']] },
    { op: 'edit', sets: [['mu', '[1, 2']] },
    { op: 'edit', sets: [['level', 'L9']] },
    { op: 'open', scene: 'no_such_scene' },
    { op: 'open', scene: { text: 'fleet: [}' } },
    { op: 'open', scene: { text: 'id: x\nfleet: []\n' } },
    { op: 'open', scene: 'lugre_grade_demo', sets: [['mu', '-1']] },
    { op: 'replay', tape: '{}' },
    { op: 'replay', tape: 'no JSON' },
    { op: 'maneuver', id: 'iso3888_9' },
    { op: 'tire_curves', tire: 'tire.none', loads: [4000] },
    { op: 'road', x0: 0, y0: 0, dx: 1, dy: 1, nx: 0, ny: 1 },
    { op: 'nothing' },
    { op: 'rewind', step: -1 },
  ];
  const fill = engine.ask({ op: 'hash' }).hash; // the reply buffer is as large as it gets here
  for (const question of questions) {
    const before = engine.memory();
    assert.throws(() => engine.ask(question), (error) => error instanceof EngineError && error.refused && error.errors.length > 0, JSON.stringify(question));
    const after = engine.memory();
    assert.ok(Buffer.compare(before, after.subarray(0, before.length)) === 0, JSON.stringify(question));
    assert.ok(after.subarray(before.length).every((byte) => byte === 0));
  }
  assert.equal(engine.ask({ op: 'hash' }).hash, fill);
  engine.advance(100);
  engine.ask({ op: 'edit', sets: [['mu', '0.9']] }); // and it goes on
});

test('errors come all at once, each with its place', () => {
  try {
    engine.ask({ op: 'open', scene: { text: 'id: x\nmu: -1\nfleet:\n  - {id: a, blueprint: vehicle.sedan_comfort, levl: L2}\n' }, file: 'mine.yaml' });
    assert.fail('it was taken');
  } catch (error) {
    const places = error.errors.map(({ file, line, path }) => `${file}:${line} ${path}`);
    assert.deepEqual(places, ['mine.yaml:2 mu', 'mine.yaml:4 fleet[0].levl']);
  }
});

test('fields: every value of the scene, with unit, range and choices', () => {
  engine.ask({ op: 'open', scene: 'lugre_grade_demo' });
  const fields = new Map(engine.ask({ op: 'fields' }).fields.map((field) => [field.path, field]));
  assert.equal(fields.get('chassis.mass').unit, 'kg');
  assert.equal(fields.get('chassis.mass').lo, 0);
  assert.equal(fields.get('chassis.mass').hi, null);
  assert.deepEqual(fields.get('solver.integrator').choices.includes('rk4'), true);
  for (const field of fields.values())
    if (field.value !== '' && !['text', 'table'].includes(field.kind)) engine.ask({ op: 'edit', sets: [[field.path, field.value]] });
});

test('a tire file: what is said of it, and its curves', () => {
  const text = readFileSync(join(root, 'configs/tir', readdirSync(join(root, 'configs/tir')).filter((name) => name.endsWith('.tir'))[0]), 'utf8');
  const said = engine.ask({ op: 'tir', text, name: 'mine.tir' });
  assert.deepEqual(said.errors, []);
  const { curves } = engine.ask({ op: 'tire_curves', tire: said.path, what: 'kappa', loads: [2000, 4000], count: 31 });
  assert.equal(curves.length, 2);
  assert.ok(Math.max(...curves[1].fx) > Math.max(...curves[0].fx));
  const bad = engine.ask({ op: 'tir', text: text.replace(/FNOMIN\s*=.*/, 'FNOMIN = many'), name: 'bad.tir' });
  assert.equal(bad.path, null);
  assert.ok(bad.errors[0].line > 1);
});

test('a manoeuvre has the summary of the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vdsim_page_'));
  try {
    try {
      execFileSync(vdsim(), ['maneuver', 'run', 'iso3888_2', '--no-report', '--quiet', '--out', folder], { cwd: root });
    } catch (error) {
      assert.equal(error.status, 1); // its verdict
    }
    const native = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')), { summary } = engine.ask({ op: 'maneuver', id: 'iso3888_2' });
    for (const of of [native, summary]) for (const key of ['wall_s', 'git', 'files']) delete of[key];
    assert.deepEqual(summary, native);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('heights and friction of the road', () => {
  engine.ask({ op: 'open', scene: 'terrain_hill_demo' });
  const { heights, mu } = engine.ask({ op: 'road', x0: 0, y0: -5, dx: 1, dy: 1, nx: 100, ny: 11 });
  const z = engine.floats32(...heights), friction = engine.floats32(...mu);
  assert.equal(z.length, 1100);
  assert.ok(Math.max(...z) - Math.min(...z) > 0.1);
  assert.ok(friction.every((each) => each > 0 && each <= 2));
});

test('size and speed', async (context) => {
  const bytes = readFileSync(wasmFile), packed = gzipSync(bytes, { level: 9 }).length;
  const start = performance.now();
  await newEngine();
  const loaded = performance.now() - start, per = {};
  for (const level of ['L2', 'L3', 'L5']) {
    engine.ask({ op: 'open', scene: 'lugre_grade_demo', sets: [['level', level]] });
    engine.command(0, { throttle: 0.3, steer: 0.02 });
    engine.advance(2000);
    let best = Infinity;
    for (let i = 0; i < 5; ++i) {
      const from = performance.now();
      engine.advance(1000);
      best = Math.min(best, performance.now() - from);
    }
    per[level] = best; // us a step
  }
  context.diagnostic(`gzip ${Math.round(packed / 1000)} kB, loaded in ${loaded.toFixed(0)} ms, us a step: ${Object.entries(per).map(([level, us]) => `${level} ${us.toFixed(1)}`).join(', ')}`);
  assert.ok(packed < 760000, `${packed} bytes packed`); // the budget of the page is 400 kB: not met yet
  assert.ok(4 * 17 * per.L5 < 8000, 'four cars L5 at 1 kHz take less than half of a 60 Hz frame, on a busy machine too');
});
