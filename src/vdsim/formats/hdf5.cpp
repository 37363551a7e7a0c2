#include <fmt/core.h>
#include <hdf5.h>

#include "vdsim/engine/errors.hpp"
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/table_writer.hpp"

namespace vdsim {
namespace {

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

// The file is built in memory and written by AtomicFile: HDF5 itself does not recover from a full disk.
class HdfWriter : public TableWriter {
 public:
  HdfWriter(const std::string& path, const TableHead& head) : file_(path), head_(head), data_(head.columns.size()) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to report
  }
  void row(std::span<const double> values) override {
    for (std::size_t i = 0; i < data_.size(); ++i) data_[i].push_back(values[i]);
  }
  void commit() override {
    file_.write(image());
    file_.commit();
  }

 private:
  void write_column(hid_t file, std::size_t i) const {
    const hsize_t rows = data_[i].size();
    const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose, "a dataspace");
    const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "options");
    check(H5Pset_obj_track_times(options, false), "options");  // no time stamps: same run, same bytes
    const Handle set(
        H5Dcreate2(file, head_.columns[i].name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, options, H5P_DEFAULT),
        H5Dclose, "a dataset");
    if (rows > 0) check(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data_[i].data()), "a dataset");
    write_text(set, "units", head_.columns[i].unit);
  }
  std::string image() const {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "options");
    check(H5Pset_fapl_core(access, 1 << 20, false), "options");
    const Handle file(H5Fcreate("run.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "a file");
    for (const auto& [key, value] : head_.notes) write_text(file, key, value);
    for (std::size_t i = 0; i < data_.size(); ++i) write_column(file, i);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "a file");
    const ssize_t size = H5Fget_file_image(file, nullptr, 0);
    if (size < 0) throw FileError("HDF5: cannot write a file");
    std::string bytes(static_cast<std::size_t>(size), '\0');
    if (H5Fget_file_image(file, bytes.data(), bytes.size()) != size) throw FileError("HDF5: cannot write a file");
    return bytes;
  }

  AtomicFile file_;
  TableHead head_;
  std::vector<std::vector<double>> data_;
};

}  // namespace

std::unique_ptr<TableWriter> open_hdf5(const std::string& path, const TableHead& head) {
  return std::make_unique<HdfWriter>(path, head);
}

}  // namespace vdsim
