// A file that appears whole or not at all: written under a temporary name in the same folder, flushed to disk, renamed.
#pragma once
#include <string>
#include <string_view>

namespace vdsim {

class AtomicFile {
 public:
  explicit AtomicFile(std::string path);  // every member throws FileError
  ~AtomicFile();                          // removes the temporary file if commit() was not reached
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  void finish();  // everything on disk, still under the temporary name; a full disk shows up here at the latest
  void commit();  // finish() and take the final name
  const std::string& path() const { return path_; }

 private:
  void flush();
  [[noreturn]] void fail(const char* action);

  std::string path_, temporary_, buffer_;
  int fd_ = -1;
  bool finished_ = false;
};

void write_file(const std::string& path, std::string_view text);
void make_folder(const std::string& path);  // with parents; throws FileError

}  // namespace vdsim
