// SPDX-License-Identifier: Apache-2.0
// An MCAP file that grows on disk under its own name, chunk by chunk: whoever is killed leaves what it has.
#pragma once
#include <string>

#include "vdsim/formats/mcap/mcap_writer.hpp"

namespace vdsim {

class McapFile {
 public:
  McapFile(const std::string& path, McapWriter::Options);  // throws FileError
  ~McapFile();
  McapFile(const McapFile&) = delete;
  McapFile& operator=(const McapFile&) = delete;

  McapWriter& writer() { return writer_; }
  const std::string& path() const { return path_; }
  void close();  // summary written, all on disk; throws FileError

 private:
  void put(std::string_view bytes);

  std::string path_;
  int fd_;
  McapWriter writer_;
};

}  // namespace vdsim
