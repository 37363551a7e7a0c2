#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# VDSim as a library of somebody else: as a subproject, installed and moved, by CMake and by pkg-config, without yaml-cpp; and
# the installed program with its catalog. The engine is built once, inside the subproject, and installed from there.
. "$(dirname "${BASH_SOURCE[0]}")/cmake_common.bash"
engine=${build}_embedded # beside the build: ccache then knows the objects, whichever way it names files
trap 'rm -rf "$tmp" "$engine"' EXIT
rm -rf "$engine"
says() { # WORDS PROGRAM: it succeeds and prints them
  local words=$1
  shift
  "$@" >log 2>&1 || fail "$*: exit code $?"
  grep -qF -- "$words" log || fail "$*: does not say '$words'"
  grep -F -- "$words" log
}
cp -r "$root/examples" examples || fail "no examples"

# nothing but the standard library may be needed: the packages are none
echo "- subproject: the engine alone, and none of our warnings"
mkdir game && cp examples/one_tire/one_tire.cpp game/game.cpp
cat >game/CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(game LANGUAGES CXX)
add_subdirectory("$root" vdsim)
add_executable(game game.cpp)
target_link_libraries(game PRIVATE vdsim::engine)
CMAKE
make game "$engine" "" -DVDSIM_INSTALL=ON -DCMAKE_BUILD_TYPE="$(cached CMAKE_BUILD_TYPE)" \
  -DVDSIM_WIDE="$(cached VDSIM_WIDE)" -DVDSIM_NUMERIC="$(cached VDSIM_NUMERIC)"
says "one_tire: slip stiffness" "$engine/game"
find "$engine" -name '*.a' | grep -Ev 'libvdsim_(engine|car)' && fail "a subproject builds more than the engine"
command=$(grep '"command".*/game.cpp' "$engine/compile_commands.json")
grep -q -- '-ffp-contract=off' <<<"$command" || fail "-ffp-contract=off does not reach the user: $command"
grep -q -- ' -W' <<<"$command" && fail "warning flags reach the user: $command"

echo "- installed, moved, found by find_package"
cmake --install "$engine" --prefix "$tmp/prefix" >log 2>&1 || fail "cannot install"
mv prefix moved && rm -r game "$engine"
for example in examples/*/; do
  name=$(basename "$example")
  make "examples/$name" "examples/$name/build" "" "-DCMAKE_PREFIX_PATH=$tmp/moved" -DCMAKE_BUILD_TYPE=None \
    "-DCMAKE_CXX_FLAGS=$(cached CMAKE_CXX_FLAGS) -O1 -Wall -Wextra -Wno-psabi -Werror"
  grep -F "$root/" "examples/$name/build/compile_commands.json" && fail "$name sees the source tree"
  says "$name:" "examples/$name/build/$name"
done
mkdir wants && cat >wants/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(wants LANGUAGES CXX)
find_package(vdsim REQUIRED COMPONENTS config)
CMAKE
configure wants wants/build "$packages" "-DCMAKE_PREFIX_PATH=$tmp/moved" && fail "found a component that is not there"
grep -q config log || fail "does not name the missing component"

echo "- found by pkg-config"
command -v pkg-config >/dev/null || fail "pkg-config is missing (packages.txt)"
export PKG_CONFIG_PATH=
PKG_CONFIG_PATH=$(dirname "$(find "$tmp/moved" -name vdsim.pc)")
flags=$(pkg-config --cflags --libs vdsim) || fail "no vdsim.pc"
grep -qF "$tmp/moved" <<<"$flags" || fail "vdsim.pc does not follow the moved prefix: $flags"
# shellcheck disable=SC2046,SC2086  # one word per flag
$(cached CMAKE_CXX_COMPILER) $(cached CMAKE_CXX_FLAGS) -O1 examples/one_tire/one_tire.cpp $flags -o one_tire >log 2>&1 || fail "cannot compile: $flags"
says "one_tire: slip stiffness" ./one_tire
version=$(pkg-config --modversion vdsim)
grep -qF "VDSIM_VERSION \"$version\"" moved/include/vdsim/version.hpp || fail "version.hpp is not of $version"

echo "- everything, with program and catalog"
cmake --install "$build" --prefix "$tmp/prefix" >log 2>&1 || fail "cannot install $build"
mv prefix all
headers() { (cd "$1/vdsim" && find . -name '*.hpp' ! -name version.hpp ! -name fit_stage.hpp ! -path './validation/*' | sort); }
diff <(headers "$root/src") <(headers all/include) || fail "these headers are not installed"
says "vdsim $version" all/bin/vdsim --version
car=all/share/vdsim/configs/parts/chassis/fsk_formula.yaml
sed -i 's/^  mass: 265$/  mass: 266/' $car && grep -q 'mass: 266' $car || fail "no mass in $car"
says 266 all/bin/vdsim catalog show chassis.fsk_formula
mkdir reader && cat >reader/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(reader LANGUAGES CXX)
find_package(vdsim REQUIRED COMPONENTS config)
add_executable(reader reader.cpp)
target_link_libraries(reader PRIVATE vdsim::config)
install(TARGETS reader)
CMAKE
cat >reader/reader.cpp <<'CPP'
#include <cstdio>

#include <vdsim/config/catalog.hpp>
#include <vdsim/config/scenario.hpp>

int main() {
  vdsim::SceneChanges changes;
  changes.vehicle = "vehicle.fsk_formula";
  std::printf("mass %g\n", vdsim::load_vehicle(vdsim::Catalog(vdsim::Catalog::default_folder()), changes).chassis.mass);
}
CPP
make reader reader/build "$packages" "-DCMAKE_PREFIX_PATH=$tmp/all" -DCMAKE_BUILD_TYPE=None
grep -F "$root/" reader/build/compile_commands.json && fail "reader sees the source tree"
cmake --install reader/build --prefix "$tmp/all" >log 2>&1 || fail "cannot install reader"
says "mass 266" all/bin/reader
echo ok
