// SPDX-License-Identifier: Apache-2.0
// Bad input is collected, not thrown at the first error: a user sees every error at once, each with its place.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vdsim {

struct Place {
  std::string file;          // or where else the text came from, such as "--set mu=x"
  int line = 0, column = 0;  // from 1; 0 = the whole file
};

struct InputError {
  Place place;
  std::string path;  // "fleet[0].overrides.chassis.mass"; may be empty
  std::string what;
  std::string text() const;  // file:line:column: path: what
};

class Errors {
 public:
  void add(Place place, std::string path, std::string what);
  void warn(const Errors& found);  // worth telling, no reason to stop
  std::vector<std::string> warnings() const;
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  bool full() const;  // further errors are dropped: a file of garbage must not fill the terminal
  const std::vector<InputError>& list() const { return list_; }
  std::vector<InputError> sorted()
      const;  // files in the order they were read, each from top to bottom, each error once
  std::vector<std::string> lines() const;  // of sorted()
  void throw_if_any() const;               // throws BadInput

 private:
  std::vector<InputError> list_, warnings_;
};

// exit code 2
struct BadInput : std::runtime_error {
  explicit BadInput(std::vector<std::string> lines, std::vector<InputError> items = {});
  explicit BadInput(std::string line) : BadInput(std::vector<std::string>{std::move(line)}) {}
  std::vector<std::string> lines;
  std::vector<InputError> items;  // of the lines, in parts: file, line, path; a line that has none is all `what`
};
BadInput bad_value(const std::string& path, const std::string& what);  // the one line "path: what"
// exit code 4
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The name most like `word`, or "" if none is close. Case and '_' count little.
std::string nearest(std::string_view word, const std::vector<std::string>& names);
// ", did you mean 'x'?"; if nothing is close "; valid: a, b, c" or, of a long list, the nearest
std::string suggestion(std::string_view word, const std::vector<std::string>& names);

}  // namespace vdsim
