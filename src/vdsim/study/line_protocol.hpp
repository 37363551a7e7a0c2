// SPDX-License-Identifier: Apache-2.0
// A run that another program drives, in lockstep, over lines of JSON: docs/STDIO.md. The first line tells what there is; then every
// request gets one reply. A request that is refused changes nothing.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/formats/line_reader.hpp"
#include "vdsim/study/fleet.hpp"
#include "vdsim/study/line_request.hpp"

namespace vdsim {

class LineProtocol {
 public:
  static constexpr int kVersion = 1;
  static constexpr std::size_t kMostLine = 1 << 16;  // of a request [bytes]

  using Sink = std::function<bool(std::string_view line)>;  // false: nobody listens any more
  LineProtocol(const Scenario&, LineReader::Source, Sink);
  long operator()(Fleet&);  // a Fleet::Control: replies, and reads until a request lets time go on

 private:
  std::string hello(const Scenario&) const;
  std::string reply(Fleet&);
  void append_car(const Fleet::Member&, std::size_t car, std::string& out);
  static std::string refusal(const Fleet&, const Errors&);
  void apply(LineRequest&, Fleet&);

  LineScene scene_;
  std::vector<SignalScope> scopes_;             // of the cars
  std::vector<std::vector<std::size_t>> read_;  // signals that replies tell
  LineReader lines_;
  Sink sink_;
  std::vector<double> values_;
  long requests_ = 0;
  bool greeted_ = false;
  std::string hello_;
};

}  // namespace vdsim
