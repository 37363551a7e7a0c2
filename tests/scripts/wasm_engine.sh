#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The engine of the page under node: the bits of the command line, refusals, YAML, size and speed (tests/page). Skipped (77) until it is
# built: tools/wasm_engine.sh, which ./test --all calls.
set -euo pipefail
[ -e "$VDSIM_ROOT/build/wasm/engine.wasm" ] || { echo "skipped: the engine of the page is not built (tools/wasm_engine.sh)"; exit 77; }
command -v node >/dev/null || { echo "skipped: no node (packages.txt, page)"; exit 77; }
[ -d "$VDSIM_ROOT/web/page/node_modules/yaml" ] || { echo "skipped: web/page has no packages (npm ci in web/page)"; exit 77; }
node --test "$VDSIM_ROOT/tests/page/yaml.test.mjs" "$VDSIM_ROOT/tests/page/engine.test.mjs"
