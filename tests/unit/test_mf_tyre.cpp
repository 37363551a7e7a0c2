// SPDX-License-Identifier: Apache-2.0
// MF-Tyre: an independent long double version, tables of another program, and the laws the formulae must obey.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/reference_data.hpp"
#include "vdsim/core/tire/mf_tyre.hpp"
#include "vdsim/engine/reflect.hpp"
#include "vdsim/formats/tir.hpp"

namespace {

using namespace vdsim;
using In = TirInput<double>;
using Out = TirOutput<double>;

TirSpec read(const std::string& path) {
  Errors errors;
  Warnings warnings;
  const auto spec = read_tir_file(path, errors, warnings);
  EXPECT_TRUE(spec.has_value()) << path;
  return spec.value_or(TirSpec{});
}
constexpr const char* kOurs[] = {"book_205_60R15", "typical_195_65R15_mf52", "typical_235_45R18_mf62"};
const TirSpec& ours(int i) {
  static const TirSpec files[] = {read(std::string(VDSIM_SOURCE_DIR "/configs/tir/") + kOurs[0] + ".tir"),
                                  read(std::string(VDSIM_SOURCE_DIR "/configs/tir/") + kOurs[1] + ".tir"),
                                  read(std::string(VDSIM_SOURCE_DIR "/configs/tir/") + kOurs[2] + ".tir")};
  return files[i];
}

// A tire with every coefficient different from zero, so that no term can hide. Shapes as in real files.
TirSpec dense(int version) {
  TirSpec s = ours(version == 52 ? 1 : 2);
  s.model.FITTYP = version;
  std::mt19937 g(7);
  std::uniform_real_distribution<double> u(0.2, 1.0);
  const auto fill = [&](auto& block, double size) {
    for (const FieldRef& f : fields_of(block))
      if (f.number() == 0) f.number() = size * u(g) * (g() % 2 ? 1 : -1);
  };
  fill(s.longitudinal, 0.03);
  fill(s.lateral, 0.03);
  fill(s.aligning, 0.02);
  fill(s.overturning, 0.05);
  fill(s.rolling, 0.01);
  s.turnslip = {0.4, 0.1, 0.2, 1, 0.4, 0.05, 0.1, 0.1, 1, 0.15, 0.02, -4, 0.5, 0.1, 10, 0.2, 0.1, 0.1, 1, 0};
  for (const FieldRef& f : fields_of(s.scaling)) f.number() = 0.9 + 0.2 * u(g);
  s.scaling.LMUV = 0;
  s.scaling.LGAX = s.scaling.LGAY = s.scaling.LGAZ = s.scaling.LCZ = 1;
  return s;
}

struct Tire {
  TirKind kind;
  TirParams<double> p;
  explicit Tire(const TirSpec& s, bool book = false) : kind(tir_kind(s, book)), p(compile_tir(s)) {}
  Out operator()(const In& in, TirMode m = {}) const { return mf_tyre(kind, p, m, in); }
};
In at(const TirSpec& s, double kappa, double alpha, double gamma = 0, double load = 1, double Vx = 20) {
  const double Re = 0.97 * s.dimension.UNLOADED_RADIUS, Fz = load * s.vertical.FNOMIN * s.scaling.LFZO;
  return {Fz, kappa, alpha, gamma, 0, Vx, s.operating.NOMPRES, Vx * (1 + kappa) / Re, 1, 1};
}

class Points {
  std::mt19937 g;

 public:
  explicit Points(unsigned seed) : g(seed) {}
  double operator()(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(g); }
  In next(const TirSpec& s, bool turn = false) {
    auto& u = *this;
    In in = at(s, u(-1, 1), u(-0.8, 0.8), u(-0.15, 0.15), u(0.05, 2.2), u(-40, 60));
    in.p *= u(0.7, 1.3);
    in.phit = turn ? u(-0.2, 0.2) : 0;
    return in;
  }
};

template <class R> TirParams<R> as(const TirParams<double>& p) {
  TirParams<R> q;
  static_assert(sizeof(q) / sizeof(R) == sizeof(p) / sizeof(double), "TirParams is an array of R");
  for (std::size_t i = 0; i < sizeof(p) / sizeof(double); ++i)
    reinterpret_cast<R*>(&q)[i] = R(reinterpret_cast<const double*>(&p)[i]);
  return q;
}
template <class R> TirInput<R> as(const In& in) {
  return {R(in.Fz), R(in.kappa), R(in.alpha), R(in.gamma),   R(in.phit),
          R(in.Vx), R(in.p),     R(in.omega), R(in.mu_long), R(in.mu_lat)};
}
double dist(double a, double b, double scale) { return std::fabs(a - b) / scale; }

// ------------------------------------------------------------------------------- textbook

// The formulae as they are printed, one after the other, in long double and libm. Moving forward, no limits.
struct Textbook {
  using L = long double;
  const TirSpec& s;
  L Fz, kappa, alpha, gamma, dfz, dpi, Fz0n;

  Textbook(const TirSpec& spec, const In& in) : s(spec), Fz(in.Fz), kappa(in.kappa), alpha(in.alpha), gamma(in.gamma) {
    Fz0n = L(s.scaling.LFZO) * s.vertical.FNOMIN;
    dfz = Fz / Fz0n - 1;
    dpi = (L(in.p) - s.operating.NOMPRES) / s.operating.NOMPRES;
  }
  static L sgn(L x) { return x < 0 ? -1 : 1; }
  static L magic(L B, L C, L D, L E, L x) {
    return D * std::sin(C * std::atan(B * x - E * (B * x - std::atan(B * x))));
  }
  static L weight(L B, L C, L E, L SH, L x) {
    const auto hill = [&](L y) { return std::cos(C * std::atan(B * y - E * (B * y - std::atan(B * y)))); };
    return hill(x + SH) / hill(SH);
  }
  L Kxk() const {
    const auto& c = s.longitudinal;
    return Fz * (c.PKX1 + c.PKX2 * dfz) * std::exp(c.PKX3 * dfz) * (1 + c.PPX1 * dpi + c.PPX2 * dpi * dpi) *
           s.scaling.LKX;
  }
  L Fx0() const {
    const auto& c = s.longitudinal;
    const auto& l = s.scaling;
    const L mux =
        (c.PDX1 + c.PDX2 * dfz) * (1 + c.PPX3 * dpi + c.PPX4 * dpi * dpi) * (1 - c.PDX3 * gamma * gamma) * l.LMUX;
    const L Cx = L(c.PCX1) * l.LCX, Dx = mux * Fz, Bx = Kxk() / (Cx * Dx + 1e-6L * sgn(Dx));
    const L kx = kappa + (c.PHX1 + c.PHX2 * dfz) * l.LHX;
    const L Ex = (c.PEX1 + c.PEX2 * dfz + c.PEX3 * dfz * dfz) * (1 - c.PEX4 * sgn(kx)) * l.LEX;
    return magic(Bx, Cx, Dx, Ex, kx) + Fz * (c.PVX1 + c.PVX2 * dfz) * l.LVX * l.LMUX;
  }
  L Fx() const {
    const auto& c = s.longitudinal;
    const L Bxa = (c.RBX1 + c.RBX3 * gamma * gamma) * std::cos(std::atan(c.RBX2 * kappa)) * s.scaling.LXAL;
    return weight(Bxa, c.RCX1, c.REX1 + c.REX2 * dfz, c.RHX1, alpha) * Fx0();
  }
  L Kya(L g) const {
    const auto& c = s.lateral;
    const L peak = (c.PKY2 + c.PKY5 * g * g) * (1 + c.PPY2 * dpi), shape = c.PKY4 == 0 ? 2 : c.PKY4;
    return c.PKY1 * Fz0n * (1 + c.PPY1 * dpi) * (1 - c.PKY3 * std::fabs(g)) *
           std::sin(shape * std::atan(Fz / Fz0n / peak)) * s.scaling.LKY;
  }
  L muy(L g) const {
    const auto& c = s.lateral;
    return (c.PDY1 + c.PDY2 * dfz) * (1 + c.PPY3 * dpi + c.PPY4 * dpi * dpi) * (1 - c.PDY3 * g * g) * s.scaling.LMUY;
  }
  void shifts(L g, L& SHy, L& SVy) const {
    const auto& c = s.lateral;
    const auto& l = s.scaling;
    const L SVyg = Fz * (c.PVY3 + c.PVY4 * dfz) * g * l.LKYC * l.LMUY;
    SVy = Fz * (c.PVY1 + c.PVY2 * dfz) * l.LVY * l.LMUY + SVyg;
    SHy = (c.PHY1 + c.PHY2 * dfz) * l.LHY;
    if (s.model.FITTYP == 52) {
      SHy += c.PHY3 * g * l.LKYC;
    } else {
      const L Kyg0 = Fz * (c.PKY6 + c.PKY7 * dfz) * (1 + c.PPY5 * dpi) * l.LKYC, K = Kya(g);
      SHy += (Kyg0 * g - SVyg) / (K + 1e-6L * sgn(K));
    }
  }
  L Fy0(L g) const {
    const auto& c = s.lateral;
    L SHy, SVy;
    shifts(g, SHy, SVy);
    const L Cy = L(c.PCY1) * s.scaling.LCY, Dy = muy(g) * Fz, By = Kya(g) / (Cy * Dy + 1e-6L * sgn(Dy)),
            ay = alpha + SHy;
    const L Ey = (c.PEY1 + c.PEY2 * dfz) * (1 + c.PEY5 * g * g - (c.PEY3 + c.PEY4 * g) * sgn(ay)) * s.scaling.LEY;
    return magic(By, Cy, Dy, Ey, ay) + SVy;
  }
  L Gyk() const {
    const auto& c = s.lateral;
    const L Byk = (c.RBY1 + c.RBY4 * gamma * gamma) * std::cos(std::atan(c.RBY2 * (alpha - c.RBY3))) * s.scaling.LYKA;
    return weight(Byk, c.RCY1, c.REY1 + c.REY2 * dfz, c.RHY1 + c.RHY2 * dfz, kappa);
  }
  L SVyk(L g) const {  // g: the camber at which the friction is taken
    const auto& c = s.lateral;
    return muy(g) * Fz * (c.RVY1 + c.RVY2 * dfz + c.RVY3 * gamma) * std::cos(std::atan(c.RVY4 * alpha)) *
           std::sin(c.RVY5 * std::atan(c.RVY6 * kappa)) * s.scaling.LVYKA;
  }
  L Fy() const { return Gyk() * Fy0(gamma) + SVyk(gamma); }
  L trail(L Vx) const {
    const auto& c = s.aligning;
    const auto& l = s.scaling;
    const L at = alpha + c.QHZ1 + c.QHZ2 * dfz + (c.QHZ3 + c.QHZ4 * dfz) * gamma;
    const L Bt = (c.QBZ1 + c.QBZ2 * dfz + c.QBZ3 * dfz * dfz) * (1 + c.QBZ4 * gamma + c.QBZ5 * std::fabs(gamma)) *
                 l.LKY / l.LMUY;
    const L Et = (c.QEZ1 + c.QEZ2 * dfz + c.QEZ3 * dfz * dfz) *
                 (1 + (c.QEZ4 + c.QEZ5 * gamma) * 2 / std::acos(-1.0L) * std::atan(Bt * c.QCZ1 * at));
    const L Dt = Fz * (c.QDZ1 + c.QDZ2 * dfz) * (1 - c.PPZ1 * dpi) * (1 + c.QDZ3 * gamma + c.QDZ4 * gamma * gamma) *
                 s.dimension.UNLOADED_RADIUS / s.vertical.FNOMIN * l.LTR;
    const L K = Kya(gamma),
            x = Bt * std::atan(std::hypot(std::tan(at), Kxk() / (K + 1e-6L * sgn(K)) * kappa)) * sgn(at);
    const L V = std::hypot(Vx, Vx * std::tan(alpha)) + 1e-6L;
    return Dt * std::cos(c.QCZ1 * std::atan(x - Et * (x - std::atan(x)))) * Vx / V;
  }
  L Mz(L Vx) const {
    const auto& c = s.aligning;
    const auto& l = s.scaling;
    const L R0 = s.dimension.UNLOADED_RADIUS, Fz0 = s.vertical.FNOMIN, K = Kya(gamma), Kp = K + 1e-6L * sgn(K);
    L SHy, SVy;
    shifts(gamma, SHy, SVy);
    const L ar = alpha + SHy + SVy / Kp;
    const L are = std::atan(std::hypot(std::tan(ar), Kxk() / Kp * kappa)) * sgn(ar);
    const L Cy = L(s.lateral.PCY1) * l.LCY, Dy = muy(gamma) * Fz, By = K / (Cy * Dy + 1e-6L * sgn(Dy));
    const L Br = c.QBZ9 * L(l.LKY) / l.LMUY + c.QBZ10 * By * Cy;
    const L camber = (c.QDZ8 + c.QDZ9 * dfz) * (1 + c.PPZ2 * dpi) + (c.QDZ10 + c.QDZ11 * dfz) * std::fabs(gamma);
    const L Dr = Fz * R0 * ((c.QDZ6 + c.QDZ7 * dfz) * l.LRES + camber * gamma * l.LKZC) * l.LMUY * std::cos(alpha);
    const L arm = R0 * (c.SSZ1 + c.SSZ2 * Fy() / Fz0 + (c.SSZ3 + c.SSZ4 * dfz) * gamma) * l.LS;
    const L Fp = s.model.FITTYP == 52 ? Fy() - SVyk(0) : Gyk() * Fy0(0);
    return -trail(Vx) * Fp + Dr * std::cos(std::atan(Br * are)) + arm * Fx();
  }
  L Mx() const {
    const auto& q = s.overturning;
    const L Fz0 = s.vertical.FNOMIN, small = Fz < s.ranges.FZMIN ? Fz / s.ranges.FZMIN : L(1),
            load = Fz * small * small;
    const L f = Fy() / Fz0, n = load / Fz0;
    L m = q.QSX1 * s.scaling.LVMX - q.QSX2 * gamma * (1 + q.PPMX1 * dpi) + q.QSX3 * f;
    if (s.model.FITTYP == 52) return s.dimension.UNLOADED_RADIUS * load * m * s.scaling.LMX;
    m += q.QSX4 * std::cos(q.QSX5 * std::atan(q.QSX6 * n * q.QSX6 * n)) *
         std::sin(q.QSX7 * gamma + q.QSX8 * std::atan(q.QSX9 * f));
    m += q.QSX10 * std::atan(q.QSX11 * n) * gamma - q.QSX12 * gamma * std::fabs(gamma);
    return s.dimension.UNLOADED_RADIUS * s.scaling.LMX * (load * m + Fy() * (q.QSX13 + q.QSX14 * std::fabs(gamma)));
  }
  L My(L Vx) const {
    const auto& q = s.rolling;
    const L Fz0 = s.vertical.FNOMIN, v = Vx / s.model.LONGVL,
            load = Fz < s.ranges.FZMIN ? Fz * Fz / s.ranges.FZMIN : Fz;
    const L fade = std::sin(std::acos(0.0L) * std::min(1.0L, Vx * (1 + kappa) / s.model.VXLOW)), n = load / Fz0;
    L m = q.QSY1 + q.QSY2 * Fx() / Fz0 + q.QSY3 * v + q.QSY4 * v * v * v * v;
    if (s.model.FITTYP == 52)
      m *= load;
    else
      m = (m + (q.QSY5 + q.QSY6 * n) * gamma * gamma) * Fz0 * std::pow(n, L(q.QSY7)) * std::pow(1 + dpi, L(q.QSY8));
    return -s.dimension.UNLOADED_RADIUS * s.scaling.LMY * m * fade;
  }
};

// -------------------------------------------------------------------------------- reference

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  int column(const char* name) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return int(i);
    return -1;
  }
};
Table load(const std::filesystem::path& path) {
  Table t;
  std::ifstream file(path);
  std::string line, cell;
  for (bool head = true; std::getline(file, line); head = false) {
    std::stringstream cells(line);
    if (!head) t.rows.emplace_back();
    while (std::getline(cells, cell, ','))
      head ? t.names.push_back(cell) : t.rows.back().push_back(std::strtod(cell.c_str(), nullptr));
  }
  return t;
}
struct Channel {
  const char* name;
  double Out::*value;
  double factor;
};
constexpr Channel kChannels[] = {
    {"Fx", &Out::Fx, 1},         {"Fy", &Out::Fy, 1},       {"Mx", &Out::Mx, 1},   {"My", &Out::My, 1},
    {"Mz", &Out::Mz, 1},         {"Re", &Out::Re, 1},       {"rho", &Out::rho, 1}, {"a2", &Out::a, 2},
    {"b2", &Out::b, 2},          {"trail", &Out::trail, 1}, {"mux", &Out::mux, 1}, {"muy", &Out::muy, 1},
    {"Rl", &Out::Rl, 1},         {"Mzr", &Out::Mzr, 1},     {"Cx", &Out::Cx, 1},   {"Cy", &Out::Cy, 1},
    {"Cz", &Out::Cz, 1},         {"Kya", &Out::Kya, 1},     {"Kxk", &Out::Kxk, 1}, {"sigmax", &Out::sigmax, 1},
    {"sigmay", &Out::sigmay, 1},
};
// Where the tables are known not to be the formula (docs/theory/24_mf_tyre.md, "Where the reference differs").
bool known_wrong(const std::string& name, const TirSpec& s, int use_mode, double alpha) {
  const TirMode m = tir_mode(use_mode);
  const bool moment = name == "Mz" || name == "Mzr";
  if (moment && (m.star || m.turn)) return true;
  if (name == "trail" && alpha == 0 && s.aligning.QHZ1 == 0) return true;  // sign(0) = 0 in the equivalent slip
  return s.model.FITTYP == 52 && (name == "Cx" || name == "Cy");           // not from the file
}

}  // namespace

TEST(MfTyre, MeetsTheReferenceTables) {
  // the coefficients of the other two come with a larger set of tables only
  const std::pair<const char*, const char*> tires[] = {{"mf61_book205_60R15", nullptr},
                                                       {"mf62_example", "MagicFormula62_Paramerters.tir"},
                                                       {"mf52_example", "MagicFormula52_Paramerters.tir"}};
  int compared = 0;
  for (const auto& folder : reference_folders("mf_tyre"))
    for (const auto& path : files_ending(folder, ".csv")) {
      const std::string file = path.filename().string();
      const auto* const of = std::find_if(std::begin(tires), std::end(tires),
                                          [&](const auto& tire) { return file.starts_with(tire.first); });
      if (of == std::end(tires)) continue;
      const TirSpec s = of->second ? read((folder / "tir" / of->second).string()) : ours(0);
      const Tire tire(s);
      const Table t = load(path);
      for (const Channel& c : kChannels) {
        const int j = t.column(c.name);
        double scale = 0;
        for (const auto& r : t.rows) scale = std::isfinite(r[j]) ? std::max(scale, std::fabs(r[j])) : scale;
        for (const auto& r : t.rows) {
          if (!std::isfinite(r[j]) || known_wrong(c.name, s, int(r[0]), r[3])) continue;
          const Out o = tire({r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], 1, 1}, tir_mode(int(r[0])));
          ASSERT_NEAR(c.factor * o.*(c.value), r[j], 1e-6 * std::fabs(r[j]) + 1e-9 * scale)
              << file << " " << c.name << " useMode " << r[0] << " Fz " << r[1] << " kappa " << r[2] << " alpha "
              << r[3] << " gamma " << r[4] << " phit " << r[5] << " Vx " << r[6] << " p " << r[7];
          ++compared;
        }
      }
    }
  EXPECT_GT(compared, 40000);
}

TEST(MfTyre, AgreesWithTheTextbook) {
  Points u(3);
  for (const TirSpec& s : {ours(0), ours(1), ours(2), dense(52), dense(61), dense(62)}) {
    const Tire tire(s);
    const double F = s.vertical.FNOMIN;
    for (int n = 0; n < 3000; ++n) {
      In in = u.next(s);
      in.Vx = n % 10 ? std::fabs(in.Vx) : 0.05 * std::fabs(in.Vx);  // also below VXLOW
      if (n % 9 == 0) in.Fz = 0.7 * s.ranges.FZMIN + 1;             // also below FZMIN
      const Out o = tire(in);
      const Textbook t(s, in);
      // 1e-11: condition of the curves (K/D x up to 1e2 radians of argument) times rounding
      ASSERT_NEAR(o.Fx, double(t.Fx()), 1e-11 * F)
          << s.model.FITTYP << " " << in.Fz << " " << in.kappa << " " << in.alpha;
      ASSERT_NEAR(o.Fy, double(t.Fy()), 1e-11 * F)
          << s.model.FITTYP << " " << in.Fz << " " << in.kappa << " " << in.alpha;
      ASSERT_NEAR(o.trail, double(t.trail(in.Vx)), 1e-11) << s.model.FITTYP;
      ASSERT_NEAR(o.Mz, double(t.Mz(in.Vx)), 1e-11 * F) << s.model.FITTYP;
      ASSERT_NEAR(o.Mx, double(t.Mx()), 1e-11 * F) << s.model.FITTYP;
      ASSERT_NEAR(o.My, double(t.My(in.Vx)), 1e-11 * F) << s.model.FITTYP << " " << in.Vx << " " << in.kappa;
    }
  }
}

// Values of the textbook version in long double, kept so that both cannot drift together.
TEST(MfTyre, GoldenValues) {
  struct Row {
    int file;
    double load, kappa, alpha, gamma, pressure, Fx, Fy;
  };
  const Row rows[] = {
      {0, 1, 0.05, 0, 0, 1, 2702.5709246534616, 0},
      {0, 1, 0, 0.08, 0, 1, 0, -2943.3378535960264},
      {0, 0.6, -0.12, 0.05, 0.03, 1, -2331.323100140356, -1270.9852785351827},
      {0, 1.5, 0.2, -0.15, -0.05, 0.9, 4416.2237247386902, 3865.1651743398743},
      {0, 2, -0.03, 0.02, 0.06, 1.2, -3507.0598721252804, -1633.2996266990181},
      {1, 1, 0.05, 0, 0, 1, 3914.38404037807, -216.21546912316242},
      {1, 1, 0, 0.08, 0, 1, 37.947646477889393, -4388.3868064539702},
      {1, 0.6, -0.12, 0.05, 0.03, 1, -2885.9603175170582, -1652.6614967231287},
      {1, 1.5, 0.2, -0.15, -0.05, 0.9, 5309.1125403115666, 3304.0033909460262},
      {1, 2, -0.03, 0.02, 0.06, 1.2, -5574.5624875502308, -2320.394519876274},
      {2, 1, 0.05, 0, 0, 1, 4764.4574411470621, -276.65388418767373},
      {2, 1, 0, 0.08, 0, 1, -26.45859405100844, -4998.2384299206151},
      {2, 0.6, -0.12, 0.05, 0.03, 1, -3374.3803280010948, -1570.895982137064},
      {2, 1.5, 0.2, -0.15, -0.05, 0.9, 6171.9856304938248, 4370.6584589750237},
      {2, 2, -0.03, 0.02, 0.06, 1.2, -6581.7967141890467, -2599.1123110220756},
  };
  for (const Row& r : rows) {
    const TirSpec& s = ours(r.file);
    In in = at(s, r.kappa, r.alpha, r.gamma, r.load);
    in.p *= r.pressure;
    const Textbook t(s, in);
    const Out o = Tire(s)(in);
    SCOPED_TRACE(testing::Message() << kOurs[r.file] << " " << r.load << " " << r.kappa << " " << r.alpha);
    EXPECT_NEAR(double(t.Fx()), r.Fx, 1e-9) << double(t.Fx());
    EXPECT_NEAR(double(t.Fy()), r.Fy, 1e-9) << double(t.Fy());
    EXPECT_NEAR(o.Fx, r.Fx, 1e-9);
    EXPECT_NEAR(o.Fy, r.Fy, 1e-9);
  }
}

// ------------------------------------------------------------------------------- pure slip

// The slope of the offset-free curve is the stiffness, its largest value the friction times the load.
TEST(MfTyre, SlopeIsStiffnessAndPeakIsFriction) {
  for (int i = 0; i < 3; ++i) {
    const TirSpec s = offset_free(ours(i));
    const Tire tire(s);
    for (double load : {0.3, 1.0, 1.8}) {
      SCOPED_TRACE(testing::Message() << kOurs[i] << " load " << load);
      const Out o = tire(at(s, 0, 0, 0, load));
      // central difference: curvature leaves (B h)^2/3, rounding 1e-16 D/h; 1e-6 covers B up to 60
      const double h = 1e-6;
      const double kx = (tire(at(s, h, 0, 0, load)).Fx - tire(at(s, -h, 0, 0, load)).Fx) / (2 * h);
      const double ky = (tire(at(s, 0, h, 0, load)).Fy - tire(at(s, 0, -h, 0, load)).Fy) / (2 * h);
      EXPECT_NEAR(kx / o.Kxk, 1, 1e-6);
      EXPECT_NEAR(ky / o.Kya, 1, 1e-6);
      EXPECT_LT(o.Kya, 0);
      double fx = 0, fy = 0;
      for (double x = 0; x < 1; x += 1e-4) {
        fx = std::max(fx, tire(at(s, x, 0, 0, load)).Fx);
        fy = std::max(fy, -tire(at(s, 0, x, 0, load)).Fy);
      }
      const double Fz = load * s.vertical.FNOMIN * s.scaling.LFZO;
      EXPECT_NEAR(fx, o.mux * Fz, 1e-5 * Fz);  // grid: (1e-4 B)^2/2
      EXPECT_NEAR(fy, o.muy * Fz, 1e-5 * Fz);
    }
  }
}

// Shifts only move the curve: at alpha = -SH it passes through SV.
TEST(MfTyre, ShiftsMoveTheCurve) {
  for (int version : {52, 61, 62}) {
    const TirSpec s = dense(version);
    const Tire tire(s);
    for (double g : {0.0, 0.08}) {
      const In in = at(s, 0, 0.01, g, 1.3);
      TirForces<double> f = mf_tyre_force(tire.kind, tire.p, TirMode{}, in);
      In zero = in;
      zero.alpha = -f.y.SH;
      f = mf_tyre_force(tire.kind, tire.p, TirMode{}, zero);
      EXPECT_NEAR(f.y.F, f.y.SV, 1e-9) << version;
      EXPECT_NE(f.y.SV, 0) << version;
      const double SHx = (s.longitudinal.PHX1 + s.longitudinal.PHX2 * f.q.l.dfz) * s.scaling.LHX;
      zero.kappa = -SHx;
      zero.alpha = 0;
      const auto x = mf_tyre_force(tire.kind, tire.p, TirMode{}, zero);
      EXPECT_NEAR(x.x.F,
                  in.Fz * (s.longitudinal.PVX1 + s.longitudinal.PVX2 * f.q.l.dfz) * s.scaling.LVX * s.scaling.LMUX,
                  1e-9);
    }
  }
}

// K(Fz) = PKY1 Fz0 sin(2 atan(Fz/(PKY2 Fz0))) has its largest value |PKY1| Fz0 at Fz = PKY2 Fz0.
TEST(MfTyre, CorneringStiffnessPeaksAtItsLoad) {
  TirSpec s = ours(1);
  s.lateral.PKY2 = 1.4;
  const Tire tire(s);
  const double Fz0 = s.vertical.FNOMIN * s.scaling.LFZO, top = std::fabs(tire(at(s, 0, 0, 0, 1.4)).Kya);
  EXPECT_NEAR(top, std::fabs(s.lateral.PKY1) * Fz0 * s.scaling.LKY, 1e-9 * top);
  for (double load : {0.9, 1.3, 1.5, 2.0}) EXPECT_LT(std::fabs(tire(at(s, 0, 0, 0, load)).Kya), top * (1 - 1e-6));
}

TEST(MfTyre, WeightsAreOneWithoutCrossSlip) {
  for (int version : {52, 61, 62}) {
    const TirSpec s = dense(version);
    const Tire tire(s);
    for (double x : {-0.4, -0.01, 0.0, 0.2}) {
      const auto lon = mf_tyre_force(tire.kind, tire.p, TirMode{}, at(s, x, 0, 0.03));
      EXPECT_NEAR(lon.Fx, lon.x.F, 1e-12 * s.vertical.FNOMIN);
      const auto lat = mf_tyre_force(tire.kind, tire.p, TirMode{}, at(s, 0, x, 0.03));
      EXPECT_NEAR(lat.Fy, lat.y.F, 1e-12 * s.vertical.FNOMIN);
      const auto both = mf_tyre_force(tire.kind, tire.p, TirMode{}, at(s, 0.3, 0.2, 0.03));
      EXPECT_LT(std::fabs(both.Fx), std::fabs(both.x.F));
      EXPECT_LT(both.Gyk, 0.9);
    }
  }
}

// ------------------------------------------------------------------------------ symmetries

// The tire of the other side: coefficients turned one by one, or inputs and outputs turned, must be the same tire.
TEST(MfTyre, MirroredTire) {
  Points u(5);
  for (int version : {52, 61, 62}) {
    for (bool book : {false, true}) {
      if (book && version == 52) continue;  // one flavour only
      const TirSpec s = dense(version);
      TirSpec flagged = s;
      flagged.mirrored = true;
      const Tire tire(s, book), flag(flagged, book), turned(mirrored(s, book), book);
      for (int n = 0; n < 400; ++n) {
        const TirMode m{n % 2 == 0, n % 3 == 0, n % 5 == 0, false};
        In in = u.next(s, m.turn), other = in;
        other.alpha = -in.alpha;
        other.gamma = -in.gamma;
        other.phit = -in.phit;
        const Out a = tire(other, m), b = flag(in, m), c = turned(in, m);
        const double F = 1e-10 * s.vertical.FNOMIN;
        for (const Out& o : {b, c}) {
          ASSERT_NEAR(o.Fx, a.Fx, F) << version << book << n;
          ASSERT_NEAR(o.Fy, -a.Fy, F) << version << book << n;
          ASSERT_NEAR(o.Mx, -a.Mx, F) << version << book << n;
          ASSERT_NEAR(o.My, a.My, F) << version << book << n;
          ASSERT_NEAR(o.Mz, -a.Mz, F) << version << book << n;
          ASSERT_NEAR(o.Rl, a.Rl, 1e-12) << version << book << n;
        }
      }
    }
  }
}

// Driving backwards with the same slips turns Fx, My and Mz and leaves Fy and Mx.
TEST(MfTyre, ReverseDriving) {
  Points u(6);
  for (int version : {52, 61, 62}) {
    TirSpec s = dense(version);
    s.rolling.QSY2 = 0;  // My follows Fx, which turns
    s.aligning.QDZ6 = s.aligning.QDZ7 = 0;
    const Tire tire(s);
    for (int n = 0; n < 400; ++n) {
      In in = u.next(s), back = in;
      in.Vx = std::fabs(in.Vx) + 1;
      back.Vx = -in.Vx;
      back.omega = -in.omega;
      const TirMode m{n % 2 == 0, false, false, false};
      const Out a = tire(in, m), b = tire(back, m);
      ASSERT_NEAR(b.Fx, -a.Fx, 1e-10);
      ASSERT_NEAR(b.Fy, a.Fy, 1e-10);
      ASSERT_NEAR(b.Mx, a.Mx, 1e-10);
      ASSERT_NEAR(b.My, -a.My, 1e-10);
      ASSERT_NEAR(b.Mz, -a.Mz, 1e-9);
      ASSERT_NEAR(b.trail, -a.trail, 1e-12);
      ASSERT_EQ(b.Re, a.Re);
    }
  }
}

TEST(MfTyre, NoLoadNoForce) {
  for (int version : {52, 61, 62})
    for (double Fz : {0.0, -0.0, -1.0, -1e6})
      for (int mode : {211, 111, 222, 112}) {
        const TirSpec s = dense(version);
        In in = at(s, 0.1, 0.1, 0.05);
        in.Fz = Fz;
        in.phit = 0.05;
        const Out o = Tire(s)(in, tir_mode(mode));
        for (double x : {o.Fx, o.Fy, o.Mx, o.My, o.Mz, o.trail, o.Mzr, o.mux, o.muy})
          EXPECT_EQ(x, 0) << version << mode;
        EXPECT_GT(o.Re, 0.9 * s.dimension.UNLOADED_RADIUS);
      }
}

// -------------------------------------------------------------------------- scaling, terms

TEST(MfTyre, ScaleFactorsScaleWhatTheySay) {
  const TirSpec s = offset_free(ours(0));
  const In small = at(s, 1e-7, 1e-7), large = at(s, 0.6, 0), side = at(s, 0, 0.5), camber = at(s, 0, 0, 0.05),
           brake = at(s, -0.1, 0.06);
  const auto ratio = [&](double TirScaling::*factor, const In& in, double Out::*value) {
    TirSpec t = s;
    t.scaling.*factor = 0.7;
    return Tire(t)(in).*value / (Tire(s)(in).*value);
  };
  EXPECT_NEAR(ratio(&TirScaling::LMUX, large, &Out::mux), 0.7, 1e-12);
  EXPECT_NEAR(ratio(&TirScaling::LMUX, small, &Out::Fx), 1, 1e-6);  // stiffness is independent of friction
  EXPECT_NEAR(ratio(&TirScaling::LMUY, side, &Out::muy), 0.7, 1e-12);
  EXPECT_NEAR(ratio(&TirScaling::LMUY, small, &Out::Fy), 1, 1e-6);
  EXPECT_NEAR(ratio(&TirScaling::LKX, small, &Out::Fx), 0.7, 1e-6);
  EXPECT_NEAR(ratio(&TirScaling::LKY, small, &Out::Fy), 0.7, 1e-6);
  EXPECT_NEAR(ratio(&TirScaling::LKYC, camber, &Out::Fy), 0.7, 0.01);  // camber thrust, nearly linear
  EXPECT_NEAR(ratio(&TirScaling::LTR, brake, &Out::trail), 0.7, 1e-12);
  EXPECT_NEAR(ratio(&TirScaling::LMY, brake, &Out::My), 0.7, 1e-12);
  EXPECT_NEAR(ratio(&TirScaling::LKZC, camber, &Out::Mzr), 0.7, 1e-12);
  // the road's friction and the file's factor are the same thing
  for (double mu : {0.2, 0.7, 1.3}) {
    TirSpec t = dense(62);
    In in = at(t, -0.15, 0.07, 0.04);
    in.mu_long = in.mu_lat = mu;
    const Out road = Tire(t)(in);
    t.scaling.LMUX *= mu;
    t.scaling.LMUY *= mu;
    in.mu_long = in.mu_lat = 1;
    const Out file = Tire(t)(in);
    EXPECT_NEAR(road.Fx, file.Fx, 1e-9);
    EXPECT_NEAR(road.Fy, file.Fy, 1e-9);
    EXPECT_NEAR(road.Mz, file.Mz, 1e-9);
  }
}

// What a nominal pressure or no spin switches off leaves no trace.
TEST(MfTyre, PressureAndSpinTermsVanishAtNominal) {
  for (int version : {61, 62}) {
    const TirSpec s = dense(version);
    TirSpec flat = s;
    TirLongitudinal& x = flat.longitudinal;
    TirLateral& y = flat.lateral;
    x.PPX1 = x.PPX2 = x.PPX3 = x.PPX4 = y.PPY1 = y.PPY2 = y.PPY3 = y.PPY4 = y.PPY5 = 0;
    flat.aligning.PPZ1 = flat.aligning.PPZ2 = flat.overturning.PPMX1 = flat.rolling.QSY8 = 0;
    In in = at(s, 0.05, -0.06, 0.03, 1.2);
    Out a = Tire(s)(in), b = Tire(flat)(in);
    for (auto v : {&Out::Fx, &Out::Fy, &Out::Mx, &Out::My, &Out::Mz}) EXPECT_EQ(a.*v, b.*v);
    in.p *= 1.2;
    a = Tire(s)(in), b = Tire(flat)(in);
    for (auto v : {&Out::Fx, &Out::Fy, &Out::Mx, &Out::My, &Out::Mz}) EXPECT_NE(a.*v, b.*v);
    in = at(s, 0.05, -0.06, 0, 1.2);
    for (bool limits : {false, true}) {
      a = Tire(s)(in, {limits, false, false, false}), b = Tire(s)(in, {limits, false, true, false});
      EXPECT_NEAR(a.Fx, b.Fx, 1e-10);
      EXPECT_NEAR(a.Fy, b.Fy, 1e-10);
      EXPECT_TRUE(std::isfinite(b.Mz));
    }
  }
}

// Spin takes from the peaks and the stiffness as cos(atan(..)) and shifts Fy(alpha).
TEST(MfTyre, SpinTakesGripAndStiffness) {
  const TirSpec s = dense(61);
  const TirTurnslip& c = s.turnslip;
  const Tire tire(s);
  const auto fall = [](double y) { return std::cos(std::atan(y)); };
  for (double load : {0.6, 1.0, 1.7})
    for (double phit : {-2.0, 0.5, 3.0}) {
      In in = at(s, 0.12, 0.2, 0, load);
      in.phit = phit;
      const auto with = mf_tyre_force(tire.kind, tire.p, {false, false, true, false}, in);
      const auto without = mf_tyre_force(tire.kind, tire.p, TirMode{}, in);
      const double x = s.dimension.UNLOADED_RADIUS * std::fabs(phit), df = load - 1;
      EXPECT_NEAR(with.y.K / without.y.K, fall(c.PKYP1 * x * x), 1e-12);
      EXPECT_NEAR(with.s.z1, fall(c.PDXP1 * (1 + c.PDXP2 * df) * fall(c.PDXP3 * 0.12) * x), 1e-12);
      const double B = c.PDYP1 * (1 + c.PDYP2 * df) * fall(c.PDYP3 * std::tan(0.2));
      EXPECT_NEAR(with.s.z2, fall(B * (x + c.PDYP4 * std::sqrt(x))), 1e-12);
      // shift of Fy(alpha): a sine curve of the spin with the slope K_gamma0/((1 - eps) K_alpha0)
      const double D = c.PHYP2 + c.PHYP3 * df, K0 = with.y.K, eps = c.PECP1 * (1 + c.PECP2 * df);
      const double Kg = in.Fz * (s.lateral.PKY6 + s.lateral.PKY7 * df) * s.scaling.LKYC;
      const double z = -phit * s.dimension.UNLOADED_RADIUS * Kg / ((1 - eps) * c.PHYP1 * D * K0);
      const double shift = D * std::sin(c.PHYP1 * std::atan(z - c.PHYP4 * (z - std::atan(z))));
      EXPECT_NEAR(with.y.SH - without.y.SH, shift, 1e-9);
    }
}

// Turn slip carries camber as spin: of the book's formulae the camber stiffness must be the same either way, but for
// the rolling radius, R0 omega/V. The program's sign of the spin turns it round.
TEST(MfTyre, CamberThrustAsSpin) {
  const TirSpec s = offset_free(ours(0));
  const double h = 1e-6;
  const auto thrust = [&](bool book, bool turn) {
    In in = at(s, 0, 0, h);
    return Tire(s, book)(in, {false, false, turn, false}).Fy / h;
  };
  const In in = at(s, 0, 0, h);
  const double rolling = s.dimension.UNLOADED_RADIUS * in.omega / in.Vx;
  EXPECT_NEAR(thrust(true, true), thrust(true, false) * rolling, 1e-4 * std::fabs(thrust(true, false)));
  EXPECT_NEAR(thrust(false, true), -thrust(false, false) * rolling, 1e-4 * std::fabs(thrust(false, false)));
  EXPECT_LT(thrust(false, false), 0);
  for (bool book : {false, true}) {  // the camber moment has one sign in both
    const double plain = Tire(s, book)(in).Mzr, spun = Tire(s, book)(in, {false, false, true, false}).Mzr;
    EXPECT_NEAR(spun, plain * rolling, 1e-4 * std::fabs(plain));
    EXPECT_NE(plain, 0);
  }
  // spin takes grip: the peak of Fx falls to cos(atan(PDXP1 R0 phit)), for either turn
  for (double phit : {3.0, -3.0}) {
    double peak = 0;
    for (double kappa = 0; kappa < 1; kappa += 1e-4) {
      In turning = at(s, kappa, 0);
      turning.phit = phit;
      peak = std::max(peak, Tire(s)(turning, {false, false, true, false}).Fx);
    }
    const double zeta = std::cos(std::atan(s.turnslip.PDXP1 * s.dimension.UNLOADED_RADIUS * 3));
    EXPECT_NEAR(peak, zeta * s.longitudinal.PDX1 * s.vertical.FNOMIN, 1e-5 * s.vertical.FNOMIN);
    EXPECT_LT(zeta, 0.95);
  }
}

// ------------------------------------------------------------------------------- continuity

// |F(x + h) - F(x)| <= L h along every input, also across zero slip, rest and the edges of the ranges.
TEST(MfTyre, ForcesAreContinuous) {
  Points u(9);
  for (int version : {52, 61, 62}) {
    const TirSpec s = dense(version);
    const Tire tire(s);
    const double h = 1e-6, F = s.vertical.FNOMIN;
    for (int n = 0; n < 3000; ++n) {
      In in = u.next(s, n % 2);
      const TirMode m{n % 3 == 0, n % 5 == 0, n % 2 == 1, n % 7 == 0};
      double In::*const inputs[] = {&In::kappa, &In::alpha, &In::gamma, &In::Vx, &In::Fz, &In::p, &In::phit};
      const double edge[] = {0, s.ranges.KPUMAX, 0, s.ranges.ALPMAX, 0, s.ranges.CAMMIN, 1.0, s.ranges.FZMAX};
      double In::*const on_edge[] = {&In::kappa, &In::kappa, &In::alpha, &In::alpha,
                                     &In::gamma, &In::gamma, &In::Vx,    &In::Fz};
      if (n % 4 == 0) in.*(on_edge[n / 4 % 8]) = edge[n / 4 % 8] - 0.5 * h;
      if (std::fabs(in.Vx) < 0.3) in.Vx += 0.5;
      const Out a = tire(in, m);
      for (auto x : inputs) {
        In next = in;
        const double step = x == &In::Fz ? h * F : x == &In::p ? h * in.p : h;
        next.*x += step;
        const Out b = tire(next, m);
        // steepest: 100 F per unit of slip, angle or relative load; spin and speed act through them
        ASSERT_LE(dist(a.Fx, b.Fx, F), 300 * h) << version << " " << n;
        ASSERT_LE(dist(a.Fy, b.Fy, F), 300 * h) << version << " " << n;
      }
    }
  }
}

TEST(MfTyre, LimitsHoldTheEdgeAndCount) {
  const TirSpec s = ours(2);
  const Tire tire(s);
  const TirMode limits = tir_mode(111);
  In in = at(s, 0.05, 0.05);
  EXPECT_EQ(tire(in, limits).clamped, 0);
  In wide = in, edge = in;
  wide.alpha = s.ranges.ALPMAX + 0.3;
  edge.alpha = s.ranges.ALPMAX;
  EXPECT_EQ(tire(wide, limits).Fy, tire(edge, limits).Fy);
  EXPECT_EQ(tire(wide, limits).clamped, 1);
  EXPECT_EQ(tire(wide).clamped, 0);
  wide.kappa = 3;
  wide.p = 1e9;
  wide.gamma = -1;
  wide.Fz = 1e7;
  EXPECT_EQ(tire(wide, limits).clamped, 5);
  // the program's scaling takes every force away at rest; `rolling` leaves them to the host
  in.Vx = 1e-9;
  EXPECT_LT(std::fabs(tire(in, limits).Fx) + std::fabs(tire(in, limits).Fy), 1e-2);
  const TirMode host{true, false, false, true};
  EXPECT_GT(std::fabs(tire(in, host).Fy), 100);
  in.Vx = 20;
  EXPECT_EQ(tire(in, host).Fy, tire(in, limits).Fy);
}

// Below VXLOW the limits shrink the slips with the speed; without shifts nothing else happens to the forces.
TEST(MfTyre, LowSpeedScaling) {
  for (int i = 0; i < 3; ++i) {
    const TirSpec s = offset_free(ours(i));
    const Tire tire(s);
    for (double v : {-0.9, -0.2, 0.05, 0.5}) {
      In in = at(s, 0.1, 0.07, 0, 1, v * s.model.VXLOW), hand = in;
      hand.kappa *= std::fabs(v);
      hand.alpha *= std::min(1.0, std::fabs(v) * (1 + std::tan(0.07)));
      const Out a = tire(in, tir_mode(111)), b = tire(hand);
      EXPECT_NEAR(a.Fx, b.Fx, 1e-9);
      EXPECT_NEAR(a.Fy, b.Fy, 1e-9);
      EXPECT_NEAR(a.trail, b.trail * 0.5 * (1 - std::cos(M_PI * v)), 1e-12);
    }
    // at rest no trail and no residual moment, in any mode
    const TirSpec full = dense(i == 1 ? 52 : 61 + i / 2);
    const Out rest = Tire(full)(at(full, 0.1, 0.1, 0.05, 1, 0));
    EXPECT_EQ(rest.trail, 0);
    EXPECT_EQ(rest.Mzr, 0);
    EXPECT_EQ(rest.My, 0);
    EXPECT_NE(rest.Fy, 0);
  }
}

// ------------------------------------------------------------------------ radius, carcass

TEST(MfTyre, Radius) {
  for (int i = 0; i < 3; ++i) {
    const TirSpec s = ours(i);
    const Tire tire(s);
    const double R0 = s.dimension.UNLOADED_RADIUS, p0 = s.operating.NOMPRES, w = 120;
    const double grown = R0 * (s.vertical.Q_RE0 + s.vertical.Q_V1 * std::pow(w * R0 / s.model.LONGVL, 2));
    EXPECT_NEAR(mf_tyre_radius(tire.kind, tire.p, 0.0, w, p0), grown, 1e-15);
    EXPECT_NEAR(mf_tyre_radius(tire.kind, tire.p, -500.0, w, p0), grown, 1e-15);
    double last = grown;
    for (double load = 0.1; load < 3; load += 0.1) {
      const double Re = mf_tyre_radius(tire.kind, tire.p, load * s.vertical.FNOMIN, w, p0);
      EXPECT_LT(Re, last);
      last = Re;
    }
    // the spin that belongs to a slip ratio
    for (double Vx : {-60.0, -1.0, 0.0, 0.3, 30.0, 90.0})
      for (double kappa : {-1.0, -0.2, 0.0, 0.5, 20.0}) {
        const double omega = mf_tyre_spin(tire.kind, tire.p, 5000.0, kappa, Vx, p0);
        EXPECT_NEAR(omega * mf_tyre_radius(tire.kind, tire.p, 5000.0, omega, p0), (1 + kappa) * Vx,
                    1e-12 * (1 + std::fabs((1 + kappa) * Vx)));
      }
  }
}

// The deflection is the root of the vertical force law, at any load, with and without its quadratic term.
TEST(MfTyre, DeflectionCarriesTheLoad) {
  Points u(11);
  for (double q2 : {0.0, 1e-9, 5.0, 14.0}) {
    TirSpec s = ours(0);
    s.vertical.Q_FZ2 = q2;
    s.vertical.Q_V2 = 0.04;
    s.vertical.Q_FCX = 0.1;
    s.vertical.Q_FCY = 0.3;
    const double R0 = s.dimension.UNLOADED_RADIUS, Fz0 = s.vertical.FNOMIN,
                 n = s.vertical.VERTICAL_STIFFNESS * R0 / Fz0;
    for (int i = 0; i < 200; ++i) {
      const In in = u.next(s);
      const Out o = Tire(s)(in);
      const double x = o.rho / R0, v = 1 + 0.04 * R0 * std::fabs(in.omega) / s.model.LONGVL;
      const double c = v - std::pow(0.1 * o.Fx / Fz0, 2) - std::pow(0.3 * o.Fy / Fz0, 2);
      const double p = 1 + s.vertical.PFZ1 * (in.p / s.operating.NOMPRES - 1);
      EXPECT_NEAR(c * p * (std::sqrt(n * n - 4 * q2) * x + q2 * x * x) * Fz0, in.Fz, 1e-9 * Fz0);
      EXPECT_NEAR(o.Cz * o.rho, in.Fz, 1e-9 * Fz0);
    }
  }
  const TirSpec s = ours(2);
  const Tire tire(s);
  for (int i = 0; i < 500; ++i) {
    const In in = u.next(s);
    const auto f = mf_tyre_force(tire.kind, tire.p, TirMode{}, in);
    const auto d = tir_deflection62(tire.p, f, f.q.l.Fz);
    const double Rw = tir_free_radius(tire.p, f.q.omega);
    if (tir_spring62(tire.p, f, Rw, Rw).Fz > in.Fz) continue;        // a leaning tire may carry a tiny load on its edge
    EXPECT_NEAR(tir_spring62(tire.p, f, Rw, d.Rl).Fz, in.Fz, 2e-9);  // one rounding of the radius
  }
}

TEST(MfTyre, StiffnessAndRelaxationLength) {
  for (int i = 0; i < 3; ++i) {
    const TirSpec s = ours(i);
    const Out o = Tire(s)(at(s, 0, 0));
    const TirNominal n = tir_nominal(s);
    EXPECT_NEAR(n.Kx, o.Kxk, 1e-9 * n.Kx);
    EXPECT_NEAR(n.Ky, -o.Kya, 1e-9 * n.Ky);
    EXPECT_NEAR(n.sigma_x, o.sigmax, 1e-9);
    EXPECT_NEAR(n.sigma_y, o.sigmay, 1e-9);
    EXPECT_NEAR(n.sigma0_x * n.sigma_x, n.Kx, 1e-9 * n.Kx);
    if (s.model.FITTYP != 52) {
      EXPECT_EQ(n.sigma0_x, s.structural.LONGITUDINAL_STIFFNESS);
      EXPECT_EQ(n.sigma0_y, s.structural.LATERAL_STIFFNESS);
    }
    TirSpec bare = s;  // neither stiffness nor length: usual lengths
    bare.structural.LONGITUDINAL_STIFFNESS = bare.structural.LATERAL_STIFFNESS = 0;
    bare.longitudinal.PTX1 = bare.longitudinal.PTX2 = bare.lateral.PTY1 = 0;
    EXPECT_NEAR(tir_nominal(bare).sigma_x, 0.22, 1e-9);
    EXPECT_NEAR(tir_nominal(bare).sigma_y, 0.42, 1e-9);
  }
}

// The curves handed to other laws are the law of the file without offsets and signs of slip.
TEST(MfTyre, CurvesAreTheOffsetFreeFile) {
  for (int i = 0; i < 3; ++i) {
    TirSpec s = offset_free(ours(i));
    s.longitudinal.PEX4 = 0;
    const Tire tire(s);
    for (double load : {0.2, 1.0, 2.0}) {
      In in = at(s, 0, 0, 0, load);
      in.mu_long = 0.8;
      in.mu_lat = 0.6;
      const TirCurves<double> c = mf_tyre_curves(tire.kind, tire.p, in.Fz, in.p, 0.8, 0.6);
      const auto curve = [](double B, double C, double D, double E, double x) {
        return D * std::sin(C * std::atan(B * x - E * (B * x - std::atan(B * x))));
      };
      for (double x : {-0.5, -0.05, 0.01, 0.1, 0.9}) {
        in.kappa = x, in.alpha = 0;
        EXPECT_NEAR(tire(in).Fx, curve(c.Bx, c.Cx, c.Dx, c.Ex, x), 1e-6);
        in.kappa = 0, in.alpha = x;
        EXPECT_NEAR(tire(in).Fy, -curve(c.By, c.Cy, c.Dy, c.Ey, x), 1e-6);
      }
    }
    const TirCurves<double> none = mf_tyre_curves(tire.kind, tire.p, -10.0, 0.0, 0.0, 0.0);
    for (double x : {none.Bx, none.Cx, none.Dx, none.By, none.Cy, none.Dy}) EXPECT_GT(x, 0);
  }
}

// ----------------------------------------------------------------------------- robustness

template <class R> void expect_finite(const TirSpec& s) {
  const double values[] = {0,    -0.0, 1e-38, -1e-38, 1e-12, -1e-6, 1e-3, -0.1, 0.5,   -1,   1.5707963267948966,
                           -1.5, 3,    -20,   500,    -4000, 1e5,   -1e7, 1e20, -1e37, 3e38, -3e38};
  const TirParams<R> p = as<R>(compile_tir(s));
  std::mt19937 g(1);
  const auto pick = [&] { return R(values[g() % std::size(values)]); };
  for (int n = 0; n < 40000; ++n) {
    const TirInput<R> in{pick(), pick(), pick(), pick(), pick(), pick(), pick(), pick(), abs(pick()), abs(pick())};
    const TirKind k = tir_kind(s, g() % 2);
    const TirOutput<R> o = mf_tyre(k, p, {g() % 2 == 0, g() % 2 == 0, g() % 2 == 0, g() % 2 == 0}, in);
    for (std::size_t i = 0; i < sizeof(o) / sizeof(R); ++i)
      ASSERT_TRUE(std::isfinite(reinterpret_cast<const R*>(&o)[i]))
          << sizeof(R) << " bytes, version " << k.version << k.book << ", output " << i << ": Fz " << in.Fz << " kappa "
          << in.kappa << " alpha " << in.alpha << " gamma " << in.gamma << " phit " << in.phit << " Vx " << in.Vx
          << " p " << in.p << " omega " << in.omega << " mu " << in.mu_long << " " << in.mu_lat;
    const TirCurves<R> c = mf_tyre_curves(k, p, in.Fz, in.p, in.mu_long, in.mu_lat);
    ASSERT_TRUE(std::isfinite(c.Bx + c.Dx + c.By + c.Dy));
    ASSERT_TRUE(std::isfinite(mf_tyre_spin(k, p, in.Fz, in.kappa, in.Vx, in.p)));
    ASSERT_TRUE(std::isfinite(mf_tyre_radius(k, p, in.Fz, in.omega, in.p)));
  }
}
TEST(MfTyre, FiniteForEveryFiniteInput) {
  for (const TirSpec& s : {ours(0), ours(1), ours(2), dense(52), dense(61), dense(62), TirSpec{}}) {
    expect_finite<double>(s);
    expect_finite<float>(s);
  }
}

TEST(MfTyre, LanesEqualScalarsAndFloatIsClose) {
  using P4 = Pack<double, 4>;
  Points u(13);
  for (int version : {52, 61, 62}) {
    const TirSpec s = dense(version);
    const Tire tire(s);
    const TirParams<P4> p4 = as<P4>(tire.p);
    const TirParams<float> pf = as<float>(tire.p);
    for (int n = 0; n < 300; ++n) {
      const TirMode m{n % 2 == 0, n % 3 == 0, n % 5 == 0, n % 7 == 0};
      const TirKind k = tir_kind(s, n % 11 == 0);
      TirInput<P4> in4 = as<P4>(u.next(s, m.turn));
      In in[4];
      for (int i = 0; i < 4; ++i) {
        in[i] = u.next(s, m.turn);
        if (i == 2 && n % 4 == 0) in[i].Fz = -1;
        if (i == 1 && n % 4 == 1) in[i].gamma = 0;
        const double* from = reinterpret_cast<const double*>(&in[i]);
        for (int j = 0; j < 10; ++j) set_lane(reinterpret_cast<P4*>(&in4)[j], i, from[j]);
      }
      const TirOutput<P4> o4 = mf_tyre(k, p4, m, in4);
      for (int i = 0; i < 4; ++i) {
        const Out o = mf_tyre(k, tire.p, m, in[i]);
        for (std::size_t j = 0; j < sizeof(o) / sizeof(double); ++j) {
          const double lane4 = lane(reinterpret_cast<const P4*>(&o4)[j], i),
                       one = reinterpret_cast<const double*>(&o)[j];
          ASSERT_EQ(std::memcmp(&lane4, &one, sizeof one), 0)
              << version << " output " << j << ": " << lane4 << ", " << one;
        }
        const TirOutput<float> f = mf_tyre(k, pf, m, as<float>(in[i]));
        const double F = s.vertical.FNOMIN;
        ASSERT_NEAR(f.Fx, o.Fx, 1e-4 * F);
        ASSERT_NEAR(f.Fy, o.Fy, 1e-4 * F);
        ASSERT_NEAR(f.Mz, o.Mz, 1e-4 * F);
        ASSERT_NEAR(f.Re, o.Re, 1e-6);
      }
    }
  }
}
