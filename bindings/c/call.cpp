// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/call.hpp"

#include <new>
#include <vector>

#include "vdsim/engine/errors.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/version.hpp"

namespace vdsim::c {
namespace {

// Of this thread. `text` and `items` are of the last failure; `short_of_memory`: there was none left to keep it in.
struct LastError {
  std::string text;
  std::vector<InputError> items;
  bool short_of_memory = false;
};
LastError& last() {
  thread_local LastError error;
  return error;
}

int keep(int status, const std::vector<std::string>& lines, std::vector<InputError> items) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  LastError& error = last();
  error.text.swap(text);
  error.items.swap(items);
  error.short_of_memory = false;
  return status;
}
int keep(int status, const std::string& line) {
  const BadInput one(line);
  return keep(status, one.lines, one.items);
}

int sort() {
  try {
    throw;
  } catch (const BadInput& e) {
    return keep(VDSIM_BAD_INPUT, e.lines, e.items);
  } catch (const FileError& e) {
    return keep(VDSIM_FILE_ERROR, e.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return keep(VDSIM_MISUSE, e.what());
  } catch (...) {
    return keep(VDSIM_MISUSE, "an unknown failure");
  }
}

}  // namespace

int told() noexcept {
  try {
    return sort();
  } catch (...) {
    last().short_of_memory = true;
    return VDSIM_NO_MEMORY;
  }
}

int diverged(double t, const char* why) {
  return keep(VDSIM_DIVERGED, "diverged after t = " + number_text(t) + " s: " + why);
}

void check_room(std::size_t needed, const void* buf, std::size_t cap, std::size_t* need, const char* what) {
  if (need) *need = needed;
  if (!buf && !need) throw Misuse("buf and need are both NULL");
  if (buf && cap < needed)
    throw Misuse("there is room for " + std::to_string(cap) + " " + what + ", " + std::to_string(needed) +
                 " are needed");
}

void put_text(const std::string& text, char* buf, std::size_t cap, std::size_t* need) {
  check_room(text.size() + 1, buf, cap, need, "bytes");
  if (buf) std::memcpy(buf, text.c_str(), text.size() + 1);
}

}  // namespace vdsim::c

using namespace vdsim::c;

int vdsim_abi_version(void) { return VDSIM_ABI_VERSION; }
const char* vdsim_version(void) { return VDSIM_VERSION; }
const char* vdsim_error(void) { return last().short_of_memory ? "out of memory" : last().text.c_str(); }
size_t vdsim_error_count(void) { return last().short_of_memory ? 0 : last().items.size(); }
int vdsim_error_item(size_t i, vdsim_error_info* out) {
  const auto& items = last().items;
  if (!out || i >= vdsim_error_count()) return VDSIM_MISUSE;  // what it is asked about stays
  const vdsim::InputError& e = items[i];
  return call([&] {
    give({0, e.place.line, e.place.column, e.place.file.c_str(), e.path.c_str(), e.what.c_str()}, out, "out");
  });
}
