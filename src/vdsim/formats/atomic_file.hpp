// SPDX-License-Identifier: Apache-2.0
// A file that appears whole or not at all: written under a temporary name in the same folder, flushed to disk, renamed.
// Permissions of a file that is replaced are kept. What is no regular file (a device, a pipe) is written straight into.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/formats/temporary.hpp"

namespace vdsim {

class AtomicFile {
 public:
  explicit AtomicFile(std::string path);  // every member throws FileError
  ~AtomicFile();                          // removes the temporary file if commit() was not reached
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  void sync();    // everything on disk
  void commit();  // that, then the final name
  const std::string& path() const { return path_; }

 private:
  void flush();
  [[noreturn]] void fail(const char* action);

  std::string path_, target_, buffer_;  // target_: path_ behind symbolic links
  std::optional<Temporary> temporary_;
  int direct_ = -1;      // of what is no regular file
  bool synced_ = false;  // since the last write()
};

void need_writable(const std::string& path);  // before long work: throws the FileError that writing would
void write_file(const std::string& path, std::string_view text);

struct NamedText {
  std::string path, text;
};
// None takes its name before all are on disk; their folders are made.
void write_together(const std::vector<NamedText>&);

}  // namespace vdsim
