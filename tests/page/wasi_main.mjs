// SPDX-License-Identifier: Apache-2.0
// Runs a program that was compiled for wasm32-wasi and prints: in node and in a browser. Gives what it printed.
export async function printed(bytes) {
  let text = '', instance;
  const view = () => new DataView(instance.exports.memory.buffer);
  const calls = {
    fd_write(_fd, list, count, written) {
      let size = 0;
      for (let i = 0; i < count; ++i) {
        const at = view().getUint32(list + 8 * i, true), length = view().getUint32(list + 8 * i + 4, true);
        text += new TextDecoder().decode(new Uint8Array(instance.exports.memory.buffer, at, length));
        size += length;
      }
      view().setUint32(written, size, true);
      return 0;
    },
    proc_exit(code) {
      throw new Error(`exit ${code}`);
    },
  };
  const system = new Proxy(calls, { get: (all, name) => all[name] ?? (() => 8) }); // 8: no such file
  const module = await WebAssembly.compile(bytes), imports = {};
  for (const { module: room, name } of WebAssembly.Module.imports(module)) (imports[room] ??= {})[name] = system[name];
  instance = await WebAssembly.instantiate(module, imports);
  instance.exports._start();
  return text;
}
