// The coefficients of an MF-Tyre property file (.tir), versions 5.2, 6.1 and 6.2. One struct per block, every
// member named as the key. SI units and radians; a default is what the formulae take when the key is absent.
// Frame and signs are those of the file (ISO-W): Fy < 0 for alpha > 0, so PKY1 sin(2 atan(...)) < 0.
#pragma once
#include "vdsim/core/math/fields.hpp"

namespace vdsim {

// One line per key serves member, default, unit, range and meaning: K = dimensionless, U = with unit and range.
#define VD_TIR_K_MEMBER(key, value, meaning) double key = value;
#define VD_TIR_U_MEMBER(key, value, unit, range, meaning) double key = value;
#define VD_TIR_K_FIELD(key, value, meaning) field(#key, &S::key, "-", any_finite(), meaning),
#define VD_TIR_U_FIELD(key, value, unit, range, meaning) field(#key, &S::key, unit, range, meaning),
#define VD_TIR_BLOCK(Name, LIST)                               \
  struct Name {                                                \
    LIST(VD_TIR_K_MEMBER, VD_TIR_U_MEMBER)                     \
    bool operator==(const Name&) const = default;              \
    static constexpr auto fields() {                           \
      using S = Name;                                          \
      return std::tuple{LIST(VD_TIR_K_FIELD, VD_TIR_U_FIELD)}; \
    }                                                          \
  };                                                           \
  VD_COMPLETE(Name)

// clang-format off
#define VD_TIR_DIMENSION(K, U) /* sizes */ \
  U(UNLOADED_RADIUS, 0.3, "m", above(0), "free radius R0") U(WIDTH, 0.2, "m", at_least(0), "section width") \
  U(RIM_RADIUS, 0.2, "m", at_least(0), "rim radius") U(RIM_WIDTH, 0.15, "m", at_least(0), "rim width") \
  K(ASPECT_RATIO, 0.6, "height / width of the section")
VD_TIR_BLOCK(TirDimension, VD_TIR_DIMENSION);

#define VD_TIR_OPERATING(K, U) /* inflation pressure */ \
  U(INFLPRES, 2e5, "Pa", at_least(0), "pressure p") \
  U(NOMPRES, 2e5, "Pa", above(0), "pressure p0 of the coefficients")
VD_TIR_BLOCK(TirOperating, VD_TIR_OPERATING);

#define VD_TIR_INERTIA(K, U) /* masses */ \
  U(MASS, 0, "kg", at_least(0), "tire") U(IXX, 0, "kg m^2", at_least(0), "tire, about a diameter") \
  U(IYY, 0, "kg m^2", at_least(0), "tire, about the axle") U(BELT_MASS, 0, "kg", at_least(0), "belt") \
  U(BELT_IXX, 0, "kg m^2", at_least(0), "belt, about a diameter") \
  U(BELT_IYY, 0, "kg m^2", at_least(0), "belt, about the axle") \
  U(GRAVITY, -9.81, "m/s^2", any_finite(), "on the belt")
VD_TIR_BLOCK(TirInertia, VD_TIR_INERTIA);

#define VD_TIR_VERTICAL(K, U) /* vertical force, loaded and effective radius */ \
  U(FNOMIN, 4000, "N", above(0), "nominal load Fz0") U(VERTICAL_STIFFNESS, 2e5, "N/m", at_least(0), "Cz at Fz0, p0") \
  U(VERTICAL_DAMPING, 0, "N s/m", at_least(0), "damping") K(MC_CONTOUR_A, 0, "motorcycle contour") \
  K(MC_CONTOUR_B, 0, "motorcycle contour") K(BREFF, 0, "Re: slope at low load") K(DREFF, 0, "Re: peak") \
  K(FREFF, 0, "Re: slope at high load") K(Q_RE0, 1, "free radius / R0") K(Q_V1, 0, "radius growth with speed") \
  K(Q_V2, 0, "stiffness growth with speed") K(Q_FZ1, 0, "linear term of Fz(rho); 0 = from Cz") \
  K(Q_FZ2, 0, "quadratic term of Fz(rho)") K(Q_FZ3, 0, "camber in Fz(rho)") K(Q_FCX, 0, "Fx on Fz") \
  K(Q_FCY, 0, "Fy on Fz") K(Q_FCY2, 0, "load in Q_FCY") K(Q_CAM, 0, "camber on Fz") \
  K(Q_CAM1, 0, "camber on Fz, linear") K(Q_CAM2, 0, "camber on Fz, quadratic") \
  K(Q_CAM3, 0, "camber on Fz, with load") U(Q_FYS1, 0, "N", any_finite(), "camber side force on Fz") \
  U(Q_FYS2, 0, "N", any_finite(), "the same, linear in radius") \
  U(Q_FYS3, 0, "N", any_finite(), "the same, quadratic in radius") K(PFZ1, 0, "pressure on Cz") \
  U(BOTTOM_OFFST, 0, "m", at_least(0), "gap to the rim at bottoming") \
  U(BOTTOM_STIFF, 0, "N/m", at_least(0), "stiffness when bottomed")
VD_TIR_BLOCK(TirVertical, VD_TIR_VERTICAL);

#define VD_TIR_STRUCTURAL(K, U) /* carcass */ \
  U(LONGITUDINAL_STIFFNESS, 0, "N/m", at_least(0), "Cx at Fz0, p0") \
  U(LATERAL_STIFFNESS, 0, "N/m", at_least(0), "Cy at Fz0, p0") \
  U(YAW_STIFFNESS, 0, "N m/rad", at_least(0), "at Fz0, p0") U(FREQ_LONG, 0, "Hz", at_least(0), "mode: fore-aft") \
  U(FREQ_LAT, 0, "Hz", at_least(0), "mode: lateral") U(FREQ_YAW, 0, "Hz", at_least(0), "mode: yaw") \
  U(FREQ_WINDUP, 0, "Hz", at_least(0), "mode: wind-up") K(DAMP_LONG, 0, "damping ratio: fore-aft") \
  K(DAMP_LAT, 0, "damping ratio: lateral") K(DAMP_YAW, 0, "damping ratio: yaw") \
  K(DAMP_WINDUP, 0, "damping ratio: wind-up") U(DAMP_RESIDUAL, 0, "s", at_least(0), "residual damping / stiffness") \
  U(DAMP_VLOW, 0, "s", at_least(0), "extra damping / stiffness at rest") K(Q_BVX, 0, "speed on in-plane stiffness") \
  K(Q_BVT, 0, "speed on wind-up stiffness") K(PCFX1, 0, "Cx with deflection") \
  K(PCFX2, 0, "Cx with deflection squared") K(PCFX3, 0, "Cx with pressure") K(PCFY1, 0, "Cy with deflection") \
  K(PCFY2, 0, "Cy with deflection squared") K(PCFY3, 0, "Cy with pressure") \
  K(PCMZ1, 0, "yaw stiffness with pressure")
VD_TIR_BLOCK(TirStructural, VD_TIR_STRUCTURAL);

#define VD_TIR_PATCH(K, U) /* contact patch */ \
  K(Q_RA1, 0, "length, root term") K(Q_RA2, 0, "length, linear term") K(Q_RB1, 0, "width, root term") \
  K(Q_RB2, 0, "width, linear term") K(Q_A1, 0, "5.2: length, root term") K(Q_A2, 0, "5.2: length, linear term") \
  K(ELLIPS_SHIFT, 0, "cams: distance") K(ELLIPS_LENGTH, 0, "cams: length") K(ELLIPS_HEIGHT, 0, "cams: height") \
  K(ELLIPS_ORDER, 0, "cams: order") U(ELLIPS_MAX_STEP, 0, "m", at_least(0), "cams: highest step") \
  K(ELLIPS_NWIDTH, 0, "cams: across") K(ELLIPS_NLENGTH, 0, "cams: along") K(ENV_C1, 0, "effective height") \
  K(ENV_C2, 0, "effective slope")
VD_TIR_BLOCK(TirPatch, VD_TIR_PATCH);

#define VD_TIR_RANGES(K, U) /* where the coefficients are valid (five blocks of the file) */ \
  U(PRESMIN, 1e4, "Pa", at_least(0), "pressure from") U(PRESMAX, 1e6, "Pa", at_least(0), "pressure to") \
  U(FZMIN, 0, "N", at_least(0), "load from") U(FZMAX, 1e6, "N", at_least(0), "load to") \
  U(KPUMIN, -1.5, "-", any_finite(), "slip ratio from") U(KPUMAX, 1.5, "-", any_finite(), "slip ratio to") \
  U(ALPMIN, -1.5, "rad", any_finite(), "slip angle from") U(ALPMAX, 1.5, "rad", any_finite(), "slip angle to") \
  U(CAMMIN, -0.3, "rad", any_finite(), "camber from") U(CAMMAX, 0.3, "rad", any_finite(), "camber to")
VD_TIR_BLOCK(TirRanges, VD_TIR_RANGES);

#define VD_TIR_SCALING(K, U) /* scale factors */ \
  U(LFZO, 1, "-", above(0), "nominal load") K(LCX, 1, "C of Fx") K(LMUX, 1, "mu of Fx") K(LEX, 1, "E of Fx") \
  K(LKX, 1, "stiffness of Fx") K(LHX, 1, "SH of Fx") K(LVX, 1, "SV of Fx") K(LGAX, 1, "camber in Fx (5.2)") \
  K(LCY, 1, "C of Fy") K(LMUY, 1, "mu of Fy") K(LEY, 1, "E of Fy") K(LKY, 1, "stiffness of Fy") K(LHY, 1, "SH of Fy") \
  K(LVY, 1, "SV of Fy") K(LGAY, 1, "camber in Fy (5.2)") K(LKYC, 1, "camber stiffness of Fy") \
  K(LKZC, 1, "camber stiffness of Mz") K(LMUV, 0, "mu falling with slip speed") K(LTR, 1, "trail") \
  K(LRES, 1, "residual Mz") K(LGAZ, 1, "camber in Mz (5.2)") K(LXAL, 1, "alpha in Fx") K(LYKA, 1, "kappa in Fy") \
  K(LVYKA, 1, "kappa induced Fy") K(LS, 1, "arm of Fx in Mz") K(LMX, 1, "Mx") K(LVMX, 1, "offset of Mx") \
  K(LMY, 1, "My") K(LMP, 1, "parking moment") K(LSGKP, 1, "relaxation of Fx (5.2)") \
  K(LSGAL, 1, "relaxation of Fy (5.2)") K(LGYR, 1, "gyroscopic moment (5.2)") K(LCZ, 1, "vertical stiffness (5.2)")
VD_TIR_BLOCK(TirScaling, VD_TIR_SCALING);

#define VD_TIR_LONGITUDINAL(K, U) /* Fx */ \
  K(PCX1, 0, "C") K(PDX1, 0, "mu") K(PDX2, 0, "mu: load") K(PDX3, 0, "mu: camber squared") K(PEX1, 0, "E") \
  K(PEX2, 0, "E: load") K(PEX3, 0, "E: load squared") K(PEX4, 0, "E: sign of slip") K(PKX1, 0, "K / Fz") \
  K(PKX2, 0, "K: load") K(PKX3, 0, "K: load exponent") K(PHX1, 0, "SH") K(PHX2, 0, "SH: load") K(PVX1, 0, "SV / Fz") \
  K(PVX2, 0, "SV: load") K(PPX1, 0, "K: pressure") K(PPX2, 0, "K: pressure squared") K(PPX3, 0, "mu: pressure") \
  K(PPX4, 0, "mu: pressure squared") K(RBX1, 0, "combined B") K(RBX2, 0, "combined B: kappa") \
  K(RBX3, 0, "combined B: camber") K(RCX1, 0, "combined C") K(REX1, 0, "combined E") K(REX2, 0, "combined E: load") \
  K(RHX1, 0, "combined SH") K(PTX1, 0, "5.2: relaxation length") K(PTX2, 0, "5.2: the same, load") \
  K(PTX3, 0, "5.2: the same, load exponent")
VD_TIR_BLOCK(TirLongitudinal, VD_TIR_LONGITUDINAL);

#define VD_TIR_OVERTURNING(K, U) /* Mx */ \
  K(QSX1, 0, "offset") K(QSX2, 0, "camber") K(QSX3, 0, "Fy") K(QSX4, 0, "load with Fy and camber") \
  K(QSX5, 0, "the same, shape") K(QSX6, 0, "the same, slope") K(QSX7, 0, "the same, camber") \
  K(QSX8, 0, "the same, Fy") K(QSX9, 0, "the same, slope of Fy") K(QSX10, 0, "load and camber") \
  K(QSX11, 0, "the same, slope") K(QSX12, 0, "camber squared") K(QSX13, 0, "Fy, outer term") \
  K(QSX14, 0, "Fy and |camber|") K(PPMX1, 0, "pressure")
VD_TIR_BLOCK(TirOverturning, VD_TIR_OVERTURNING);

#define VD_TIR_LATERAL(K, U) /* Fy */ \
  K(PCY1, 0, "C") K(PDY1, 0, "mu") K(PDY2, 0, "mu: load") K(PDY3, 0, "mu: camber squared") K(PEY1, 0, "E") \
  K(PEY2, 0, "E: load") K(PEY3, 0, "E: sign of slip") K(PEY4, 0, "E: camber") K(PEY5, 0, "E: camber squared") \
  K(PKY1, 0, "K / Fz0") K(PKY2, 0, "load of the largest K") K(PKY3, 0, "K: camber") K(PKY4, 2, "K: shape over load") \
  K(PKY5, 0, "load of the largest K: camber") K(PKY6, 0, "camber stiffness") K(PKY7, 0, "camber stiffness: load") \
  K(PHY1, 0, "SH") K(PHY2, 0, "SH: load") K(PHY3, 0, "5.2: SH: camber") K(PVY1, 0, "SV / Fz") K(PVY2, 0, "SV: load") \
  K(PVY3, 0, "SV: camber") K(PVY4, 0, "SV: camber and load") K(PPY1, 0, "K: pressure") \
  K(PPY2, 0, "load of the largest K: pressure") K(PPY3, 0, "mu: pressure") K(PPY4, 0, "mu: pressure squared") \
  K(PPY5, 0, "camber stiffness: pressure") K(RBY1, 0, "combined B") K(RBY2, 0, "combined B: alpha") \
  K(RBY3, 0, "combined B: shift of alpha") K(RBY4, 0, "combined B: camber") K(RCY1, 0, "combined C") \
  K(REY1, 0, "combined E") K(REY2, 0, "combined E: load") K(RHY1, 0, "combined SH") K(RHY2, 0, "combined SH: load") \
  K(RVY1, 0, "kappa induced Fy") K(RVY2, 0, "the same, load") K(RVY3, 0, "the same, camber") \
  K(RVY4, 0, "the same, alpha") K(RVY5, 0, "the same, kappa") K(RVY6, 0, "the same, slope of kappa") \
  K(PTY1, 0, "5.2: relaxation length") K(PTY2, 0, "5.2: load of its largest value")
VD_TIR_BLOCK(TirLateral, VD_TIR_LATERAL);

#define VD_TIR_ROLLING(K, U) /* My */ \
  K(QSY1, 0, "constant") K(QSY2, 0, "Fx") K(QSY3, 0, "speed") K(QSY4, 0, "speed^4") K(QSY5, 0, "camber squared") \
  K(QSY6, 0, "load and camber squared") K(QSY7, 0, "load exponent") K(QSY8, 0, "pressure exponent")
VD_TIR_BLOCK(TirRolling, VD_TIR_ROLLING);

#define VD_TIR_ALIGNING(K, U) /* Mz */ \
  K(QBZ1, 0, "trail B") K(QBZ2, 0, "trail B: load") K(QBZ3, 0, "trail B: load squared") K(QBZ4, 0, "trail B: camber") \
  K(QBZ5, 0, "trail B: |camber|") K(QBZ6, 0, "trail B: camber squared (book)") K(QBZ9, 0, "residual B") \
  K(QBZ10, 0, "residual B: By Cy") K(QCZ1, 0, "trail C") K(QDZ1, 0, "trail") K(QDZ2, 0, "trail: load") \
  K(QDZ3, 0, "trail: camber") K(QDZ4, 0, "trail: camber squared") K(QDZ6, 0, "residual") K(QDZ7, 0, "residual: load") \
  K(QDZ8, 0, "residual: camber") K(QDZ9, 0, "residual: camber and load") K(QDZ10, 0, "residual: camber |camber|") \
  K(QDZ11, 0, "the same, load") K(QEZ1, 0, "trail E") K(QEZ2, 0, "trail E: load") K(QEZ3, 0, "trail E: load squared") \
  K(QEZ4, 0, "trail E: sign of slip") K(QEZ5, 0, "trail E: camber") K(QHZ1, 0, "trail SH") \
  K(QHZ2, 0, "trail SH: load") K(QHZ3, 0, "trail SH: camber") K(QHZ4, 0, "trail SH: camber and load") \
  K(PPZ1, 0, "trail: pressure") K(PPZ2, 0, "residual: pressure") K(SSZ1, 0, "arm of Fx") K(SSZ2, 0, "arm: Fy") \
  K(SSZ3, 0, "arm: camber") K(SSZ4, 0, "arm: camber and load") K(QTZ1, 0, "5.2: gyroscopic moment") \
  U(MBELT, 0, "kg", at_least(0), "5.2: belt mass")
VD_TIR_BLOCK(TirAligning, VD_TIR_ALIGNING);

#define VD_TIR_TURNSLIP(K, U) /* turn slip */ \
  K(PDXP1, 0, "mu of Fx") K(PDXP2, 0, "the same, load") K(PDXP3, 0, "the same, kappa") K(PKYP1, 0, "K of Fy") \
  K(PDYP1, 0, "mu of Fy") K(PDYP2, 0, "the same, load") K(PDYP3, 0, "the same, alpha") K(PDYP4, 0, "the same, root") \
  K(PHYP1, 0, "SH of Fy: C") K(PHYP2, 0, "SH of Fy: D") K(PHYP3, 0, "SH of Fy: D, load") K(PHYP4, 0, "SH of Fy: E") \
  K(PECP1, 0, "camber against spin") K(PECP2, 0, "the same, load") K(QDTP1, 0, "trail") K(QCRP1, 0, "moment at rest") \
  K(QCRP2, 0, "moment at 90 deg") K(QBRP1, 0, "residual B") K(QDRP1, 0, "residual D: C") K(QDRP2, 0, "residual D: E")
VD_TIR_BLOCK(TirTurnslip, VD_TIR_TURNSLIP);

// clang-format on

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
  static constexpr auto fields() {
    using S = TirModel;
    return std::tuple{
        field("FITTYP", &S::FITTYP, "-", between(52, 62), "version: 52, 61, 62"),
        field("TYRESIDE", &S::TYRESIDE, "side of the car the tire was measured for"),
        field("LONGVL", &S::LONGVL, "m/s", above(0), "speed V0 of the measurement"),
        field("VXLOW", &S::VXLOW, "m/s", above(0), "below this speed forces are scaled down (limits on)"),
        field("USE_MODE", &S::USE_MODE, "-", any_finite(), "of the host program, not used"),
        field("ROAD_INCREMENT", &S::ROAD_INCREMENT, "m", any_finite(), "of the host program, not used"),
        field("HMAX_LOCAL", &S::HMAX_LOCAL, "s", any_finite(), "of the host program, not used"),
        field("TIME_SWITCH_INTEG", &S::TIME_SWITCH_INTEG, "s", any_finite(), "of the host program, not used"),
        field("ROAD_DIRECTION", &S::ROAD_DIRECTION, "-", any_finite(), "of the host program, not used"),
        field("N_TIRE_STATES", &S::N_TIRE_STATES, "-", any_finite(), "of the host program, not used"),
        field("USER_SUB_ID", &S::USER_SUB_ID, "-", any_finite(), "of the host program, not used")};
  }
};
VD_COMPLETE(TirModel);

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
  static constexpr auto fields() {
    using S = TirSpec;
    return std::tuple{field("model", &S::model, "version and side"),
                      field("dimension", &S::dimension, "sizes"),
                      field("operating", &S::operating, "inflation pressure"),
                      field("inertia", &S::inertia, "masses"),
                      field("vertical", &S::vertical, "vertical force, loaded and effective radius"),
                      field("structural", &S::structural, "carcass"),
                      field("contact_patch", &S::contact_patch, "contact patch"),
                      field("ranges", &S::ranges, "where the coefficients are valid (five blocks of the file)"),
                      field("scaling", &S::scaling, "scale factors"),
                      field("longitudinal", &S::longitudinal, "Fx"),
                      field("overturning", &S::overturning, "Mx"),
                      field("lateral", &S::lateral, "Fy"),
                      field("rolling", &S::rolling, "My"),
                      field("aligning", &S::aligning, "Mz"),
                      field("turnslip", &S::turnslip, "turn slip"),
                      field("mirrored", &S::mirrored, "evaluate as the tire of the other side of the car")};
  }
};
VD_COMPLETE(TirSpec);

#undef VD_TIR_BLOCK
#undef VD_TIR_K_MEMBER
#undef VD_TIR_U_MEMBER
#undef VD_TIR_K_FIELD
#undef VD_TIR_U_FIELD

}  // namespace vdsim
