// SPDX-License-Identifier: Apache-2.0
// What every tire law must keep, whatever its parameters: continuity, symmetry, passivity, finite numbers, the
// friction bound, the stated stiffness, and the demands that some laws add. 50 random valid tires per law;
// tests/laws/law_zoo.hpp draws them.
#include <algorithm>

#include "tests/laws/law_zoo.hpp"

using namespace zoo;
using laws::kPi;
using laws::measured;

namespace {

const int kTires = few(50, 3);

int complaints() { return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count(); }

// Calls f(number, spec, random numbers) for 50 tires of a law (short form: 3), until one fails. A tire's numbers do not depend on the
// others.
template <class F> void each_tire(const Law& law, unsigned test, F&& f) {
  const int before = complaints();
  for (int k = 0; k < kTires && complaints() == before; ++k) {
    Rng r(unsigned(&law - kLaws.data()) * 1000003u + test * 10007u + unsigned(k));
    const TireSpec t = random_tire(law, r);
    f(k, t, r);
  }
}
std::string with(const Law& law, const char* what) { return std::string(law.name) + ", " + what; }

// Slips over four decades, one of them often zero; both directions of travel.
Motion random_motion(Rng& r, double Fn, double slowest = 1) {
  double kappa = r.sign() * r.log(1e-4, 1.2), tan_alpha = r.sign() * r.log(1e-4, 1);
  const double pure = r(0, 1);
  if (pure < 0.25) kappa = 0;
  if (pure > 0.75) tan_alpha = 0;
  Motion m = slipping(r.sign() * r.log(slowest, 40), kappa, tan_alpha, Fn * r(0.3, 2));
  m.mu = r(0.2, 1.2);
  m.gamma = r(-0.1, 0.1);
  return m;
}
double any_speed(Rng& r) { return r(0, 1) < 0.1 ? 0 : r.sign() * r.log(1e-9, 60); }
// Motions of any kind: standing, creeping, rolling, sliding, spinning.
Motion any_motion(Rng& r, double Fn) {
  Motion m{any_speed(r),        any_speed(r),     any_speed(r), r.sign() * r.log(1e-6, 10),
           Fn * r.log(0.01, 2), r.log(0.05, 1.5), r(-0.1, 0.1)};
  if (r(0, 1) < 0.5) m.vx = m.Vx * r.sign() * r.log(1e-6, 1);
  if (r(0, 1) < 0.5) m.vy = m.Vx * r.sign() * r.log(1e-6, 1);
  return m;
}
// A state the law can be in at this motion: bristles anywhere within the friction limit, breakaway within its own.
void any_state(Rng& r, Tire& tire, const Motion& m) {
  if (tire.kind.contact ==
      ContactLaw::patch) {  // half a patch length ago, and at most 5 ms, it slipped otherwise: by up to 200 m/s^2
    const double h = std::fmin(5e-3, 0.5 * tire.patch.p.L / std::fmax(std::fabs(m.Vr()), 1e-3));
    Motion other = m;
    for (double Motion::*v : {&Motion::vx, &Motion::vy}) other.*v += r(-1, 1) * std::fmin(std::fabs(m.*v), 200 * h);
    tire.settle(other);
    tire.step(other, other, h);
    tire.step(other, m, h);
    return;
  }
  tire.w.zx = tire.w.zy = 0;
  const Out o = tire.eval(m);
  const bool breakaway = tire.kind.contact == ContactLaw::breakaway;
  const double e = !breakaway && r(0, 1) < 0.2 ? r(1, 4) : r(0, 1),
               a = r(-kPi, kPi);  // the rolling law gives back what is too much
  tire.w.zx = e * std::cos(a) * (breakaway ? o.force.gx : o.Dx) / tire.p.sigma0_x;
  tire.w.zy = e * std::sin(a) * (breakaway ? o.force.gy : o.Dy) / tire.p.sigma0_y;
  tire.w.roll = tire.kind.roll_memory ? r(-1, 1) / tire.p.inv_b : 0;
  tire.w.pivot = r(-0.02, 0.02);
}

// How far the forces move from `a` to `b`.
double apart(const Out& a, const Out& b) { return std::hypot(a.Fx - b.Fx, a.Fy - b.Fy); }

}  // namespace

// ----------------------------------------------------------------------------------------------- continuity

// |F(s + 1e-6) - F(s)| <= 2 C 1e-6 for the steady force, C the stated slip stiffness: its own along the slip that
// moves; across, similarity gives D_x f(rho)/rho dn_x/ds_y <= C_x s_px/s_py, and the weights of a file or of the rally
// tire at most the larger C. Other inputs, per relative change or radian: F <= D and |x f'(x)| <= 1 along the curve
// give 1 for friction and speed at given slip velocities, and 1 for the load with 1 more for what the curves move;
// camber moves F by its stiffness C_gamma Fz. At zero speed a steady force has no value (stiction), so |Vx| >= 1 m/s;
// the breakaway law has none at zero slip either, by design.
TEST(TireLaws, SteadyForceIsContinuous) {
  for (const Law& law : kLaws) {
    if (law.carrier == Carrier::breakaway) continue;
    double own = 0, cross = 0, load = 0, road = 0, lean = 0, speed = 0, yaw = 0;
    each_tire(law, 1, [&](int, const TireSpec& t, Rng& r) {
      Tire tire(t);
      const bool file = tire.kind.steady == SteadyLaw::tir, rally = tire.kind.steady == SteadyLaw::rally;
      const double s_x = file || rally ? 1 : tire.p.mf.lon.s_p, s_y = file || rally ? 1 : tire.p.mf.lat.s_p, h = 1e-6;
      for (int i = 0; i < 60; ++i) {
        const Motion m = random_motion(r, nominal_load(t));
        const Stiffness C = stated_stiffness(law, t, m);
        const double across = std::fmax(C.x, C.y) * (file ? 1 : std::fmax(s_x / s_y, s_y / s_x)), V = std::fabs(m.Vx);
        const Out a = tire.steady(m);
        Motion slow = m;
        slow.Vx = sign(m.Vx);
        const Out at_1 = Tire(t).steady(slow);  // before water lifts the tire
        const double D = std::fmax(at_1.Dx, at_1.Dy);
        const auto moved = [&](double Motion::*input, double by) {
          Motion n = m;
          n.*input += by;
          return tire.steady(n);
        };
        const Out k = moved(&Motion::vx, h * V), s = moved(&Motion::vy, h * V);
        own = std::max({own, std::fabs(k.Fx - a.Fx) / (C.x * h), std::fabs(s.Fy - a.Fy) / (C.y * h)});
        cross = std::max({cross, std::fabs(k.Fy - a.Fy) / (across * h), std::fabs(s.Fx - a.Fx) / (across * h)});
        load = std::max(load, apart(a, moved(&Motion::Fz, h * m.Fz)) / (D * h));
        road = std::max(road, apart(a, moved(&Motion::mu, h * m.mu)) / (D * h));
        speed = std::max(speed, apart(a, moved(&Motion::Vx, h * m.Vx)) / (D * h));
        const double C_gamma = file    ? 5 * m.mu
                               : rally ? t.rally.moments.camber_thrust_coefficient
                                       : t.camber_stiffness * m.mu;
        lean = std::max(lean, apart(a, moved(&Motion::gamma, h)) / ((C_gamma * m.Fz + D) * h));
        yaw = std::max(yaw, apart(a, moved(&Motion::psidot, h)));
      }
    });
    measured(with(law, "slip, own"), own, 2);
    measured(with(law, "slip, cross"), cross, 2);
    measured(with(law, "load"), load, 2);
    measured(with(law, "friction"), road, 2);
    measured(with(law, "speed"), speed, 2);
    measured(with(law, "camber"), lean, 2);
    EXPECT_LE(own, 2) << law.name;
    EXPECT_LE(cross, 2) << law.name;
    EXPECT_LE(load, 2 * 2) << law.name;
    EXPECT_LE(road, 2) << law.name;
    EXPECT_LE(speed, law.base == Base::rally ? 2 * 6 : 2) << law.name;  // water: 5 D per relative speed, see [T23.9]
    EXPECT_LE(lean, 2) << law.name;
    EXPECT_EQ(yaw, 0) << law.name;
  }
}

// The force at one instant, from any state, standing or rolling: 1e-6 m/s of motion moves it by at most 2 K 1e-6 m/s.
// Bristles: K = 10 sigma1 for the rolling law (its leak is Lipschitz in the motion with a few sigma0/D). An offset
// F(kappa) - F_sim of slope C/|Vx| fades at rest as 1 - exp(-(Vx/v_st)^2), so it adds at most 2 (s1 Lam <= 2 sigma0)
// times 0.64 C/v_st. Breakaway: sigma1 and sigma2, and the leak sigma0 |v| z/g, whose |v|/g is a slip over the force
// at it. No bristles: C over the floor of the slip's speed. The patch: per newton sigma1 + sigma2, what its leak lets
// go, and sigma0 h for the part of the step. (Where the wheel turns back the load leans to the other side of the
// patch, a jump of its own.) Breakaway, and a file without bristles: from walking speed on, their slip angle and their
// offsets have a jump at Vx = 0.
TEST(TireLaws, ForceIsContinuousInMotionFromAnyState) {
  for (const Law& law : kLaws) {
    double worst = 0;
    each_tire(law, 2, [&](int, const TireSpec& t, Rng& r) {
      Tire tire(t);
      for (int i = 0; i < 60; ++i) {
        Motion m = any_motion(r, nominal_load(t));
        if ((law.base == Base::tir || law.carrier == Carrier::breakaway) && !law.rolling())
          m.Vx = r.sign() * r.log(1, 60);
        if (law.base == Base::patch && std::fabs(m.Vr()) < 1e-5) m.Vx += 1;
        any_state(r, tire, m);
        const Stiffness C = stated_stiffness(law, t, m);
        const double h = 1e-6, c = std::fmax(C.x, C.y), since = tire.kind.contact == ContactLaw::patch ? 1e-4 : 0;
        double K = 10 * std::fmax(tire.p.sigma1_x, tire.p.sigma1_y) +
                   (tire.kind.offset ? 2 * 0.64 * c / tire.p.rolling.v_st : 0);
        if (law.carrier == Carrier::breakaway) K = 6 * tire.p.sigma1_x + tire.p.breakaway.sigma2;
        if (law.carrier == Carrier::off) K = 2 * c / std::fmax(std::fabs(m.Vx), kSpeedEps);
        if (law.base == Base::patch) {
          const PatchSpec& s = t.patch;
          const double s1 = std::fmax(s.sigma1[0], s.sigma1[1]), s2 = std::fmax(s.sigma2[0], s.sigma2[1]),
                       s0 = std::fmax(s.sigma0[0], s.sigma0[1]);
          K = m.Fz * ((s1 + s0 * since) * (2 + 2 * s.mu_s / s.mu_k) + s2);
        }
        const Out a = tire.eval(m, since);
        for (double Motion::*input : {&Motion::vx, &Motion::vy, &Motion::Vx}) {
          Motion n = m;
          n.*input += h;
          worst = std::fmax(worst, apart(a, tire.eval(n, since)) / (K * h));
        }
      }
    });
    measured(with(law, "any state"), worst, 2);
    EXPECT_LE(worst, 2) << law.name;
  }
}

// ------------------------------------------------------------------------------------------------- symmetry

namespace {
template <class T> bool same(T a, T b) { return std::memcmp(&a, &b, sizeof a) == 0; }
// minus, without minus zero
double neg(double x) { return 0.0 - x; }
Motion mirror(Motion m) {
  m.vy = neg(m.vy), m.psidot = neg(m.psidot), m.gamma = neg(m.gamma);
  return m;
}
// The same wheel looked at from behind.
Motion half_turn(Motion m) {
  m.Vx = neg(m.Vx), m.vx = neg(m.vx), m.vy = neg(m.vy), m.gamma = neg(m.gamma);
  return m;
}
// Two tires go through the same history, one of them seen through `view`: 30 linear pieces, some standing, some
// backward.
template <class View, class Check> void in_step(Tire a, Tire b, Rng& r, double Fn, View&& view, Check&& check) {
  Motion from = random_motion(r, Fn), to = from;
  a.settle(from);
  b.settle(view(from));
  for (int i = 0; i < 30; ++i) {
    from = to, to = random_motion(r, Fn, 0.1);
    to.psidot = r(-1, 1), to.mu = from.mu;
    if (i % 7 == 6) to.Vx = to.vx = 0;
    const double h = r.log(1e-4, 0.02);
    a.step(from, to, h);
    b.step(view(from), view(to), h);
    const int before = complaints();
    check(a.eval(to), b.eval(view(to)));
    if (complaints() != before) return;
  }
}
}  // namespace

// Left and right are mirror images, to the bit: (vy, gamma, psidot) -> minus gives (Fy, Mx, Mz) -> minus. A file's
// mirror image is the tire of the other side, by the switch to the bit and by its turned coefficients to rounding.
TEST(TireLaws, LeftAndRightAreMirrorImages) {
  for (const Law& law : kLaws)
    each_tire(law, 3, [&](int k, const TireSpec& t, Rng& r) {
      TireSpec other = t;
      other.tir.mirrored = law.base == Base::tir;
      in_step(Tire(t), Tire(other), r, nominal_load(t), mirror, [&](const Out& a, const Out& b) {
        ASSERT_TRUE(same(a.Fx, b.Fx) && a.Fy == -b.Fy && a.Mz == -b.Mz && a.Mx == -b.Mx && same(a.roll, b.roll))
            << law.name << " " << k << ": " << a.Fx - b.Fx << " " << a.Fy + b.Fy << " " << a.Mz + b.Mz << " "
            << a.Mx + b.Mx;
      });
      if (law.base != Base::tir) return;
      other = t;
      other.tir = mirrored(t.tir, t.tir_flavour == TirFlavour::book && t.tir.model.FITTYP != 52);
      in_step(Tire(t), Tire(other), r, nominal_load(t), mirror, [&](const Out& a, const Out& b) {
        const double tol = 1e-9 * std::fmax(a.Dx, a.Dy);
        ASSERT_NEAR(a.Fx, b.Fx, tol) << law.name << " " << k;
        ASSERT_NEAR(a.Fy, -b.Fy, tol) << law.name << " " << k;
        ASSERT_NEAR(a.Mz, -b.Mz, tol) << law.name << " " << k;
        ASSERT_NEAR(a.Mx, -b.Mx, tol) << law.name << " " << k;
      });
    });
}

// Signs by ISO 8855, forward and backward: drive slip pulls forward, a slip angle to the left pushes to the right and
// turns the wheel back into its travel, a wheel that leans to the right pushes to the right.
TEST(TireLaws, SignsAreThoseOfIso8855) {
  for (const Law& law : kLaws)
    each_tire(law, 18, [&](int k, const TireSpec& given, Rng& r) {
      TireSpec t = plain(given);
      t.camber_stiffness = t.rally.moments.camber_thrust_coefficient = 0.5;
      t.tir_flavour = TirFlavour::tno;  // the book's camber thrust turns with the direction of travel
      t.pneumatic_trail = 0.03;
      Tire tire(t);
      for (double V : {r(3, 30), -r(3, 30)}) {
        const PatchSpec& q = t.patch;
        const double Fz = nominal_load(t), slip = law.base == Base::patch
                                                      ? 0.01 * q.mu_k / (std::fmax(q.sigma0[0], q.sigma0[1]) * q.length)
                                                      : 0.01;
        const auto at = [&](double kappa, double tan_alpha, double gamma) {
          Motion m = slipping(V, kappa, tan_alpha, Fz);
          m.gamma = gamma;
          return tire.steady(m);
        };
        EXPECT_GT(at(slip, 0, 0).Fx, 0) << law.name << " " << k;
        EXPECT_LT(at(-slip, 0, 0).Fx, 0) << law.name << " " << k;
        const Out o = at(0, slip, 0);
        EXPECT_LT(o.Fy, 0) << law.name << " " << k;
        const bool mean = law.base == Base::patch && t.patch.fidelity == PatchFidelity::average && t.patch.kappa > 0;
        if (!mean) {  // a mean bristle with a given outflow has no good moment at small slip
          EXPECT_GT(o.Mz * V, 0) << law.name << " " << k << " V " << V;
        }
        const bool leans =
            law.base != Base::patch && law.carrier != Carrier::breakaway;  // breakaway: a level, not a force
        if (leans) {
          EXPECT_LT(at(0, 0, 0.03).Fy, at(0, 0, -0.03).Fy) << law.name << " " << k << " V " << V;
        }
      }
    });
}

// A wheel that rolls backward is one that rolls forward, seen from behind: forces turn round, the moment about the
// vertical stays.
TEST(TireLaws, BackwardIsForwardSeenFromBehind) {
  for (const Law& law : kLaws) {
    double worst = 0;
    each_tire(law, 4, [&](int k, const TireSpec& given, Rng& r) {
      TireSpec t = given;
      t.tir_flavour = TirFlavour::tno;          // the book's camber thrust turns with the direction of travel
      if (law.base == Base::tir) t = plain(t);  // the tire as such must be symmetric
      const double tol = law.base == Base::tir ? 1e-9 : 0;  // its formulae sort their terms by the sign
      in_step(Tire(t), Tire(t), r, nominal_load(t), half_turn, [&](const Out& a, const Out& b) {
        const double D = std::fmax(a.Dx, a.Dy);
        double off = std::max({std::fabs(a.Fx + b.Fx), std::fabs(a.Fy + b.Fy), std::fabs(a.roll - b.roll)});
        if (law.base != Base::tir)
          off = std::max({off, std::fabs(a.Mx + b.Mx), std::fabs(a.Mz - b.Mz)});
        else  // a file takes zero speed and zero slip angle as positive, which Mx at rest and the shape of the trail see
          ASSERT_NEAR(a.Mz, b.Mz, 1e-5 * D) << law.name << " " << k;
        worst = std::fmax(worst, off / D);
        ASSERT_LE(off, tol * D) << law.name << " " << k << ": " << a.Fx + b.Fx << " " << a.Fy + b.Fy << " "
                                << a.Mz - b.Mz << " " << a.Mx + b.Mx;
      });
    });
    measured(with(law, "forward and backward"), worst, law.base == Base::tir ? 1e-9 : 0);
  }
}

// ------------------------------------------------------------------------------------------------ passivity

// The rolling law at any instant: F.v - dW/dt >= 0, the contact never gives back more than its bristles store. 1e-9 of
// D v. (A file's law beyond its similarity form is an offset, for which only whole cycles can be judged.)
TEST(TireLaws, RollingContactLosesEnergyAtEveryInstant) {
  for (const Law& law : kLaws) {
    if (!law.rolling() || law.base == Base::tir) continue;
    double worst = 0;
    each_tire(law, 5, [&](int, const TireSpec& given, Rng& r) {
      Tire tire(plain(given));
      for (int i = 0; i < 200; ++i) {
        Motion m = any_motion(r, nominal_load(given));
        m.gamma = m.psidot = 0;
        any_state(r, tire, m);
        const Out o = tire.eval(m);
        const double zx = o.force.zx, zy = o.force.zy;
        const double stored = tire.p.sigma0_x * zx * (o.rate.zx.v - o.rate.zx.L * zx) +
                              tire.p.sigma0_y * zy * (o.rate.zy.v - o.rate.zy.L * zy);
        const double vx = m.Vr() - m.Vx;  // as the law reads it
        worst = std::fmin(worst,
                          (o.Fx * vx + o.Fy * m.vy - stored) / (std::fmax(o.Dx, o.Dy) * std::hypot(vx, m.vy) + 1e-300));
      }
    });
    measured(with(law, "least loss / (D v)"), worst, -1e-9);
    EXPECT_GE(worst, -1e-9) << law.name;
  }
}

namespace {
// A closed cycle of travel, spin and side slip, of load too: a few harmonics each, often through standstill.
struct Cycle {
  double T, V0, V1, kx, ky, F0, F1, a[6];
  Cycle(Rng& r, double Fn, bool load)
      : T(r.log(0.1, 2)),
        V0(r(0, 1) < 0.3 ? 0 : r.sign() * r.log(0.5, 30)),
        V1(r.log(0.05, 10)),
        kx(r.log(1e-3, 0.5)),
        ky(r.log(1e-3, 0.5)),
        F0(Fn * r(0.5, 1.5)),
        F1(load ? r(0, 0.9) : 0) {
    for (double& x : a) x = r(-kPi, kPi);
  }
  Motion at(double t) const {
    const double w = 2 * kPi * t / T, scale = std::fabs(V0) + V1;
    return {V0 + V1 * std::sin(w + a[0]),
            kx * scale * (std::sin(w + a[1]) + 0.5 * std::sin(2 * w + a[2])),
            ky * scale * (std::sin(w + a[3]) + 0.5 * std::sin(3 * w + a[4])),
            0,
            F0 * (1 + F1 * std::sin(w + a[5])),
            1,
            0};
  }
};
}  // namespace

// Over a closed cycle the road takes work or none: int F.v dt >= change of what the bristles store, within the error
// of the quadrature (800 trapezoids: 1e-4 of int D |v| dt). The second of two cycles counts: the first forgets the
// start. Load varies under the rolling law; the others scale with it by definition. Files without their offsets. A
// patch whose load is not uniform is not quite passive, by its equations: a bristle that rolls into more load is
// stiffer without having been paid for. Rocking about standstill can take 1 or 2 % of D |v| out of it; uniform load
// cannot.
TEST(TireLaws, ClosedCyclesTakeNoEnergyFromTheContact) {
  for (const Law& law : kLaws) {
    double least = 0, typical = 0;
    each_tire(law, 6, [&](int k, const TireSpec& given, Rng& r) {
      Tire tire(plain(given));
      const Cycle cycle(r, nominal_load(given), law.rolling());
      const int n = law.base == Base::patch ? 400 : 800;
      const double h = cycle.T / n;
      tire.settle(cycle.at(0));
      for (int i = 0; i < n; ++i) tire.step(cycle.at(i * h), cycle.at((i + 1) * h), h);
      double work = 0, scale = 0;
      const double before = law.rolling() ? tire.stored() : 0;
      for (int i = 0; i < n; ++i) {
        const Motion a = cycle.at(i * h), b = cycle.at((i + 1) * h);
        const Out p = tire.eval(a);
        tire.step(a, b, h);
        const Out q = tire.eval(b);
        work += 0.5 * h * (p.Fx * a.vx + p.Fy * a.vy + q.Fx * b.vx + q.Fy * b.vy);
        scale += h * std::fmax(p.Dx, p.Dy) * std::hypot(a.vx, a.vy);
      }
      const double loss = (work - (law.rolling() ? tire.stored() - before : 0)) / scale;
      least = std::fmin(least, loss);
      typical += loss / kTires;
      const bool paid = law.base != Base::patch || given.patch.load == PatchLoad::uniform;
      EXPECT_GE(loss, paid ? -1e-4 : -0.03) << law.name << " " << k << " V " << cycle.V0 << " " << cycle.V1 << " slip "
                                            << cycle.kx << " " << cycle.ky << " T " << cycle.T;
    });
    measured(with(law, "least work of a cycle / (D v)"), least, -1e-4);
    EXPECT_GT(typical, 0.01) << law.name;  // and slip costs
  }
}

// --------------------------------------------------------------------------------------- finite, bounded

namespace {
const double kExtreme[] = {0, 1e-38, 1e-12, 1e-6, 1e-3, 0.05, 1, 30, 1e3, 1e6};
double extreme(Rng& r) { return r.sign() * kExtreme[std::size_t(r(0, 10)) % 10]; }
template <class R> bool all_finite(const typename laws::TireRig<R>::Out& o) {
  using std::isfinite;
  return isfinite(o.Fx) && isfinite(o.Fy) && isfinite(o.Mz) && isfinite(o.force.slope) && isfinite(o.rate.zx.v) &&
         isfinite(o.rate.zx.L) && isfinite(o.rate.zy.v) && isfinite(o.rate.zy.L) && isfinite(o.rate.T_tread.v) &&
         isfinite(o.rate.T_core.v) && isfinite(o.rate.tread.L);
}
template <class R> void expect_finite(const Law& law, const TireSpec& t, Rng& r, int k) {
  laws::TireRig<R> rig(t, radius_of(t));
  for (int i = 0; i < 100; ++i) {
    const laws::Drum<R> d{R(extreme(r)), R(extreme(r)), R(extreme(r)),
                          R(extreme(r)), R(extreme(r)), R(std::fabs(extreme(r))),
                          R(extreme(r))};
    for (R WheelState<R>::*x :
         {&WheelState<R>::zx, &WheelState<R>::zy, &WheelState<R>::roll, &WheelState<R>::pivot, &WheelState<R>::kap,
          &WheelState<R>::alp, &WheelState<R>::w, &WheelState<R>::T_tread, &WheelState<R>::T_core})
      rig.w.*x = R(extreme(r));
    rig.w.tread = R(r(0, 1));
    const auto o = rig.eval(d);
    ASSERT_TRUE(all_finite<R>(o)) << law.name << " tire " << k << (sizeof(R) == 4 ? " float" : " double") << " F "
                                  << o.Fx << " " << o.Fy << " Mz " << o.Mz << " slope " << o.force.slope << " rates "
                                  << o.rate.zx.v << " " << o.rate.zx.L << " at Vx " << d.Vx << " Vy " << d.Vy << " Vr "
                                  << d.Vr << " psidot " << d.psidot << " Fz " << d.Fz << " mu " << d.mu << " gamma "
                                  << d.gamma << " zx " << rig.w.zx << " zy " << rig.w.zy << " roll " << rig.w.roll
                                  << " T " << rig.w.T_tread << " " << rig.w.T_core;
    if (d.Fz <= 0) {
      ASSERT_LE(std::hypot(double(o.Fx), double(o.Fy)), 2e-3)
          << law.name << " tire " << k << " pulls in the air, Fz " << d.Fz;
    }
  }
}
template <class R> void expect_finite_patch(const Law& law, const TireSpec& t, Rng& r, int k) {
  const PatchKind kind = patch_kind(t.patch);
  const PatchParams<R> p = patch_params_as<R>(compile_patch(t.patch));
  PatchMemory<R> memory;
  const auto motion = [&] {
    return PatchMotion<R>{R(extreme(r)), R(extreme(r)), R(extreme(r)), R(std::fabs(extreme(r)))};
  };
  patch_start(kind, p, motion(), memory);
  for (int i = 0; i < 60; ++i) {
    const R h = R(std::fabs(extreme(r)));
    const PatchForce<R> a = patch_force(kind, p, memory, motion(), h), b = patch_advance(kind, p, memory, motion(), h);
    for (R x : {a.fx, a.fy, a.mz, a.slope, b.fx, b.fy, b.mz, b.slope})
      ASSERT_TRUE(std::isfinite(x)) << law.name << " tire " << k << (sizeof(R) == 4 ? " float" : " double") << " step "
                                    << i << " h " << h << " fx " << a.fx << " " << b.fx << " U " << memory.motion.U
                                    << " v " << memory.motion.vx << " " << memory.motion.vy << " mu "
                                    << memory.motion.mu;
  }
}
}  // namespace

// Every finite input gives a finite output, in double and float: zeros, 1e-38, 1e6, no load, negative load, bristles
// far off. Without load there is no force; 2 mN is what the floor of the peak force (1 mN) leaves in both directions.
TEST(TireLaws, FiniteForEveryFiniteInput) {
  for (const Law& law : kLaws)
    each_tire(law, 7, [&](int k, const TireSpec& t, Rng& r) {
      if (law.base == Base::patch) {
        expect_finite_patch<double>(law, t, r, k);
        expect_finite_patch<float>(law, t, r, k);
      } else {
        expect_finite<double>(law, t, r, k);
        expect_finite<float>(law, t, r, k);
      }
    });
}

namespace {
// |F| over the friction limit, at most 1. mf96, linear: ellipse of D Fz mu_e mu; without combined slip the circle mu
// Fz. File: ellipse of its own peak forces, or its own force where that is larger. Rally: ellipse of its peak forces.
double over_limit(const Law& law, const TireSpec& t, const Tire& tire, const Motion& m, const Out& o) {
  if (law.base == Base::rally) return std::hypot(o.Fx / o.Dx, o.Fy / o.Dy);
  if (law.base == Base::tir) {
    const bool book = t.tir_flavour == TirFlavour::book;
    const double speed = std::fmax(std::fabs(m.Vx), law.rolling()                 ? 1e-3
                                                    : law.carrier == Carrier::off ? kSpeedEps
                                                                                  : 1e-300);
    TirInput<double> in{m.Fz, m.vx / speed, std::atan2(-m.vy, speed), m.gamma,
                        0,    m.Vx,         t.tir.operating.INFLPRES, m.Vr() / tire.p.R0,
                        m.mu, m.mu};
    in.kappa *= m.Vx < 0 ? -1 : 1;
    const TirOutput<double> f = mf_tyre(tir_kind(t.tir, book), tire.p.tir.law, tir_in_car(), in);
    const double Dx = f.mux * m.Fz, Dy = f.muy * m.Fz;
    return std::hypot(o.Fx / Dx, o.Fy / Dy) / std::fmax(1, std::hypot(f.Fx / Dx, f.Fy / Dy));
  }
  const double mu_e = std::fmax(0.3, 1 - t.load_sensitivity * (m.Fz / t.Fz_nominal - 1)) * t.mu_nominal,
               D = m.Fz * mu_e * m.mu;
  if (!law.rolling() && t.combined == Combined::none) return std::hypot(o.Fx, o.Fy) / (t.mu_nominal * m.mu * m.Fz);
  return std::hypot(o.Fx / (t.D_long * D), o.Fy / (t.D_lat * D));
}
// The patch. Along a characteristic e_i = sigma0_i z_i obeys e_i' = sigma0_i (v_i - |v| e_i/g): each |e_i| <= max g =
// mu_s, and sum e_i^2/sigma0_i falls wherever |e| > g, so |e| <= sqrt(sigma0 ratio) mu_s too. The rate has |v|, its
// leak |v| |e|/g <= |v| |e|/mu_k and the transport U int f z' <= U max|z| (variation of f, at most 4; outflow of the
// mean bristle, at most 2.5).
double patch_limit(const PatchSpec& s, const Motion& m) {
  const double ratio = s.sigma0[0] / s.sigma0[1],
               e = s.mu_s * m.mu * std::min(std::sqrt(2.0), std::sqrt(std::fmax(ratio, 1 / ratio)));
  const double v = std::hypot(m.vx, m.vy), s1 = std::fmax(s.sigma1[0], s.sigma1[1]),
               s2 = std::fmax(s.sigma2[0], s.sigma2[1]);
  const double z = e / std::fmin(s.sigma0[0], s.sigma0[1]);
  return m.Fz * (e + s1 * (v + v * e / (s.mu_k * m.mu) + 4 * std::fabs(m.Vr()) / s.length * z) + s2 * v);
}
}  // namespace

// The force stays within friction, from every state. Rounding only; a patch that stops sliding within one long step
// overshoots by a few percent.
TEST(TireLaws, ForceStaysWithinFriction) {
  for (const Law& law : kLaws) {
    double worst = 0;
    each_tire(law, 8, [&](int k, const TireSpec& given, Rng& r) {
      TireSpec t = plain(given);
      if (law.base == Base::patch && k % 2) t.patch.sigma1 = t.patch.sigma2 = {0, 0};  // bristles alone
      Tire tire(t);
      for (int i = 0; i < 200; ++i) {
        Motion m = any_motion(r, nominal_load(t));
        m.gamma = 0;
        any_state(r, tire, m);
        const Out o = tire.eval(m);
        const double now =
            law.base == Base::patch ? std::hypot(o.Fx, o.Fy) / patch_limit(t.patch, m) : over_limit(law, t, tire, m, o);
        worst = std::fmax(worst, now);
      }
    });
    measured(with(law, "F over the limit"), worst, 1);
    EXPECT_LE(worst, law.base == Base::patch ? 1.05 : 1 + 1e-6) << law.name;
    EXPECT_GT(worst, law.base == Base::patch ? 0.5 : 0.9) << law.name;  // the limit was reached
  }
}

// ------------------------------------------------------------------------------------------------ stiffness

// dFx/dkappa and dFy/dtan(alpha) at zero slip, of the force after 40 relaxation lengths, are the stated ones. The slip
// is 1e-5 of that where the slope would reach the peak: the brush and the patch yield by a few 1e-5 there, and a rally
// tire warms by millikelvins as it rolls; the others give 1e-10.
TEST(TireLaws, SlopeAtZeroSlipIsTheStatedStiffness) {
  for (const Law& law : kLaws) {
    if (law.carrier == Carrier::breakaway) continue;
    double worst = 0;
    each_tire(law, 9, [&](int, const TireSpec& given, Rng& r) {
      TireSpec t = plain(given);
      t.rally.thermal.thermal_mass = t.rally.thermal.core_thermal_mass = 1e7;  // cold, as the stiffness is stated
      const double V = r.sign() * r.log(2, 30), Fz = nominal_load(t) * r(0.4, 1.8), mu = r(0.3, 1.2);
      Stiffness C = stated_stiffness(law, t, {V, 0, 0, 0, Fz, mu});
      const Out one = Tire(t).eval({V, 0, 0, 0, Fz, mu});
      const double knee[2] = {1e-5 * one.Dx / C.x, 1e-5 * one.Dy / C.y};
      double F[2][2];
      for (int side = 0; side < 2; ++side)
        for (int axis = 0; axis < 2; ++axis) {
          const double slip = side ? knee[axis] : -knee[axis];
          Motion m = slipping(V, axis ? 0 : slip, axis ? -slip : 0, Fz);
          m.mu = mu;
          Tire tire(t);
          if (tire.kind.roll_memory) tire.w.roll = sign(V) / tire.p.inv_b;
          tire.patch.memory.dir = sign(V);
          const double sigma = law.rolling() ? std::fmax(C.x / tire.p.sigma0_x, C.y / tire.p.sigma0_y) : 0.5;
          tire.run(m, 40 * sigma / std::fabs(V), 80);
          const Out o = tire.eval(m);
          F[axis][side] = axis ? o.Fy : o.Fx;
        }
      worst = std::max({worst, std::fabs((F[0][1] - F[0][0]) / (2 * knee[0] * C.x) - 1),
                        std::fabs((F[1][1] - F[1][0]) / (2 * knee[1] * C.y) - 1)});
    });
    const double tol = law.base == Base::patch || law.base == Base::rally ? 1e-4 : 1e-7;
    measured(with(law, "slope / stated - 1"), worst, tol);
    EXPECT_LE(worst, tol) << law.name;
  }
}

// The rally tire states its stiffness at the reference load.
TEST(TireLaws, RallyStatesItsNominalStiffness) {
  for (const Law& law : kLaws) {
    if (law.base != Base::rally) continue;
    each_tire(law, 10, [&](int k, const TireSpec& given, Rng&) {
      const RallyNominal n = rally_nominal(given.rally);
      const Stiffness C = stated_stiffness(law, given, {0, 0, 0, 0, n.Fz_n});
      EXPECT_NEAR(n.Cx, C.x, 1e-12 * C.x) << law.name << " " << k;
      EXPECT_NEAR(n.Cy, C.y, 1e-12 * C.y) << law.name << " " << k;
      EXPECT_NEAR(n.Cx / n.sigma_x, Tire(given).p.sigma0_x, 1e-9 * n.sigma0_x) << law.name << " " << k;
    });
  }
}

// The breakaway law states a spring per deflection: a slow push from rest meets sigma0. It yields from the start by
// F/(2 g), g at least 1 N: 0.03 N, 1.5 %; the damping of a push over 20 s adds as much at most.
TEST(TireLaws, BreakawayPreslidingIsASpring) {
  for (const Law& law : kLaws) {
    if (law.carrier != Carrier::breakaway) continue;
    double worst = 0;
    each_tire(law, 11, [&](int, const TireSpec& given, Rng& r) {
      for (bool across : {false, true}) {
        Tire tire(plain(given));
        const double way = 0.03 / tire.p.sigma0_x, v = way / 20 * r.sign(), Fz = nominal_load(given);
        const Motion m{0, across ? 0 : v, across ? v : 0, 0, Fz};
        tire.run(m, 20, 400);
        const Out o = tire.eval(m);
        const double spring = (across ? o.Fy : o.Fx) / (tire.p.sigma0_x * way * sign(v));
        worst = std::fmax(worst, std::fabs(spring - 1));
      }
    });
    measured(with(law, "spring / sigma0 - 1"), worst, 0.03);
    EXPECT_LE(worst, 0.03) << law.name;
  }
}

// --------------------------------------------------------------------------------- demands on some laws

namespace {
double direction_error(const Out& o, const Motion& m) {  // [deg] between force and slip velocity
  return std::fabs(std::remainder(std::atan2(o.Fy, o.Fx) - std::atan2(m.vy, m.vx), 2 * kPi)) * 180 / kPi;
}
}  // namespace

// A locked wheel pulls against its motion at every slip angle, D_x = D_y: settled and, after half a second, integrated.
TEST(TireLaws, LockedWheelPullsAgainstItsMotion) {
  for (const Law& law : kLaws) {
    if (!law.rolling() || law.base == Base::tir) continue;
    double worst = 0, grip = 1;
    each_tire(law, 12, [&](int k, const TireSpec& given, Rng& r) {
      TireSpec t = plain(given);
      t.rally.friction.friction_ellipse_ratio = 1;
      t.D_long = t.D_lat;
      t.C_long = std::fmax(t.C_long, 1.3), t.C_lat = std::fmax(t.C_lat, 1.3), t.E_long = std::fmin(t.E_long, 0.9),
      t.E_lat = std::fmin(t.E_lat, 0.9);
      Tire tire(t);
      for (int deg = -180; deg <= 180; deg += 15) {
        const double V = r.log(0.3, 30), a = deg * kPi / 180, Vx = V * std::cos(a), Vy = V * std::sin(a);
        const Motion m{Vx, -Vx, -Vy, 0, nominal_load(t)};
        Out o = tire.steady(m);
        if (k < 10 && deg % 45 == 0) {
          tire.w.zx = tire.w.zy = tire.w.roll = 0;
          tire.run(m, 0.5 + 2 / V, 400);
          o = tire.eval(m);
        }
        worst = std::fmax(worst, direction_error(o, m));
        grip = std::fmin(grip, std::hypot(o.Fx, o.Fy) / o.Dx);
      }
    });
    measured(with(law, "locked wheel off by [deg]"), worst, 2);
    EXPECT_LE(worst, 0.01) << law.name;
    EXPECT_GT(grip, 0.001) << law.name;  // C = 2 hardly pulls when it slides
  }
}

// A locked wheel with its load on a slope of 20 deg, in any direction, on a road of friction 0.6, does not creep: 1e-6
// m/h. The carriage is damped, so that after 40 time constants of its slowest motion only creep is left; a damper
// cannot hold.
TEST(TireLaws, NoCreepOnASlope) {
  for (const Law& law : kLaws) {
    if (!law.rolling() && law.base != Base::patch) continue;
    double worst = 0;
    each_tire(law, 13, [&](int k, const TireSpec& given, Rng& r) {
      const TireSpec t = plain(given);
      Tire tire(t);
      const double Fz = nominal_load(t), g = kGravity, m = Fz / (g * std::cos(20 * kPi / 180)), a = r(-kPi, kPi),
                   T = m * g * std::sin(20 * kPi / 180);
      const Out one = tire.eval({0, 0, 0, 0, Fz});
      const double mu = 0.6 * Fz / std::fmin(one.Dx, one.Dy);
      const double k0 = law.base == Base::patch ? Fz * std::fmin(t.patch.sigma0[0], t.patch.sigma0[1])
                                                : std::fmin(tire.p.sigma0_x, tire.p.sigma0_y);
      const double k1 = law.base == Base::patch ? Fz * std::fmax(t.patch.sigma0[0], t.patch.sigma0[1])
                                                : std::fmax(tire.p.sigma0_x, tire.p.sigma0_y);
      const double own = law.base == Base::patch ? Fz * std::fmax(t.patch.sigma1[0], t.patch.sigma1[1])
                                                 : std::fmax(tire.p.sigma1_x, tire.p.sigma1_y);
      const bool soft = law.base == Base::patch;  // plain LuGre: at 0.6 of its grip 0.4 of its stiffness is left
      const double c = std::fmax(0, 2 * std::sqrt(k0 * m) - own),
                   h = std::fmin((soft ? 0.1 : 0.05) * std::sqrt(m / k1), 0.3 * m / (c + own));
      const int n = int((soft ? 100 : 40) * (c + own) / k0 / h), last = n / 5;
      Motion now{0, 0, 0, 0, Fz, mu};
      // the bristles of the rolling law begin with 0.9 of the force; dropped onto them, a tire that hardly pulls when it slides would go
      if (law.rolling())
        tire.w.zx = 0.9 * T * std::cos(a) / tire.p.sigma0_x, tire.w.zy = 0.9 * T * std::sin(a) / tire.p.sigma0_y;
      double x = 0, y = 0, x1 = 0, y1 = 0, Vx = 0, Vy = 0;
      for (int i = 0; i < n; ++i) {
        const Out o = tire.eval(now);
        Vx += h * (o.Fx - T * std::cos(a) - c * Vx) / m;
        Vy += h * (o.Fy - T * std::sin(a) - c * Vy) / m;
        const Motion next{Vx, -Vx, -Vy, 0, Fz, mu};
        tire.step(now, next, h);
        now = next;
        x += h * Vx, y += h * Vy;
        if (i == n - last) x1 = x, y1 = y;
      }
      const double creep = std::hypot(x - x1, y - y1) / (last * h) * 3600;
      worst = std::fmax(worst, creep);
      EXPECT_LE(creep, 1e-6) << law.name << " " << k;
      EXPECT_GT(std::hypot(x, y), 0.05 * T / k1) << law.name << " " << k;  // it hangs in its bristles
    });
    measured(with(law, "creep on 20 deg [m/h]"), worst, 1e-6);
  }
}

// Bristles shape the way to the steady force, never the force: another stiffness or relaxation length, the same steady
// state.
TEST(TireLaws, SteadyForceKnowsNoRelaxationLength) {
  for (const Law& law : kLaws) {
    if (!law.rolling()) continue;
    double worst = 0;
    each_tire(law, 14, [&](int, const TireSpec& given, Rng& r) {
      const Motion m = random_motion(r, nominal_load(given), 2);
      double Fx[3], Fy[3], D = 1;
      for (int i = 0; i < 3; ++i) {
        TireSpec t = given;
        t.rally.thermal.thermal_mass = t.rally.thermal.core_thermal_mass = 1e7;  // it slides for seconds
        const double by = i == 0 ? 1 : i == 1 ? 0.4 : 3;
        t.lugre.sigma0 *= by, t.lugre.rolling.sigma0_lat *= by;
        t.tir.structural.LONGITUDINAL_STIFFNESS *= by, t.tir.structural.LATERAL_STIFFNESS *= by,
            t.tir.scaling.LSGKP /= by, t.tir.scaling.LSGAL /= by;
        t.rally.patch.relaxation_length /= by, t.rally.patch.longitudinal_relaxation_length /= by;
        Tire tire(t);
        const WheelState<double> cold = tire.w;
        if (tire.kind.roll_memory) tire.w.roll = sign(m.Vr()) / tire.p.inv_b;
        const Stiffness C = stated_stiffness(law, t, m);
        const double sigma = std::fmax(C.x / tire.p.sigma0_x, C.y / tire.p.sigma0_y);
        for (int j = 0; j < 120; ++j) {
          tire.step(m, m, 0.5 * sigma / std::fabs(m.Vx));
          tire.w.T_tread = cold.T_tread, tire.w.T_core = cold.T_core, tire.w.tread = cold.tread;
        }
        const Out o = tire.eval(m);
        Fx[i] = o.Fx, Fy[i] = o.Fy, D = std::fmax(o.Dx, o.Dy);
        // and it is the steady law itself
        const Out steady = Tire(t).steady(m);
        worst = std::fmax(worst, apart(o, steady) / D);
      }
      for (int i = 1; i < 3; ++i) worst = std::fmax(worst, std::hypot(Fx[i] - Fx[0], Fy[i] - Fy[0]) / D);
    });
    const double tol = law.base == Base::rally ? 1e-5 : 1e-12;  // it warms within the last step
    measured(with(law, "steady force by stiffness, |dF|/D"), worst, tol);
    EXPECT_LE(worst, tol) << law.name;
  }
}

// What a file says is what the car gets: the steady force is the file's at (kappa, alpha), to rounding, offsets and
// camber included.
TEST(TireLaws, SteadyForceIsTheFiles) {
  for (const Law& law : kLaws) {
    if (law.base != Base::tir || law.carrier == Carrier::breakaway) continue;
    double worst = 0;
    each_tire(law, 19, [&](int, const TireSpec& t, Rng& r) {
      Tire tire(t);
      const TirKind kind = tir_kind(t.tir, t.tir_flavour == TirFlavour::book);
      const TirParams<double> p = compile_tir(t.tir);
      for (int i = 0; i < 40; ++i) {
        const Motion m = random_motion(r, nominal_load(t));
        const double V = std::fabs(m.Vx), back = m.Vx < 0 ? -1 : 1;  // a file's slip ratio is over Vx, ours over |Vx|
        const TirOutput<double> f =
            mf_tyre(kind, p, TirMode{true, false, false, true},
                    TirInput<double>{m.Fz, back * m.vx / V, std::atan2(-m.vy, V), m.gamma, 0, m.Vx,
                                     t.tir.operating.INFLPRES, m.Vr() / p.R0, m.mu, m.mu});
        const Out o = tire.steady(m);
        worst = std::fmax(worst, std::hypot(o.Fx - f.Fx, o.Fy - f.Fy) / std::fmax(o.Dx, o.Dy));
      }
    });
    measured(with(law, "steady force - file, |dF|/D"), worst, 1e-12);
    EXPECT_LE(worst, 1e-12) << law.name;
  }
}

// A standing wheel that loses its load loses its force, and does not find it again when the load comes back.
TEST(TireLaws, LostLoadLosesTheForce) {
  for (const Law& law : kLaws) {
    if (!law.rolling()) continue;
    each_tire(law, 20, [&](int k, const TireSpec& given, Rng& r) {
      Tire tire(plain(given));
      const double Fz = nominal_load(given), a = r(-kPi, kPi);
      Motion m{0, 0, 0, 0, Fz};
      const Out full = tire.eval(m);
      tire.w.zx = 0.9 * full.Dx * std::cos(a) / tire.p.sigma0_x;
      tire.w.zy = 0.9 * full.Dy * std::sin(a) / tire.p.sigma0_y;
      const auto size = [&] {
        const Out o = tire.eval(m);
        return std::hypot(o.Fx / full.Dx, o.Fy / full.Dy);
      };
      EXPECT_NEAR(size(), 0.9, 1e-9) << law.name << " " << k;
      m.Fz = 0.1 * Fz;
      tire.run(m, 0.01, 1);
      const Out low = tire.eval(m);
      m.Fz = Fz;
      tire.run(m, 0.01, 1);
      EXPECT_NEAR(size(), std::hypot(low.Dx / full.Dx * std::cos(a), low.Dy / full.Dy * std::sin(a)), 0.02)
          << law.name << " " << k;
    });
  }
}

// A slip history of straight pieces, half a second each and up to the peaks: at every knot 60 Hz and 1000 Hz agree
// within 1 % of the peak force, at speeds that roll up to 0.8 relaxation lengths in a step of 60 Hz.
TEST(TireLaws, RallySixtyHertzAgreesWithOneKilohertz) {
  for (const Law& law : kLaws) {
    if (law.base != Base::rally) continue;
    double worst = 0;
    each_tire(law, 15, [&](int k, const TireSpec& t, Rng& r) {
      const RallyNominal n = rally_nominal(t.rally);
      const double V = r(0.5, 1) * std::fmin(40, 48 * std::fmin(n.sigma_x, n.sigma_y)), Fn = nominal_load(t);
      const RallyCurves<double> c =
          rally_curves(rally_kind(t.rally), compile_rally(t.rally),
                       rally_env(rally_kind(t.rally), compile_rally(t.rally), compile_rally(t.rally).on_own,
                                 vdsim::rally_state(t.rally), V),
                       Fn, 0.0, 1.0, 1.0);
      const auto knot = [&] {
        return slipping(V * r(0.95, 1.05), r(-0.7, 0.7) * c.lon.s_p, r(-0.7, 0.7) * c.lat.s_p, Fn * r(0.6, 1.4));
      };
      Tire slow(t), fast(t);
      Motion from = knot();
      slow.settle(from), fast.settle(from);
      for (int piece = 0; piece < 4; ++piece) {
        const Motion to = knot();
        for (int i = 0; i < 30; ++i)
          slow.step(between(from, to, i / 30.0), between(from, to, (i + 1) / 30.0), 1 / 60.0);
        for (int i = 0; i < 500; ++i) fast.step(between(from, to, i / 500.0), between(from, to, (i + 1) / 500.0), 1e-3);
        from = to;
        const Out a = slow.eval(to), b = fast.eval(to);
        worst = std::fmax(worst, apart(a, b) / std::fmax(b.Dx, b.Dy));
        EXPECT_LE(apart(a, b) / std::fmax(b.Dx, b.Dy), 0.01)
            << law.name << " " << k << " piece " << piece << " V " << V;
      }
    });
    measured(with(law, "60 Hz against 1000 Hz"), worst, 0.01);
  }
}

// Trail falls from its full length to the stated residual when the whole patch slides, at the peak: Mz collapses.
TEST(TireLaws, RallyAligningMomentCollapsesAtThePeak) {
  for (const Law& law : kLaws) {
    if (law.base != Base::rally) continue;
    double worst = 0, most = 0;
    each_tire(law, 16, [&](int k, const TireSpec& given, Rng& r) {
      TireSpec t = plain(given);
      t.rally.surface.water_depth = 0;
      const double Fz = nominal_load(t), V = r.sign() * r(5, 30);
      const RallyKind kind = rally_kind(t.rally);
      const RallyParams<double> p = compile_rally(t.rally);
      const double peak =
          rally_curves(kind, p, rally_env(kind, p, p.on_own, vdsim::rally_state(t.rally), V), Fz, 0.0, 1.0, 1.0)
              .lat.s_p;
      Tire tire(t);
      const auto Mz = [&](double s) { return sign(V) * tire.steady(slipping(V, 0, s, Fz)).Mz; };
      const auto trail = [&](double s) {
        const Out o = tire.steady(slipping(V, 0, s, Fz));
        return -sign(V) * o.Mz / o.Fy;
      };
      double top = 0, at = 0;
      for (int i = 1; i <= 100; ++i) {
        const double M = Mz(i / 100.0 * peak);
        if (M > top) top = M, at = i / 100.0;
      }
      const double t0 = trail(1e-6 * peak), res = t.rally.moments.aligning_torque_residual_factor;
      worst = std::max({worst, std::fabs(trail(peak) / t0 - res), std::fabs(trail(2 * peak) / t0 - res)});
      most = std::fmax(most, at);
      EXPECT_GT(t0, 0) << law.name << " " << k;
      EXPECT_LT(Mz(peak), top) << law.name << " " << k;
    });
    measured(with(law, "trail at the peak - residual"), worst, 1e-5);
    measured(with(law, "slip of the largest Mz / slip of the peak"), most, 0.6);
    EXPECT_LE(worst, 1e-5) << law.name;
    EXPECT_LE(most, 0.6) << law.name;
  }
}

// Heat flows downhill and sliding heats: a tire that slides gets warmer than one that rolls, which warms its core; a
// hot one cools. All stay between the coldest of their surroundings and the limit, and tread is only ever lost.
TEST(TireLaws, RallyHeatFlowsTheRightWay) {
  for (const Law& law : kLaws) {
    if (law.base != Base::rally) continue;
    each_tire(law, 17, [&](int k, const TireSpec& t, Rng& r) {
      const RallyThermalSpec& th = t.rally.thermal;
      const double Fz = nominal_load(t), low = th.ambient_temperature - 12;
      const double V = r(10, 40);
      const Motion slide = slipping(V, -0.8, 0.3, Fz), fast = slipping(V, 0, 0, Fz), roll = slipping(r(1, 5), 0, 0, Fz);
      Tire tire(t), rolls(t);
      rolls.settle(fast);
      rolls.run(fast, 20, 100);
      tire.settle(slide);
      double tread = 1;
      for (int i = 0; i < 100; ++i) {
        tire.step(slide, slide, 0.2);
        ASSERT_LE(tire.w.tread, tread) << law.name << " " << k;
        tread = tire.w.tread;
        ASSERT_GE(std::fmin(tire.w.T_tread, tire.w.T_core), low) << law.name << " " << k;
        ASSERT_LE(std::fmax(tire.w.T_tread, tire.w.T_core), th.temperature_limit) << law.name << " " << k;
      }
      EXPECT_GT(tire.w.T_tread, rolls.w.T_tread + 0.1) << law.name << " " << k;
      if (t.rally.surface.water_depth == 0) {
        EXPECT_GT(rolls.w.T_core, th.ambient_temperature) << law.name << " " << k;
      }
      EXPECT_LT(tread, 1) << law.name << " " << k;
      tire.w.T_tread = tire.w.T_core = 0.9 * th.temperature_limit;
      const double hot = tire.w.T_tread;
      tire.settle(roll);
      for (int i = 0; i < 100; ++i) tire.step(roll, roll, 0.2);
      EXPECT_LT(tire.w.T_tread, hot) << law.name << " " << k;
      EXPECT_LT(tire.w.T_core, hot) << law.name << " " << k;
      EXPECT_LT(tire.w.T_tread, tire.w.T_core) << law.name << " " << k;  // the road and the air cool the tread first
    });
  }
}
