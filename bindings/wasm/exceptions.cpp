// SPDX-License-Identifier: Apache-2.0
// What a throw does here. clang 14 has no exceptions for this machine: there are no landing pads, so nothing is caught and nothing is
// cleaned up. A throw hands what it says to the host, which leaves the engine and puts its memory back as it was before the call.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <typeinfo>

#include "vdsim/engine/errors.hpp"

extern "C" {
[[clang::import_module("env"), clang::import_name("fail"), noreturn]] void vd_fail(const char* text, std::size_t size);
}

namespace vdsim::wasm {
namespace {

using Json = nlohmann::ordered_json;

Json said_by(const BadInput& e) {
  Json out{{"errors", Json::array()}};
  for (const InputError& item : e.items)
    out["errors"].push_back({{"file", item.place.file},
                             {"line", item.place.line},
                             {"column", item.place.column},
                             {"path", item.path},
                             {"what", item.what},
                             {"text", item.text()}});
  return out;
}

// Of the types that the rooms throw; all of them have std::exception in front.
Json said_by(const void* thrown, const std::type_info& type) {
  if (type == typeid(BadInput)) return said_by(*static_cast<const BadInput*>(thrown));
  for (const std::type_info* known :
       {&typeid(FileError), &typeid(std::runtime_error), &typeid(std::logic_error), &typeid(std::invalid_argument),
        &typeid(std::out_of_range), &typeid(std::length_error), &typeid(std::bad_alloc)})
    if (type == *known) return {{"what", static_cast<const std::exception*>(thrown)->what()}};
  return {{"what", std::string("an error of the type ") + type.name()}};
}

}  // namespace
}  // namespace vdsim::wasm

extern "C" {

void* __cxa_allocate_exception(std::size_t size) noexcept { return std::malloc(size); }
void __cxa_free_exception(void* thrown) noexcept { std::free(thrown); }
[[noreturn]] void __cxa_throw(void* thrown, std::type_info* type, void (*)(void*)) {
  const std::string text =
      vdsim::wasm::said_by(thrown, *type).dump(-1, ' ', false, vdsim::wasm::Json::error_handler_t::replace);
  vd_fail(text.data(), text.size());
}
// Of code behind a landing pad, which is never reached.
void* __cxa_begin_catch(void*) noexcept { std::abort(); }
void __cxa_end_catch() { std::abort(); }
[[noreturn]] void __cxa_rethrow() { std::abort(); }
int __gxx_personality_v0() { std::abort(); }
}
