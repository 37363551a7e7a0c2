// SPDX-License-Identifier: Apache-2.0
// TYDEX files: sections that start with "**"; constants and channels in columns of fixed width
// (name 10, description 30, unit 10, then numbers), data in free columns, "!" starts a comment.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "vdsim/formats/fit_data.hpp"
#include "vdsim/formats/number.hpp"

namespace vdsim {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

struct Unit {
  const char* name;
  double si;
};
constexpr std::array kUnits{Unit{"", 1},
                            Unit{"-", 1},
                            Unit{"1", 1},
                            Unit{"%", 0.01},
                            Unit{"n", 1},
                            Unit{"kn", 1e3},
                            Unit{"nm", 1},
                            Unit{"n*m", 1},
                            Unit{"n.m", 1},
                            Unit{"knm", 1e3},
                            Unit{"rad", 1},
                            Unit{"deg", kDegree},
                            Unit{"degree", kDegree},
                            Unit{"m/s", 1},
                            Unit{"km/h", 1 / 3.6},
                            Unit{"kph", 1 / 3.6},
                            Unit{"mph", 0.44704},
                            Unit{"pa", 1},
                            Unit{"kpa", 1e3},
                            Unit{"mpa", 1e6},
                            Unit{"bar", 1e5},
                            Unit{"mbar", 1e2},
                            Unit{"psi", 6894.757293168}};

// Names of one quantity, the contact frame first. Speeds: along the wheel plane, then along the path.
struct Quantity {
  double FitPoint::*member;
  const char* what;
  bool needed;
  std::vector<const char*> names;
};
const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all{
      {&FitPoint::fz, "load", true, {"FZW", "FZH", "FZC", "FZ"}},
      {&FitPoint::kappa, "slip ratio", true, {"LONGSLIP", "SLIPRATI"}},
      {&FitPoint::alpha, "slip angle", true, {"SLIPANGL"}},
      {&FitPoint::gamma, "inclination", false, {"INCLANGL", "CAMBANGL"}},
      {&FitPoint::vx, "speed", false, {"LONGVEL", "TRAJVELW", "TRAJVELH", "TRAJVEL"}},
      {&FitPoint::pressure, "pressure", false, {"INFLPRES"}},
      {&FitPoint::fx, "longitudinal force", true, {"FXW", "FXH", "FXC", "FX"}},
      {&FitPoint::fy, "lateral force", true, {"FYW", "FYH", "FYC", "FY"}},
      {&FitPoint::mz, "aligning moment", false, {"MZW", "MZH", "MZC", "MZ"}}};
  return all;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

std::string_view piece(std::string_view line, std::size_t from, std::size_t size) {
  return from < line.size() ? trimmed(line.substr(from, size)) : std::string_view{};
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [stop, ec] = number_from(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || stop != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

struct Channel {
  std::string name, unit;
  double factor = 1, before = 0, after = 0;  // physical = (written + before) factor + after
};

class TydexReader {
 public:
  TydexReader(const std::string& file, Errors& errors) : file_(file), errors_(errors) {}

  void line(std::string_view text, int number) {
    line_ = number;
    const std::string_view content = trimmed(text);
    if (content.starts_with("**")) {
      section_ = upper(content.substr(2));
      if (section_ == "MEASURDATA") place_channels();
    } else if (content.empty() || content.starts_with('!')) {
    } else if (section_ == "CONSTANTS") {
      constant(text);
    } else if (section_ == "MEASURCHANNELS") {
      channel(text);
    } else if (section_ == "MEASURDATA") {
      row(content);
    }
  }

  std::optional<FitData> finish(std::size_t errors_before) {
    if (!placed_) errors_.add({file_, 0, 0}, "", "no **MEASURDATA section: not a TYDEX file of measurements");
    if (errors_.size() != errors_before) return std::nullopt;
    out_.files = {file_};
    return std::move(out_);
  }

 private:
  void fail(int line, const std::string& name, std::string what) {
    errors_.add({file_, line, 1}, name, std::move(what));
  }

  std::optional<double> si(const std::string& name, const std::string& unit) {
    std::string word;
    for (const char c : unit)
      if (c != ' ' && c != '[' && c != ']') word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const Unit& each : kUnits)
      if (word == each.name) return each.si;
    fail(line_, name, fmt::format("unknown unit '{}'", unit));
    return std::nullopt;
  }

  void constant(std::string_view text) {
    Channel c{upper(piece(text, 0, 10)), std::string(piece(text, 40, 10))};
    const auto value = number_of(piece(text, 50, 30));
    if (value) {  // texts such as the name of the tire are constants too
      c.after = *value;
      constants_.push_back(std::move(c));
    }
  }

  void channel(std::string_view text) {
    Channel c{upper(piece(text, 0, 10)), std::string(piece(text, 40, 10))};
    c.factor = number_of(piece(text, 50, 10)).value_or(1);
    c.before = number_of(piece(text, 60, 10)).value_or(0);
    c.after = number_of(piece(text, 70, 10)).value_or(0);
    channels_.push_back(std::move(c));
  }

  // Which channel or constant serves each quantity.
  void place_channels() {
    placed_ = true;
    for (const Quantity& q : quantities()) {
      Source source{&q, -1, 1, 0};
      const Channel* found = nullptr;
      for (const char* name : q.names) {
        const auto same = [&](const Channel& c) { return c.name == name; };
        const auto at = std::find_if(channels_.begin(), channels_.end(), same);
        const auto constant = std::find_if(constants_.begin(), constants_.end(), same);
        if (at != channels_.end()) source.column = static_cast<int>(at - channels_.begin());
        found = at != channels_.end() ? &*at : constant != constants_.end() ? &*constant : nullptr;
        if (found) break;
      }
      if (!found) {
        if (q.needed) fail(line_, "", fmt::format("no channel for the {}: expected {}", q.what, q.names.front()));
        continue;
      }
      source.scale = si(found->name, found->unit).value_or(1);
      source.value = found->after * source.scale;
      sources_.push_back(source);
      out_.has_gamma |= q.member == &FitPoint::gamma;
      out_.has_vx |= q.member == &FitPoint::vx;
      out_.has_pressure |= q.member == &FitPoint::pressure;
      out_.has_mz |= q.member == &FitPoint::mz;
    }
  }

  void row(std::string_view content) {
    if (errors_.full()) return;
    values_.clear();
    while (!content.empty()) {
      const std::size_t end = std::min(content.find_first_of(" \t"), content.size());
      const auto value = number_of(content.substr(0, end));
      if (!value)
        return fail(line_, "",
                    fmt::format("expected a number, found '{}'", content.substr(0, std::min<std::size_t>(end, 40))));
      values_.push_back(*value);
      content = trimmed(content.substr(end));
    }
    if (values_.size() != channels_.size())
      return fail(line_, "", fmt::format("{} values in this row, {} channels", values_.size(), channels_.size()));
    FitPoint p{0, 0, 0};
    for (const Source& s : sources_) {
      double value = s.value;
      if (s.column >= 0) {
        const Channel& c = channels_[static_cast<std::size_t>(s.column)];
        value = ((values_[static_cast<std::size_t>(s.column)] + c.before) * c.factor + c.after) * s.scale;
      }
      p.*(s.quantity->member) = value;
    }
    if (std::abs(p.alpha) > 1.6 || std::abs(p.kappa) > 10)
      return fail(
          line_, "",
          fmt::format("slip ratio {:.4g}, slip angle {:.4g} rad: check the units of the channels", p.kappa, p.alpha));
    out_.points.push_back(p);
  }

  struct Source {
    const Quantity* quantity;
    int column;  // -1: a constant
    double scale, value;
  };

  std::string file_, section_;
  Errors& errors_;
  int line_ = 0;
  bool placed_ = false;
  std::vector<Channel> constants_, channels_;
  std::vector<Source> sources_;
  std::vector<double> values_;
  FitData out_;
};

}  // namespace

std::optional<FitData> read_fit_tydex(std::string_view text, const std::string& file, Errors& errors) {
  const std::size_t before = errors.size();
  TydexReader reader(file, errors);
  for (int number = 1; !text.empty() && !errors.full(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish(before);
}

}  // namespace vdsim
