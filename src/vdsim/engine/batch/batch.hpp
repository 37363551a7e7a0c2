// SPDX-License-Identifier: Apache-2.0
// Many cars of one kind on one road, stepped together: in the lanes of registers, on as many threads as wanted. In double every car has
// the bits of a Car; results do not depend on threads, lanes or the order of the cars.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vdsim/engine/car.hpp"

namespace vdsim {

enum class Number { f32, f64 };  // float: twice the cars per register, half the digits

// Numbers of all cars, wherever they are: stride in bytes from one car to the next, 0 = one for all.
struct Strided {
  const double* data = nullptr;
  std::size_t stride = sizeof(double);
  double operator[](std::size_t i) const {
    return *reinterpret_cast<const double*>(reinterpret_cast<const char*>(data) + i * stride);
  }
};

struct BatchInfo {
  std::string number;             // "float8", "double4", "double"
  std::string laws;               // "mf96+rolling": constants in the kernel; "open": read at run time
  int lanes = 1;                  // cars per register
  std::string alone;              // why the cars are stepped one by one; "" if they are not
  std::size_t varied = 0;         // compiled numbers that each car has of its own
  std::size_t bytes_per_car = 0;  // memory
};
std::string describe(const BatchInfo&);  // for a reader, lines
// One state of all cars, in place: number of car i = block i / lanes, lane i % lanes.
struct BatchView {
  void* data = nullptr;
  std::size_t blocks = 0, lanes = 0, block_stride = 0, lane_stride = 0;  // strides in bytes
  bool is_float = false;
};
struct LaneReport {
  bool going = true;     // false: a step diverged; the car stands as it was before it until it is reset or restored
  const char* why = "";  // how that showed
  double time = 0;       // [s]
  std::int64_t steps = 0;
};

class LevelBatch;
class Pool;
struct BatchSpec;

class Batch {
 public:
  // n cars at the start of `setup`. Throws BadInput with every fault.
  Batch(const CarSetup& setup, std::size_t n, Number = Number::f64);
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  std::size_t size() const;
  BatchInfo info() const;
  const CarSetup& setup() const;

  // Held from now on. Names: steer, throttle, brake, handbrake, gear, torque_fl .. torque_rr. Throw BadInput with every car out of range,
  // and nothing changes.
  void set_commands(std::size_t car, const Commands&);
  void set_input(const std::string& name, const Strided&);
  Commands commands(std::size_t car) const;

  // A number of car or road, by path, of the cars first .. first + count - 1. It acts from now on: state goes on. Laws and units stay the
  // same for all cars; BadInput, and nothing changes, where a value would change them.
  void set_field(const std::string& path, const Strided&, std::size_t first, std::size_t count);
  void set_field(const std::string& path, const Strided& v) { set_field(path, v, 0, size()); }

  // `steps` steps of dt, commands held; threads 0: as many as the machine has cores. A car that diverges stops there, the others go on.
  // Returns how many cars stand. Throws BadInput if dt is too long for these cars.
  std::size_t step(double dt, std::size_t steps, unsigned threads = 0);
  LaneReport report(std::size_t car) const;
  std::size_t standing() const;  // cars that diverged

  // To a start, of the cars whose mask is not 0 (empty: all); pose of each car, one for all, or none: that of the setup.
  void reset(std::span<const std::uint8_t> mask, std::span<const StartPose> poses);

  // A signal of every car by its name (engine/outputs.hpp), with the forces that its commands make. Places, speeds, spins and commands
  // are read; the others take an evaluation per car.
  std::vector<Column> signals() const;
  void read(const std::string& name, double* out, std::size_t stride = sizeof(double), unsigned threads = 0);
  CarOutputs outputs(std::size_t car);
  // x, vx, wheel.0.zx, ...; valid until the batch goes; what is written there is the state of the cars.
  BatchView view(const std::string& state);

  // One car alone, with its own numbers and its state, and back; a snapshot is that of the car.
  Car car(std::size_t i) const;
  std::vector<std::byte> snapshot(std::size_t i) const;
  bool restore(std::size_t i,
               std::span<const std::byte>);  // false, and nothing changed, if it is of another car or level

 private:
  void check_car(std::size_t) const;
  void check_step(double dt);

  std::unique_ptr<BatchSpec> spec_;
  std::unique_ptr<LevelBatch> cars_;
  std::unique_ptr<Pool> pool_;
  double checked_ = 0;  // the longest step that was [s]
};

}  // namespace vdsim
