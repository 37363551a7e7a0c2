#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page in headless Chromium: tests/page. Needs the built page (node web/page/build.mjs) and `npm ci --ignore-scripts` in web/page.
cd "${VDSIM_ROOT:-$(dirname "$0")/../..}" || exit 1
command -v node >/dev/null || { echo "skipped: no node"; exit 77; }
exec node tests/page/run.mjs "$@"
