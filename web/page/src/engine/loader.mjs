// SPDX-License-Identifier: Apache-2.0
// The engine (bindings/wasm) in a worker or in node. What it refuses leaves nothing behind: its memory is put back.
import { yamlTree } from './yaml_tree.mjs';

/** What the engine refused: errors [{file, line, column, path, what, text}], or one text. */
export class EngineError extends Error {
  constructor(said) {
    super(said.errors ? said.errors.map((error) => error.text).join('\n') : said.what);
    this.name = 'EngineError';
    this.errors = said.errors ?? [{ file: '', line: 0, column: 0, path: '', what: said.what, text: said.what }];
    this.refused = said.errors !== undefined; // else it is a defect, or memory ran out
  }
}

const READ_ONLY = new Set(['about', 'session', 'hash', 'tape', 'scene_text']); // these refuse nothing that leaves a trace
const decoder = new TextDecoder(), encoder = new TextEncoder();

// The few functions of the system that the C library wants: a clock, no files, no arguments.
function wasi(instance) {
  const view = () => new DataView(instance().exports.memory.buffer);
  const calls = {
    clock_time_get(_id, _precision, out) {
      view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    fd_write(fd, list, count, written) { // stderr: what an abort says
      let text = '', size = 0;
      for (let i = 0; i < count; ++i) {
        const from = view().getUint32(list + 8 * i, true), length = view().getUint32(list + 8 * i + 4, true);
        text += decoder.decode(new Uint8Array(instance().exports.memory.buffer, from, length));
        size += length;
      }
      view().setUint32(written, size, true);
      if (fd > 0) console.error(text);
      return 0;
    },
    proc_exit(code) {
      throw new EngineError({ what: `the engine ended with ${code}` });
    },
  };
  const EBADF = 8;
  return new Proxy(calls, { get: (all, name) => all[name] ?? (() => EBADF) });
}

export class Engine {
  #exports;
  #trees = new Map();

  /** wasm: bytes or a module; files: {path below configs: text}; trees: {path: JSON of yamlTree(text)}, what was parsed before */
  static async make(wasm, files, trees = {}) {
    const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    const engine = new Engine();
    for (const [path, tree] of Object.entries(trees)) engine.#trees.set(files[path], tree);
    engine.#start(module);
    engine.ask({ op: 'files', files: Object.entries(files) });
    return engine;
  }

  #start(module) {
    let instance;
    const text = (from, size) => decoder.decode(new Uint8Array(instance.exports.memory.buffer, from, size));
    const system = wasi(() => instance), imports = { env: {}, wasi_snapshot_preview1: {} };
    for (const { module: room, name } of WebAssembly.Module.imports(module))
      if (room === 'wasi_snapshot_preview1') imports[room][name] = system[name];
    imports.env.fail = (from, size) => {
      throw new EngineError(JSON.parse(text(from, size)));
    };
    imports.env.yaml = (from, size) => {
      const yaml = text(from, size);
      return this.#put(this.#trees.get(yaml) ?? JSON.stringify(yamlTree(yaml)));
    };
    instance = new WebAssembly.Instance(module, imports);
    this.#exports = instance.exports;
    this.#exports._initialize();
  }

  #put(text) {
    const bytes = encoder.encode(text), at = this.#exports.vd_text(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  }

  // What is refused changes nothing: there are no landing pads in the engine, so what it had begun is undone from outside.
  #whole(act) {
    const memory = this.#exports.memory, stack = this.#exports.__stack_pointer.value;
    const before = new Uint8Array(memory.buffer).slice();
    try {
      return act();
    } catch (error) {
      const now = new Uint8Array(memory.buffer); // it may have grown, and cannot shrink: the rest is as fresh as it was
      now.set(before);
      now.fill(0, before.length);
      this.#exports.__stack_pointer.value = stack;
      throw error;
    }
  }

  /** One question of bindings/wasm, {op, ...}; throws EngineError, and nothing has changed. */
  ask(question) {
    const act = () => {
      const size = this.#exports.vd_ask(this.#put(JSON.stringify(question)));
      return JSON.parse(decoder.decode(new Uint8Array(this.#exports.memory.buffer, this.#exports.vd_reply(), size)));
    };
    return READ_ONLY.has(question.op) ? act() : this.#whole(act);
  }

  command(car, { steer = 0, throttle = 0, brake = 0, handbrake = 0, gear = 1 }) {
    this.#exports.vd_command(car, steer, throttle, brake, handbrake, gear);
  }
  advance(steps) {
    return this.#exports.vd_advance(steps);
  }
  /** Of this car, in the order of its signals; a copy. */
  values(car) {
    return this.floats64(this.#exports.vd_values(car), this.#exports.vd_count(car));
  }
  time() {
    return this.#exports.vd_time();
  }
  step() {
    return this.#exports.vd_step();
  }
  floats64(at, count) {
    return new Float64Array(this.#exports.memory.buffer, at, count).slice();
  }
  floats32(at, count) {
    return new Float32Array(this.#exports.memory.buffer, at, count).slice();
  }
  /** All of its memory, to compare. */
  memory() {
    return new Uint8Array(this.#exports.memory.buffer).slice();
  }
}

export const makeEngine = Engine.make;
