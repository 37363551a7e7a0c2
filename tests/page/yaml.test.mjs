// SPDX-License-Identifier: Apache-2.0
// The page reads YAML with npm's `yaml`, the command line with yaml-cpp: same trees, or both refuse.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { yamlTree } from '../../web/page/src/engine/yaml_tree.mjs';
import { catalogFiles, probe } from './places.mjs';

function native(texts) {
  const input = Buffer.concat(texts.flatMap((text) => [Buffer.from(`${Buffer.byteLength(text)}\n`), Buffer.from(text)]));
  const run = spawnSync(probe('yaml_trees'), { input, maxBuffer: 1 << 28 });
  assert.equal(run.status, 0, run.stderr.toString());
  return run.stdout.toString().trimEnd().split('\n').map((line) => JSON.parse(line));
}

// Where a value that is not there stands is of no use to anybody.
function plain(tree) {
  if (tree.error) return 'refused';
  if (tree.k === 'null') return { k: 'null' };
  if (tree.k === 'list') return { ...tree, i: tree.i.map(plain) };
  if (tree.k === 'map') return { ...tree, e: tree.e.map(([key, l, c, value]) => [key, l, c, plain(value)]) };
  return tree;
}

// yaml-cpp takes these in silence: it drops a last key without its colon, and an empty place in a list is nothing.
const STRICTER = /Implicit (map )?keys need to be|Unexpected , in flow sequence/;

function compare(texts) {
  const theirs = native(texts);
  let refused = 0;
  texts.forEach((text, i) => {
    const ours = yamlTree(text);
    refused += ours.error ? 1 : 0;
    if (ours.error && STRICTER.test(ours.error.what)) return;
    assert.deepEqual(plain(ours), plain(theirs[i]), `of the text ${JSON.stringify(text.slice(0, 300))}\nnpm: ${JSON.stringify(ours.error)}\nyaml-cpp: ${JSON.stringify(theirs[i].error)}`);
  });
  return refused;
}

const files = Object.entries(catalogFiles()).filter(([path]) => path.endsWith('.yaml')).map(([, text]) => text);

test('every file of the catalog gives the same tree', () => {
  assert.ok(files.length > 100);
  assert.equal(compare(files), 0);
});

const odd = [
  '', '# nothing\n', '---\n', 'a: 1', 'a:\n  b: 2\n', 'a: [1, 2, {b: c}]', "a: '1'", 'a: "x\\ty"', 'a: "\\u0007"', 'a: ~', 'a: null', 'a: Null',
  'a: "null"', 'a: yes', 'a: 0x10', 'a: 1e3', 'a: .inf', '- 1\n- 2\n', '[1, 2', '{a: 1', 'a: b: c', 'a: 1\na: 2', 'a: &x 1\nb: *x', 'a: *x',
  'a: !!str 1', 'a: !t 1', '!!map {a: 1}', 'a: 1\n---\nb: 2\n', '--- a\n--- b\n', '%YAML 1.2\n---\na: 1\n', '? a\n: b\n', '? [a]\n: b\n',
  '{[a]: b}', 'a: |\n  two\n  lines\n', 'a: >\n  two\n  lines\n', 'a: >-\n  two\n\n  lines\n', '\ta: 1', 'a:\n\tb: 1', 'a: 1\n b: 2', 'a:\n  b: 1\n c: 2',
  'a: "unclosed', "a: 'unclosed", 'a: [1, , 2]', 'a: {b}', 'a: {b, c}', 'a: @x', 'a: `x`', 'a: %x', '@', '`', 'a', '"a"', 'a: b #c', 'a: b#c', 'a: #c',
  'a: - 1', '- - 1\n  - 2', '- a: 1\n  b: 2\n-\n  c: 3', 'a: 1\r\nb: 2\r\n', 'a: \u00e4', '\u00e4: 1', '\ufeffa: 1', 'a: "\u0085"', 'a: \u2028', 'a: \u007f',
  ': 1', 'a: 1,', 'a: [1],', 'a: ]', 'a: }', 'a: b\n  c', 'a: b\n\n  c', 'a: "b\n  c"', 'a:b', '"a":b', '{"a":b}', '{a: b}: c', 'a: <<', '<<: {a: 1}', '<<: 1',
  '~: 1', 'null: 1', 'a: |2\n    x\n', 'a: |+\n x\n\n', 'a: 1 2 3', 'a: 1: 2', '- a\nb: c', 'a: c\n- d', `${'['.repeat(64)}${']'.repeat(64)}`,
  `${'['.repeat(65)}${']'.repeat(65)}`, `${'{a: '.repeat(64)}1${'}'.repeat(64)}`, `${'{a: '.repeat(65)}1${'}'.repeat(65)}`, 'a: "\\x41"', 'a: "\\q"', "a: 'it''s'", '...', 'a: 1\n...\n', 'a: 1\n...\nb: 2\n',
];

test('odd texts', () => compare(odd));

// Damage of the kind that editing does, at places drawn by a fixed generator.
function damaged(count) {
  let seed = 1;
  const draw = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const signs = ['\t', ':', ': ', '-', '- ', '[', ']', '{', '}', '"', "'", '#', ' #', '&a ', '*a', '!x ', '|', '>', ',', '\n', '\n\n', ' ', '  ', '%', '?', '~', '\\', '\u0007', '@'];
  return Array.from({ length: count }, () => {
    const text = files[draw(files.length)], at = draw(text.length), lines = text.split('\n'), line = draw(lines.length);
    switch (draw(6)) {
      case 0: return text.slice(0, at);
      case 1: return text.slice(0, at) + text.slice(at + 1);
      case 2: return text.slice(0, at) + signs[draw(signs.length)] + text.slice(at);
      case 3: return [...lines.slice(0, line), lines[line], ...lines.slice(line)].join('\n');
      case 4: return [...lines.slice(0, line), ` ${lines[line]}`, ...lines.slice(line + 1)].join('\n');
      default: return [...lines.slice(0, line), ...lines.slice(line + 1)].join('\n');
    }
  });
}

// Of damaged texts the two parsers may differ in a few: the page refuses some that yaml-cpp mends in silence (never the other tree of a
// text that it takes), and takes a few that yaml-cpp calls unknown tokens.
test('damaged files: the same tree, or the page refuses; 1 in 100 may differ', () => {
  const texts = damaged(400), theirs = native(texts);
  let refused = 0, other = 0;
  texts.forEach((text, i) => {
    const ours = yamlTree(text);
    refused += ours.error ? 1 : 0;
    if (ours.error) return;
    if (JSON.stringify(plain(ours)) !== JSON.stringify(plain(theirs[i]))) {
      other += 1;
      console.log(`other: ${JSON.stringify(text.slice(-300))} yaml-cpp: ${JSON.stringify(theirs[i].error)}`);
    }
  });
  assert.ok(refused >= 100, `${refused} refused`);
  assert.ok(other <= 4, `${other} of ${texts.length} differ`);
});
