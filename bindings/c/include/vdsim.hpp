// SPDX-License-Identifier: Apache-2.0
// vdsim.h for C++17: handles that free themselves, failures as exceptions. The names are those of vdsim.h; docs/C_API.md
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <vdsim.h>

namespace vdsim::abi {

// What vdsim_error() said; `items` are its lines in parts.
struct Error : std::runtime_error {
  struct Item {
    std::string file, path, what;
    int line, column;
  };
  explicit Error(int code) : std::runtime_error(vdsim_error()), status(code) {
    for (std::size_t i = 0; i < vdsim_error_count(); ++i) {
      vdsim_error_info info{};
      info.size = sizeof info;
      if (vdsim_error_item(i, &info) == VDSIM_OK)
        items.push_back({info.file, info.path, info.what, info.line, info.column});
    }
  }
  int status;
  std::vector<Item> items;
};
inline void check(int status) {
  if (status != VDSIM_OK) throw Error(status);
}

namespace detail {
template <auto release> struct Free {
  template <class T> void operator()(T* p) const { release(p); }
};
template <class T, auto release> using Handle = std::unique_ptr<T, Free<release>>;
template <class F> std::string text(F&& f) {  // f(buf, cap, need)
  std::size_t need = 0;
  check(f(nullptr, 0, &need));
  std::string out(need, '\0');
  check(f(out.data(), out.size(), &need));
  out.resize(need - 1);
  return out;
}
template <class T, class F> T made(F&& f) {
  T out{};
  check(f(&out));
  return out;
}
}  // namespace detail

class Catalog {
 public:
  explicit Catalog(const char* folder = nullptr)
      : handle_(detail::made<vdsim_catalog*>([&](auto out) { return vdsim_catalog_open(folder, out); })) {}
  std::string ids(vdsim_kind kind) const {  // one a line
    return detail::text(
        [&](char* b, std::size_t n, std::size_t* need) { return vdsim_catalog_ids(get(), kind, b, n, need); });
  }
  vdsim_catalog* get() const { return handle_.get(); }

 private:
  detail::Handle<vdsim_catalog, vdsim_catalog_close> handle_;
};

class Spec {
 public:
  Spec(const Catalog& catalog, vdsim_kind kind, const std::string& id_or_file)
      : handle_(detail::made<vdsim_spec*>(
            [&](auto out) { return vdsim_spec_load(catalog.get(), kind, id_or_file.c_str(), out); })) {}
  static Spec read(const Catalog& catalog, vdsim_kind kind, const std::string& yaml, const char* folder = nullptr) {
    return Spec(detail::made<vdsim_spec*>(
        [&](auto out) { return vdsim_spec_read(catalog.get(), kind, yaml.data(), yaml.size(), folder, out); }));
  }
  Spec(const Spec& other)
      : handle_(detail::made<vdsim_spec*>([&](auto out) { return vdsim_spec_copy(other.get(), out); })) {}
  Spec(Spec&&) = default;
  Spec& operator=(Spec other) {
    handle_ = std::move(other.handle_);
    return *this;
  }

  Spec& set(const std::string& path, const std::string& text) {
    check(vdsim_spec_set(get(), path.c_str(), text.c_str()));
    return *this;
  }
  Spec& set(const std::string& path, const char* text) { return set(path, std::string(text)); }
  Spec& set(const std::string& path, double value) {
    check(vdsim_spec_set_number(get(), path.c_str(), value));
    return *this;
  }
  Spec& set(const std::string& path, const std::vector<double>& list) {
    check(vdsim_spec_set_list(get(), path.c_str(), list.data(), list.size()));
    return *this;
  }
  std::string get(const std::string& path) const {
    return detail::text(
        [&](char* b, std::size_t n, std::size_t* need) { return vdsim_spec_get(get(), path.c_str(), b, n, need); });
  }
  double number(const std::string& path) const {
    return detail::made<double>([&](auto out) { return vdsim_spec_get_number(get(), path.c_str(), out); });
  }
  std::vector<double> list(const std::string& path) const {
    std::size_t need = 0;
    check(vdsim_spec_get_list(get(), path.c_str(), nullptr, 0, &need));
    std::vector<double> out(need);
    check(vdsim_spec_get_list(get(), path.c_str(), out.data(), need, &need));
    return out;
  }
  std::string text() const { return words(vdsim_spec_text); }
  std::string hash() const { return words(vdsim_spec_hash); }
  std::string notes() const { return words(vdsim_spec_notes); }
  std::size_t field_count() const {
    return detail::made<std::size_t>([&](auto out) { return vdsim_field_count(get(), out); });
  }
  vdsim_field_info field(std::size_t i) const {
    vdsim_field_info out{};
    out.size = sizeof out;
    check(vdsim_field(get(), i, &out));
    return out;
  }
  vdsim_spec* get() const { return handle_.get(); }

 private:
  explicit Spec(vdsim_spec* handle) : handle_(handle) {}
  template <class F> std::string words(F f) const {
    return detail::text([&](char* b, std::size_t n, std::size_t* need) { return f(get(), b, n, need); });
  }
  detail::Handle<vdsim_spec, vdsim_spec_free> handle_;
};

using Snapshot = std::vector<unsigned char>;

class Sim {
 public:
  explicit Sim(const Spec& scene, const char* car = nullptr)
      : handle_(detail::made<vdsim_sim*>([&](auto out) { return vdsim_sim_create(scene.get(), car, out); })) {}
  void step(const vdsim_commands& from, const vdsim_commands& to, double h) {
    check(vdsim_sim_step(get(), &from, &to, h));
  }
  void step(const vdsim_commands& held, double h) { step(held, held, h); }
  void demand(const vdsim_demand& now, const vdsim_demand& next, double h) {
    check(vdsim_sim_demand(get(), &now, &next, h));
  }
  void run(double until) { check(vdsim_sim_run(get(), until)); }
  void change(const Spec& spec) { check(vdsim_sim_change(get(), spec.get())); }
  void reset(const vdsim_pose* pose = nullptr) { check(vdsim_sim_reset(get(), pose)); }

  std::size_t signal_count() const {
    return detail::made<std::size_t>([&](auto out) { return vdsim_signal_count(get(), out); });
  }
  vdsim_signal signal(std::uint32_t id) const {
    vdsim_signal out{};
    out.size = sizeof out;
    check(vdsim_signal_info(get(), id, &out));
    return out;
  }
  std::uint32_t id(const std::string& name) const {
    return detail::made<std::uint32_t>([&](auto out) { return vdsim_signal_id(get(), name.c_str(), out); });
  }
  double read(std::uint32_t id) const {
    return detail::made<double>([&](auto out) { return vdsim_sim_read(get(), &id, 1, out); });
  }
  double read(const std::string& name) const { return read(id(name)); }
  std::vector<double> read() const {  // all
    std::vector<double> out(signal_count());
    check(vdsim_sim_read(get(), nullptr, out.size(), out.data()));
    return out;
  }
  Snapshot snapshot() const {
    Snapshot out(detail::made<std::size_t>([&](auto size) { return vdsim_sim_snapshot_size(get(), size); }));
    check(vdsim_sim_snapshot(get(), out.data(), out.size()));
    return out;
  }
  void restore(const Snapshot& s) { check(vdsim_sim_restore(get(), s.data(), s.size())); }
  vdsim_sim* get() const { return handle_.get(); }

 private:
  detail::Handle<vdsim_sim, vdsim_sim_free> handle_;
};

class Tire {
 public:
  explicit Tire(const Spec& part)
      : handle_(detail::made<vdsim_tire*>([&](auto out) { return vdsim_tire_create(part.get(), out); })) {}
  void start(const vdsim_rig_input& in) { check(vdsim_tire_start(get(), &in)); }
  vdsim_rig_output step(const vdsim_rig_input& from, const vdsim_rig_input& to, double h) {
    vdsim_rig_output out = VDSIM_RIG_OUTPUT_INIT;
    check(vdsim_tire_step(get(), &from, &to, h, &out));
    return out;
  }
  vdsim_rig_output output(const vdsim_rig_input& in) const {
    vdsim_rig_output out = VDSIM_RIG_OUTPUT_INIT;
    check(vdsim_tire_output(get(), &in, &out));
    return out;
  }
  void sti(vdsim_sti& s) { check(vdsim_tire_sti(get(), &s)); }
  vdsim_rig_output steady(const vdsim_rig_input& in) const {
    vdsim_rig_output out = VDSIM_RIG_OUTPUT_INIT;
    check(vdsim_tire_steady(get(), 1, &in, 0, &out, 0));
    return out;
  }
  Snapshot snapshot() const {
    Snapshot out(detail::made<std::size_t>([&](auto size) { return vdsim_tire_snapshot_size(get(), size); }));
    check(vdsim_tire_snapshot(get(), out.data(), out.size()));
    return out;
  }
  void restore(const Snapshot& s) { check(vdsim_tire_restore(get(), s.data(), s.size())); }
  vdsim_tire* get() const { return handle_.get(); }

 private:
  detail::Handle<vdsim_tire, vdsim_tire_free> handle_;
};

}  // namespace vdsim::abi
