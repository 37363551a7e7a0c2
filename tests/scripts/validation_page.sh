#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every validation case passes, and docs/VALIDATION.md says what the exact build measures.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"
case ${VDSIM_BUILD:?} in
*/exact) ;;
*)
  echo "the page is made by the exact build"
  exit 77
  ;;
esac

expect 0 validate --check
cp "$VDSIM_ROOT/docs/VALIDATION.md" page.md
sed -i '0,/4000 N/s//4001 N/' page.md
cp page.md before.md
expect 1 validate --check --quiet --out page.md
contains err "not current"
cmp -s page.md before.md || fail "--check wrote the page"
expect 0 validate --only reference --json
json out
contains out '"verdict": "pass"'
expect 0 validate --only tire_peak_side
contains out "1 of 1 cases pass"
expect 2 validate --only tire_peak_sid
contains err "tire_peak_side"
expect 2 validate --only analytic --check
finish
