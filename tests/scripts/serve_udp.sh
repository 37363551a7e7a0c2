#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `vdsim serve` as a client sees it: lockstep to the bit, real time, stale commands, bad frames, comms files.
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "${BASH_SOURCE[0]}")/../..}"
[ -x "${VDSIM_BIN:?}" ] || { echo "left out: there is no $VDSIM_BIN"; exit 77; }
/usr/bin/python3 -B tests/live/serve_udp.py
