#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The golden hashes as WebAssembly: golden_main.cpp by clang for wasm32-wasi prints the lines of golden.txt under node, and in Chromium
# where that is installed. Exit 77 (skipped) where a tool is missing (packages.txt, page).
# shellcheck source=tests/golden/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
flags+=(-Wno-bitwise-instead-of-logical)

for tool in clang++ wasm-ld node; do
  command -v $tool >/dev/null || { echo "skipped: no $tool (packages.txt, page)"; exit 77; }
done
[ -e /usr/lib/wasm32-wasi/libc.a ] || { echo "skipped: no wasi-libc (packages.txt, page)"; exit 77; }

# Compiled and linked apart: with -O a link would run a wasm-opt that it finds.
launcher=()
if command -v ccache >/dev/null; then launcher=(ccache); fi
"${launcher[@]}" clang++ --target=wasm32-wasi "${flags[@]}" -O3 -fno-exceptions -c "$root/tests/golden/golden_main.cpp" -o "$out/wasm.o"
clang++ --target=wasm32-wasi "$out/wasm.o" -o "$out/golden.wasm"
lines=$(wc -l <"$golden")

node --input-type=module -e '
  const [module, wasm] = process.argv.slice(1);
  const { readFileSync } = await import("node:fs"), { pathToFileURL } = await import("node:url");
  const { printed } = await import(pathToFileURL(module));
  process.stdout.write(await printed(readFileSync(wasm)));' "$root/tests/page/wasi_main.mjs" "$out/golden.wasm" >"$out/wasm.txt"
diff -u --label golden.txt --label wasm "$golden" "$out/wasm.txt" || { echo "WebAssembly under node disagrees."; exit 1; }
echo "WebAssembly under node agrees on $lines hashes"

chromium=$(command -v chromium || command -v chromium-browser || true)
[ -n "$chromium" ] || { echo "no Chromium, so not there"; exit 0; }
{
  echo '<!doctype html><pre id="out">nothing</pre><script type="module">'
  cat "$root/tests/page/wasi_main.mjs"
  echo "const bytes = Uint8Array.from(atob('$(base64 -w0 "$out/golden.wasm")'), (c) => c.charCodeAt(0));"
  echo "document.getElementById('out').textContent = await printed(bytes); document.title = 'done';</script>"
} >"$out/golden.html"
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
HOME=$profile timeout 120 "$chromium" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$profile" \
  --virtual-time-budget=60000 --dump-dom "file://$out/golden.html" 2>"$out/chromium.log" |
  sed -n '/<pre id="out">/,/<\/pre>/p' | sed 's/.*<pre id="out">//; s/<\/pre>.*//' | sed '/^$/d' >"$out/chromium.txt"
diff -u --label golden.txt --label chromium "$golden" "$out/chromium.txt" || { echo "WebAssembly in Chromium disagrees."; exit 1; }
echo "WebAssembly in Chromium agrees on $lines hashes"
