// SPDX-License-Identifier: Apache-2.0
// The coefficients of an MF-Tyre property file (.tir), versions 5.2, 6.1 and 6.2. One struct per block, every
// member named as the key. SI units and radians; a default is what the formulae take when the key is absent.
// Frame and signs are those of the file (ISO-W): Fy < 0 for alpha > 0, so PKY1 sin(2 atan(...)) < 0.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// sizes
struct TirDimension {
  double UNLOADED_RADIUS = 0.3, WIDTH = 0.2, RIM_RADIUS = 0.2, RIM_WIDTH = 0.15, ASPECT_RATIO = 0.6;
  bool operator==(const TirDimension&) const = default;
};

// inflation pressure
struct TirOperating {
  double INFLPRES = 2e5, NOMPRES = 2e5;
  bool operator==(const TirOperating&) const = default;
};

// masses
struct TirInertia {
  double MASS = 0, IXX = 0, IYY = 0, BELT_MASS = 0, BELT_IXX = 0, BELT_IYY = 0, GRAVITY = -9.81;
  bool operator==(const TirInertia&) const = default;
};

// vertical force, loaded and effective radius
struct TirVertical {
  double FNOMIN = 4000, VERTICAL_STIFFNESS = 2e5, VERTICAL_DAMPING = 0, MC_CONTOUR_A = 0, MC_CONTOUR_B = 0, BREFF = 0,
         DREFF = 0, FREFF = 0, Q_RE0 = 1, Q_V1 = 0, Q_V2 = 0, Q_FZ1 = 0, Q_FZ2 = 0, Q_FZ3 = 0, Q_FCX = 0, Q_FCY = 0,
         Q_FCY2 = 0, Q_CAM = 0, Q_CAM1 = 0, Q_CAM2 = 0, Q_CAM3 = 0, Q_FYS1 = 0, Q_FYS2 = 0, Q_FYS3 = 0, PFZ1 = 0,
         BOTTOM_OFFST = 0, BOTTOM_STIFF = 0;
  bool operator==(const TirVertical&) const = default;
};

// carcass
struct TirStructural {
  double LONGITUDINAL_STIFFNESS = 0, LATERAL_STIFFNESS = 0, YAW_STIFFNESS = 0, FREQ_LONG = 0, FREQ_LAT = 0,
         FREQ_YAW = 0, FREQ_WINDUP = 0, DAMP_LONG = 0, DAMP_LAT = 0, DAMP_YAW = 0, DAMP_WINDUP = 0, DAMP_RESIDUAL = 0,
         DAMP_VLOW = 0, Q_BVX = 0, Q_BVT = 0, PCFX1 = 0, PCFX2 = 0, PCFX3 = 0, PCFY1 = 0, PCFY2 = 0, PCFY3 = 0,
         PCMZ1 = 0;
  bool operator==(const TirStructural&) const = default;
};

// contact patch
struct TirPatch {
  double Q_RA1 = 0, Q_RA2 = 0, Q_RB1 = 0, Q_RB2 = 0, Q_A1 = 0, Q_A2 = 0, ELLIPS_SHIFT = 0, ELLIPS_LENGTH = 0,
         ELLIPS_HEIGHT = 0, ELLIPS_ORDER = 0, ELLIPS_MAX_STEP = 0, ELLIPS_NWIDTH = 0, ELLIPS_NLENGTH = 0, ENV_C1 = 0,
         ENV_C2 = 0;
  bool operator==(const TirPatch&) const = default;
};

// where the coefficients are valid (five blocks of the file)
struct TirRanges {
  double PRESMIN = 1e4, PRESMAX = 1e6, FZMIN = 0, FZMAX = 1e6, KPUMIN = -1.5, KPUMAX = 1.5, ALPMIN = -1.5, ALPMAX = 1.5,
         CAMMIN = -0.3, CAMMAX = 0.3;
  bool operator==(const TirRanges&) const = default;
};

// scale factors
struct TirScaling {
  double LFZO = 1, LCX = 1, LMUX = 1, LEX = 1, LKX = 1, LHX = 1, LVX = 1, LGAX = 1, LCY = 1, LMUY = 1, LEY = 1, LKY = 1,
         LHY = 1, LVY = 1, LGAY = 1, LKYC = 1, LKZC = 1, LMUV = 0, LTR = 1, LRES = 1, LGAZ = 1, LXAL = 1, LYKA = 1,
         LVYKA = 1, LS = 1, LMX = 1, LVMX = 1, LMY = 1, LMP = 1, LSGKP = 1, LSGAL = 1, LGYR = 1, LCZ = 1;
  bool operator==(const TirScaling&) const = default;
};

// Fx
struct TirLongitudinal {
  double PCX1 = 0, PDX1 = 0, PDX2 = 0, PDX3 = 0, PEX1 = 0, PEX2 = 0, PEX3 = 0, PEX4 = 0, PKX1 = 0, PKX2 = 0, PKX3 = 0,
         PHX1 = 0, PHX2 = 0, PVX1 = 0, PVX2 = 0, PPX1 = 0, PPX2 = 0, PPX3 = 0, PPX4 = 0, RBX1 = 0, RBX2 = 0, RBX3 = 0,
         RCX1 = 0, REX1 = 0, REX2 = 0, RHX1 = 0, PTX1 = 0, PTX2 = 0, PTX3 = 0;
  bool operator==(const TirLongitudinal&) const = default;
};

// Mx
struct TirOverturning {
  double QSX1 = 0, QSX2 = 0, QSX3 = 0, QSX4 = 0, QSX5 = 0, QSX6 = 0, QSX7 = 0, QSX8 = 0, QSX9 = 0, QSX10 = 0, QSX11 = 0,
         QSX12 = 0, QSX13 = 0, QSX14 = 0, PPMX1 = 0;
  bool operator==(const TirOverturning&) const = default;
};

// Fy
struct TirLateral {
  double PCY1 = 0, PDY1 = 0, PDY2 = 0, PDY3 = 0, PEY1 = 0, PEY2 = 0, PEY3 = 0, PEY4 = 0, PEY5 = 0, PKY1 = 0, PKY2 = 0,
         PKY3 = 0, PKY4 = 2, PKY5 = 0, PKY6 = 0, PKY7 = 0, PHY1 = 0, PHY2 = 0, PHY3 = 0, PVY1 = 0, PVY2 = 0, PVY3 = 0,
         PVY4 = 0, PPY1 = 0, PPY2 = 0, PPY3 = 0, PPY4 = 0, PPY5 = 0, RBY1 = 0, RBY2 = 0, RBY3 = 0, RBY4 = 0, RCY1 = 0,
         REY1 = 0, REY2 = 0, RHY1 = 0, RHY2 = 0, RVY1 = 0, RVY2 = 0, RVY3 = 0, RVY4 = 0, RVY5 = 0, RVY6 = 0, PTY1 = 0,
         PTY2 = 0;
  bool operator==(const TirLateral&) const = default;
};

// My
struct TirRolling {
  double QSY1 = 0, QSY2 = 0, QSY3 = 0, QSY4 = 0, QSY5 = 0, QSY6 = 0, QSY7 = 0, QSY8 = 0;
  bool operator==(const TirRolling&) const = default;
};

// Mz
struct TirAligning {
  double QBZ1 = 0, QBZ2 = 0, QBZ3 = 0, QBZ4 = 0, QBZ5 = 0, QBZ6 = 0, QBZ9 = 0, QBZ10 = 0, QCZ1 = 0, QDZ1 = 0, QDZ2 = 0,
         QDZ3 = 0, QDZ4 = 0, QDZ6 = 0, QDZ7 = 0, QDZ8 = 0, QDZ9 = 0, QDZ10 = 0, QDZ11 = 0, QEZ1 = 0, QEZ2 = 0, QEZ3 = 0,
         QEZ4 = 0, QEZ5 = 0, QHZ1 = 0, QHZ2 = 0, QHZ3 = 0, QHZ4 = 0, PPZ1 = 0, PPZ2 = 0, SSZ1 = 0, SSZ2 = 0, SSZ3 = 0,
         SSZ4 = 0, QTZ1 = 0, MBELT = 0;
  bool operator==(const TirAligning&) const = default;
};

// turn slip
struct TirTurnslip {
  double PDXP1 = 0, PDXP2 = 0, PDXP3 = 0, PKYP1 = 0, PDYP1 = 0, PDYP2 = 0, PDYP3 = 0, PDYP4 = 0, PHYP1 = 0, PHYP2 = 0,
         PHYP3 = 0, PHYP4 = 0, PECP1 = 0, PECP2 = 0, QDTP1 = 0, QCRP1 = 0, QCRP2 = 0, QBRP1 = 0, QDRP1 = 0, QDRP2 = 0;
  bool operator==(const TirTurnslip&) const = default;
};

enum class TireSide { left, right, symmetric };
template <> struct EnumNames<TireSide> { static constexpr std::array names{"left", "right", "symmetric"}; };

struct TirModel {
  int FITTYP = 61;  // 52, 61 or 62; other ways to say it are turned into these on reading
  TireSide TYRESIDE = TireSide::left;
  double LONGVL = 16.7, VXLOW = 1;
  int USE_MODE = 14;
  double ROAD_INCREMENT = 0.01, HMAX_LOCAL = 0.00025, TIME_SWITCH_INTEG = 0.1;
  int ROAD_DIRECTION = 1, N_TIRE_STATES = 4, USER_SUB_ID = 815;

  bool operator==(const TirModel&) const = default;
};

struct TirSpec {
  TirModel model;
  TirDimension dimension;
  TirOperating operating;
  TirInertia inertia;
  TirVertical vertical;
  TirStructural structural;
  TirPatch contact_patch;
  TirRanges ranges;
  TirScaling scaling;
  TirLongitudinal longitudinal;
  TirOverturning overturning;
  TirLateral lateral;
  TirRolling rolling;
  TirAligning aligning;
  TirTurnslip turnslip;
  bool mirrored = false;  // not in the file: evaluate as the tire of the other side of the car

  bool operator==(const TirSpec&) const = default;
};

}  // namespace vdsim
