// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/formats/csv_text.hpp"

namespace vdsim {
namespace {

class CsvWriter : public TableWriter {
 public:
  CsvWriter(const std::string& path, const TableHead& head, int digits, int time_digits)
      : file_(path), text_(digits, time_digits) {
    file_.write(CsvText::head(head));
  }
  void row(std::span<const double> values) override {
    line_.clear();
    text_.add_row(values, line_);
    file_.write(line_);
  }
  void commit() override { file_.commit(); }

 private:
  AtomicFile file_;
  CsvText text_;
  std::string line_;
};

}  // namespace

std::unique_ptr<TableWriter> open_csv(const std::string& path, const TableHead& head, int digits, int time_digits) {
  return std::make_unique<CsvWriter>(path, head, digits, time_digits);
}

}  // namespace vdsim
