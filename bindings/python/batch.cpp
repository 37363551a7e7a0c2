// SPDX-License-Identifier: Apache-2.0
#include "bindings/python/module.hpp"
#include "vdsim/study/scene_batch.hpp"

namespace vdsim::python {
namespace {

using Cars = SceneBatch;

std::unique_ptr<Cars> make(const Document& scene, std::size_t n, const std::string& number) {
  if (!scene.scene()) throw bad_value("scene", "is a " + enum_name(scene.kind()));
  const DefaultFloats floats;
  return std::make_unique<Cars>(make_batch(*scene.scene(), only_car(*scene.scene()), n, number_of(number)));
}

// One number for all cars, or one for each.
Strided strided(const Numbers& v, std::size_t n, const std::string& name) {
  const auto size = static_cast<std::size_t>(v.size());
  if (size != 1 && size != n)
    throw bad_value(name, std::to_string(size) + " values: expected 1 or " + std::to_string(n) + ", one for each car");
  return {v.data(), size == 1 && n != 1 ? 0 : sizeof(double)};
}

// Many steps outside Python's lock; Ctrl-C ends them.
std::size_t step(Cars& cars, double h, long steps, unsigned threads) {
  if (steps < 0) throw bad_value("steps", "expected 0 or more, found " + std::to_string(steps));
  const DefaultFloats floats;
  Work work;
  const RunControl control = work.control();
  const long some = std::max(1L, 2'000'000L / static_cast<long>(cars.batch.size()));  // car-steps between two looks
  cars.batch.step(h, static_cast<std::size_t>(std::min(steps, some)), threads);
  for (long left = steps - some; left > 0 && !*control.stop; left -= some) {
    control.progress(0);
    cars.batch.step(h, static_cast<std::size_t>(std::min(left, some)), threads);
  }
  work.done();
  return cars.batch.standing();
}

void read(Cars& cars, const std::string& name, py::array_t<double>& out, py::ssize_t column) {
  const DefaultFloats floats;
  if (out.ndim() != 2 || out.shape(0) != static_cast<py::ssize_t>(cars.batch.size()) || column >= out.shape(1))
    throw bad_value("out", "expected an array of (cars, signals)");
  double* const first = out.mutable_data(0, column);
  const auto stride = static_cast<std::size_t>(out.strides(0));
  const py::gil_scoped_release released;
  cars.batch.read(name, first, stride);
}

py::array view(const py::object& self, const std::string& state) {
  const BatchView v = self.cast<Cars&>().batch.view(state);
  const auto size = [](std::size_t n) { return static_cast<py::ssize_t>(n); };
  return {v.is_float ? py::dtype::of<float>() : py::dtype::of<double>(),
          {size(v.blocks), size(v.lanes)},
          {size(v.block_stride), size(v.lane_stride)},
          v.data,
          self};
}

py::array_t<bool> going(const Cars& cars) {
  py::array_t<bool> out(static_cast<py::ssize_t>(cars.batch.size()));
  for (std::size_t i = 0; i < cars.batch.size(); ++i)
    out.mutable_at(static_cast<py::ssize_t>(i)) = cars.batch.report(i).going;
  return out;
}

void reset(Cars& cars, const py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>& mask,
           const Numbers& poses) {
  std::vector<StartPose> starts;
  for (py::ssize_t i = 0; i < poses.size(); i += 5) {
    const double* p = poses.data() + i;
    starts.push_back({p[0], p[1], p[2], p[3], p[4]});
  }
  const DefaultFloats floats;
  cars.batch.reset({mask.data(), static_cast<std::size_t>(mask.size())}, starts);
}

py::dict info(const Cars& cars) {
  const BatchInfo i = cars.batch.info();
  py::dict out;
  out["number"] = i.number, out["laws"] = i.laws, out["lanes"] = i.lanes, out["varied"] = i.varied;
  out["bytes_per_car"] = i.bytes_per_car, out["alone"] = i.alone;
  return out;
}

}  // namespace

void add_batch(py::module_& m) {
  py::class_<Cars>(m, "Cars")
      .def(py::init(&make))
      .def("__len__", [](const Cars& c) { return c.batch.size(); })
      .def("_set",
           [](Cars& c, const std::string& path, const Numbers& v) {
             const DefaultFloats floats;
             c.batch.set_field(path, strided(v, c.batch.size(), path));
           })
      .def("_input", [](Cars& c, const std::string& name,
                        const Numbers& v) { c.batch.set_input(name, strided(v, c.batch.size(), name)); })
      .def("_commands",
           [](const Cars& c, std::size_t i) {
             const Commands u = c.batch.commands(i);
             return std::array<double, 9>{u.steer,     u.throttle,  u.brake,     u.handbrake, double(u.gear),
                                          u.torque[0], u.torque[1], u.torque[2], u.torque[3]};
           })
      .def("_step", &step)
      .def("_read", &read)
      .def("_going", &going)
      .def("_why", [](const Cars& c, std::size_t i) { return std::string(c.batch.report(i).why); })
      .def("_reset", &reset)
      .def("_start",
           [](const Cars& c) {
             const StartPose& s = c.batch.setup().start;
             return std::array<double, 5>{s.x0, s.y0, s.yaw0, s.vx0, s.z0};
           })
      .def("_snapshot",
           [](const Cars& c, std::size_t i) {
             const DefaultFloats floats;
             return bytes_of(c.batch.snapshot(i));
           })
      .def("_restore",
           [](Cars& c, std::size_t i, const std::string& b) {
             const DefaultFloats floats;
             return c.batch.restore(i, {reinterpret_cast<const std::byte*>(b.data()), b.size()});
           })
      .def("_info", &info)
      .def("_names", [](const Cars& c) {
        std::vector<std::string> out;
        for (const Column& column : c.batch.signals()) out.push_back(column.name);
        return out;
      });
  m.def("batch_view", &view);
}

}  // namespace vdsim::python
