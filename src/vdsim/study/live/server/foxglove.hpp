// SPDX-License-Identifier: Apache-2.0
// The protocol foxglove.websocket.v1, as far as a viewer needs it: channels are advertised, a client subscribes, messages come.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/formats/mcap/mcap_writer.hpp"

namespace vdsim {

// Channels as a recording has them; of each the newest message.
class FoxgloveChannels : public ChannelSink {
 public:
  Id add_schema(const std::string& name, const std::string& encoding, std::string_view text) override;
  Id add_channel(Id schema, const std::string& topic, const std::string& encoding, const Text& metadata = {}) override;
  void write(Id channel, std::uint64_t time, std::string_view message) override;
  void attach(const std::string&, const std::string&, std::string_view, std::uint64_t) override {}

  static std::string server_info(const std::string& name, const std::string& session);
  std::string advertise(std::size_t from = 0) const;
  std::size_t size() const { return channels_.size(); }
  std::string message(Id channel, std::uint32_t subscription) const;  // the newest; "" if there was none yet

 private:
  struct Schema {
    std::string name, encoding, text;
  };
  struct Channel {
    Id schema;
    std::string topic, encoding, newest;
    std::uint64_t time = 0;
  };
  std::vector<Schema> schemas_;
  std::vector<Channel> channels_;
};

struct FoxgloveClient {
  static constexpr std::size_t kMost = 256;             // subscriptions
  std::map<std::uint32_t, ChannelSink::Id> subscribed;  // id of the client -> channel
  // "subscribe" and "unsubscribe"; what is wrong with it, or ""
  std::string receive(std::string_view text, const FoxgloveChannels&);
};

}  // namespace vdsim
