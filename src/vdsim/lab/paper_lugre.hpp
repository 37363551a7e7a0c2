// SPDX-License-Identifier: Apache-2.0
// Figures 3, 4, 5 and 6 of a paper that derives the exact lumped LuGre tire from the distributed one by the method of moments,
// as data, from the models of this library (docs/theory/22_lugre_patch.md).
#pragma once
#include <string>
#include <vector>

#include "vdsim/core/tire/patch_spec.hpp"
#include "vdsim/formats/svg_chart.hpp"

namespace vdsim {

inline constexpr const char* kPaperName =
    "P. Tsiotras, E. Velenis, M. Sorine: A LuGre tire friction model with exact aggregate dynamics, American Control "
    "Conference, Boston, 2004";

struct PaperColumn {
  std::string name;  // head of the CSV column
  std::vector<double> values;
};
struct PaperFigure {
  std::string name;                  // "figure4": the files are figure4.csv, figure4.svg
  std::vector<PaperColumn> columns;  // the first is the abscissa
  Figure chart;
};
// Largest distance of an approximation from the exact solution, relative to the peak of the exact one.
struct PaperDeviation {
  std::string what;
  double fx, fy, mz;  // mz < 0: not part of the figure
};
struct Paper {
  std::vector<PaperFigure> figures;
  std::vector<PaperDeviation> deviations;
};

// The tire of its figures: part tire.lugre_2004. Where the paper gives no value, it is our choice (paper_values()).
PatchSpec paper_tire();
struct PaperValue {
  const char *what, *paper, *here;
};
const std::vector<PaperValue>& paper_values();

Paper paper_lugre2004();

std::string paper_csv(const PaperFigure& figure);
std::string paper_page(const Paper& paper);  // index.html

}  // namespace vdsim
