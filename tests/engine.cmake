# SPDX-License-Identifier: Apache-2.0
# test_engine: the tests that need nothing but the engine, in one program; what there is where only the engine is built.
# Used on machines without the libraries of the rooms above (tests/machines.sh); the other tests: CMakeLists.txt.

# engine_only(FILE RESULT): neither FILE nor what it includes of tests/ asks for a room above the engine or its libraries
function(engine_only file result)
  set(${result} FALSE PARENT_SCOPE)
  file(STRINGS "${file}" lines REGEX "^#include ")
  get_filename_component(beside "${file}" DIRECTORY)
  foreach(line IN LISTS lines)
    if(line MATCHES "[<\"](vdsim/(formats|config|study|lab|report|validation)/|fmt/|yaml-cpp/|nlohmann/|Eigen/|hdf5|CLI/)")
      return()
    endif()
    if(NOT line MATCHES "\"vdsim/" AND line MATCHES "\"(tests/)?([^\"]+)\"")
      set(named "${CMAKE_MATCH_2}")
      if(CMAKE_MATCH_1)
        set(next "${PROJECT_SOURCE_DIR}/tests/${named}")
      else()
        set(next "${beside}/${named}")
      endif()
      engine_only("${next}" fine)
      if(NOT fine)
        return()
      endif()
    endif()
  endforeach()
  set(${result} TRUE PARENT_SCOPE)
endfunction()

if(CMAKE_CROSSCOMPILING) # Debian has it in binary for its own machine only
  set(VDSIM_GTEST /usr/src/googletest/googletest CACHE PATH "sources of GoogleTest")
  add_library(gtest_main STATIC "${VDSIM_GTEST}/src/gtest-all.cc" "${VDSIM_GTEST}/src/gtest_main.cc")
  target_include_directories(gtest_main SYSTEM PUBLIC "${VDSIM_GTEST}/include" PRIVATE "${VDSIM_GTEST}")
  add_library(GTest::gtest_main ALIAS gtest_main)
else()
  find_package(GTest QUIET)
  if(NOT GTest_FOUND) # the engine itself needs no library
    return()
  endif()
endif()

file(GLOB candidates CONFIGURE_DEPENDS tests/unit/test_*.cpp tests/laws/test_*.cpp tests/integration/test_*.cpp)
set(sources "")
foreach(candidate IN LISTS candidates)
  engine_only("${candidate}" fine)
  if(fine)
    list(APPEND sources "${candidate}")
  endif()
endforeach()
add_executable(test_engine EXCLUDE_FROM_ALL ${sources})
target_link_libraries(test_engine PRIVATE vdsim_engine vdsim_linear GTest::gtest_main)
target_include_directories(test_engine PRIVATE "${PROJECT_SOURCE_DIR}")
target_compile_definitions(test_engine PRIVATE VDSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               $<$<BOOL:${MINGW}>:_USE_MATH_DEFINES>) # M_PI
target_compile_options(test_engine PRIVATE $<$<CONFIG:Release>:-O1>)
