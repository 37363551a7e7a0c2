// SPDX-License-Identifier: Apache-2.0
// Numbers behind the handling analysis: Newton's method, a path of solutions, slopes, eigenvalues.
#pragma once
#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "vdsim/lab/handling_model.hpp"

namespace vdsim {

using Vector = std::vector<double>;
struct Matrix {  // row by row
  int rows = 0, columns = 0;
  Vector a;
  Matrix() = default;
  Matrix(int r, int c) : rows(r), columns(c), a(std::size_t(r) * std::size_t(c), 0.0) {}
  double& operator()(int i, int j) { return a[std::size_t(i) * std::size_t(columns) + std::size_t(j)]; }
  double operator()(int i, int j) const { return a[std::size_t(i) * std::size_t(columns) + std::size_t(j)]; }
};

// Central differences; step[j] of each x[j].
Matrix jacobian(const std::function<Vector(const Vector&)>& f, const Vector& x, const Vector& step);
Matrix solve(const Matrix& A, const Matrix& B);  // A X = B

struct Modes {
  std::vector<std::complex<double>> values;  // [1/s]
  Vector share;  // how much of each mode lives in the states asked for, 0 .. 1 in a clean case
};
Modes eigenvalues(const Matrix& A, const std::vector<int>& states = {});

// The steady turn at `trim` from the guess `u`; nothing if Newton's method finds none.
std::optional<Vector> solve_steady(SteadyCar&, const Vector& u, const Trim& trim);

// Steady turns along trim(p) from p = 0 on, by arc length: the path may turn back in p (a limit) and is followed to there.
struct SteadyTurnPoint {
  double p;
  Vector u;
};
struct PathOptions {
  double scale = 1;                                         // size of p
  double step = 0.05, most = 0.25;                          // arc lengths, in scaled unknowns
  double until = 1e9;                                       // of p
  std::function<double(const Vector& u, double p)> margin;  // falls below 0: the path ends there
};
enum class PathEnd { limit, margin, until, lost };  // p turned back; margin < 0; p reached; no solution found
struct SteadyPath {
  std::vector<SteadyTurnPoint> points;  // none if there is no solution at p = 0
  PathEnd end = PathEnd::lost;
};
SteadyPath follow(SteadyCar&, const Vector& u0, const std::function<Trim(double)>& trim, const PathOptions&);

}  // namespace vdsim
