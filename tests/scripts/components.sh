#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every component above the engine as its users get it: installed one by one into a prefix that has only those below it, found
# by find_package without the libraries of the others, linked to a program of tests/components and run; every installed
# header compiles. And FetchContent: it configures the engine and nothing else. The engine itself: install.sh.
. "$(dirname "${BASH_SOURCE[0]}")/cmake_common.bash"

check() { # COMPONENT PACKAGES WORDS: what its program must print
  local component=$1 folder=$tmp/$1
  cmake --install "$build" --component "$component" --prefix "$tmp/prefix" >log 2>&1 || fail "cannot install $component"
  mkdir "$folder"
  cp "$root/tests/components/$component.cpp" "$folder/" || fail "no program of $component"
  # every header that this component has brought, once
  (cd prefix/include && find vdsim -name '*.hpp' | sort) >headers
  comm -23 headers headers_before | sed 's/.*/#include <&>/' >"$folder/headers.cpp"
  mv headers headers_before
  cat >"$folder/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project($component LANGUAGES CXX)
find_package(vdsim 0.2 REQUIRED COMPONENTS $component)
add_executable(program $component.cpp headers.cpp)
target_link_libraries(program PRIVATE vdsim::$component)
CMAKE
  make "$folder" "$folder/build" "$2" "-DCMAKE_PREFIX_PATH=$tmp/prefix" -DCMAKE_BUILD_TYPE=None
  grep -F "$root/" "$folder/build/compile_commands.json" && fail "$component sees the source tree"
  VDSIM_CONFIGS=$tmp/prefix/share/vdsim/configs "$folder/build/program" >log 2>&1 || fail "$component: exit code $?"
  grep -qxF -- "$3" log || fail "$component does not say '$3'"
  cat log
}
echo "- components, each installed after those it needs"
cmake --install "$build" --component engine --prefix "$tmp/prefix" >log 2>&1 || fail "cannot install engine"
(cd prefix/include && find vdsim -name '*.hpp' | sort) >headers_before
check formats "fmt" "formats: 1800 N"
check config "fmt yaml-cpp" "config: 270 kg"
check study "fmt yaml-cpp Threads" "study: 15.000000 m"
check report "fmt yaml-cpp Threads" "report: 1 chart"
check lab "fmt yaml-cpp Threads" "lab: 2.700000 m"
check fit "fmt yaml-cpp Threads Ceres Eigen3" "fit: D_lat 1.100"

# Compiling the engine once more takes a minute and install.sh does it, by add_subdirectory: here only what there is to build.
echo "- FetchContent: the engine alone"
mkdir game && cat >game/CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(game LANGUAGES CXX)
include(FetchContent)
FetchContent_Declare(vdsim SOURCE_DIR "$root")
FetchContent_MakeAvailable(vdsim)
add_executable(game game.cpp)
target_link_libraries(game PRIVATE vdsim::engine)
CMAKE
cat >game/game.cpp <<'CPP'
#include <vdsim/core/vehicle/spec.hpp>
#include <vdsim/version.hpp>
static_assert(vdsim::ChassisSpec{}.mass > 0);
int main() {}
CPP
configure game game/build "" || fail "cannot configure with FetchContent"
ninja -C game/build -t targets all >made || fail "no targets"
grep -q "libvdsim_engine.a:" made || fail "no engine"
others=$(sed -n 's|^\([^:]*\.\(a\|so\)\):.*|\1|p' made | grep -Ev 'libvdsim_(engine|car)')
[ -z "$others" ] || fail "a subproject builds more than the engine: $others"
grep -E '/(tests|apps|formats|config|study|lab|report|validation)/' game/build/compile_commands.json && fail "a subproject compiles these"
ninja -C game/build CMakeFiles/game.dir/game.cpp.o >log 2>&1 || fail "cannot compile with FetchContent"
echo ok
