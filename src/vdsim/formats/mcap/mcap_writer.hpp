// SPDX-License-Identifier: Apache-2.0
// MCAP, version 0 of the format: messages of named channels, in chunks with a CRC, an index behind each chunk and a summary at the end.
// A chunk ends after 1 MB or 1 s of messages, so what a killed process leaves behind lacks at most that and can be read up to there.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vdsim {

bool mcap_can_compress();  // built with zstd

// Who takes the messages of named channels.
class ChannelSink {
 public:
  using Id = std::uint16_t;
  using Text = std::map<std::string, std::string>;
  virtual ~ChannelSink() = default;
  virtual Id add_schema(const std::string& name, const std::string& encoding, std::string_view text) = 0;
  virtual Id add_channel(Id schema, const std::string& topic, const std::string& encoding,
                         const Text& metadata = {}) = 0;
  // time: since the epoch or since the start [ns]; of one channel it does not go back
  virtual void write(Id channel, std::uint64_t time, std::string_view message) = 0;
  virtual void attach(const std::string& name, const std::string& media_type, std::string_view content,
                      std::uint64_t time) = 0;
};

class McapWriter : public ChannelSink {
 public:
  using Sink = std::function<void(std::string_view bytes)>;  // takes them all, or throws
  struct Options {
    std::string profile, library;
    bool compress = mcap_can_compress();
    std::size_t chunk_bytes = 1'000'000;
    std::uint64_t chunk_time = 1'000'000'000;  // [ns]
  };
  McapWriter(Sink, Options);

  Id add_schema(const std::string& name, const std::string& encoding, std::string_view text) override;
  Id add_channel(Id schema, const std::string& topic, const std::string& encoding, const Text& metadata = {}) override;
  void write(Id channel, std::uint64_t time, std::string_view message) override;
  void attach(const std::string& name, const std::string& media_type, std::string_view content,
              std::uint64_t time) override;
  void flush();  // ends the chunk: what was written so far can be read
  void close();  // index and summary; nothing may follow

  std::uint64_t messages() const { return messages_; }
  std::uint64_t bytes() const { return offset_; }

 private:
  struct Channel {
    std::string record;
    std::uint32_t sequence = 0;
    std::string index;  // of the open chunk: time, offset
  };
  struct Group {  // of the summary
    std::uint8_t op;
    std::string records;
  };
  void put(std::string_view bytes);
  std::string compressed(std::string_view records, std::string& method) const;
  std::string statistics() const;

  Sink sink_;
  Options options_;
  std::uint64_t offset_ = 0;            // bytes written
  std::vector<std::string> schemas_;    // their records; id = place + 1
  std::vector<Channel> channels_;       // id = place
  std::string chunk_;                   // records of the open one
  std::uint64_t from_ = 0, to_ = 0;     // times in it
  std::uint64_t first_ = 0, last_ = 0;  // times in the file
  std::uint64_t messages_ = 0;
  std::uint32_t chunks_ = 0, attachments_ = 0;
  std::string chunk_indexes_, attachment_indexes_;
  bool closed_ = false;
};

}  // namespace vdsim
