# SPDX-License-Identifier: Apache-2.0
# Helpers of install.sh and components.sh. VDSIM_ROOT: the source tree; VDSIM_BUILD: a build of it.
set -uo pipefail
root=$(cd "${VDSIM_ROOT:?}" && pwd -P) build=$(cd "${VDSIM_BUILD:?}" && pwd -P)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
fail() {
  echo "FAILED: $*"
  [ -f log ] && tail -n 30 log
  exit 1
}
cached() { sed -n "s|^$1:[A-Z]*=||p" "$build/CMakeCache.txt"; }
packages="yaml-cpp fmt Ceres Eigen3 HDF5 nlohmann_json Threads GTest"
configure() { # FOLDER BUILD PACKAGES OPTIONS...: configures FOLDER in BUILD; of all packages only these can be found
  local folder=$1 into=$2 allowed=" $3 " package options=()
  shift 3
  for package in $packages; do
    [[ $allowed == *" $package "* ]] || options+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
  done
  cmake -S "$folder" -B "$into" -G Ninja "-DCMAKE_CXX_COMPILER=$(cached CMAKE_CXX_COMPILER)" \
    "-DCMAKE_CXX_FLAGS=$(cached CMAKE_CXX_FLAGS)" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "${options[@]}" "$@" >log 2>&1
}
make() { # FOLDER BUILD PACKAGES OPTIONS...: configures and builds it
  configure "$@" || fail "cannot configure $1"
  cmake --build "$2" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-2}" >log 2>&1 || fail "cannot build $1"
}
