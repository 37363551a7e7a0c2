// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/door.hpp"

#include <cmath>

#if !defined(_WIN32)
// The C++ library inside keeps memory in reserve for exceptions (72 kB); a host that unloads the FMU gets it back.
namespace __gnu_cxx {  // NOLINT(bugprone-reserved-identifier)
void __freeres();      // NOLINT(bugprone-reserved-identifier)
}
[[gnu::destructor]] static void free_reserve() { __gnu_cxx::__freeres(); }
#endif

namespace vdsim::fmi {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

void set_states(ExchangePlant& plant, const double* x, std::size_t n) {
  if (n != plant.state_count()) room(nullptr, n, plant.state_count(), "continuous states");
  need_list(x, n, "x");
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(x[i])) throw Refused("state." + plant.states()[i].name + " is not finite");
  plant.set_states({x, n});
}
void get_indicators(ExchangePlant& plant, double* out, std::size_t n) {
  plant.indicators(room(out, n, plant.indicator_count(), "event indicators"));
}
void get_nominals(const ExchangePlant& plant, double* out, std::size_t n) {
  const std::span<double> to = states_room(plant, out, n);
  for (std::size_t i = 0; i < n; ++i) to[i] = plant.states()[i].nominal;
}

std::string folder_of_uri(const char* uri) {
  std::string text = &need(uri, "the resource location");
  if (text.empty()) throw Refused("the resource location is empty");
  if (!text.starts_with("file:")) {
    if (text.find("://") != std::string::npos)
      throw Refused("the resource location is '" + text.substr(0, 100) + "': expected a file: URI");
    return text;
  }
  text.erase(0, 5);
  if (text.starts_with("//")) {
    const std::size_t path = text.find('/', 2);
    const std::string host = text.substr(2, path == std::string::npos ? path : path - 2);
    if (!host.empty() && host != "localhost") throw Refused("the resources lie on another machine: " + host);
    text.erase(0, 2 + host.size());
  }
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded = text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0;
    out += coded ? static_cast<char>(16 * hex(text[i + 1]) + hex(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
#if defined(_WIN32)
  if (out.size() > 2 && out[0] == '/' && out[2] == ':') out.erase(0, 1);  // /C:/...
#endif
  return out;
}

}  // namespace vdsim::fmi
