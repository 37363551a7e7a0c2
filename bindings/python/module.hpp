// SPDX-License-Identifier: Apache-2.0
// The compiled half of `import vdsim`: config's Document, study's Sim and runs, lab's tires, as they are. Names, defaults and what a
// user meets are the Python half (bindings/python/vdsim).
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "bindings/default_floats.hpp"
#include "vdsim/config/document.hpp"
#include "vdsim/study/advance.hpp"
#include "vdsim/study/recording.hpp"

namespace vdsim::python {

namespace py = pybind11;

// NumbersFailed of Python.
struct Diverged {
  double time;  // of the step before [s]
  std::string why;
  std::vector<std::byte> snapshot;  // of it
};

// Rows that Python's arrays point into.
using Rows = std::shared_ptr<const Recording>;

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
inline std::vector<double> numbers(const Numbers& array) { return {array.data(), array.data() + array.size()}; }

inline py::bytes bytes_of(const std::vector<std::byte>& in) {
  return {reinterpret_cast<const char*>(in.data()), in.size()};
}

// Long work outside Python's lock; Ctrl-C ends it. `done()` after the work: throws what the signal raised.
class Work {
 public:
  Work();
  RunControl control();
  void done();
  const std::atomic<int>* stop() const { return &stop_; }

 private:
  void look();
  std::chrono::steady_clock::time_point looked_;
  std::atomic<int> stop_{0};
  py::gil_scoped_release released_;
};

void add_documents(py::module_&);
void add_batch(py::module_&);
void add_sim(py::module_&);
void add_tires(py::module_&);
void add_studies(py::module_&);
void add_charts(py::module_&);

}  // namespace vdsim::python
