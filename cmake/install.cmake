# SPDX-License-Identifier: Apache-2.0
# cmake --install: headers, libraries, CMake and pkg-config files, the program, the catalog. docs/EMBEDDING.md
# Install components (cmake --install BUILD --component NAME) are the components of find_package; `engine` has core with it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(cmake_folder "${CMAKE_INSTALL_LIBDIR}/cmake/vdsim")

# vdsim_install(COMPONENT NAME FOLDER): vdsim_NAME as vdsim::NAME, with the headers under src/vdsim/FOLDER
function(vdsim_install component name folder)
  set_target_properties(vdsim_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS vdsim_${name} EXPORT vdsim_${name} ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${component})
  # One file of targets each: a prefix with some components must not name libraries that are not there.
  install(EXPORT vdsim_${name} NAMESPACE vdsim:: FILE vdsimTargets-${name}.cmake DESTINATION "${cmake_folder}"
          COMPONENT ${component})
  set(others "")
  if(name STREQUAL lab)
    set(others PATTERN fit EXCLUDE) # a component of its own
  elseif(name STREQUAL fit)
    set(others PATTERN fit_stage.hpp EXCLUDE) # shows Ceres, which users of fit do not compile with
  elseif(name STREQUAL study)
    set(others PATTERN live EXCLUDE) # of the program
  endif()
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/vdsim/${folder}/" COMPONENT ${component}
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/vdsim/${folder}" FILES_MATCHING PATTERN "*.hpp" ${others})
endfunction()
vdsim_install(engine core core)
vdsim_install(engine car engine)
vdsim_install(engine engine engine)
foreach(room formats config study report lab)
  if(room IN_LIST vdsim_built)
    vdsim_install(${room} ${room} ${room})
  endif()
endforeach()
if(builds_lab)
  vdsim_install(lab linear engine/linear)
endif()
if(builds_fit)
  vdsim_install(fit fit lab/fit)
endif()

# The C library: component `c`, target vdsim::vdsim; it brings nothing, since it links what it needs.
set(package_components engine)
if(builds_c)
  list(APPEND package_components c)
  install(TARGETS vdsim_c EXPORT vdsim_c
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT c
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT c
          RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT c)
  install(EXPORT vdsim_c NAMESPACE vdsim:: FILE vdsimTargets-c.cmake DESTINATION "${cmake_folder}" COMPONENT c)
  install(FILES bindings/c/include/vdsim.h bindings/c/include/vdsim.hpp DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT c)
endif()

configure_package_config_file(cmake/vdsimConfig.cmake.in "${PROJECT_BINARY_DIR}/vdsimConfig.cmake"
                              INSTALL_DESTINATION "${cmake_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/vdsimConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
foreach(component IN LISTS package_components)
  install(FILES "${PROJECT_BINARY_DIR}/vdsimConfig.cmake" "${PROJECT_BINARY_DIR}/vdsimConfigVersion.cmake"
          DESTINATION "${cmake_folder}" COMPONENT ${component})
  set(pc vdsim-engine)
  if(component STREQUAL c)
    set(pc vdsim)
  endif()
  configure_file(cmake/${pc}.pc.in "${PROJECT_BINARY_DIR}/${pc}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${pc}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT ${component})
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/include/vdsim/version.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/vdsim"
        COMPONENT engine)
foreach(component config c) # whichever is installed alone has the catalog with it
  if(component IN_LIST vdsim_built)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/configs" DESTINATION "${CMAKE_INSTALL_DATADIR}/vdsim" COMPONENT ${component})
  endif()
endforeach()
if(builds_program)
  install(TARGETS vdsim RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
  if(builds_fmi) # where the program looks for the libraries that go into FMUs
    install(DIRECTORY "${CMAKE_BINARY_DIR}/fmu" DESTINATION lib/vdsim USE_SOURCE_PERMISSIONS COMPONENT program)
  endif()
  install(FILES LICENSE THIRD_PARTY_NOTICES.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)
endif()
