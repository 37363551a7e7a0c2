// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <memory>

#include "apps/vdsim/commands.hpp"
#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/result_folder.hpp"
#include "vdsim/lab/paper_lugre.hpp"

namespace vdsim::cli {
namespace {

struct PaperArguments {
  std::string paper, out;
};

int draw(const PaperArguments& in) {
  if (in.paper != "lugre2004") throw BadInput("vdsim paper " + in.paper + ": expected lugre2004");
  ResultFolder results(in.out);
  const Paper paper = paper_lugre2004();
  for (const PaperFigure& f : paper.figures) {
    results.add(f.name + ".csv", paper_csv(f));
    results.add(f.name + ".svg", svg_text(f.chart));
  }
  results.add("index.html", paper_page(paper));
  results.commit();
  fmt::print("{}: {} figures, each as .csv and .svg\n{}\n", in.out, paper.figures.size(), results.files().back());
  return done;
}

}  // namespace

void add_paper(Verb app, Action& chosen) {
  auto in = std::make_shared<PaperArguments>();
  Verb sub = app.add_subcommand("paper", "Redraw the figures of a paper with the models of this library");
  sub.footer(fmt::format("lugre2004: {}\n\nExample:\n  vdsim paper lugre2004 --out figures", kPaperName));
  sub.add_option("paper", in->paper, "lugre2004: contact-patch LuGre, figures 3 to 6").required().type_name("NAME");
  sub.add_option("--out", in->out, "folder for figure3 to figure6 (.csv, .svg) and index.html")
      .required()
      .type_name("DIR");
  sub.callback([in, &chosen] { chosen = [in] { return draw(*in); }; });
}

}  // namespace vdsim::cli
