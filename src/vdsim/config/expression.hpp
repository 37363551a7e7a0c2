// SPDX-License-Identifier: Apache-2.0
// The language in which users write manoeuvres and metrics: one text, parsed once, evaluated per step or over a
// recording. What it can say: docs/EXPRESSIONS.md.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/engine/errors.hpp"

namespace vdsim {

// What an expression is over a recording: one number per row, or one number for all rows.
class Trace {
 public:
  Trace(double number = 0) : number_(number) {}     // NOLINT(google-explicit-constructor): 1.5 is one
  static Trace view(std::span<const double> rows);  // not copied: the rows must outlive it
  static Trace of(std::vector<double> rows);

  bool is_number() const { return !has_rows_; }
  double at(std::size_t row) const { return has_rows_ ? rows_[row] : number_; }
  double number() const;                                  // throws std::logic_error if it has rows
  std::span<const double> rows() const { return rows_; }  // empty if it is a number
  Trace spread(std::size_t rows) const;                   // itself, or the number in every row

 private:
  double number_ = 0;
  bool has_rows_ = false;
  std::span<const double> rows_;
  std::shared_ptr<const std::vector<double>> owned_;
};

// A function of a whole recording with one number as its result. The caller's table; no name of the language.
struct Reducer {
  std::string name, signature;  // "mean", "mean(signal, from, to)"
  std::size_t min_args, max_args;
  std::function<double(std::span<const Trace> args, std::span<const double> t)> call;  // t [s], one per row
  std::size_t signals = SIZE_MAX;  // so many of the first arguments may have rows, the others must be numbers
};

struct ExpressionName {
  std::string name;
  std::size_t slot;     // index into what is given to value() and over()
  bool signal = false;  // has rows in a recording; means nothing per step
};

struct ExpressionScope {
  enum class Use { per_step, recording };
  Use use = Use::per_step;
  std::vector<ExpressionName> names;
  std::vector<Reducer> reducers;  // refused per step
};

// A function of the language, row by row.
struct ExpressionFunction {
  std::string_view name, signature, meaning;
  std::size_t min_args, max_args, group;  // arguments beyond min_args come in groups
  double (*call)(const double* args, std::size_t count);
  std::string_view needs;  // "lo <= hi"; the result is NaN otherwise
};
std::span<const ExpressionFunction> expression_functions();
// Why `name` cannot be a name of a scope (a word of the language, not a name at all); "" if it can.
std::string expression_name_problem(std::string_view name);

class Expression {
 public:
  static constexpr std::size_t kMostCharacters = 4000, kMostLevels = 64;

  // `place`: of the first character of `text`, which of a quoted YAML text is one column after the quote. Every error
  // is noted with its own column; nothing is returned after one. Constants without a result (0/0) are an error too.
  static std::optional<Expression> parse(std::string_view text, const ExpressionScope& scope, const Place& place,
                                         const std::string& path, Errors& errors);

  // Per step: never allocates. Follows IEEE 754, so NaN and infinities come back as they are; comparisons with NaN
  // are 0. Throws std::logic_error if it calls a reducer or a slot is missing.
  double value(std::span<const double> slots) const;
  // Over a recording: t.size() rows, as every slot with rows must have (else std::logic_error).
  Trace over(std::span<const Trace> slots, std::span<const double> t) const;

  const std::string& text() const { return text_; }                 // as it was written
  const std::vector<std::string>& names() const { return names_; }  // that it uses, in order of appearance
  bool has_rows() const { return has_rows_; }                       // may have rows over a recording
  bool has_reducers() const { return !reducers_.empty(); }

 private:
  friend class ExpressionParser;
  // Postfix. Of `c ? a : b`: c, unless -> b, a, go_to -> behind select, b, select. Per step the jumps run one branch
  // and select does nothing; over a recording both branches run and select picks row by row.
  struct Op {
    enum class Code : std::uint8_t { number, slot, call, reduce, unless, go_to, select } code;
    std::uint32_t index = 0;  // of the slot, of the reducer, of the op to go to
    std::uint32_t args = 0;
    double number = 0;
    double (*call)(const double*, std::size_t) = nullptr;
  };
  static constexpr std::size_t kMostValues = kMostCharacters / 2 + 48;  // a waiting value takes two characters

  Expression() = default;

  std::string text_;
  std::vector<Op> ops_;
  std::vector<Reducer> reducers_;  // those it calls
  std::vector<std::string> names_;
  std::size_t slots_ = 0;  // so many must be given
  bool has_rows_ = false;
};

}  // namespace vdsim
