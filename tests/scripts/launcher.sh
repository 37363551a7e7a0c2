#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./vdsim builds when a source has changed, and only then: not for a time in the future, not for a shell that completes; with
# --no-install it asks no network. A checkout of stubs: `cmake` makes a program that says "ran", `npm` notes that it was called.
set -uo pipefail
root=${VDSIM_ROOT:?}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

checkout() { # NAME: a new one, in $here
  here=$tmp/$1
  mkdir -p "$here"/{src,apps,bindings,cmake,web/report,tools}
  cp "$root/vdsim" "$here/" && cp "$root/tools/common.sh" "$here/tools/"
  touch "$here"/{CMakeLists.txt,CMakePresets.json,packages.txt,src/a.cpp,apps/b.cpp,cmake/c.cmake,web/report/r.js,web/embed.cmake}
  echo '{}' >"$here/web/package-lock.json"
}
mkdir "$tmp/bin"
cat >"$tmp/bin/cmake" <<'STUB'
#!/usr/bin/env bash
if [ "$1" = --build ]; then
  printf '#!/bin/sh\necho ran\n' >"$2/vdsim" && chmod +x "$2/vdsim"
  if [ "$4" = python ]; then mkdir -p "$2/python/vdsim" && cp "$2/vdsim" "$2/python/vdsim/_vdsim.x.so"; fi
  echo build >>"$CALLS"
fi
STUB
cat >"$tmp/bin/npm" <<'STUB'
#!/usr/bin/env bash
echo npm >>"$CALLS"
mkdir -p node_modules && touch node_modules/.package-lock.json
STUB
chmod +x "$tmp/bin/cmake" "$tmp/bin/npm"
export PATH=$tmp/bin:$PATH CALLS=$tmp/calls
start() { # EXPECTED WORDS...: starts ./vdsim; the calls of the stubs are EXPECTED, in one line
  local expected=$1 out
  shift
  : >"$CALLS"
  out=$(timeout 60 "$here/vdsim" "$@" 2>"$tmp/err")
  [ "$out" = ran ] || fail "$here/vdsim $*: it said '$out': $(tail -3 "$tmp/err")"
  [ "$(tr '\n' ' ' <"$CALLS")" = "$expected" ] || fail "vdsim $*: called $(tr '\n' ' ' <"$CALLS"), expected '$expected'"
}

checkout plain
start "build " --no-install # and no npm
start "" --no-install
touch -d '+2 days' "$here/src/a.cpp"
start "build " --no-install
start "" --no-install # a time in the future is no reason to build again
touch "$here/web/package-lock.json" && echo >>"$here/apps/b.cpp"
start "npm build "
touch -d '+2 days' "$here/web/package-lock.json"
start "build " # npm has unpacked this very lock file
echo >>"$here/src/a.cpp"
VDSIM_COMPLETING=1 start "" # as TAB does
start "build "

# the Python module: built when asked for, also when something of it has changed
checkout python
echo >"$here/bindings/a.py"
start "build " --no-install
said() { # EXPECTED BUILDS WORDS...: what ./vdsim python prints, and whether it built
  : >"$CALLS"
  local expected=$1 builds=$2 out
  shift 2
  out=$(timeout 60 "$here/vdsim" --no-install python "$@" 2>"$tmp/err")
  [ "$out" = "$expected" ] || fail "vdsim python $*: it said '$out', expected '$expected': $(tail -3 "$tmp/err")"
  [ "$(tr '\n' ' ' <"$CALLS")" = "$builds" ] || fail "vdsim python $*: called '$(tr '\n' ' ' <"$CALLS")', expected '$builds'"
}
said "$here/build/exact/python" "build " --path
said "$here/build/exact/python" "" -c 'import sys; print(sys.path[1])'
said "a 'b' \"c\"" "" -c 'import sys; print(*sys.argv[1:])' a "'b'" '"c"'
echo >>"$here/bindings/a.py"
said "$here/build/exact/python" "build " --path
PYTHONPATH=/mine said "/mine" "" -c 'import sys; print(sys.path[2])'

checkout "it's a \$HOME"
start "build " --no-install
start "" --no-install
checkout 'two "quotes"'
: >"$CALLS"
timeout 60 "$here/vdsim" --no-install >"$tmp/out" 2>&1 && fail "a path that CMake cannot build in was accepted"
grep -q "CMake cannot build in" "$tmp/out" || fail "a path with double quotes: $(head -3 "$tmp/out")"

[ $failures = 0 ] && echo ok
exit $((failures > 0))
