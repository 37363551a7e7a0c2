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
  [ "$name" != from_c ] || continue # needs the C library, below
  [ -f "$example/CMakeLists.txt" ] || continue
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
PKG_CONFIG_PATH=$(dirname "$(find "$tmp/moved" -name vdsim-engine.pc)")
flags=$(pkg-config --cflags --libs vdsim-engine) || fail "no vdsim-engine.pc"
grep -qF "$tmp/moved" <<<"$flags" || fail "vdsim-engine.pc does not follow the moved prefix: $flags"
# shellcheck disable=SC2046,SC2086  # one word per flag
$(cached CMAKE_CXX_COMPILER) $(cached CMAKE_CXX_FLAGS) -O1 examples/one_tire/one_tire.cpp $flags -o one_tire >log 2>&1 || fail "cannot compile: $flags"
says "one_tire: slip stiffness" ./one_tire
version=$(pkg-config --modversion vdsim-engine)
grep -qF "VDSIM_VERSION \"$version\"" moved/include/vdsim/version.hpp || fail "version.hpp is not of $version"

echo "- everything, with program and catalog"
cmake --install "$build" --prefix "$tmp/prefix" >log 2>&1 || fail "cannot install $build"
mv prefix all
headers() { (cd "$1/vdsim" && find . -name '*.hpp' ! -name version.hpp ! -name fit_stage.hpp ! -path './validation/*' ! -path './study/live/*' | sort); }
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

echo "- the C library alone, moved: C, C++ and C#"
cmake --install "$build" --component c --prefix "$tmp/prefix" >log 2>&1 || fail "cannot install the component c"
mv prefix c_only
library=$(find "$tmp/c_only" -name 'libvdsim.so.1')
readelf -d "$library" | grep -q 'SONAME.*libvdsim.so.1]' || fail "libvdsim.so.1 has another soname"
needed=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -Ev '^(libfmt|libyaml-cpp|libstdc\+\+|libm|libgcc_s|libc|ld-linux[^.]*|libasan|libubsan)\.so')
[ -z "$needed" ] || fail "libvdsim.so needs $needed"
shown=$(nm -D --defined-only "$library" | awk '$2 != "A" {print $3}' | grep -v '^vdsim_[a-z_]*@@VDSIM_1$')
[ -z "$shown" ] || fail "libvdsim.so shows $shown"
diff <(sed -n 's/^VDSIM_API .*[ *]\(vdsim_[a-z_]*\)(.*/\1/p' c_only/include/vdsim.h | sort) \
  <(nm -D --defined-only "$library" | sed -n 's/.* T \(vdsim_[a-z_]*\)@.*/\1/p' | sort) || fail "vdsim.h and libvdsim.so differ"
make examples/from_c examples/from_c/build "" "-DCMAKE_PREFIX_PATH=$tmp/c_only" -DCMAKE_BUILD_TYPE=None \
  "-DCMAKE_C_FLAGS=-std=c99 -Wall -Wextra -Werror -pedantic" "-DCMAKE_CXX_FLAGS=$(cached CMAKE_CXX_FLAGS) -Wall -Wextra -Werror"
grep -F "$root/" examples/from_c/build/compile_commands.json && fail "from_c sees the source tree"
mkdir any && printf 'cmake_minimum_required(VERSION 3.25)\nproject(any LANGUAGES C)\nfind_package(vdsim REQUIRED)\nget_target_property(x vdsim::vdsim LOCATION)\n' >any/CMakeLists.txt
configure any any/build "" "-DCMAKE_PREFIX_PATH=$tmp/c_only" || fail "find_package(vdsim) alone does not find vdsim::vdsim"
says "braking:" examples/from_c/build/braking
says "tire_curve:" examples/from_c/build/tire_curve
sed -n '/^```c$/,/^```$/{/^```/d;p}' "$root/docs/C_API.md" >page.c # the example of the page
gcc -std=c99 -Wall -Wextra -Werror -pedantic "-I$tmp/c_only/include" page.c "-Wl,-rpath,$(dirname "$library")" "$library" -o page >log 2>&1 || fail "the example of docs/C_API.md"
says "yaw rate" ./page
PKG_CONFIG_PATH=$(dirname "$(find "$tmp/c_only" -name vdsim.pc)")
# shellcheck disable=SC2046  # one word per flag
gcc -std=c99 examples/from_c/braking.c $(pkg-config --cflags --libs vdsim) -o braking >log 2>&1 || fail "cannot compile by vdsim.pc"
LD_LIBRARY_PATH=$(dirname "$library")
export LD_LIBRARY_PATH
says "braking:" ./braking
if command -v mcs >/dev/null && command -v mono >/dev/null; then
  mcs -out:Drive.exe examples/from_c/Drive.cs >log 2>&1 || fail "cannot compile Drive.cs"
  says "Drive: from the snapshot the same bits" mono Drive.exe
else
  echo "C# left out: no mono-mcs, mono-runtime (packages.txt)"
fi
if command -v valgrind >/dev/null && ! grep -q fsanitize <<<"$(cached CMAKE_CXX_FLAGS)"; then
  valgrind --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=all ./braking >log 2>&1 || fail "valgrind finds something"
  grep -E "in use at exit|ERROR SUMMARY" log
else
  echo "valgrind left out: it is not installed (packages.txt), or a sanitizer is in its place"
fi
echo ok
