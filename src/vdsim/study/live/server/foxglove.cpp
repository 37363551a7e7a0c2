// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/server/foxglove.hpp"

#include <nlohmann/json.hpp>

#include "vdsim/formats/little_endian.hpp"

namespace vdsim {

using nlohmann::json;

ChannelSink::Id FoxgloveChannels::add_schema(const std::string& name, const std::string& encoding,
                                             std::string_view text) {
  schemas_.push_back({name, encoding, std::string(text)});
  return static_cast<Id>(schemas_.size());
}
ChannelSink::Id FoxgloveChannels::add_channel(Id schema, const std::string& topic, const std::string& encoding,
                                              const Text&) {
  channels_.push_back({schema, topic, encoding, {}, 0});
  return static_cast<Id>(channels_.size() - 1);
}
void FoxgloveChannels::write(Id channel, std::uint64_t time, std::string_view message) {
  channels_[channel].newest = message, channels_[channel].time = time;
}

std::string FoxgloveChannels::server_info(const std::string& name, const std::string& session) {
  return json{{"op", "serverInfo"},         {"name", name},         {"capabilities", json::array()},
              {"metadata", json::object()}, {"sessionId", session}, {"supportedEncodings", json::array()}}
      .dump();
}
std::string FoxgloveChannels::advertise(std::size_t from) const {
  json all = json::array();
  for (std::size_t i = from; i < channels_.size(); ++i) {
    const Schema& schema = schemas_[channels_[i].schema - 1u];
    all.push_back({{"id", i + 1},
                   {"topic", channels_[i].topic},
                   {"encoding", channels_[i].encoding},
                   {"schemaName", schema.name},
                   {"schema", schema.text},
                   {"schemaEncoding", schema.encoding}});
  }
  return json{{"op", "advertise"}, {"channels", std::move(all)}}.dump();
}
std::string FoxgloveChannels::message(Id channel, std::uint32_t subscription) const {
  const Channel& from = channels_[channel];
  if (from.newest.empty()) return {};
  std::string out;
  put_le(out, std::uint8_t{1});  // message data
  put_le(out, subscription);
  put_le(out, from.time);
  return out + from.newest;
}

namespace {

std::uint32_t id_of(const json& from, const char* key) {
  if (!from.is_object() || !from.contains(key) || !from[key].is_number_unsigned()) return 0;
  const auto id = from[key].get<std::uint64_t>();
  return id <= 0xFFFFFFFFu ? static_cast<std::uint32_t>(id) : 0;
}

}  // namespace

std::string FoxgloveClient::receive(std::string_view text, const FoxgloveChannels& channels) {
  const json in = json::parse(text, nullptr, false);
  if (!in.is_object() || !in.contains("op") || !in["op"].is_string()) return "expected {\"op\": ...}";
  const std::string op = in["op"];
  if (op == "subscribe" && in.contains("subscriptions") && in["subscriptions"].is_array()) {
    for (const json& each : in["subscriptions"]) {
      const std::uint32_t channel = id_of(each, "channelId");
      if (!each.is_object() || !each.contains("id") || channel < 1 || channel > channels.size())
        return "no such channel";
      if (subscribed.size() >= kMost) return "too many subscriptions";
      subscribed[id_of(each, "id")] = static_cast<ChannelSink::Id>(channel - 1);
    }
    return {};
  }
  if (op == "unsubscribe" && in.contains("subscriptionIds") && in["subscriptionIds"].is_array()) {
    for (const json& each : in["subscriptionIds"])
      if (each.is_number_unsigned()) subscribed.erase(static_cast<std::uint32_t>(each.get<std::uint64_t>()));
    return {};
  }
  return "this server is read only: subscribe, unsubscribe";
}

}  // namespace vdsim
