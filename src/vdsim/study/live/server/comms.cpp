// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/server/comms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "vdsim/config/read.hpp"
#include "vdsim/study/live/server/mcap_recorder.hpp"

namespace vdsim {
namespace {

using Names = std::vector<std::string>;

class CommsReader {
 public:
  CommsReader(const Reader& reader, std::size_t cars, Comms& out) : reader_(reader), cars_(cars), out_(out) {}

  void read(const YamlNode& root) {
    if (!is_map(reader_, root, "", reader_.at(root))) return;
    for (const YamlEntry& entry : root.entries)
      if (entry.key != "channels")
        unknown_key(reader_, entry, "", {"channels"});
      else if (entry.value.kind != YamlNode::Kind::list)
        reader_.fail(entry.value, "channels", "expected a list, found " + describe(entry.value));
      else
        for (std::size_t i = 0; i < entry.value.items.size(); ++i)
          channel(entry.value.items[i], fmt::format("channels[{}]", i));
  }

 private:
  void channel(const YamlNode& node, const std::string& path) {
    if (!is_map(reader_, node, path, reader_.at(node))) return;
    bool in = false;
    for (const YamlEntry& entry : node.entries)
      if (entry.key == "direction")
        if (const auto way = read_choice(reader_, entry, join_path(path, "direction"), {"out", "in"})) in = *way == 1;
    in ? command_channel(node, path) : state_channel(node, path);
  }

  void command_channel(const YamlNode& node, const std::string& path) {
    std::optional<std::uint16_t> port;
    for (const YamlEntry& entry : node.entries) {
      const std::string at = join_path(path, entry.key);
      if (entry.key == "template")
        read_choice(reader_, entry, at, {"vds1_cmd"});
      else if (entry.key == "listen")
        port = address(entry.value, at, false).port;
      else if (entry.key != "direction")
        unknown_key(reader_, entry, path, {"direction", "template", "listen"});
    }
    need(node, path, "template"), need(node, path, "listen");
    if (port && *port > 0) out_.in.push_back(*port);
  }

  void state_channel(const YamlNode& node, const std::string& path) {
    StateChannel made;
    for (const YamlEntry& entry : node.entries) {
      const std::string at = join_path(path, entry.key);
      if (entry.key == "source")
        source(entry, at, made);
      else if (entry.key == "template") {
        if (const auto form = read_choice(reader_, entry, at, form_names())) made.form = static_cast<StateForm>(*form);
      } else if (entry.key == "origin")
        origin(entry, at, made);
      else if (entry.key == "to")
        targets(entry, at, made);
      else if (entry.key != "direction")
        unknown_key(reader_, entry, path, {"direction", "source", "template", "origin", "to"});
    }
    for (const char* key : {"source", "template", "to"}) need(node, path, key);
    if (node.find("origin") && made.form != StateForm::nmea_gga)
      reader_.fail(*node.find("origin"), join_path(path, "origin"), "has no meaning but with template: nmea_gga");
    out_.out.push_back(std::move(made));
  }
  static Names form_names() { return {EnumNames<StateForm>::names.begin(), EnumNames<StateForm>::names.end()}; }
  void need(const YamlNode& node, const std::string& path, const char* key) {
    if (!node.find(key)) reader_.fail(node, path, fmt::format("'{}' is missing", key));
  }

  void source(const YamlEntry& entry, const std::string& path, StateChannel& out) {
    const std::string& text = entry.value.text;
    std::size_t car = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), car);
    if (fault != std::errc() || std::string_view(end) != ".state" || car >= cars_)
      return reader_.fail(
          entry.value, path,
          fmt::format("expected 0.state to {}.state, the number of a car, found {}", cars_ - 1, describe(entry.value)));
    out.car = car;
  }
  void origin(const YamlEntry& entry, const std::string& path, StateChannel& out) {
    if (entry.value.kind != YamlNode::Kind::list || entry.value.items.size() != 3)
      return reader_.fail(entry.value, path, "expected [latitude deg, longitude deg, altitude m]");
    double* const numbers[] = {&out.origin.latitude, &out.origin.longitude, &out.origin.altitude};
    const Range ranges[] = {between(-89.9, 89.9), between(-180, 180), between(-1000, 20000)};
    const char* const units[] = {"deg", "deg", "m"};
    for (std::size_t i = 0; i < 3; ++i)
      if (const auto x =
              read_number(reader_, entry.value.items[i], fmt::format("{}[{}]", path, i), units[i], ranges[i]))
        *numbers[i] = *x;
  }
  void targets(const YamlEntry& entry, const std::string& path, StateChannel& out) {
    if (entry.value.kind != YamlNode::Kind::list || entry.value.items.empty() || entry.value.items.size() > 16)
      return reader_.fail(entry.value, path, "expected a list of 1 to 16 addresses {ip, port}");
    for (std::size_t i = 0; i < entry.value.items.size(); ++i)
      out.to.push_back(address(entry.value.items[i], fmt::format("{}[{}]", path, i), true));
  }
  Address address(const YamlNode& node, const std::string& path, bool with_ip) {
    Address out;
    if (!is_map(reader_, node, path, reader_.at(node))) return out;
    for (const YamlEntry& entry : node.entries) {
      const std::string at = join_path(path, entry.key);
      if (entry.key == "port") {
        if (const auto port = read_integer(reader_, entry, at, between(1, 65535)))
          out.port = static_cast<std::uint16_t>(*port);
      } else if (entry.key == "ip" && with_ip) {
        out.ip = entry.value.text;
        if (!is_ip(out.ip)) reader_.fail(entry.value, at, "expected an address such as 127.0.0.1");
      } else {
        unknown_key(reader_, entry, path, with_ip ? Names{"ip", "port"} : Names{"port"});
      }
    }
    need(node, path, "port");
    if (with_ip) need(node, path, "ip");
    return out;
  }

  const Reader& reader_;
  std::size_t cars_;
  Comms& out_;
};

}  // namespace

bool is_ip(const std::string& text) {
  int parts = 0;
  for (std::size_t at = 0;; ++parts) {
    const std::size_t end = std::min(text.find('.', at), text.size());
    const std::string part = text.substr(at, end - at);
    if (part.empty() || part.size() > 3 || part.find_first_not_of("0123456789") != part.npos || std::stoi(part) > 255)
      return false;
    if (end == text.size()) return parts == 3;
    at = end + 1;
  }
}

Comms read_comms(std::string_view yaml, const std::string& file, std::size_t cars, Errors& errors) {
  Comms out;
  const Reader reader{file, errors};
  if (const auto root = parse_yaml(yaml, file, errors)) CommsReader(reader, cars, out).read(*root);
  return out;
}

std::string nmea_gga(double time, const Geodetic& place) {
  const auto angle = [](double degrees, int width) {
    const double whole = std::abs(degrees);
    // in units of 1e-5 minutes, so that 59.999999 minutes become the next degree
    const auto units = static_cast<long long>(std::llround(whole * 60e5));
    return fmt::format("{:0{}}{:08.5f}", units / 6000000, width, static_cast<double>(units % 6000000) * 1e-5);
  };
  const auto hundredths = static_cast<long long>(std::llround(std::fmod(time, 86400.0) * 100));
  const long long seconds = hundredths / 100;
  const std::string body = fmt::format("GPGGA,{:02}{:02}{:02}.{:02},{},{},{},{},1,12,0.5,{:.3f},M,0.0,M,,",
                                       seconds / 3600 % 24, seconds / 60 % 60, seconds % 60, hundredths % 100,
                                       angle(place.latitude, 2), place.latitude < 0 ? 'S' : 'N',
                                       angle(place.longitude, 3), place.longitude < 0 ? 'W' : 'E', place.altitude);
  unsigned sum = 0;
  for (const char c : body) sum ^= static_cast<unsigned char>(c);
  return fmt::format("${}*{:02X}\r\n", body, sum);
}

std::string state_text(const StateChannel& channel, const StateFrame& frame, const std::vector<Column>& signals,
                       std::span<const double> values) {
  if (channel.form == StateForm::vds1) return frame_bytes(frame);
  if (channel.form == StateForm::json)
    return fmt::format(R"({{"car":{},"seq":{},"values":{}}})", frame.vehicle, frame.seq, signals_json(signals, values));
  const StateBody& s = frame.body;
  return nmea_gga(frame.time, geodetic(channel.origin, s.gnss[0], s.gnss[1], s.position[2]));
}

}  // namespace vdsim
