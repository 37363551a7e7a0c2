# SPDX-License-Identifier: Apache-2.0
# Looks for what the Python module needs. VDSIM_PYTHON: the interpreter it is for.
set(VDSIM_PYTHON /usr/bin/python3 CACHE FILEPATH "the Python that `import vdsim` is built for")
set(python_missing "")
execute_process(
  COMMAND "${VDSIM_PYTHON}" -c
          "import sysconfig as s; print(s.get_path('include') + ';' + s.get_config_var('EXT_SUFFIX'), end='')"
  RESULT_VARIABLE python_failed OUTPUT_VARIABLE python_facts ERROR_QUIET)
if(python_failed)
  set(python_missing "${VDSIM_PYTHON}")
else()
  list(GET python_facts 0 python_include)
  list(GET python_facts 1 python_suffix)
  if(NOT EXISTS "${python_include}/Python.h")
    set(python_missing "Python.h (python3-dev)")
  endif()
  find_path(VDSIM_PYBIND11_INCLUDE pybind11/pybind11.h)
  if(NOT VDSIM_PYBIND11_INCLUDE)
    list(APPEND python_missing "pybind11 (pybind11-dev)")
  endif()
endif()
if(python_missing)
  if("python" IN_LIST VDSIM_COMPONENTS)
    message(FATAL_ERROR "the component python needs ${python_missing}")
  endif()
  set(builds_python FALSE)
endif()
