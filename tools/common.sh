# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# Shared by ./vdsim and ./test (sourced): missing packages, build with progress. Expects $root.

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# package_list [GROUP]: names from packages.txt above its first "# GROUP:" line, and those of this group; every: all of them
package_list() {
  local line group=''
  while read -r line || [ -n "$line" ]; do
    if [[ $line =~ ^#\ ([a-z]+): ]]; then
      group=${BASH_REMATCH[1]}
    elif [[ -n $line && $line != '#'* && (-z $group || $group = "${1:-}" || every = "${1:-}") ]]; then
      printf '%s\n' "$line"
    fi
  done <"$root/packages.txt"
}

# need_packages INSTALL [GROUP]: INSTALL=1 installs what is missing, 0 stops with an error
need_packages() {
  local install=$1 wanted missing=() package installed as_root=()
  if ! command -v dpkg-query >/dev/null; then
    say "This is not a Debian system, so packages are not checked. packages.txt lists what is needed."
    return 0
  fi
  wanted=$(package_list "${2:-}")
  # shellcheck disable=SC2086  # one word per package
  installed=$(dpkg-query -W -f '${Package}:${Status}\n' $wanted 2>/dev/null || true)
  for package in $wanted; do
    grep -qxF "$package:install ok installed" <<<"$installed" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  say "Missing packages: ${missing[*]}"
  local by_hand="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  [ "$install" = 1 ] || die "nothing was installed (--no-install). To install, run as root:
  $by_hand"
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=(sudo -n)
    else
      die "they cannot be installed without root rights. Run as root, then start again:
  $by_hand"
    fi
  fi
  say "Installing them with apt-get."
  # The update may fail for one source of many; the install below decides.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 update >&2 ||
    say "apt-get update failed, trying to install all the same."
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
    install -y --no-install-recommends "${missing[@]}" >&2 || die "apt-get could not install: ${missing[*]}"
}

# install_npm: Debian's, which conflicts with a node from elsewhere: for machines without any npm
install_npm() {
  local as_root=() apt=(apt-get -q -o DPkg::Lock::Timeout=300)
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  "${as_root[@]}" "${apt[@]}" install -y --no-install-recommends nodejs npm && return 0
  "${as_root[@]}" "${apt[@]}" update && "${as_root[@]}" "${apt[@]}" install -y --no-install-recommends nodejs npm
}

# web_packages INSTALL: what reports are made of, by npm from web/package-lock.json. Never fails: without it their charts
# are drawings. INSTALL=1 may install npm itself; 0 asks no network.
web_packages() (
  wanted=$root/web/package-lock.json have=$root/web/node_modules/.package-lock.json log=$root/build/npm.log
  mkdir -p "$root/build" && exec 8>>"$root/build/web.lock" && flock 8 || exit 0 # two presets may build at once
  [ -f "$wanted" ] || exit 0
  # .of: the lock file that npm has unpacked; by its time alone a lock file from the future would never be done
  if [ -f "$have" ] && { [ ! "$wanted" -nt "$have" ] ||
    [ "$(cat "$root/web/node_modules/.of" 2>/dev/null)" = "$(sha256sum <"$wanted")" ]; }; then exit 0; fi
  if [ "$1" != 1 ]; then
    [ -f "$have" ] || say "uPlot was not fetched (--no-install): reports will show drawings in place of interactive charts."
    exit 0
  fi
  : >"$log"
  if ! command -v npm >/dev/null && command -v apt-get >/dev/null; then
    say "Installing npm with apt-get, for the charts of reports."
    install_npm >>"$log" 2>&1 || true
  fi
  if cd "$root/web" && timeout 180 npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 >>"$log" 2>&1; then
    touch "$have"
    sha256sum <"$wanted" >node_modules/.of
  else
    say "npm could not fetch uPlot (log: build/npm.log): reports will show drawings in place of interactive charts."
  fi
  exit 0
)

# page_sources: a checksum of what the page is made of
page_sources() (
  cd "$root" && { find src bindings/wasm web/page configs tools/wasm_engine.sh -name node_modules -prune -o -type f -printf '%p %T@ %s\n' 2>/dev/null ||
    true; } | LC_ALL=C sort | sha256sum
)
page_fresh() { [ -f "$root/build/page/index.html" ] && [ "$(cat "$root/build/page.stamp" 2>/dev/null)" = "$(page_sources)" ]; }

# build_page INSTALL: build/page/index.html by npm and the WebAssembly tools. Never fails: without it vdsim page has --native alone
# and says so. INSTALL=0 asks no network.
build_page() (
  mkdir -p "$root/build" && exec 8>>"$root/build/page.lock" && flock 8 || exit 0
  if page_fresh; then exit 0; fi
  sources=$(page_sources) log=$root/build/page.log
  : >"$log"
  rm -f "$root/build/page.stamp"
  missing() { say "The page was not built ($1; log: build/page.log): vdsim page has --native alone."; exit 0; }
  [ -f "$root/web/page/build.mjs" ] || missing "no web/page"
  if ! command -v npm >/dev/null && [ "$1" = 1 ] && command -v apt-get >/dev/null; then
    say "Installing npm with apt-get, for the page."
    install_npm >>"$log" 2>&1 || true
  fi
  command -v npm >/dev/null || missing "no npm"
  if [ ! -d "$root/web/page/node_modules" ] || [ "$root/web/page/package-lock.json" -nt "$root/web/page/node_modules/.package-lock.json" ]; then
    [ "$1" = 1 ] || missing "--no-install: npm has fetched nothing"
    say "Fetching what the page is made of with npm."
    (cd "$root/web/page" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 >>"$log" 2>&1) || missing "npm ci failed"
    touch "$root/web/page/node_modules/.package-lock.json"
  fi
  say "Building the engine for the browser (log: build/wasm/build.log)"
  bash "$root/tools/wasm_engine.sh" >>"$log" 2>&1 || missing "no engine for the browser"
  node "$root/web/page/build.mjs" >>"$log" 2>&1 || missing "web/page/build.mjs failed"
  printf '%s\n' "$sources" >"$root/build/page.stamp"
)

# lock NAME / unlock: one builder per build folder. Children keep the lock, so a build that outlives a killed
# parent still keeps others out.
lock() {
  mkdir -p "$root/build" 2>/dev/null && { : >>"$root/build/$1.lock"; } 2>/dev/null || die "cannot write to $root/build"
  exec 9>>"$root/build/$1.lock"
  flock -n 9 || { say "Another build of '$1' is running, waiting for it."; flock 9; }
}
unlock() { exec 9>&-; }

# show_progress LOG: copies ninja's lines to LOG; stderr gets one changing line on a terminal, else a line per ~10 s
show_progress() {
  local line='' last='starting' shown=$SECONDS started=$SECONDS status width tty=0
  if [ -t 2 ]; then tty=1; fi
  width=$(stty size <&2 2>/dev/null | cut -d' ' -f2) || true
  if [ "${width:-0}" -lt 20 ]; then width=80; fi
  while true; do
    status=0
    IFS= read -r -t 10 line || status=$?
    if [ "$status" = 0 ]; then
      printf '%s\n' "$line" >>"$1"
      if [[ $line =~ ^\[[0-9]+/[0-9]+\] ]]; then last=$line; fi
      if [ $tty = 1 ]; then printf '\r\033[K%s' "${last:0:width-1}" >&2; fi
    elif [ "$status" -le 128 ]; then
      break # end of input; above 128 is only the time limit of read
    fi
    if [ $tty = 0 ] && [ $((SECONDS - shown)) -ge 10 ]; then
      say "  $((SECONDS - started)) s: $last"
      shown=$SECONDS
    fi
  done
  if [ $tty = 1 ]; then printf '\r\033[K' >&2; fi
}

# build PRESET TARGET [cmake options]: configure and build; shows the end of the log and returns 1 on failure
build() {
  local preset=$1 target=$2 dir="$root/build/$1" log="$root/build/$1/build.log" started=$SECONDS
  shift 2
  # A build folder copied or moved with its checkout names the old place: start it again.
  if [ -f "$dir/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    rm -rf "$dir"
  fi
  case $root in
    *['"\;']* | *$'\n'*) say "CMake cannot build in '$root': rename folders with \" \\ ; or line breaks in their names."; return 1 ;;
  esac
  mkdir -p "$dir" || return 1
  : >"$log" || return 1
  say "Building '$preset' (log: build/$preset/build.log)"
  if (cd "$root" && cmake --preset "$preset" "$@") >>"$log" 2>&1 &&
    cmake --build "$dir" --target "$target" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" 2>&1 | show_progress "$log"; then
    say "Built '$preset' in $((SECONDS - started)) s"
  else
    say "Build of '$preset' failed. The end of build/$preset/build.log:"
    tail -n 40 "$log" >&2
    return 1
  fi
}
