// SPDX-License-Identifier: Apache-2.0
#include "bindings/fmi/archive.hpp"

#include <zip.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "vdsim/engine/errors.hpp"

namespace vdsim::fmi {
namespace {

constexpr zip_uint64_t kMostBytes = 1ULL << 30, kMostBytesOfOne = 200ULL << 20, kMostFiles = 10000;
constexpr std::size_t kLongestName = 200;  // of a file or folder
constexpr zip_uint16_t kFirstDay = 0x21;   // 1980-01-01

struct Close {
  void operator()(zip_t* z) const { zip_discard(z); }
  void operator()(zip_file_t* f) const { zip_fclose(f); }
};

void check(bool good, zip_t* archive, const char* action) {
  if (!good) throw FileError(std::string("cannot ") + action + " the archive: " + zip_strerror(archive));
}

std::string bytes_of(zip_source_t* source) {
  zip_stat_t info;
  if (zip_source_stat(source, &info) < 0 || zip_source_open(source) < 0)
    throw FileError("cannot read the archive back");
  std::string out(info.size, '\0');
  const zip_int64_t got = zip_source_read(source, out.data(), info.size);
  zip_source_close(source);
  if (got != static_cast<zip_int64_t>(info.size)) throw FileError("cannot read the archive back");
  return out;
}

// A name that stays in the folder it is unpacked into.
bool harmless(const std::string& name) {
  const std::filesystem::path path(name);
  if (name.empty() || path.is_absolute() || name.find('\\') != std::string::npos || name.find(':') != std::string::npos)
    return false;
  return std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}
bool short_enough(const std::string& name) {
  const std::filesystem::path path(name);
  return name.size() <= 5 * kLongestName &&
         std::all_of(path.begin(), path.end(), [](const auto& part) { return part.native().size() <= kLongestName; });
}

}  // namespace

std::string zipped(const std::vector<ArchiveFile>& files) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_buffer_create(nullptr, 0, 0, &error);
  if (!source) throw FileError("cannot make an archive in memory");
  zip_source_keep(source);
  const std::unique_ptr<zip_source_t, decltype(&zip_source_free)> kept(source, zip_source_free);
  std::unique_ptr<zip_t, Close> archive(zip_open_from_source(source, ZIP_TRUNCATE, &error));
  if (!archive) {
    zip_source_free(source);
    throw FileError(std::string("cannot make an archive: ") + zip_error_strerror(&error));
  }
  for (const ArchiveFile& file : files) {
    zip_source_t* const body = zip_source_buffer(archive.get(), file.bytes.data(), file.bytes.size(), 0);
    check(body, archive.get(), "write");
    const zip_int64_t at = zip_file_add(archive.get(), file.name.c_str(), body, ZIP_FL_ENC_UTF_8);
    if (at < 0) zip_source_free(body);
    check(at >= 0, archive.get(), "write");
    check(zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(at), 0, kFirstDay, 0) == 0, archive.get(),
          "date");
    check(zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(at), ZIP_CM_DEFLATE, 9) == 0, archive.get(),
          "compress");
  }
  check(zip_close(archive.get()) == 0, archive.get(), "write");
  static_cast<void>(archive.release());  // closed
  return bytes_of(source);
}

void unzip(const std::string& file, const std::function<void(ArchiveFile)>& take) {
  int code = 0;
  const std::unique_ptr<zip_t, Close> archive(zip_open(file.c_str(), ZIP_RDONLY, &code));
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    throw BadInput(file + ": no FMU: " + zip_error_strerror(&error));
  }
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  if (count > static_cast<zip_int64_t>(kMostFiles)) throw BadInput(file + ": more than 10000 files");
  zip_uint64_t total = 0;
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t info;
    if (zip_stat_index(archive.get(), static_cast<zip_uint64_t>(i), 0, &info) < 0 || !info.name)
      throw BadInput(file + ": entry " + std::to_string(i) + " is damaged");
    const std::string name = info.name;
    if (name.ends_with("/")) continue;
    if (!harmless(name)) throw BadInput(file + ": an entry leads out of the archive: " + name.substr(0, 100));
    if (!short_enough(name)) throw BadInput(file + ": the name of an entry is too long: " + name.substr(0, 100));
    total += info.size;
    if (total > kMostBytes) throw BadInput(file + ": unfolds to more than 1 GB");
    if (info.size > kMostBytesOfOne) throw BadInput(file + ": " + name + " unfolds to more than 200 MB");
    const std::unique_ptr<zip_file_t, Close> body(zip_fopen_index(archive.get(), static_cast<zip_uint64_t>(i), 0));
    std::string bytes(info.size, '\0');
    char beyond = 0;  // libzip compares the checksum when it finds the end
    if (!body || zip_fread(body.get(), bytes.data(), info.size) != static_cast<zip_int64_t>(info.size) ||
        zip_fread(body.get(), &beyond, 1) != 0)
      throw BadInput(file + ": " + name + " is damaged");
    take({name, std::move(bytes)});
  }
}

}  // namespace vdsim::fmi
