# SPDX-License-Identifier: Apache-2.0
# Helpers of the cli_*.sh tests. VDSIM_BIN: the program; VDSIM_ROOT: the source tree.
set -uo pipefail
vdsim=${VDSIM_BIN:?}
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp" 2>/dev/null; rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
# expect CODE WORDS...: runs vdsim, keeps stdout and stderr in out, err
expect() {
  local code=$1
  shift
  "$vdsim" "$@" >"$tmp/out" 2>"$tmp/err"
  local got=$?
  [ $got = "$code" ] || fail "vdsim $*: exit code $got, expected $code: $(head -3 "$tmp/err")"
}
contains() { grep -qF -- "$2" "$1" || fail "$1 does not say '$2': $(head -5 "$1")"; }
json() { /usr/bin/python3 -m json.tool "$1" >/dev/null || fail "$1 is not one JSON document"; }
finish() {
  [ $failures = 0 ] && echo ok
  exit $((failures > 0))
}
