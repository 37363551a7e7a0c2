// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/errors.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace vdsim {
namespace {

constexpr std::size_t kMostErrors = 200;

std::string folded(std::string_view word) {
  std::string out;
  for (unsigned char c : word)
    if (c != '_' && c != '-') out += static_cast<char>(std::tolower(c));
  return out;
}

// Edit distance with transposition of neighbours (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_up(b.size() + 1), up(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) up[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({up[j] + 1, row[j - 1] + 1, up[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], two_up[j - 2] + 1);
    }
    std::swap(two_up, up);
    std::swap(up, row);
  }
  return up[b.size()];
}

// The name with the smallest distance; unless `always`, only if about two thirds of the letters agree.
std::string closest(std::string_view word, const std::vector<std::string>& names, bool always) {
  const std::string wanted = folded(word.substr(0, 100));
  std::string best;
  std::size_t best_distance = always ? std::string::npos : std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(wanted, folded(name));
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

}  // namespace

std::string InputError::text() const {
  std::string out = place.file;
  if (place.line > 0)
    out.append(":").append(std::to_string(place.line)).append(":").append(std::to_string(place.column));
  if (!path.empty()) out += ": " + path;
  return out + ": " + what;
}

bool Errors::full() const { return list_.size() >= kMostErrors; }

void Errors::add(Place place, std::string path, std::string what) {
  if (!full()) list_.push_back({std::move(place), std::move(path), std::move(what)});
}

void Errors::warn(const Errors& found) { warnings_.insert(warnings_.end(), found.list_.begin(), found.list_.end()); }

std::vector<std::string> Errors::warnings() const {
  std::vector<std::string> out;
  for (const InputError& each : warnings_)
    if (std::find(out.begin(), out.end(), each.text()) == out.end()) out.push_back(each.text());
  return out;
}

std::vector<InputError> Errors::sorted() const {
  std::vector<std::string> files;
  const auto rank = [&](const InputError& error) {
    return std::find(files.begin(), files.end(), error.place.file) - files.begin();
  };
  for (const InputError& error : list_)
    if (rank(error) == static_cast<std::ptrdiff_t>(files.size())) files.push_back(error.place.file);
  std::vector<InputError> all = list_, out;
  std::stable_sort(all.begin(), all.end(), [&](const InputError& a, const InputError& b) {
    return std::tuple(rank(a), a.place.line, a.place.column) < std::tuple(rank(b), b.place.line, b.place.column);
  });
  for (InputError& error : all) {
    const auto same = [&, line = error.text()](const InputError& other) { return other.text() == line; };
    if (std::none_of(out.begin(), out.end(), same)) out.push_back(std::move(error));
  }
  return out;
}

std::vector<std::string> Errors::lines() const {
  std::vector<std::string> out;
  for (const InputError& error : sorted()) out.push_back(error.text());
  if (full()) out.push_back(std::to_string(kMostErrors) + " errors shown, there may be more");
  return out;
}

void Errors::throw_if_any() const {
  if (!empty()) throw BadInput(lines(), sorted());
}

BadInput::BadInput(std::vector<std::string> all, std::vector<InputError> parts)
    : std::runtime_error(all.empty() ? "bad input" : all.front()), lines(std::move(all)), items(std::move(parts)) {
  while (items.size() < lines.size()) {
    const std::string& line = lines[items.size()];
    items.emplace_back().what = line;
  }
}

BadInput bad_value(const std::string& path, const std::string& what) {
  std::vector<InputError> items(1);
  items[0].path = path, items[0].what = what;
  return BadInput({path + ": " + what}, std::move(items));
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  return closest(word, names, false);
}

std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  if (const std::string best = closest(word, names, false); !best.empty()) return ", did you mean '" + best + "'?";
  if (names.empty()) return "";
  if (names.size() <= 14) {
    std::string out = "; valid: " + names.front();
    for (std::size_t i = 1; i < names.size(); ++i) out += ", " + names[i];
    return out;
  }
  return ", nearest is '" + closest(word, names, true) + "'";
}

}  // namespace vdsim
