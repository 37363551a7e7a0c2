// SPDX-License-Identifier: Apache-2.0
// budget: one small language, its words, grammar and evaluation are read together.
#include "vdsim/config/expression.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "vdsim/engine/same_math.hpp"
#include "vdsim/formats/number.hpp"

namespace vdsim {
namespace {

constexpr double kPi = std::numbers::pi, kNan = std::numeric_limits<double>::quiet_NaN();

// NaN is not true.
bool is_true(double x) { return x < 0 || x > 0; }

// ------------------------------------------------------------------------------------------------ functions

// As of every machine (engine/same_math.hpp); angles beyond its range as this machine has them.
bool usual(double x) { return std::abs(x) < 1e5; }
double same_sin(double x) { return usual(x) ? vdsim::sin(x) : std::sin(x); }
double same_cos(double x) { return usual(x) ? vdsim::cos(x) : std::cos(x); }
double same_tan(double x) { return usual(x) ? vdsim::tan(x) : std::tan(x); }
double same_atan(double x) { return vdsim::atan(x); }
double same_atan2(double y, double x) { return vdsim::atan2(y, x); }
double same_exp(double x) { return vdsim::exp(x); }
double same_log(double x) { return vdsim::log(x); }
double same_asin(double x) { return std::abs(x) <= 1 ? vdsim::asin(x) : kNan; }
double same_acos(double x) { return std::abs(x) <= 1 ? vdsim::atan2(vdsim::sqrt((1 - x) * (1 + x)), x) : kNan; }

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
double smaller(double a, double b) { return std::isnan(a) || a < b ? a : b; }
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

template <double (*pick)(double, double)> double fold(const double* x, std::size_t n) {
  double out = x[0];
  for (std::size_t i = 1; i < n; ++i) out = pick(out, x[i]);
  return out;
}

double clamp(double x, double lo, double hi) { return lo <= hi ? (x < lo ? lo : x > hi ? hi : x) : kNan; }

double ramp(double t, double t0, double t1) { return t0 == t1 ? double(t >= t0) : clamp((t - t0) / (t1 - t0), 0, 1); }

double smooth(double t, double t0, double t1) {
  const double s = ramp(t, t0, t1);
  return s * s * (3 - 2 * s);
}

// x, then knots x0, y0, x1, y1, ...; of knots at one place the last holds from there on.
double interp(const double* a, std::size_t n) {
  const double x = a[0], *knot = a + 1, *last = a + n - 2;
  for (const double* k = knot; k < last; k += 2)
    if (!(k[0] <= k[2])) return kNan;
  if (std::isnan(x) || std::isnan(*knot)) return kNan;
  if (x < *knot) return knot[1];
  while (knot < last && x >= knot[2]) knot += 2;
  if (knot == last) return last[1];
  return knot[1] + (knot[3] - knot[1]) * (x - knot[0]) / (knot[2] - knot[0]);
}

// Phase: the integral of the frequency, which after T stays f1.
double chirp(double t, double f0, double f1, double T) {
  if (!(T > 0)) return kNan;
  if (t < 0) return 0;
  const double s = t < T ? t : T;
  return same_sin(2 * kPi * (f0 * s + (f1 - f0) * s * s / (2 * T) + f1 * (t - s)));
}

// (e^u - 1) / u
double growth(double u) {
  const double h = vdsim::tanh(u / 2);
  return u == 0 ? 1 : 2 * h / (1 - h) / u;
}

// f = f0 (f1/f0)^(t/T), so that each octave takes the same time.
double log_chirp(double t, double f0, double f1, double T) {
  if (!(T > 0 && f0 > 0 && f1 > 0)) return kNan;
  if (t < 0) return 0;
  const double s = t < T ? t : T, u = vdsim::log(f1 / f0) * s / T;
  return same_sin(2 * kPi * (f0 * s * growth(u) + f1 * (t - s)));
}

// One number in [0, 1) per seed and index (the mixer of splitmix64).
double hashed(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// Sines of equal size and hashed phase, one at a hashed place in each of kLines equal bands: flat up to f_max, nothing
// above. Their mean square is 1/9 (RMS 1/3), so that about 0.3 % of the time is beyond +-1.
double noise(double t, double seed, double f_max) {
  constexpr int kLines = 128;
  const auto bits = std::bit_cast<std::uint64_t>(seed + 0.0);  // -0 is 0
  double sum = 0;
  for (int i = 0; i < kLines; ++i) {
    const double f = (i + hashed(bits, 2 * i)) * f_max / kLines;
    sum += same_sin(2 * kPi * (f * t + hashed(bits, 2 * i + 1)));
  }
  return std::isnan(seed) ? kNan : sum * std::sqrt(2.0 / kLines) / 3;
}

// Three quarters of a period, `dwell` seconds at the second peak (-1), the last quarter.
double dwell_sine(double t, double f, double dwell) {
  if (!(f > 0 && dwell >= 0)) return kNan;
  const double peak = 0.75 / f, s = t < peak ? t : t < peak + dwell ? peak : t - dwell;
  return s < 0 || s >= 1 / f ? 0 : same_sin(2 * kPi * f * s);
}

double degrees(double x) { return x * kPi / 180; }
double kilometres_per_hour(double x) { return x / 3.6; }
double step(double t, double t0) { return t >= t0; }
double between_both(double x, double a, double b) { return a <= x && x <= b; }

// From arguments in a row to arguments by themselves.
template <double (*f)(double)> double of_1(const double* x, std::size_t) { return f(x[0]); }
template <double (*f)(double, double)> double of_2(const double* x, std::size_t) { return f(x[0], x[1]); }
template <double (*f)(double, double, double)> double of_3(const double* x, std::size_t) { return f(x[0], x[1], x[2]); }
template <double (*f)(double, double, double, double)> double of_4(const double* x, std::size_t) {
  return f(x[0], x[1], x[2], x[3]);
}

constexpr std::size_t kAny = SIZE_MAX;

// clang-format off
constexpr ExpressionFunction kFunctions[] = {
    {"abs", "abs(x)", "without its sign", 1, 1, 1, of_1<std::fabs>, ""},
    {"min", "min(a, b, ...)", "the smallest", 2, kAny, 1, fold<smaller>, ""},
    {"max", "max(a, b, ...)", "the largest", 2, kAny, 1, fold<larger>, ""},
    {"clamp", "clamp(x, lo, hi)", "x, but not below lo nor above hi", 3, 3, 1, of_3<clamp>, "lo <= hi"},
    {"sqrt", "sqrt(x)", "square root", 1, 1, 1, of_1<std::sqrt>, "x >= 0"},
    {"hypot", "hypot(x, y)", "sqrt(x^2 + y^2)", 2, 2, 1, of_2<vdsim::hypot>, ""},
    {"exp", "exp(x)", "e^x", 1, 1, 1, of_1<same_exp>, ""},
    {"log", "log(x)", "natural logarithm", 1, 1, 1, of_1<same_log>, "x >= 0"},
    {"floor", "floor(x)", "the whole number at or below", 1, 1, 1, of_1<std::floor>, ""},
    {"round", "round(x)", "nearest whole number, halves away from 0", 1, 1, 1, of_1<std::round>, ""},
    {"sign", "sign(x)", "-1, 0 or 1", 1, 1, 1, of_1<sign>, ""},
    {"sin", "sin(x)", "sine, x in rad", 1, 1, 1, of_1<same_sin>, "finite x"},
    {"cos", "cos(x)", "cosine, x in rad", 1, 1, 1, of_1<same_cos>, "finite x"},
    {"tan", "tan(x)", "tangent, x in rad", 1, 1, 1, of_1<same_tan>, "finite x"},
    {"asin", "asin(x)", "-pi/2 to pi/2", 1, 1, 1, of_1<same_asin>, "-1 <= x <= 1"},
    {"acos", "acos(x)", "0 to pi", 1, 1, 1, of_1<same_acos>, "-1 <= x <= 1"},
    {"atan", "atan(x)", "-pi/2 to pi/2", 1, 1, 1, of_1<same_atan>, ""},
    {"atan2", "atan2(y, x)", "angle of the point (x, y), -pi to pi", 2, 2, 1, of_2<same_atan2>, ""},
    {"deg", "deg(x)", "x degrees in rad", 1, 1, 1, of_1<degrees>, ""},
    {"kmh", "kmh(x)", "x km/h in m/s", 1, 1, 1, of_1<kilometres_per_hour>, ""},
    {"step", "step(t, t0)", "0 before t0, 1 from t0 on", 2, 2, 1, of_2<step>, ""},
    {"ramp", "ramp(t, t0, t1)", "straight from 0 at t0 to 1 at t1, held outside; a step if t0 = t1", 3, 3, 1,
     of_3<ramp>, ""},
    {"smooth", "smooth(t, t0, t1)", "like ramp, with slope 0 at both ends: s^2 (3 - 2 s)", 3, 3, 1, of_3<smooth>, ""},
    {"between", "between(x, a, b)", "1 if a <= x <= b, else 0", 3, 3, 1, of_3<between_both>, ""},
    {"interp", "interp(x, x0, y0, x1, y1, ...)", "straight between the points, held outside; two at one x are a jump",
     3, kAny, 2, interp, "finite x0 <= x1 <= ..."},
    {"chirp", "chirp(t, f0, f1, T)",
     "sine whose frequency goes straight from f0 to f1 [Hz] in T seconds; 0 before t = 0, goes on with f1 after T",
     4, 4, 1, of_4<chirp>, "finite f0, f1, and T > 0"},
    {"log_chirp", "log_chirp(t, f0, f1, T)", "the same, but each octave takes the same time", 4, 4, 1, of_4<log_chirp>,
     "finite f0, f1, T > 0"},
    {"noise", "noise(t, seed, f_max)",
     "random, smooth, the same for the same seed; RMS 1/3, flat spectrum from 0 to f_max [Hz], nothing above", 3, 3, 1,
     of_3<noise>, "finite seed and f_max"},
    {"dwell_sine", "dwell_sine(t, f, dwell)",
     "one sine of f Hz from t = 0 that stays `dwell` seconds at its second peak, -1; 0 before and after", 3, 3, 1,
     of_3<dwell_sine>, "finite f > 0, dwell >= 0"},
};
// clang-format on

// ------------------------------------------------------------------------------------------------ operators

double either(double a, double b) { return is_true(a) || is_true(b); }
double both(double a, double b) { return is_true(a) && is_true(b); }
double negation(double a) { return !is_true(a); }
double less(double a, double b) { return a < b; }
double less_equal(double a, double b) { return a <= b; }
double greater(double a, double b) { return a > b; }
double greater_equal(double a, double b) { return a >= b; }
double equal(double a, double b) { return a == b; }
double different(double a, double b) { return a < b || a > b; }
double sum(double a, double b) { return a + b; }
double difference(double a, double b) { return a - b; }
double product(double a, double b) { return a * b; }
double quotient(double a, double b) { return a / b; }
double minus(double a) { return -a; }

struct Operator {
  std::string_view sign;
  int level;  // the higher, the tighter
  double (*call)(const double*, std::size_t);
};
constexpr int kOr = 1, kAnd = 2, kNot = 3, kCompare = 4, kSum = 5, kProduct = 6;
constexpr Operator kOperators[] = {
    {"or", kOr, of_2<either>},          {"and", kAnd, of_2<both>},         {"<", kCompare, of_2<less>},
    {"<=", kCompare, of_2<less_equal>}, {">", kCompare, of_2<greater>},    {">=", kCompare, of_2<greater_equal>},
    {"==", kCompare, of_2<equal>},      {"!=", kCompare, of_2<different>}, {"+", kSum, of_2<sum>},
    {"-", kSum, of_2<difference>},      {"*", kProduct, of_2<product>},    {"/", kProduct, of_2<quotient>},
};

struct Constant {
  std::string_view name;
  double value;
};
constexpr Constant kConstants[] = {{"pi", kPi}, {"g", kGravity}, {"inf", std::numeric_limits<double>::infinity()}};
constexpr std::string_view kWords[] = {"and", "or", "not"};

// What other languages write, and this one does not.
struct Foreign {
  std::string_view sign, hint;
};
constexpr Foreign kForeign[] = {{"&&", "write 'and'"}, {"||", "write 'or'"}, {"**", "write '^'"},
                                {"=", "write '=='"},   {"!", "write 'not'"}, {"&", "write 'and'"},
                                {"|", "write 'or'"},   {"<>", "write '!='"}, {"%", "there is no remainder"}};
constexpr std::string_view kSigns[] = {"<=", ">=", "==", "!=", "<", ">", "+", "-",
                                       "*",  "/",  "^",  "(",  ")", ",", "?", ":"};

// The element of that name, or nullptr.
template <class List> auto named(const List& list, std::string_view name) {
  const auto found =
      std::find_if(std::begin(list), std::end(list), [&](const auto& each) { return each.name == name; });
  return found == std::end(list) ? nullptr : &*found;
}

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

// Letters of the name at the start of `text`: a.b, but not "a." or "a.5".
std::size_t name_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() &&
         (end == 0 || text[end - 1] == '.'
              ? starts_name(text[end])
              : in_name(text[end]) || (text[end] == '.' && end + 1 < text.size() && starts_name(text[end + 1]))))
    ++end;
  return end;
}

}  // namespace

std::span<const ExpressionFunction> expression_functions() { return kFunctions; }

std::string expression_name_problem(std::string_view name) {
  if (name.empty() || name_length(name) != name.size()) return "a name has letters, digits and '_', as in a or a.b_1";
  if (std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords))
    return fmt::format("'{}' is an operator of expressions", name);
  if (named(kConstants, name)) return fmt::format("'{}' is a constant of expressions", name);
  return "";
}

// ------------------------------------------------------------------------------------------------ parser

// Recursive descent; each method returns whether what it read may have rows in a recording.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const ExpressionScope& scope, const Place& place, const std::string& path,
                   Errors& errors)
      : text_(text), scope_(scope), place_(place), path_(path), errors_(errors) {}

  std::optional<Expression> run() {
    for (const Reducer& reducer : scope_.reducers)
      if (named(kFunctions, reducer.name)) throw std::logic_error("a function hides " + reducer.signature);
    if (text_.size() > Expression::kMostCharacters)
      stop(0, fmt::format("more than {} characters", Expression::kMostCharacters));
    next();
    out_.has_rows_ = expression();
    if (token_.kind != Token::end) stop_behind();
    if (!stopped_) check_stack();
    if (failed_) return std::nullopt;
    out_.text_ = text_;
    return std::move(out_);
  }

 private:
  using Op = Expression::Op;
  struct Token {
    enum Kind { end, number, name, sign } kind = end;
    std::string_view text;
    std::size_t at = 0;  // index of its first character
    double value = 0;
  };
  // A text of nothing but brackets must not overflow the stack.
  struct Level {
    explicit Level(ExpressionParser& parser) : parser(parser) {
      if (++parser.level_ > Expression::kMostLevels)
        parser.stop(parser.token_.at, fmt::format("nested more than {} levels deep", Expression::kMostLevels));
    }
    Level(const Level&) = delete;
    ~Level() { --parser.level_; }
    ExpressionParser& parser;
  };

  // ---- errors

  void note(std::size_t at, std::string what) {
    if (stopped_) return;
    failed_ = true;
    Place place = place_;
    const std::string_view before = text_.substr(0, at);
    if (text_.find('\n') != text_.npos)
      what += fmt::format(" (line {}, column {} of the text)", 1 + std::count(before.begin(), before.end(), '\n'),
                          at - (before.rfind('\n') + 1) + 1);
    else if (place.line == 0)
      what += fmt::format(" (column {})", at + 1);
    else
      place.column += static_cast<int>(at);
    errors_.add(place, path_, std::move(what));
  }
  // What follows makes no sense: the text ends here, and nothing more is noted.
  void stop(std::size_t at, std::string what) {
    note(at, std::move(what));
    stopped_ = true;
    token_ = {};
  }
  static std::string shown(std::string_view word) {
    return word.size() <= 40 ? fmt::format("'{}'", word) : fmt::format("'{}...'", word.substr(0, 40));
  }
  std::string found() const { return token_.kind == Token::end ? "the end" : shown(token_.text); }
  void stop_behind() {
    std::string what = fmt::format("expected an operator, found {}", found());
    if (const auto* f = named(kFunctions, token_.text)) what += fmt::format("; it is a function: {}", f->signature);
    stop(token_.at, std::move(what));
  }

  // ---- tokens

  void next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    const std::string_view rest = text_.substr(at_);
    token_ = {Token::end, rest.substr(0, 0), at_, 0};
    if (rest.empty() || stopped_) return;
    const auto digit = [&](std::size_t i) { return i < rest.size() && rest[i] >= '0' && rest[i] <= '9'; };
    if (digit(0) || (rest[0] == '.' && digit(1)))
      read_number(rest);
    else if (const std::size_t length = name_length(rest))
      token_.kind = Token::name, token_.text = rest.substr(0, length);
    else
      read_sign(rest);
    at_ += token_.text.size();
  }
  void read_number(std::string_view rest) {
    const auto [end, error] = number_from(rest.data(), rest.data() + rest.size(), token_.value);
    token_.kind = Token::number;
    token_.text = rest.substr(0, end - rest.data());
    if (error != std::errc()) stop(at_, fmt::format("the number {} is out of range", shown(token_.text)));
  }
  void read_sign(std::string_view rest) {
    const auto begins = [&](std::string_view sign) { return rest.starts_with(sign); };
    const auto known = std::find_if(std::begin(kSigns), std::end(kSigns), begins);
    for (const Foreign& foreign : kForeign)
      if (begins(foreign.sign) && (known == std::end(kSigns) || foreign.sign.size() > known->size()))
        return stop(at_, fmt::format("'{}' is not known here: {}", foreign.sign, foreign.hint));
    if (known == std::end(kSigns))
      return stop(at_, std::isprint(static_cast<unsigned char>(rest[0]))
                           ? fmt::format("'{}' is not known here", rest[0])
                           : "only plain letters, digits and signs (ASCII) are known here");
    token_.kind = Token::sign;
    token_.text = *known;
  }
  // Signs and the words and, or, not.
  bool here(std::string_view sign) const {
    return (token_.kind == Token::sign || token_.kind == Token::name) && token_.text == sign;
  }
  bool take(std::string_view sign) {
    if (!here(sign)) return false;
    next();
    return true;
  }
  void expect(std::string_view sign, std::string_view why) {
    if (!take(sign)) stop(token_.at, fmt::format("expected '{}' {}, found {}", sign, why, found()));
  }
  const Operator* operator_here() const {
    for (const Operator& each : kOperators)
      if (here(each.sign)) return &each;
    return nullptr;
  }

  // ---- grammar

  bool expression() {
    const Level level(*this);
    bool rows = binary(kOr);
    if (!take("?")) return rows;
    const std::size_t unless = emit({.code = Op::Code::unless});
    rows |= expression();
    expect(":", "and the other value after '?'");
    const std::size_t go_to = emit({.code = Op::Code::go_to});
    jump_here(unless);
    rows |= expression();
    emit({.code = Op::Code::select});
    jump_here(go_to);
    return rows;
  }

  // Operators of `lowest` level and tighter, from left to right.
  bool binary(int lowest) {
    bool rows = false;
    if (lowest <= kNot && here("not")) {
      const Level level(*this);
      const std::size_t at = token_.at;
      next();
      rows = binary(kNot);
      emit_call(of_1<negation>, 1, at, "");
    } else {
      rows = unary();
    }
    for (const Operator* sign = operator_here(); sign && sign->level >= lowest; sign = operator_here()) {
      const std::size_t at = token_.at;
      next();
      rows |= binary(sign->level + 1);
      emit_call(sign->call, 2, at, "");
      if (const Operator* more = operator_here(); sign->level == kCompare && more && more->level == kCompare)
        stop(token_.at, "comparisons do not chain: write 'a < b and b < c'");
    }
    return rows;
  }

  bool unary() {
    const std::size_t at = token_.at;
    const bool negative = here("-");
    if (!negative && !here("+")) return raised();
    const Level level(*this);
    next();
    const bool rows = unary();
    if (negative) emit_call(of_1<minus>, 1, at, "");
    return rows;
  }

  // -a^b is -(a^b), a^-b is a^(-b), a^b^c is a^(b^c).
  bool raised() {
    bool rows = primary();
    if (!here("^")) return rows;
    const Level level(*this);
    const std::size_t at = token_.at;
    next();
    rows |= unary();
    emit_call(of_2<std::pow>, 2, at, "");
    return rows;
  }

  bool primary() {
    const Token token = token_;
    if (token.kind == Token::number) {
      next();
      emit_number(token.value);
      return false;
    }
    if (token.kind == Token::name && std::find(std::begin(kWords), std::end(kWords), token.text) == std::end(kWords)) {
      next();
      return here("(") ? call(token) : name(token);
    }
    if (!take("(")) {
      stop(token.at, fmt::format("expected a value, found {}{}", found(), here("not") ? ": write '(not ...)'" : ""));
      emit_number(kNan);
      return false;
    }
    const bool rows = expression();
    expect(")", "to close a bracket");
    return rows;
  }

  bool name(const Token& token) {
    const std::string word(token.text);
    if (const Constant* constant = named(kConstants, word)) {
      emit_number(constant->value);
      return false;
    }
    const auto* known = named(scope_.names, word);
    if (!known) {
      note(token.at, unknown_name(word));
      emit_number(kNan);
      return false;
    }
    if (std::find(out_.names_.begin(), out_.names_.end(), word) == out_.names_.end()) out_.names_.push_back(word);
    out_.slots_ = std::max(out_.slots_, known->slot + 1);
    emit({.code = Op::Code::slot, .index = static_cast<std::uint32_t>(known->slot)});
    return known->signal && scope_.use == ExpressionScope::Use::recording;
  }
  std::string unknown_name(const std::string& word) const {
    if (const auto* f = named(kFunctions, word)) return fmt::format("'{}' is a function: {}", word, f->signature);
    if (const auto* r = named(scope_.reducers, word)) return fmt::format("'{}' is a function: {}", word, r->signature);
    std::vector<std::string> valid;
    for (const auto& each : scope_.names) valid.push_back(each.name);
    for (const auto& each : kConstants) valid.emplace_back(each.name);
    return fmt::format("unknown name {}{}", shown(word), suggestion(word, valid));
  }

  // ---- calls

  bool call(const Token& word) {
    next();
    const std::size_t first = out_.ops_.size();
    std::vector<bool> rows;
    std::vector<std::size_t> places;
    if (!here(")")) {
      do {
        places.push_back(token_.at);
        rows.push_back(expression());
      } while (take(","));
    }
    expect(")", fmt::format("or ',' in the call of {}", shown(word.text)));
    const std::size_t count = rows.size();
    const bool any = std::find(rows.begin(), rows.end(), true) != rows.end();
    if (const auto* f = named(kFunctions, word.text)) {
      if (!counts(word.at, f->signature, f->min_args, f->max_args, f->group, count)) return replace(first);
      check_rest(*f, count, word.at);
      emit_call(f->call, count, word.at, needs_text(*f));
      return any;
    }
    if (const auto* r = named(scope_.reducers, word.text)) {
      if (scope_.use == ExpressionScope::Use::per_step) {
        note(word.at, fmt::format("{}(...) looks at a whole recording; it can be used in metrics only", r->name));
        return replace(first);
      }
      if (!counts(word.at, r->signature, r->min_args, r->max_args, 1, count)) return replace(first);
      emit_reduce(*r, rows, places);
      return false;
    }
    note(word.at, unknown_function(std::string(word.text)));
    return replace(first);
  }
  // After an error: anything that causes no second error.
  bool replace(std::size_t first) {
    out_.ops_.resize(first);
    emit_number(kNan);
    return false;
  }
  std::string unknown_function(const std::string& word) const {
    if (named(scope_.names, word) || named(kConstants, word))
      return fmt::format("'{}' is no function; is a '*' missing?", word);
    std::vector<std::string> valid;
    for (const auto& each : kFunctions) valid.emplace_back(each.name);
    if (scope_.use == ExpressionScope::Use::recording)
      for (const auto& each : scope_.reducers) valid.push_back(each.name);
    return fmt::format("unknown function {}{}", shown(word), suggestion(word, valid));
  }
  bool counts(std::size_t at, std::string_view signature, std::size_t least, std::size_t most, std::size_t group,
              std::size_t count) {
    if (count >= least && count <= most && (count - least) % group == 0) return true;
    const std::string wanted = group > 1      ? fmt::format("{} arguments, or {} more", least, group)
                               : most == kAny ? fmt::format("{} or more arguments", least)
                               : most > least ? fmt::format("{} to {} arguments", least, most)
                                              : fmt::format("{} argument{}", least, least == 1 ? "" : "s");
    note(at, fmt::format("{} takes {}{}, found {}", signature, wanted, group > 1 ? " each time" : "", count));
    return false;
  }
  static std::string needs_text(const ExpressionFunction& f) {
    return f.needs.empty() ? fmt::format("{} has no value here", f.signature)
                           : fmt::format("{} needs {}", f.signature, f.needs);
  }
  // What does not depend on the first argument is known to be wrong before any run: clamp(x, 1, 0).
  void check_rest(const ExpressionFunction& f, std::size_t count, std::size_t at) {
    if (count < 2 || constants_at_end() < count - 1 || constants_at_end() >= count) return;
    std::vector<double> x(count);
    for (std::size_t i = 1; i < count; ++i) x[i] = out_.ops_[out_.ops_.size() - count + i].number;
    x[0] = x[1];
    if (std::isnan(f.call(x.data(), count)) && std::none_of(x.begin(), x.end(), [](double v) { return std::isnan(v); }))
      note(at, needs_text(f));
  }

  // ---- code

  std::size_t emit(Op op) {
    out_.ops_.push_back(op);
    return out_.ops_.size() - 1;
  }
  void emit_number(double number) { emit({.code = Op::Code::number, .number = number}); }
  void jump_here(std::size_t op) { out_.ops_[op].index = static_cast<std::uint32_t>(out_.ops_.size()); }
  std::size_t constants_at_end() const {
    const auto end =
        std::find_if(out_.ops_.rbegin(), out_.ops_.rend(), [](const Op& op) { return op.code != Op::Code::number; });
    return end - out_.ops_.rbegin();
  }
  // Results of constants are computed here, once.
  void emit_call(double (*call)(const double*, std::size_t), std::size_t count, std::size_t at,
                 const std::string& problem) {
    if (constants_at_end() < count) {
      emit({.code = Op::Code::call, .args = static_cast<std::uint32_t>(count), .call = call});
      return;
    }
    std::vector<double> x;
    bool known = true;
    for (std::size_t i = out_.ops_.size() - count; i < out_.ops_.size(); ++i) {
      x.push_back(out_.ops_[i].number);
      known &= !std::isnan(x.back());
    }
    const double result = call(x.data(), count);
    if (known && std::isnan(result)) note(at, problem.empty() ? "the result is not a number (NaN)" : problem);
    out_.ops_.resize(out_.ops_.size() - count);
    emit_number(result);
  }
  void emit_reduce(const Reducer& reducer, const std::vector<bool>& rows, const std::vector<std::size_t>& places) {
    for (std::size_t i = reducer.signals; i < rows.size(); ++i)
      if (rows[i])
        note(places[i], fmt::format("argument {} of {} must be one number, not a signal", i + 1, reducer.signature));
    emit({.code = Op::Code::reduce,
          .index = static_cast<std::uint32_t>(out_.reducers_.size()),
          .args = static_cast<std::uint32_t>(rows.size())});
    out_.reducers_.push_back(reducer);
  }

  // value() has room for kMostValues: never more are waiting, since each takes a character and a comma or bracket.
  void check_stack() {
    std::size_t size = 0, most = 0;
    for (const Op& op : out_.ops_) {
      switch (op.code) {
        case Op::Code::number:
        case Op::Code::slot: ++size; break;
        case Op::Code::call:
        case Op::Code::reduce: size = size - op.args + 1; break;
        case Op::Code::select: size -= 2; break;
        case Op::Code::unless:
        case Op::Code::go_to: break;
      }
      most = std::max(most, size);
    }
    if (most > Expression::kMostValues) stop(0, "too many arguments");
  }

  std::string_view text_;
  const ExpressionScope& scope_;
  const Place& place_;
  const std::string& path_;
  Errors& errors_;
  std::size_t at_ = 0, level_ = 0;
  bool failed_ = false, stopped_ = false;
  Token token_;
  Expression out_;
};

std::optional<Expression> Expression::parse(std::string_view text, const ExpressionScope& scope, const Place& place,
                                            const std::string& path, Errors& errors) {
  return ExpressionParser(text, scope, place, path, errors).run();
}

// ------------------------------------------------------------------------------------------------ evaluation

double Expression::value(std::span<const double> slots) const {
  if (has_reducers() || slots.size() < slots_) throw std::logic_error("not an expression of these slots: " + text_);
  std::array<double, kMostValues> stack;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before read
  double* top = stack.data();             // the first free
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    const Op& op = ops_[i];
    switch (op.code) {
      case Op::Code::number: *top++ = op.number; break;
      case Op::Code::slot: *top++ = slots[op.index]; break;
      case Op::Code::call:
        top -= op.args;
        *top = op.call(top, op.args);
        ++top;
        break;
      case Op::Code::unless:
        if (!is_true(*--top)) i = op.index - 1;
        break;
      case Op::Code::go_to: i = op.index - 1; break;
      case Op::Code::select:
      case Op::Code::reduce: break;
    }
  }
  return top[-1];
}

namespace {

Trace row_by_row(double (*call)(const double*, std::size_t), std::span<const Trace> args, std::size_t rows) {
  std::vector<double> x;
  std::vector<std::size_t> varying;
  for (const Trace& arg : args) {
    if (!arg.is_number()) varying.push_back(x.size());
    x.push_back(arg.is_number() ? arg.number() : 0);
  }
  if (varying.empty()) return call(x.data(), x.size());
  std::vector<double> out(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (const std::size_t i : varying) x[i] = args[i].rows()[row];
    out[row] = call(x.data(), x.size());
  }
  return Trace::of(std::move(out));
}

Trace selected(const Trace& condition, const Trace& a, const Trace& b, std::size_t rows) {
  if (condition.is_number()) return is_true(condition.number()) ? a : b;
  std::vector<double> out(rows);
  for (std::size_t row = 0; row < rows; ++row) out[row] = is_true(condition.at(row)) ? a.at(row) : b.at(row);
  return Trace::of(std::move(out));
}

}  // namespace

Trace Expression::over(std::span<const Trace> slots, std::span<const double> t) const {
  if (slots.size() < slots_) throw std::logic_error("not an expression of these slots: " + text_);
  std::vector<Trace> stack;
  const auto replace_top = [&](std::size_t count, Trace result) {
    stack.resize(stack.size() - count);
    stack.push_back(std::move(result));
  };
  for (const Op& op : ops_) {
    const std::span<const Trace> top = stack;
    switch (op.code) {
      case Op::Code::number: stack.emplace_back(op.number); break;
      case Op::Code::slot:
        if (!slots[op.index].is_number() && slots[op.index].rows().size() != t.size())
          throw std::logic_error("a signal of another length in " + text_);
        stack.push_back(slots[op.index]);
        break;
      case Op::Code::call: replace_top(op.args, row_by_row(op.call, top.last(op.args), t.size())); break;
      case Op::Code::reduce: replace_top(op.args, reducers_[op.index].call(top.last(op.args), t)); break;
      case Op::Code::select:
        replace_top(3, selected(top[top.size() - 3], top[top.size() - 2], top.back(), t.size()));
        break;
      case Op::Code::unless:
      case Op::Code::go_to: break;
    }
  }
  return stack.back();
}

Trace Trace::view(std::span<const double> rows) {
  Trace out;
  out.has_rows_ = true;
  out.rows_ = rows;
  return out;
}

Trace Trace::of(std::vector<double> rows) {
  auto owned = std::make_shared<const std::vector<double>>(std::move(rows));
  Trace out = view(*owned);
  out.owned_ = std::move(owned);
  return out;
}

double Trace::number() const {
  if (has_rows_) throw std::logic_error("a trace with rows is no number");
  return number_;
}

Trace Trace::spread(std::size_t rows) const { return has_rows_ ? *this : of(std::vector<double>(rows, number_)); }

}  // namespace vdsim
