#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Recordings, opened by other people's readers (npm, tests/mcap), whole and cut.
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "${BASH_SOURCE[0]}")/../..}"
command -v node >/dev/null || { echo "left out: there is no node"; exit 77; }
[ -d tests/mcap/node_modules ] || { echo "left out: the readers are not there (cd tests/mcap && npm ci --ignore-scripts)"; exit 77; }
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
VDSIM_MCAP_OUT=$made "${VDSIM_BUILD:?}/tests/test_live" --gtest_filter='McapRecorder.ADriveOnAGrade' --gtest_brief=1
node tests/mcap/check.mjs "$made"/*.mcap
