// SPDX-License-Identifier: Apache-2.0
#include "vdsim/lab/handling_solve.hpp"

#include <cmath>
#include <eigen3/Eigen/Eigenvalues>

namespace vdsim {
namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Column = Eigen::VectorXd;

Eigen::Map<const Dense> view(const Matrix& m) { return {m.a.data(), m.rows, m.columns}; }
Column column(const Vector& v) { return Eigen::Map<const Column>(v.data(), Eigen::Index(v.size())); }
bool finite(const Column& v) { return v.allFinite(); }

// The equations in scaled unknowns y = (u/scale, p/scale_p); the last entry is fixed when p is given.
class Equations {
 public:
  Equations(SteadyCar& car, const std::function<Trim(double)>& trim, double scale_p)
      : car_(car), trim_(trim), scale_p_(scale_p), n_(car.size()) {}
  int unknowns() const { return n_; }
  Vector unscaled(const Column& y) const {
    Vector u(std::size_t(n_), 0.0);
    for (int i = 0; i < n_; ++i) u[std::size_t(i)] = y[i] * car_.scale()[std::size_t(i)];
    return u;
  }
  double parameter(const Column& y) const { return y[n_] * scale_p_; }
  Column scaled(const Vector& u, double p) const {
    Column y(n_ + 1);
    for (int i = 0; i < n_; ++i) y[i] = u[std::size_t(i)] / car_.scale()[std::size_t(i)];
    y[n_] = p / scale_p_;
    return y;
  }
  Column residual(const Column& y) const { return column(car_.residual(unscaled(y), trim_(parameter(y)))); }
  bool settle(const Column& y) { return car_.settle(unscaled(y), trim_(parameter(y))); }
  // n x (n + 1), central differences
  Dense slopes(const Column& y) const {
    constexpr double kStep = 1e-5;
    Dense J(n_, n_ + 1);
    for (int j = 0; j <= n_; ++j) {
      Column up = y, down = y;
      up[j] += kStep;
      down[j] -= kStep;
      J.col(j) = (residual(up) - residual(down)) / (2 * kStep);
    }
    return J;
  }

 private:
  SteadyCar& car_;
  const std::function<Trim(double)>& trim_;
  double scale_p_;
  int n_;
};

// Newton's method on the equations and `row . y = at`; halves a step that increases the residual. J: slopes at y on return.
bool correct(Equations& eq, const Column& row, double at, Column& y, Dense* slopes = nullptr) {
  const int n = eq.unknowns();
  const auto full = [&](const Column& z) {
    Column f(n + 1);
    f.head(n) = eq.residual(z);
    f[n] = row.dot(z) - at;
    return f;
  };
  Column f = full(y);
  for (int round = 0; round < 30; ++round) {
    if (!finite(f)) return false;
    Dense J(n + 1, n + 1);
    J.topRows(n) = eq.slopes(y);
    J.row(n) = row.transpose();
    if (!J.allFinite()) return false;
    const Column weight = J.cwiseAbs().rowwise().maxCoeff().cwiseMax(1e-12).cwiseInverse();
    const Column step = (weight.asDiagonal() * J).partialPivLu().solve(-(weight.asDiagonal() * f).eval());
    if (!finite(step)) return false;
    double share = 1;
    Column z = y + step, g = full(z);
    const double before = (weight.asDiagonal() * f).norm();
    while (share > 1e-3 && !((weight.asDiagonal() * g).norm() < before) && before > 1e-9) {
      share *= 0.5;
      z = y + share * step;
      g = full(z);
    }
    y = z;
    f = g;
    if (slopes) *slopes = J.topRows(n);
    if (share == 1 && step.cwiseAbs().maxCoeff() < 1e-8) return true;
  }
  return false;
}

// Solves again until every differential is in the mode its torques ask for.
bool correct_settled(Equations& eq, const Column& row, double at, Column& y, Dense* slopes = nullptr) {
  for (int round = 0; round < 6; ++round) {
    if (!correct(eq, row, at, y, slopes)) return false;
    if (!eq.settle(y)) return true;
  }
  return false;
}

// Direction of the path where the slopes are J, the same way as `along`.
Column tangent(const Dense& J, const Column& along) {
  const Eigen::Index n = J.rows();
  Dense A(n + 1, n + 1);
  A.topRows(n) = J;
  A.row(n) = along.transpose();
  const Column weight = A.cwiseAbs().rowwise().maxCoeff().cwiseMax(1e-12).cwiseInverse();
  Column e = Column::Zero(n + 1);
  e[n] = weight[n];
  return (weight.asDiagonal() * A).partialPivLu().solve(e).normalized();
}

}  // namespace

Matrix jacobian(const std::function<Vector(const Vector&)>& f, const Vector& x, const Vector& step) {
  Matrix J;
  for (std::size_t j = 0; j < x.size(); ++j) {
    Vector up = x, down = x;
    up[j] += step[j];
    down[j] -= step[j];
    const Vector a = f(up), b = f(down);
    if (j == 0) J = Matrix(int(a.size()), int(x.size()));
    for (std::size_t i = 0; i < a.size(); ++i) J(int(i), int(j)) = (a[i] - b[i]) / (2 * step[j]);
  }
  return J;
}

Matrix solve(const Matrix& A, const Matrix& B) {
  const Dense a = view(A), b = view(B);
  const Column weight = a.cwiseAbs().rowwise().maxCoeff().cwiseMax(1e-300).cwiseInverse();
  const Dense x = (weight.asDiagonal() * a).fullPivLu().solve(weight.asDiagonal() * b);
  Matrix out(B.rows, B.columns);
  Eigen::Map<Dense>(out.a.data(), out.rows, out.columns) = x;
  return out;
}

Modes eigenvalues(const Matrix& A, const std::vector<int>& states) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(view(A)));
  Modes out;
  const Eigen::MatrixXcd right = solver.eigenvectors(), left = right.inverse();
  for (Eigen::Index k = 0; k < right.cols(); ++k) {
    out.values.push_back(solver.eigenvalues()[k]);
    std::complex<double> sum = 0;
    for (const int i : states) sum += right(i, k) * left(k, i);
    out.share.push_back(std::abs(sum));
  }
  return out;
}

std::optional<Vector> solve_steady(SteadyCar& car, const Vector& u, const Trim& trim) {
  const std::function<Trim(double)> fixed = [&](double) { return trim; };
  Equations eq(car, fixed, 1);
  Column y = eq.scaled(u, 0), row = Column::Zero(car.size() + 1);
  row[car.size()] = 1;
  if (!correct_settled(eq, row, 0, y)) return std::nullopt;
  return eq.unscaled(y);
}

SteadyPath follow(SteadyCar& car, const Vector& u0, const std::function<Trim(double)>& trim, const PathOptions& o) {
  SteadyPath out;
  Equations eq(car, trim, o.scale);
  const int n = car.size();
  Column row = Column::Zero(n + 1), y = eq.scaled(u0, 0);
  row[n] = 1;
  Dense J;
  if (!correct_settled(eq, row, 0, y, &J)) return out;
  Column t = tangent(J, row);
  double ds = o.step;
  out.points.push_back({eq.parameter(y), eq.unscaled(y)});
  constexpr double kLeast = 1e-4;
  while (out.points.size() < 2000) {
    Column z = y + ds * t;
    if (!correct_settled(eq, t, t.dot(z), z, &J)) {
      if ((ds *= 0.5) < kLeast) return out;
      continue;
    }
    const Column next = tangent(J, t);
    const double p = eq.parameter(z);
    const bool back = next[n]<0, over = p> o.until, out_of = o.margin && o.margin(eq.unscaled(z), p) < 0;
    if ((back || over || out_of || next.dot(t) < 0.9) && ds > kLeast) {
      ds *= 0.5;  // creep up to the end, or round a bend
      continue;
    }
    if (back || over || out_of) {
      out.end = back ? PathEnd::limit : over ? PathEnd::until : PathEnd::margin;
      return out;
    }
    y = z;
    t = next;
    out.points.push_back({p, eq.unscaled(y)});
    ds = std::min(1.4 * ds, o.most);
  }
  return out;
}

}  // namespace vdsim
