// SPDX-License-Identifier: Apache-2.0
// Tire laws in duals, against differences of the same law in double.
#include "tests/laws/law_zoo.hpp"
#include "vdsim/core/math/dual.hpp"

namespace {

using namespace zoo;
using D = Dual<double, 4>;

// Forces over Vx, slip velocities and load.
struct Four {
  double x[4];  // Vx, vx, vy, Fz
};
Motion motion(const Four& at) { return {at.x[0], at.x[1], at.x[2], 0.1, at.x[3]}; }

struct DualTire {
  TireKind kind;
  TireParams<D> p;
  WheelState<D> w;
  explicit DualTire(const Tire& t) : kind(t.kind) { put_values<D>(t.p, p), put_values<D>(t.w, w); }

  void eval(const Four& at, D out[3]) const {
    D x[4];
    for (int k = 0; k < 4; ++k) x[k] = at.x[k], x[k].d[k] = 1;
    Contact<D> c{x[0], -x[2], x[0] + x[1], D(0.1), D(1.0), D(1.0), D(0.0)};
    c.Re = p.R0;
    c.patch = nullptr;
    WheelState<D> s = w;
    s.w = (x[0] + x[1]) / p.R0;
    const TireSlip<D> slip = tire_slip(kind, p, s, c, x[3]);
    const TireForce<D> f = tire_force(kind, p, s, c, slip, x[3]);
    WheelAffine<D> rate;
    const TireMoments<D> m = tire_rates(kind, p, s, c, slip, f, x[3], rate);
    out[0] = f.Fx, out[1] = f.Fy, out[2] = m.Mz;
  }
};

// Differences of sixth order: (-1, 9, -45, 45, -9, 1)/60h. At a smooth point two steps of very different length agree; where they do
// not, there is a kink between them and the point is left out (counted).
bool differences(const Tire& t, const Four& at, int k, double out[3]) {
  const double size = std::fabs(at.x[k]) + (k < 3 ? 1 : 0);
  double by[2][3];
  for (int pass = 0; pass < 2; ++pass) {
    const double h = size * (pass ? 2e-4 : 1e-3), c[3] = {45, -9, 1};
    for (double& x : by[pass]) x = 0;
    for (int j = 1; j <= 3; ++j)
      for (int side : {-1, 1}) {
        Four moved = at;
        moved.x[k] += side * j * h;
        const Out o = t.eval(motion(moved));
        const double f[3] = {o.Fx, o.Fy, o.Mz};
        for (int i = 0; i < 3; ++i) by[pass][i] += side * c[j - 1] * f[i] / (60 * h);
      }
  }
  const double scale = 1e-7 * (t.p.sigma0_x + 1e5) / size;
  bool smooth = true;
  for (int i = 0; i < 3; ++i) out[i] = by[1][i], smooth = smooth && std::fabs(by[0][i] - by[1][i]) <= scale * 1e-3;
  return smooth;
}

}  // namespace

// Forces to the bit, derivatives to 1e-9 of what a force of the load gives over the size of the variable: rounding of the differences
// is eps F/h = 1e-12 F, their truncation is bounded by the two steps that agree to 1e-10.
TEST(DualTire, LawsHaveTheSlopesOfTheirDifferences) {
  int compared = 0, kinks = 0;
  for (const Law& law : kLaws) {
    if (law.base == Base::patch || law.carrier == Carrier::breakaway) continue;  // not differentiated
    Rng r(11);
    double worst = 0;
    for (int n = 0; n < 60; ++n) {
      Tire t(random_tire(law, r));
      const double Fz = nominal_load(random_tire(law, r)) * r(0.6, 1.4), V = r(3, 40) * r.sign();
      const Four at{{V, r(-0.15, 0.15) * std::fabs(V), r(-0.15, 0.15) * std::fabs(V), Fz}};
      t.settle(motion(at));
      t.w.zx *= r(0.3, 0.9), t.w.zy *= r(0.3, 0.9);
      const Out o = t.eval(motion(at));
      D f[3];
      DualTire(t).eval(at, f);
      ASSERT_EQ(f[0].v, o.Fx) << law.name;
      ASSERT_EQ(f[1].v, o.Fy) << law.name;
      ASSERT_EQ(f[2].v, o.Mz) << law.name;
      for (int k = 0; k < 4; ++k) {
        double want[3];
        if (!differences(t, at, k, want)) {
          ++kinks;
          continue;
        }
        const double size = Fz / (std::fabs(at.x[k]) + 1e-3);
        for (int i = 0; i < 3; ++i) worst = std::fmax(worst, std::fabs(f[i].d[k] - want[i]) / size), ++compared;
      }
    }
    laws::measured(std::string("slopes of ") + law.name, worst, 1e-9);
    EXPECT_LT(worst, 1e-9) << law.name;
  }
  EXPECT_LT(kinks, compared / 10);
}

// A tire without shifts: the mirror image has Fy and Mz negated, and so are their slopes over Vx and load, while those over vy stay.
TEST(DualTire, MirrorSymmetric) {
  for (const Law& law : kLaws) {
    if (law.base == Base::patch || law.carrier == Carrier::breakaway || law.base == Base::tir) continue;
    Rng r(5);
    for (int n = 0; n < 20; ++n) {
      Tire t(plain(random_tire(law, r)));
      const Four at{{20, 0.4, r(0.1, 2), 4000}};
      t.settle(motion(at));
      Tire other = t;
      other.w.zy = -t.w.zy, other.w.alp = -t.w.alp;
      D f[3], g[3];
      DualTire a(t), b(other);
      a.w.pivot = b.w.pivot = D(0.0);
      const auto eval = [&](const DualTire& tire, double side, D out[3]) {
        D vy(side * at.x[2]), Vx(at.x[0]);
        vy.d[0] = side, Vx.d[1] = 1;
        Contact<D> c{Vx, -vy, Vx + 0.4, D(0.0), D(1.0), D(1.0), D(0.0)};
        c.Re = tire.p.R0;
        c.patch = nullptr;
        WheelState<D> s = tire.w;
        s.w = (Vx + 0.4) / tire.p.R0;
        const TireSlip<D> slip = tire_slip(tire.kind, tire.p, s, c, D(4000.0));
        const TireForce<D> F = tire_force(tire.kind, tire.p, s, c, slip, D(4000.0));
        WheelAffine<D> rate;
        const TireMoments<D> m = tire_rates(tire.kind, tire.p, s, c, slip, F, D(4000.0), rate);
        out[0] = F.Fx, out[1] = F.Fy, out[2] = m.Mz;
      };
      eval(a, 1, f), eval(b, -1, g);
      for (int k = 0; k < 2; ++k) {
        EXPECT_EQ(f[0].d[k], g[0].d[k]) << law.name;
        EXPECT_EQ(f[1].d[k], -g[1].d[k]) << law.name;
        EXPECT_EQ(f[2].d[k], -g[2].d[k]) << law.name;
      }
    }
  }
}
