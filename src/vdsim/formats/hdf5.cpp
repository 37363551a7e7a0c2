// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/column_spool.hpp"
#include "vdsim/formats/table_writer.hpp"

namespace vdsim {
namespace {

static_assert(std::endian::native == std::endian::little);  // as the file

// An HDF5 identifier that closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const char* what) : id_(id), close_(close) {
    if (id_ < 0) throw FileError(fmt::format("HDF5: cannot make {}", what));
  }
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

struct Descriptor {
  int fd = -1;
  Descriptor() = default;
  Descriptor(Descriptor&& other) noexcept : fd(std::exchange(other.fd, -1)) {}
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

std::string folder_of_file(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

void check(herr_t status, const char* what) {
  if (status < 0) throw FileError(fmt::format("HDF5: cannot write {}", what));
}

void write_text(hid_t object, const std::string& name, const std::string& value) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "a type");
  check(H5Tset_size(type, value.size() + 1), "a text");
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "a dataspace");
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "an attribute");
  check(H5Awrite(attribute, type, value.c_str()), "an attribute");
}

struct Skeleton {
  Descriptor file;              // all but the numbers, which are holes
  std::vector<haddr_t> places;  // of the columns, bytes from the start; rising
  std::uint64_t size = 0;       // of the whole file [bytes]
};

// HDF5 lays out a file of some kilobytes, with holes for the columns, and AtomicFile writes it with the numbers filled in:
// HDF5 itself does not recover from a disk that is full half-way, and in memory an hour of rows would not fit.
class HdfWriter : public TableWriter {
 public:
  HdfWriter(const std::string& path, const TableHead& head)
      : file_(path), head_(head), rows_(head.columns.size(), folder_of_file(path)) {
    H5dont_atexit();                              // it would crash on a file that it could not close
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to report
  }
  void row(std::span<const double> values) override { rows_.row(values); }
  void commit() override {
    const Skeleton bones = skeleton_or_why();
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < bones.places.size(); ++i) {
      copy(bones.file, at, bones.places[i]);
      rows_.each(i, [&](std::span<const double> piece) {
        file_.write({reinterpret_cast<const char*>(piece.data()), piece.size_bytes()});
      });
      at = bones.places[i] + rows_.rows() * sizeof(double);
    }
    copy(bones.file, at, bones.size);
    file_.commit();
  }

 private:
  // HDF5 does not tell why it fails; writing as much does, if it was the disk.
  Skeleton skeleton_or_why() {
    try {
      return skeleton();
    } catch (const FileError&) {
      file_.write(std::string(1 << 16, '\0'));
      file_.sync();
      throw;
    }
  }
  // The place of its numbers.
  haddr_t write_column(hid_t file, std::size_t i) const {
    const hsize_t rows = rows_.rows();
    const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose, "a dataspace");
    const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "options");
    check(H5Pset_obj_track_times(options, false), "options");  // no time stamps: same run, same bytes
    check(H5Pset_alloc_time(options, H5D_ALLOC_TIME_EARLY), "options");
    check(H5Pset_fill_time(options, H5D_FILL_TIME_NEVER), "options");
    const Handle set(
        H5Dcreate2(file, head_.columns[i].name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, options, H5P_DEFAULT),
        H5Dclose, "a dataset");
    write_text(set, "units", head_.columns[i].unit);
    return rows > 0 ? H5Dget_offset(set) : 0;
  }
  Skeleton skeleton() const {
    Skeleton out;
    std::string name = folder_of_file(file_.path()) + "/.vdsim_hdf5.XXXXXX";
    out.file.fd = ::mkstemp(name.data());
    if (out.file.fd < 0) throw FileError(fmt::format("cannot write {}: {}", file_.path(), std::strerror(errno)));
    {
      const hid_t made = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
      ::unlink(name.c_str());  // both hold it open
      const Handle file(made, H5Fclose, "a file");
      for (const auto& [key, value] : head_.notes) write_text(file, key, value);
      for (std::size_t i = 0; i < head_.columns.size(); ++i) out.places.push_back(write_column(file, i));
      check(H5Fflush(file, H5F_SCOPE_GLOBAL), "a file");
    }
    struct stat about {};
    if (::fstat(out.file.fd, &about) != 0) throw FileError("HDF5: cannot write a file");
    out.size = static_cast<std::uint64_t>(about.st_size);
    if (rows_.rows() == 0) out.places.clear();
    for (std::size_t i = 0; i < out.places.size(); ++i)
      if (out.places[i] == HADDR_UNDEF || (i > 0 && out.places[i] < out.places[i - 1] + rows_.rows() * sizeof(double)))
        throw FileError("HDF5: the columns do not lie one behind the other");
    return out;
  }
  void copy(const Descriptor& from, std::uint64_t at, std::uint64_t end) {
    std::string piece(1 << 16, '\0');
    while (at < end) {
      const std::size_t most = std::min<std::uint64_t>(piece.size(), end - at);
      const ssize_t n = ::pread(from.fd, piece.data(), most, static_cast<off_t>(at));
      if (n <= 0) throw FileError("HDF5: cannot write a file");
      file_.write(std::string_view(piece).substr(0, static_cast<std::size_t>(n)));
      at += static_cast<std::uint64_t>(n);
    }
  }

  AtomicFile file_;
  TableHead head_;
  ColumnSpool rows_;
};

}  // namespace

std::unique_ptr<TableWriter> open_hdf5(const std::string& path, const TableHead& head) {
  return std::make_unique<HdfWriter>(path, head);
}

}  // namespace vdsim
