// SPDX-License-Identifier: Apache-2.0
// MF-Tyre: constants of one tire compiled from a property file, all of type R. Theory: docs/theory/24_mf_tyre.md.
#pragma once
#include "vdsim/core/math/real.hpp"
#include "vdsim/core/tire/tir_spec.hpp"

namespace vdsim {

// Members carry the key's name; the scale factor beside a group is already multiplied in.
template <class R> struct TirParams {
  R side;  // 1 = as the file is written, -1 = mirrored: alpha, gamma, phit, Fy, Mx, Mz change sign
  R R0, inv_R0, inv_V0, Fz0, inv_Fz0, Fz0n, inv_Fz0n, inv_p0, p_ref, LFZO;  // Fz0n = LFZO Fz0
  R LMUX, LMUY, LMUV, VXLOW, inv_VXLOW;
  R FZMIN, inv_FZMIN, FZMAX, KPUMIN, KPUMAX, ALPMIN, ALPMAX, CAMMIN, CAMMAX, PRESMIN, PRESMAX;
  // Fx
  R CX, PDX1, PDX2, PDX3, PPX3, PPX4;          // CX = PCX1 LCX
  R PEX1, PEX2, PEX3, PEX4;                    // LEX
  R PKX1, PKX2, PKX3, PPX1, PPX2;              // LKX
  R PHX1, PHX2, PVX1, PVX2;                    // LHX, LVX
  R RBX1, RBX2, RBX3, RCX1, REX1, REX2, RHX1;  // LXAL
  // Fy
  R CY, PDY1, PDY2, PDY3, PPY3, PPY4;                      // CY = PCY1 LCY
  R PEY1, PEY2, PEY3, PEY4, PEY5;                          // LEY
  R KY, PKY2, PKY3, PKY4, PKY5, PPY1, PPY2;                // KY = PKY1 Fz0n LKY [N/rad]
  R PKY6, PKY7, PPY5, PHY1, PHY2, PHY3;                    // LKYC; LHY
  R PVY1, PVY2, PVY3, PVY4;                                // LVY; LKYC
  R RBY1, RBY2, RBY3, RBY4, RCY1, REY1, REY2, RHY1, RHY2;  // LYKA
  R RVY1, RVY2, RVY3, RVY4, RVY5, RVY6;                    // LVYKA
  // Mz: trail [m per N of load], residual moment [m], arm of Fx [m]
  R QBZ1, QBZ2, QBZ3, QBZ4, QBZ5, QBZ6, QBZ9, QBZ10, QCZ1;  // LKY
  R QDZ1, QDZ2, QDZ3, QDZ4, PPZ1;                           // R0/Fz0n LTR
  R QDZ6, QDZ7, QDZ8, QDZ9, QDZ10, QDZ11, PPZ2;             // R0 LRES; R0 LKZC
  R QEZ1, QEZ2, QEZ3, QEZ4, QEZ5, QHZ1, QHZ2, QHZ3, QHZ4;
  R SSZ1, SSZ2, SSZ3, SSZ4, SSZ2n;  // R0 LS; SSZ2 over Fz0, SSZ2n over Fz0n
  // Mx: R0 LMX; QSX3, QSX9 over Fz0.  My: R0 LMY
  R QSX1, QSX2, QSX3, QSX4, QSX5, QSX6, QSX7, QSX8, QSX9, QSX10, QSX11, QSX12, QSX13, QSX14, PPMX1;
  R QSY1, QSY2, QSY3, QSY4, QSY5, QSY6, QSY7, QSY8;
  // turn slip
  R PDXP1, PDXP2, PDXP3, PKYP1, PDYP1, PDYP2, PDYP3, PDYP4, PHYP1, PHYP2, PHYP3, PHYP4, PECP1, PECP2;
  R QDTP1, QCRP1, QCRP2, QBRP1, QDRP1, inv_sin_QDRP1, LMP;
  // vertical, patch, carcass
  R Cz0, PFZ1, BREFF, DREFF, FREFF, Q_RE0, Q_V1, Q_V2, Q_FZ1, Q_FZ2, Q_FZ3, Q_FCX, Q_FCY, Q_FCY2;
  R Q_CAM1, Q_CAM2, Q_CAM3, Q_FYS1, Q_FYS2, Q_FYS3, tread, bottom;  // tread width / 8 [m]; travel to the rim [m]
  R patch_a1, patch_a2, patch_b1, patch_b2;  // roots and linear terms of half length and half width [m]
  R Cx0, PCFX1, PCFX2, PCFX3, Cy0, PCFY1, PCFY2, PCFY3;
  R PTX1, PTX2, PTX3, PTY1, inv_PTY2;  // 5.2: R0/Fz0 LSGKP; R0 LFZO LSGAL
};

// Uniform over the lanes of a batch.
struct TirKind {
  int version;            // 52, 61, 62
  bool book;              // flavour: equations of the book instead of those of the program (6.x only)
  bool shift_x, shift_y;  // the combined weights have a shift (their value at zero cross slip is computed)
  bool kappa_fy;          // slip ratio induces side force
  bool slip_mu;           // friction falls with the slip speed (LMUV)
  bool operator==(const TirKind&) const = default;
};

// The three digits of useMode, and `rolling`.
struct TirMode {
  bool limits = false;   // inputs to the file's ranges, E <= 1, forces scaled down below VXLOW
  bool star = false;     // tan(alpha) sign(Vx), sin(gamma) for alpha, gamma
  bool turn = false;     // turn slip
  bool rolling = false;  // with limits: no scaling below VXLOW (the host law holds at rest by itself)
};
constexpr TirMode tir_mode(int use_mode) {
  return {use_mode / 100 % 10 == 1, use_mode / 10 % 10 == 2, use_mode % 10 == 2, false};
}

inline TirKind tir_kind(const TirSpec& s, bool book = false) {
  TirKind k;
  k.version = s.model.FITTYP;
  k.book = book && k.version != 52;
  k.shift_x = s.longitudinal.RHX1 != 0;
  k.shift_y = s.lateral.RHY1 != 0 || s.lateral.RHY2 != 0;
  k.kappa_fy = s.lateral.RVY1 != 0 || s.lateral.RVY2 != 0 || s.lateral.RVY3 != 0;
  k.slip_mu = s.scaling.LMUV != 0;
  return k;
}

namespace detail {

inline void tir_general(const TirSpec& s, TirParams<double>& p) {
  const TirRanges& r = s.ranges;
  p.side = s.mirrored ? -1 : 1;
  p.R0 = s.dimension.UNLOADED_RADIUS;
  p.inv_R0 = 1 / p.R0;
  p.inv_V0 = 1 / s.model.LONGVL;
  p.Fz0 = s.vertical.FNOMIN;
  p.inv_Fz0 = 1 / p.Fz0;
  p.LFZO = s.scaling.LFZO;
  p.Fz0n = p.LFZO * p.Fz0;
  p.inv_Fz0n = 1 / p.Fz0n;
  p.p_ref = s.operating.NOMPRES;
  p.inv_p0 = 1 / p.p_ref;
  p.LMUX = s.scaling.LMUX, p.LMUY = s.scaling.LMUY, p.LMUV = s.scaling.LMUV;
  p.VXLOW = s.model.VXLOW, p.inv_VXLOW = 1 / p.VXLOW;
  p.FZMIN = r.FZMIN, p.inv_FZMIN = r.FZMIN > 0 ? 1 / r.FZMIN : 0, p.FZMAX = r.FZMAX;
  p.KPUMIN = r.KPUMIN, p.KPUMAX = r.KPUMAX, p.ALPMIN = r.ALPMIN, p.ALPMAX = r.ALPMAX;
  p.CAMMIN = r.CAMMIN, p.CAMMAX = r.CAMMAX, p.PRESMIN = r.PRESMIN, p.PRESMAX = r.PRESMAX;
}

inline void tir_longitudinal(const TirSpec& s, TirParams<double>& p) {
  const TirLongitudinal& c = s.longitudinal;
  const TirScaling& l = s.scaling;
  const double gx = s.model.FITTYP == 52 ? l.LGAX : 1;  // 5.2 scales the camber angle itself
  p.CX = c.PCX1 * l.LCX;
  p.PDX1 = c.PDX1, p.PDX2 = c.PDX2, p.PDX3 = c.PDX3 * gx * gx, p.PPX3 = c.PPX3, p.PPX4 = c.PPX4;
  p.PEX1 = c.PEX1 * l.LEX, p.PEX2 = c.PEX2 * l.LEX, p.PEX3 = c.PEX3 * l.LEX, p.PEX4 = c.PEX4;
  p.PKX1 = c.PKX1 * l.LKX, p.PKX2 = c.PKX2 * l.LKX, p.PKX3 = c.PKX3, p.PPX1 = c.PPX1, p.PPX2 = c.PPX2;
  p.PHX1 = c.PHX1 * l.LHX, p.PHX2 = c.PHX2 * l.LHX, p.PVX1 = c.PVX1 * l.LVX, p.PVX2 = c.PVX2 * l.LVX;
  p.RBX1 = c.RBX1 * l.LXAL, p.RBX2 = c.RBX2, p.RBX3 = c.RBX3 * l.LXAL, p.RCX1 = c.RCX1;
  p.REX1 = c.REX1, p.REX2 = c.REX2, p.RHX1 = c.RHX1;
}

inline void tir_lateral(const TirSpec& s, TirParams<double>& p) {
  const TirLateral& c = s.lateral;
  const TirScaling& l = s.scaling;
  const double gy = s.model.FITTYP == 52 ? l.LGAY : 1;
  p.CY = c.PCY1 * l.LCY;
  p.PDY1 = c.PDY1, p.PDY2 = c.PDY2, p.PDY3 = c.PDY3 * gy * gy, p.PPY3 = c.PPY3, p.PPY4 = c.PPY4;
  p.PEY1 = c.PEY1 * l.LEY, p.PEY2 = c.PEY2 * l.LEY, p.PEY3 = c.PEY3, p.PEY4 = c.PEY4 * gy, p.PEY5 = c.PEY5 * gy * gy;
  p.KY = c.PKY1 * p.Fz0n * l.LKY, p.PKY2 = c.PKY2, p.PKY3 = c.PKY3 * (gy < 0 ? -gy : gy), p.PKY5 = c.PKY5;
  p.PKY4 = c.PKY4 != 0 ? c.PKY4 : 2;  // 5.2 has no such key: its shape is 2
  p.PPY1 = c.PPY1, p.PPY2 = c.PPY2;
  p.PKY6 = c.PKY6 * l.LKYC, p.PKY7 = c.PKY7 * l.LKYC, p.PPY5 = c.PPY5;
  p.PHY1 = c.PHY1 * l.LHY, p.PHY2 = c.PHY2 * l.LHY, p.PHY3 = c.PHY3 * l.LKYC * gy;
  p.PVY1 = c.PVY1 * l.LVY, p.PVY2 = c.PVY2 * l.LVY, p.PVY3 = c.PVY3 * l.LKYC * gy, p.PVY4 = c.PVY4 * l.LKYC * gy;
  p.RBY1 = c.RBY1 * l.LYKA, p.RBY2 = c.RBY2, p.RBY3 = c.RBY3, p.RBY4 = c.RBY4 * l.LYKA, p.RCY1 = c.RCY1;
  p.REY1 = c.REY1, p.REY2 = c.REY2, p.RHY1 = c.RHY1, p.RHY2 = c.RHY2;
  p.RVY1 = c.RVY1 * l.LVYKA, p.RVY2 = c.RVY2 * l.LVYKA, p.RVY3 = c.RVY3 * l.LVYKA;
  p.RVY4 = c.RVY4, p.RVY5 = c.RVY5, p.RVY6 = c.RVY6;
}

inline void tir_moments(const TirSpec& s, TirParams<double>& p) {
  const TirAligning& c = s.aligning;
  const TirOverturning& x = s.overturning;
  const TirRolling& y = s.rolling;
  const TirScaling& l = s.scaling;
  const double gz = s.model.FITTYP == 52 ? l.LGAZ : 1;
  p.QBZ1 = c.QBZ1 * l.LKY, p.QBZ2 = c.QBZ2 * l.LKY, p.QBZ3 = c.QBZ3 * l.LKY;
  p.QBZ4 = c.QBZ4 * gz, p.QBZ5 = c.QBZ5 * (gz < 0 ? -gz : gz), p.QBZ6 = c.QBZ6, p.QBZ9 = c.QBZ9 * l.LKY;
  p.QBZ10 = c.QBZ10, p.QCZ1 = c.QCZ1;
  const double trail = p.R0 * p.inv_Fz0n * l.LTR, residual = p.R0 * l.LRES, camber = p.R0 * l.LKZC * gz;
  p.QDZ1 = c.QDZ1 * trail, p.QDZ2 = c.QDZ2 * trail, p.QDZ3 = c.QDZ3 * gz, p.QDZ4 = c.QDZ4 * gz * gz, p.PPZ1 = c.PPZ1;
  p.QDZ6 = c.QDZ6 * residual, p.QDZ7 = c.QDZ7 * residual, p.QDZ8 = c.QDZ8 * camber, p.QDZ9 = c.QDZ9 * camber;
  p.QDZ10 = c.QDZ10 * camber, p.QDZ11 = c.QDZ11 * camber, p.PPZ2 = c.PPZ2;
  p.QEZ1 = c.QEZ1, p.QEZ2 = c.QEZ2, p.QEZ3 = c.QEZ3, p.QEZ4 = c.QEZ4, p.QEZ5 = c.QEZ5 * gz;
  p.QHZ1 = c.QHZ1, p.QHZ2 = c.QHZ2, p.QHZ3 = c.QHZ3 * gz, p.QHZ4 = c.QHZ4 * gz;
  const double arm = p.R0 * l.LS;
  p.SSZ1 = c.SSZ1 * arm, p.SSZ2 = c.SSZ2 * arm * p.inv_Fz0, p.SSZ2n = c.SSZ2 * arm * p.inv_Fz0n;
  p.SSZ3 = c.SSZ3 * arm, p.SSZ4 = c.SSZ4 * arm;
  const double mx = p.R0 * l.LMX;
  p.QSX1 = x.QSX1 * l.LVMX * mx, p.QSX2 = x.QSX2 * mx, p.QSX3 = x.QSX3 * mx * p.inv_Fz0, p.QSX4 = x.QSX4 * mx;
  p.QSX5 = x.QSX5, p.QSX6 = x.QSX6 * p.inv_Fz0, p.QSX7 = x.QSX7, p.QSX8 = x.QSX8, p.QSX9 = x.QSX9 * p.inv_Fz0;
  p.QSX10 = x.QSX10 * mx, p.QSX11 = x.QSX11 * p.inv_Fz0, p.QSX12 = x.QSX12 * mx, p.QSX13 = x.QSX13 * mx;
  p.QSX14 = x.QSX14 * mx, p.PPMX1 = x.PPMX1;
  const double my = p.R0 * l.LMY;
  p.QSY1 = y.QSY1 * my, p.QSY2 = y.QSY2 * my * p.inv_Fz0, p.QSY3 = y.QSY3 * my, p.QSY4 = y.QSY4 * my;
  p.QSY5 = y.QSY5 * my, p.QSY6 = y.QSY6 * my * p.inv_Fz0, p.QSY7 = y.QSY7, p.QSY8 = y.QSY8;
}

inline void tir_turn_slip(const TirSpec& s, TirParams<double>& p) {
  const TirTurnslip& c = s.turnslip;
  p.PDXP1 = c.PDXP1, p.PDXP2 = c.PDXP2, p.PDXP3 = c.PDXP3, p.PKYP1 = c.PKYP1;
  p.PDYP1 = c.PDYP1, p.PDYP2 = c.PDYP2, p.PDYP3 = c.PDYP3, p.PDYP4 = c.PDYP4;
  p.PHYP1 = c.PHYP1, p.PHYP2 = c.PHYP2, p.PHYP3 = c.PHYP3, p.PHYP4 = c.PHYP4, p.PECP1 = c.PECP1, p.PECP2 = c.PECP2;
  p.QDTP1 = c.QDTP1, p.QCRP1 = c.QCRP1, p.QCRP2 = c.QCRP2, p.QBRP1 = c.QBRP1, p.LMP = s.scaling.LMP;
  p.QDRP1 = c.QDRP1 > 0 ? c.QDRP1 : 1;
  const double peak = sin(1.5707963267948966 * p.QDRP1);
  p.inv_sin_QDRP1 = peak > 0.05 ? 1 / peak : 20;
}

inline void tir_vertical(const TirSpec& s, TirParams<double>& p) {
  const TirVertical& c = s.vertical;
  const TirPatch& a = s.contact_patch;
  const TirStructural& t = s.structural;
  p.Cz0 = c.VERTICAL_STIFFNESS > 0 ? c.VERTICAL_STIFFNESS * s.scaling.LCZ : 1e12;  // no stiffness = rigid
  p.PFZ1 = c.PFZ1, p.BREFF = c.BREFF, p.DREFF = c.DREFF, p.FREFF = c.FREFF;
  p.Q_RE0 = c.Q_RE0, p.Q_V1 = c.Q_V1, p.Q_V2 = c.Q_V2;
  const double n = p.Cz0 * p.R0 * p.inv_Fz0, n2 = n * n - 4 * c.Q_FZ2;
  p.Q_FZ1 = c.Q_FZ1 != 0 ? c.Q_FZ1 : sqrt(n2 > 0 ? n2 : 0.0);
  p.Q_FZ2 = c.Q_FZ2, p.Q_FZ3 = c.Q_FZ3, p.Q_FCX = c.Q_FCX * p.inv_Fz0, p.Q_FCY = c.Q_FCY * p.inv_Fz0;
  p.Q_FCY2 = c.Q_FCY2, p.Q_CAM1 = c.Q_CAM1, p.Q_CAM2 = c.Q_CAM2, p.Q_CAM3 = c.Q_CAM3;
  p.Q_FYS1 = c.Q_FYS1, p.Q_FYS2 = c.Q_FYS2, p.Q_FYS3 = c.Q_FYS3;
  p.tread = (1.075 - 0.5 * s.dimension.ASPECT_RATIO) * s.dimension.WIDTH / 8;
  p.bottom = p.R0 - s.dimension.RIM_RADIUS - c.BOTTOM_OFFST;
  if (s.model.FITTYP == 52) {
    double a1 = a.Q_A1, a2 = a.Q_A2;
    if (a1 == 0 && a2 == 0) {  // usual lengths for this stiffness when the file has none
      const double y = log(n) / 2.302585092994046;
      a1 = ((-0.0388 * y + 0.2509) * y - 0.6283) * y + 0.6279;
      a2 = 1.693 * a1 * a1;
    }
    p.patch_a1 = p.R0 * a1, p.patch_a2 = p.R0 * a2, p.patch_b1 = 0.5 * s.dimension.WIDTH, p.patch_b2 = 0;
  } else {
    p.patch_a1 = p.R0 * a.Q_RA1, p.patch_a2 = p.R0 * a.Q_RA2;
    p.patch_b1 = s.dimension.WIDTH * a.Q_RB1, p.patch_b2 = s.dimension.WIDTH * a.Q_RB2;
  }
  p.Cx0 = t.LONGITUDINAL_STIFFNESS, p.PCFX1 = t.PCFX1, p.PCFX2 = t.PCFX2, p.PCFX3 = t.PCFX3;
  p.Cy0 = t.LATERAL_STIFFNESS, p.PCFY1 = t.PCFY1, p.PCFY2 = t.PCFY2, p.PCFY3 = t.PCFY3;
  const double lx = p.R0 * p.inv_Fz0 * s.scaling.LSGKP;
  p.PTX1 = s.longitudinal.PTX1 * lx, p.PTX2 = s.longitudinal.PTX2 * lx, p.PTX3 = s.longitudinal.PTX3;
  p.PTY1 = s.lateral.PTY1 * p.R0 * p.LFZO * s.scaling.LSGAL;
  p.inv_PTY2 = s.lateral.PTY2 != 0 ? p.inv_Fz0n / s.lateral.PTY2 : 0;
}

}  // namespace detail

inline TirParams<double> compile_tir(const TirSpec& s) {
  TirParams<double> p;
  detail::tir_general(s, p);
  detail::tir_longitudinal(s, p);
  detail::tir_lateral(s, p);
  detail::tir_moments(s, p);
  detail::tir_turn_slip(s, p);
  detail::tir_vertical(s, p);
  return p;
}

}  // namespace vdsim
