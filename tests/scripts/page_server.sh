#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `vdsim page --native` as friends and strangers see it: foreign hosts and origins, paths, slow headers, floods, bad frames, roles.
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "${BASH_SOURCE[0]}")/../..}"
[ -x "${VDSIM_BIN:?}" ] || { echo "left out: there is no $VDSIM_BIN"; exit 77; }
"$VDSIM_BIN" page --help | grep -q -- --native || { echo "left out: built without the page (VDSIM_PAGE)"; exit 77; }
/usr/bin/python3 -B tests/live/page_server.py
