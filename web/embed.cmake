# SPDX-License-Identifier: Apache-2.0
# Writes OUT, a C++ file that holds the parts of a report: ours and, where npm has fetched it, uPlot.
# usage: cmake -DWEB=<folder web> -DUPLOT=<folder of uPlot, or empty> -DOUT=<file.cpp> -P embed.cmake
cmake_minimum_required(VERSION 3.25)
if(UPLOT)
  file(READ "${UPLOT}/LICENSE" license)
  file(READ "${UPLOT}/dist/uPlot.iife.min.js" charts)
  file(READ "${UPLOT}/dist/uPlot.min.css" charts_css)
  set(charts "/*\n${license}*/\n${charts}") # the licence goes where its code goes
endif()
file(READ "${WEB}/report/report.js" script)
file(READ "${WEB}/report/report.css" css)
foreach(part charts charts_css script css)
  if("${${part}}" MATCHES "\\)vdsim_part\"|</script|</style")
    message(FATAL_ERROR "${part}: cannot be embedded")
  endif()
endforeach()
file(WRITE "${OUT}" "// made by web/embed.cmake
#include \"vdsim/report/report.hpp\"

namespace vdsim {
const ReportAssets& report_assets() {
  static const ReportAssets parts{R\"vdsim_part(${charts})vdsim_part\", R\"vdsim_part(${charts_css})vdsim_part\",
                                  R\"vdsim_part(${script})vdsim_part\", R\"vdsim_part(${css})vdsim_part\"};
  return parts;
}
}  // namespace vdsim
")
