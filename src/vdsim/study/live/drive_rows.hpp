// SPDX-License-Identifier: Apache-2.0
// The rows of a drive: its tape is repeated, and there is a row where `vdsim run` has one: at step 0, at the steps nearest to j / rate,
// at the end; an edit of dt or rate starts the count anew.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vdsim/study/advance.hpp"
#include "vdsim/study/live/session.hpp"

namespace vdsim {

class DriveRows {
 public:
  // Throws BadInput with every error, if an edit of the tape is refused.
  DriveRows(std::shared_ptr<const Catalog>, const TapedScene&);

  // To the next row, the first one too; false after the last. Throws BadInput as LiveSession::advance().
  bool next();
  const LiveSession& session() const { return *session_; }
  // Those of run.csv of each scene that the drive has been in; 0 in rows in which the car lacks one.
  const std::vector<Column>& columns(std::size_t car) const { return cars_.at(car).columns; }
  std::span<const double> row(std::size_t car);
  CarOutputs outputs(std::size_t car) const;     // of the row
  bool restarted() const { return restarted_; }  // a reset came after the row before
  double end_time() const { return end_time_; }  // [s]
  double progress() const {
    return static_cast<double>(session_->step()) / static_cast<double>(std::max<std::int64_t>(end_, 1));
  }

 private:
  struct Columns {
    std::vector<Column> columns;
    std::vector<double> row;
    std::vector<std::size_t> place;  // of each signal in the row
    int generation = -1;             // that `place` is of
  };
  void look_ahead(const Catalog&, const TapedScene&);
  void count_from_here();
  bool due();

  std::unique_ptr<LiveSession> session_;
  std::vector<std::int64_t> resets_;  // at these steps
  std::int64_t end_ = 0, from_ = 0;   // from_: where the count of rows began
  double end_time_ = 0;
  RowClock clock_{1, 1};
  double rate_ = 0, dt_ = 0;
  bool started_ = false, restarted_ = false;
  std::vector<Columns> cars_;
};

}  // namespace vdsim
