// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/mcap/mcap_writer.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/crc32.hpp"
#include "vdsim/formats/little_endian.hpp"
#if VDSIM_HAS_ZSTD
#include <zstd.h>
#endif

namespace vdsim {
namespace {

constexpr std::string_view kMcapMagic("\x89MCAP0\r\n", 8);

enum Op : std::uint8_t {
  header = 1,
  footer,
  schema,
  channel,
  message,
  chunk,
  message_index,
  chunk_index,
  attachment,
  attachment_index,
  statistics_op,
  summary_offset = 14,
  data_end
};

// Texts and blocks have their length before them.
template <class Length> void put_block(std::string& out, std::string_view bytes) {
  put_le(out, static_cast<Length>(bytes.size()));
  out += bytes;
}
void put_text(std::string& out, std::string_view text) { put_block<std::uint32_t>(out, text); }
std::string record(std::uint8_t op, std::string_view content) {
  std::string out;
  put_le(out, op);
  put_block<std::uint64_t>(out, content);
  return out;
}

}  // namespace

bool mcap_can_compress() {
#if VDSIM_HAS_ZSTD
  return true;
#else
  return false;
#endif
}

McapWriter::McapWriter(Sink sink, Options options) : sink_(std::move(sink)), options_(std::move(options)) {
  std::string content;
  put_text(content, options_.profile);
  put_text(content, options_.library);
  put(std::string(kMcapMagic) + record(header, content));
}

void McapWriter::put(std::string_view bytes) {
  sink_(bytes);
  offset_ += bytes.size();
}

McapWriter::Id McapWriter::add_schema(const std::string& name, const std::string& encoding, std::string_view text) {
  const auto id = static_cast<Id>(schemas_.size() + 1);
  std::string content;
  put_le(content, id);
  put_text(content, name);
  put_text(content, encoding);
  put_text(content, text);
  put(schemas_.emplace_back(record(schema, content)));
  return id;
}

McapWriter::Id McapWriter::add_channel(Id of, const std::string& topic, const std::string& encoding,
                                       const Text& metadata) {
  const auto id = static_cast<Id>(channels_.size());
  std::string content, pairs;
  put_le(content, id);
  put_le(content, of);
  put_text(content, topic);
  put_text(content, encoding);
  for (const auto& [key, value] : metadata) put_text(pairs, key), put_text(pairs, value);
  put_text(content, pairs);
  put(channels_.emplace_back(Channel{record(channel, content), 0, {}}).record);
  return id;
}

void McapWriter::write(Id to, std::uint64_t time, std::string_view text) {
  assert(!closed_ && to < channels_.size());
  if (!chunk_.empty() && (chunk_.size() >= options_.chunk_bytes || time - from_ >= options_.chunk_time)) flush();
  Channel& into = channels_[to];
  if (chunk_.empty()) from_ = to_ = time;
  if (messages_ == 0) first_ = last_ = time;
  from_ = std::min(from_, time), to_ = std::max(to_, time);
  first_ = std::min(first_, time), last_ = std::max(last_, time);
  put_le(into.index, time);
  put_le(into.index, static_cast<std::uint64_t>(chunk_.size()));
  put_le(chunk_, static_cast<std::uint8_t>(message));
  put_le(chunk_, static_cast<std::uint64_t>(2 + 4 + 8 + 8 + text.size()));
  put_le(chunk_, to);
  put_le(chunk_, into.sequence++);
  put_le(chunk_, time);
  put_le(chunk_, time);
  chunk_ += text;
  ++messages_;
}

std::string McapWriter::compressed(std::string_view records, std::string& method) const {
#if VDSIM_HAS_ZSTD
  if (options_.compress) {
    std::string out(ZSTD_compressBound(records.size()), '\0');
    const std::size_t size = ZSTD_compress(out.data(), out.size(), records.data(), records.size(), 1);
    if (ZSTD_isError(size)) throw FileError(std::string("zstd: ") + ZSTD_getErrorName(size));
    out.resize(size);
    method = "zstd";
    return out;
  }
#endif
  method.clear();
  return std::string(records);
}

void McapWriter::flush() {
  if (chunk_.empty()) return;
  std::string method;
  const std::string records = compressed(chunk_, method);
  std::string content;
  for (const std::uint64_t x : {from_, to_, static_cast<std::uint64_t>(chunk_.size())}) put_le(content, x);
  put_le(content, crc32(chunk_));
  put_text(content, method);
  put_block<std::uint64_t>(content, records);
  const std::string whole = record(chunk, content);
  const std::uint64_t start = offset_, indexes_start = start + whole.size();
  std::string indexes, offsets;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (channels_[i].index.empty()) continue;
    put_le(offsets, static_cast<Id>(i));
    put_le(offsets, indexes_start + indexes.size());
    std::string one;
    put_le(one, static_cast<Id>(i));
    put_text(one, channels_[i].index);
    indexes += record(message_index, one);
    channels_[i].index.clear();
  }
  put(whole + indexes);
  std::string entry;
  for (const std::uint64_t x : {from_, to_, start, static_cast<std::uint64_t>(whole.size())}) put_le(entry, x);
  put_text(entry, offsets);
  put_le(entry, static_cast<std::uint64_t>(indexes.size()));
  put_text(entry, method);
  put_le(entry, static_cast<std::uint64_t>(records.size()));
  put_le(entry, static_cast<std::uint64_t>(chunk_.size()));
  chunk_indexes_ += record(chunk_index, entry);
  ++chunks_;
  chunk_.clear();
}

void McapWriter::attach(const std::string& name, const std::string& media_type, std::string_view content,
                        std::uint64_t time) {
  std::string fields;
  put_le(fields, time);
  put_le(fields, time);
  put_text(fields, name);
  put_text(fields, media_type);
  put_block<std::uint64_t>(fields, content);
  put_le(fields, crc32(fields));
  const std::string whole = record(attachment, fields);
  std::string entry;
  for (const std::uint64_t x :
       {offset_, static_cast<std::uint64_t>(whole.size()), time, time, static_cast<std::uint64_t>(content.size())})
    put_le(entry, x);
  put_text(entry, name);
  put_text(entry, media_type);
  attachment_indexes_ += record(attachment_index, entry);
  ++attachments_;
  put(whole);
}

std::string McapWriter::statistics() const {
  std::string content, counts;
  put_le(content, messages_);
  put_le(content, static_cast<std::uint16_t>(schemas_.size()));
  put_le(content, static_cast<std::uint32_t>(channels_.size()));
  for (const std::uint32_t x : {attachments_, std::uint32_t{0}, chunks_}) put_le(content, x);
  put_le(content, first_);
  put_le(content, last_);
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    put_le(counts, static_cast<Id>(i));
    put_le(counts, static_cast<std::uint64_t>(channels_[i].sequence));
  }
  put_text(content, counts);
  return record(statistics_op, content);
}

void McapWriter::close() {
  if (std::exchange(closed_, true)) return;
  flush();
  std::string none;
  put_le(none, std::uint32_t{0});
  put(record(data_end, none));
  std::string all_schemas, all_channels;
  for (const std::string& each : schemas_) all_schemas += each;
  for (const Channel& each : channels_) all_channels += each.record;
  const Group groups[] = {{schema, all_schemas},
                          {channel, all_channels},
                          {statistics_op, statistics()},
                          {chunk_index, chunk_indexes_},
                          {attachment_index, attachment_indexes_}};
  const std::uint64_t summary_start = offset_;
  std::string summary, offsets;
  for (const Group& group : groups) {
    if (group.records.empty()) continue;
    std::string content;
    put_le(content, group.op);
    put_le(content, summary_start + summary.size());
    put_le(content, static_cast<std::uint64_t>(group.records.size()));
    offsets += record(summary_offset, content);
    summary += group.records;
  }
  const std::uint64_t offsets_start = summary_start + summary.size();
  // the CRC covers the footer up to itself
  std::string end = summary + offsets;
  put_le(end, static_cast<std::uint8_t>(footer));
  put_le(end, std::uint64_t{8 + 8 + 4});
  put_le(end, summary_start);
  put_le(end, offsets_start);
  put_le(end, crc32(end));
  put(end + std::string(kMcapMagic));
}

}  // namespace vdsim
