// SPDX-License-Identifier: Apache-2.0
// Contact-patch LuGre tire (docs/theory/22_lugre_patch.md): bristles that enter the patch undeflected, are dragged over the
// road by the slip velocity and leave at the trailing edge. One call per wheel and step; scalar numbers only.
//   patch_start    steady state of a motion
//   patch_force    force `since` seconds after the last commit, the motion linear in between; changes nothing
//   patch_advance  the same, and commits
#pragma once
#include "vdsim/core/tire/patch_average.hpp"
#include "vdsim/core/tire/patch_distributed.hpp"
#include "vdsim/core/tire/patch_turn.hpp"

namespace vdsim {

template <class R> struct PatchMemory {
  PatchMotion<R> motion;  // at the last commit
  PatchLeak<R> leak;      // of that motion
  R dir;                  // rolling direction +-1, kept while the wheel stands
  R load;                 // Fz of the last step [N]: only the stored energy asks for it
  PatchSums<R> sums;      // what the load sees of the profile
  PatchAverage<R> average;
  PatchHistory<R> history;
  PatchProfile<R> profile;
};

template <class R> VD_FN bool patch_turns(const PatchMemory<R>& mem, const PatchMotion<R>& m) {
  return m.U * mem.dir <= -R(kPatchStanding);
}
// At the profile of the last commit, with the rates of the motion m. The outflow of the mean bristle follows the motion.
template <class R> VD_FN PatchForce<R> patch_force_now(const PatchKind& kind, const PatchParams<R>& p,
                                                       const PatchMemory<R>& mem, const PatchMotion<R>& m) {
  const PatchLeak<R> leak = patch_leak(p, m);
  if (kind.fidelity != PatchFidelity::average) return patch_load_force(p, mem.sums, m, leak, mem.dir, R(0.0));
  const PatchOutflow<R> flow = patch_outflow(kind, p, leak.q, patch_rolling(p, m.U, mem.dir));
  return patch_load_force(p, patch_average_sums(mem.average, flow), m, leak, mem.dir, R(0.0));
}
// One piece without a change of direction: what the load sees at its end.
template <class R> VD_FN PatchSums<R> patch_look(const PatchKind& kind, const PatchParams<R>& p,
                                                 const PatchMemory<R>& mem, const PatchPiece<R>& piece) {
  if (kind.fidelity == PatchFidelity::average) {
    const PatchAverage<R> a = patch_average_move(kind, p, mem.average, piece);
    return patch_average_sums(a, a.flow);
  }
  if (kind.fidelity == PatchFidelity::exact) return patch_exact_move(kind, p, mem.history, piece, mem.dir).sums;
  return patch_distributed_sums(kind, p, patch_distributed_move(kind, p, mem.profile, piece));
}
template <class R> VD_FN void patch_commit(const PatchKind& kind, const PatchParams<R>& p, PatchMemory<R>& mem,
                                           const PatchMotion<R>& m, R h) {
  const PatchPiece<R> piece = patch_piece(p, mem.motion, mem.leak, m, mem.dir, h);
  if (kind.fidelity == PatchFidelity::average) {
    mem.average = patch_average_move(kind, p, mem.average, piece);
    mem.sums = patch_average_sums(mem.average, mem.average.flow);
  } else if (kind.fidelity == PatchFidelity::exact) {
    const PatchTrial<R> trial = patch_exact_move(kind, p, mem.history, piece, mem.dir);
    patch_exact_keep(p, mem.history, trial);
    mem.sums = trial.sums;
  } else {
    mem.profile = patch_distributed_move(kind, p, mem.profile, piece);
    mem.sums = patch_distributed_sums(kind, p, mem.profile);
  }
  mem.motion = m, mem.leak = piece.end;
}
template <class R> VD_FN void patch_reverse(const PatchKind& kind, const PatchParams<R>& p, PatchMemory<R>& mem) {
  mem.dir = -mem.dir;
  if (kind.fidelity == PatchFidelity::average) patch_average_reverse(mem.average);
  if (kind.fidelity == PatchFidelity::distributed) {
    patch_distributed_reverse(kind, mem.profile);
    mem.sums = patch_distributed_sums(kind, p, mem.profile);
  }
  if (kind.fidelity == PatchFidelity::exact) {
    patch_exact_reverse(kind, p, mem.history);
    PatchMotion<R> still = mem.motion;
    still.U = R(0.0);
    mem.sums =
        patch_exact_move(kind, p, mem.history, patch_piece(p, still, mem.leak, still, mem.dir, R(0.0)), mem.dir).sums;
  }
}
// Any piece: where the wheel reverses, the piece is cut at standstill.
template <class R> VD_FN void patch_move_part(const PatchKind& kind, const PatchParams<R>& p, PatchMemory<R>& mem,
                                              const PatchMotion<R>& m, R h) {
  if (!patch_turns(mem, m)) return patch_commit(kind, p, mem, m, h);
  const R u = clamp(mem.motion.U / (mem.motion.U - m.U), R(0.0), R(1.0));
  PatchMotion<R> still = patch_between(mem.motion, m, u);
  still.U = R(0.0);
  patch_commit(kind, p, mem, still, h * u);
  patch_reverse(kind, p, mem);
  patch_commit(kind, p, mem, m, h * (R(1.0) - u));
}

template <class R> VD_FN void patch_start(const PatchKind& kind, const PatchParams<R>& p, const PatchMotion<R>& motion,
                                          PatchMemory<R>& mem) {
  const PatchMotion<R> m = patch_bounded(motion);
  mem = {};
  mem.motion = m, mem.leak = patch_leak(p, m), mem.dir = select(m.U < R(0.0), R(-1.0), R(1.0));
  const R U = patch_rolling(p, m.U, mem.dir);
  if (kind.fidelity == PatchFidelity::average) {
    mem.average = patch_average_start(kind, p, m, mem.leak.q, U);
    mem.sums = patch_average_sums(mem.average, mem.average.flow);
  } else if (kind.fidelity == PatchFidelity::exact) {
    patch_exact_start(p, mem.history, m, mem.leak.q, U);
    mem.sums = patch_exact_move(kind, p, mem.history, patch_piece(p, m, mem.leak, m, mem.dir, R(0.0)), mem.dir).sums;
  } else {
    patch_distributed_start(kind, p, mem.profile, m, mem.leak.q, U);
    mem.sums = patch_distributed_sums(kind, p, mem.profile);
  }
}
// Patch lengths rolled in a step, at most.
template <class R>
VD_FN R patch_rolled(const PatchParams<R>& p, const PatchMemory<R>& mem, const PatchMotion<R>& m, R h) {
  return h * p.inv_L * max(abs(mem.motion.U), abs(m.U));
}
// A step that renews half the patch is taken in parts. What lies more than eight patch lengths back left no trace: the
// steady state of the motion there stands for it.
template <class R> VD_FN void patch_move(const PatchKind& kind, const PatchParams<R>& p, PatchMemory<R>& mem,
                                         const PatchMotion<R>& m, R h) {
  const R rolled = patch_rolled(p, mem, m, h), most = R(8.0);
  if (!(rolled > R(0.5))) return patch_move_part(kind, p, mem, m, h);
  if (rolled > most) {
    const R kept = most / rolled;
    patch_start(kind, p, patch_between(mem.motion, m, R(1.0) - kept), mem);
    h = h * kept;
  }
  const PatchMotion<R> from = mem.motion;
  const int n = static_cast<int>(R(2.0) * min(rolled, most)) + 1;
  for (int k = 1; k < n; ++k) patch_move_part(kind, p, mem, patch_between(from, m, R(k) / R(n)), h / R(n));
  patch_move_part(kind, p, mem, m, h / R(n));
}
template <class R> VD_FN PatchForce<R> patch_force(const PatchKind& kind, const PatchParams<R>& p,
                                                   const PatchMemory<R>& mem, const PatchMotion<R>& motion_now,
                                                   R since) {
  const PatchMotion<R> m = patch_bounded(motion_now);
  const R h = clamp(since, R(0.0), R(kPatchLong));
  if (patch_turns(mem, m) || patch_rolled(p, mem, m, h) > R(0.5)) {  // rare
    PatchMemory<R> copy = mem;
    patch_move(kind, p, copy, m, h);
    return patch_load_force(p, copy.sums, m, copy.leak, copy.dir, h);
  }
  if (!(h > R(0.0))) return patch_force_now(kind, p, mem, m);
  const PatchPiece<R> piece = patch_piece(p, mem.motion, mem.leak, m, mem.dir, h);
  return patch_load_force(p, patch_look(kind, p, mem, piece), m, piece.end, mem.dir, h);
}
template <class R> VD_FN PatchForce<R> patch_advance(const PatchKind& kind, const PatchParams<R>& p,
                                                     PatchMemory<R>& mem, const PatchMotion<R>& motion_now, R h) {
  const PatchMotion<R> m = patch_bounded(motion_now);
  const R time = clamp(h, R(0.0), R(kPatchLong));
  patch_move(kind, p, mem, m, time);
  return patch_load_force(p, mem.sums, m, mem.leak, mem.dir, time);
}

// The same constants in another number type.
template <class R> PatchParams<R> patch_params_as(const PatchParams<double>& p) {
  static_assert(sizeof(PatchParams<double>) % sizeof(double) == 0);
  PatchParams<R> o;
  constexpr int n = sizeof(PatchParams<double>) / sizeof(double);
  for (int i = 0; i < n; ++i) reinterpret_cast<R*>(&o)[i] = R(reinterpret_cast<const double*>(&p)[i]);
  return o;
}

}  // namespace vdsim
