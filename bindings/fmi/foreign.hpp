// SPDX-License-Identifier: Apache-2.0
// FMUs of others that we step: co-simulation of FMI 2.0 and 3.0 behind one face.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/fmi/importer.hpp"

namespace vdsim::fmi {

// A variable of an FMU.
struct Port {
  static constexpr std::size_t kMost = 4;  // numbers of one that is exchanged
  enum class Holds { number, whole, flag, text, other };
  std::string name;
  std::uint32_t vr = 0;
  std::string type;  // the element's name: Real, Float64, ...
  Holds holds = Holds::number;
  std::string causality, variability;
  std::size_t count = 1;           // of an array; 0 = not known before it runs
  std::vector<std::string> items;  // of an enumeration, and
  std::vector<std::int64_t> item_values;
};

// Throws FmuFailure where an integer variable would get something else than it can hold.
void check_whole(const Port&, const double* values);

// It returned Discard, Error or Fatal: what it was asked, and what it said in its log.
struct FmuFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What an FMU tells while it is asked something.
class FmuLog {
 public:
  void add(int status, const char* message);
  void good(int status, const char* what);  // throws FmuFailure above Warning
  bool failed() const { return worst_ > 1; }
  bool fatal() const { return worst_ == kFatal; }
  void abandon() { worst_ = kFatal; }
  std::string last() const { return last_.empty() ? "" : ": " + last_; }

 private:
  static constexpr int kFatal = 4;
  int worst_ = 0;
  std::string last_;
};

// One instance. Whatever the FMU does to rounding and flush-to-zero is undone after each call. Throws FmuFailure.
class CoSimulation {
 public:
  virtual ~CoSimulation() = default;
  virtual void set(const Port&, const double* values) = 0;  // port.count numbers
  virtual void set_text(const Port&, const std::string&) = 0;
  virtual void get(const Port&, double* values) = 0;
  virtual void initialize(double until, const std::function<void()>& set_inputs) = 0;
  virtual void step(double t, double h) = 0;  // from t to t + h
  // Fatal is the end of all instances of an FMU: none may be called any more, not even to be freed.
  bool fatal() const { return log_.fatal(); }
  void abandon() { log_.abandon(); }

 protected:
  FmuLog log_;
};

// An FMU that can be stepped on this machine.
class ForeignFmu {
 public:
  explicit ForeignFmu(const std::string& file);  // throws BadInput with every reason against it, FileError
  const std::vector<Port>& ports() const { return ports_; }
  double preferred_step() const;  // [s]; 0 = none
  bool once_per_process() const;
  std::unique_ptr<CoSimulation> instantiate(const std::string& name) const;  // throws BadInput; must not outlive this

 private:
  const Unpacked files_;
  std::vector<Port> ports_;
  std::unique_ptr<Library2> two_;
  std::unique_ptr<Library3> three_;
};

std::unique_ptr<CoSimulation> instantiate2(const Unpacked&, const Library2&, const std::string& name);
std::unique_ptr<CoSimulation> instantiate3(const Unpacked&, const Library3&, const std::string& name);

}  // namespace vdsim::fmi
