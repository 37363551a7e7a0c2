// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/tir_lex.hpp"

#include <algorithm>

#include "vdsim/formats/tir_keys.hpp"

namespace vdsim {
namespace {

bool tir_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\0'; }

// Positions of the text without blanks around it.
struct Extent {
  std::size_t from, to;
};
Extent trimmed(std::string_view text, std::size_t from, std::size_t to) {
  while (from < to && tir_blank(text[from])) ++from;
  while (to > from && tir_blank(text[to - 1])) --to;
  return {from, to};
}

// Where the comment starts. An apostrophe opens a text only if another one closes it on the same line, so one that
// stands alone does no harm.
std::size_t comment_start(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '$' || line[i] == '!') return i;
    if (line[i] != '\'' && line[i] != '"') continue;
    const std::size_t end = line.find(line[i], i + 1);
    if (end != std::string_view::npos) i = end;
  }
  return line.size();
}

std::string unquoted(std::string_view text) {
  if (!text.empty() && (text.front() == '\'' || text.front() == '"')) {
    const char quote = text.front();
    text.remove_prefix(1);
    if (!text.empty() && text.back() == quote) text.remove_suffix(1);
  }
  const Extent span = trimmed(text, 0, text.size());
  return std::string(text.substr(span.from, span.to - span.from));
}

TirLine bracketed(std::string_view line, const Extent& span, TirLine::Kind kind, char closing) {
  TirLine out;
  out.kind = kind;
  const std::size_t end = std::min(line.find(closing, span.from), span.to);
  const Extent inner = trimmed(line, span.from + 1, std::max(end, span.from + 1));
  out.name = tir_upper(line.substr(inner.from, inner.to - inner.from));
  std::replace(out.name.begin(), out.name.end(), ' ', '_');
  return out;
}

TirLine one_line(std::string_view line, const Extent& span) {
  using Kind = TirLine::Kind;
  if (line[span.from] == '[') return bracketed(line, span, Kind::block, ']');
  if (line[span.from] == '(') return bracketed(line, span, Kind::subblock, ')');
  if (line[span.from] == '{') return bracketed(line, span, Kind::table, '}');
  TirLine out;
  const std::size_t equals = line.substr(0, span.to).find('=');
  const char first = line[span.from];
  if (equals == std::string_view::npos || equals == span.from || first == '\'' || first == '"') {
    out.name = std::string(line.substr(span.from, span.to - span.from));
    return out;
  }
  out.kind = Kind::pair;
  const Extent key = trimmed(line, span.from, equals), value = trimmed(line, equals + 1, span.to);
  out.name = tir_upper(line.substr(key.from, key.to - key.from));
  out.value = unquoted(line.substr(value.from, value.to - value.from));
  out.value_column = static_cast<int>(value.from) + 1;
  return out;
}

}  // namespace

std::vector<TirLine> split_tir(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<TirLine> out;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (text.starts_with("\r\n"))
      text.remove_prefix(2);
    else if (!text.empty())
      text.remove_prefix(1);
    line = line.substr(0, comment_start(line));
    const Extent span = trimmed(line, 0, line.size());
    if (span.from == span.to) continue;
    TirLine entry = one_line(line, span);
    entry.line = number;
    entry.column = static_cast<int>(span.from) + 1;
    out.push_back(std::move(entry));
  }
  return out;
}

std::string tir_shown(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, 40)) out += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
  return out + (text.size() > 40 ? "...'" : "'");
}

}  // namespace vdsim
