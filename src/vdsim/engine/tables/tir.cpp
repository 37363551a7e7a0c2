// SPDX-License-Identifier: Apache-2.0
// Field tables: the coefficients of an MF-Tyre property file: one table per block, every member named as the key.
#include "vdsim/core/tire/tir_spec.hpp"
#include "vdsim/engine/tables/table.hpp"

namespace vdsim {

// K = dimensionless, U = with unit and range
#define K(key, meaning) field(#key, s.key, "-", any_finite(), meaning)
#define U(key, unit, range, meaning) field(#key, s.key, unit, range, meaning)

// clang-format off
template <> std::vector<FieldRef> fields_of(TirDimension& s) {
  return table<TirDimension>({
      U(UNLOADED_RADIUS, "m", above(0), "free radius R0"), U(WIDTH, "m", at_least(0), "section width"),
      U(RIM_RADIUS, "m", at_least(0), "rim radius"), U(RIM_WIDTH, "m", at_least(0), "rim width"),
      K(ASPECT_RATIO, "height / width of the section")});
}

template <> std::vector<FieldRef> fields_of(TirOperating& s) {
  return table<TirOperating>({
      U(INFLPRES, "Pa", at_least(0), "pressure p"), U(NOMPRES, "Pa", above(0), "pressure p0 of the coefficients")});
}

template <> std::vector<FieldRef> fields_of(TirInertia& s) {
  return table<TirInertia>({
      U(MASS, "kg", at_least(0), "tire"), U(IXX, "kg m^2", at_least(0), "tire, about a diameter"),
      U(IYY, "kg m^2", at_least(0), "tire, about the axle"), U(BELT_MASS, "kg", at_least(0), "belt"),
      U(BELT_IXX, "kg m^2", at_least(0), "belt, about a diameter"),
      U(BELT_IYY, "kg m^2", at_least(0), "belt, about the axle"), U(GRAVITY, "m/s^2", any_finite(), "on the belt")});
}

template <> std::vector<FieldRef> fields_of(TirVertical& s) {
  return table<TirVertical>({
      U(FNOMIN, "N", above(0), "nominal load Fz0"), U(VERTICAL_STIFFNESS, "N/m", at_least(0), "Cz at Fz0, p0"),
      U(VERTICAL_DAMPING, "N s/m", at_least(0), "damping"), K(MC_CONTOUR_A, "motorcycle contour"),
      K(MC_CONTOUR_B, "motorcycle contour"), K(BREFF, "Re: slope at low load"), K(DREFF, "Re: peak"),
      K(FREFF, "Re: slope at high load"), K(Q_RE0, "free radius / R0"), K(Q_V1, "radius growth with speed"),
      K(Q_V2, "stiffness growth with speed"), K(Q_FZ1, "linear term of Fz(rho); 0 = from Cz"),
      K(Q_FZ2, "quadratic term of Fz(rho)"), K(Q_FZ3, "camber in Fz(rho)"), K(Q_FCX, "Fx on Fz"), K(Q_FCY, "Fy on Fz"),
      K(Q_FCY2, "load in Q_FCY"), K(Q_CAM, "camber on Fz"), K(Q_CAM1, "camber on Fz, linear"),
      K(Q_CAM2, "camber on Fz, quadratic"), K(Q_CAM3, "camber on Fz, with load"),
      U(Q_FYS1, "N", any_finite(), "camber side force on Fz"),
      U(Q_FYS2, "N", any_finite(), "the same, linear in radius"),
      U(Q_FYS3, "N", any_finite(), "the same, quadratic in radius"), K(PFZ1, "pressure on Cz"),
      U(BOTTOM_OFFST, "m", at_least(0), "gap to the rim at bottoming"),
      U(BOTTOM_STIFF, "N/m", at_least(0), "stiffness when bottomed")});
}

template <> std::vector<FieldRef> fields_of(TirStructural& s) {
  return table<TirStructural>({
      U(LONGITUDINAL_STIFFNESS, "N/m", at_least(0), "Cx at Fz0, p0"),
      U(LATERAL_STIFFNESS, "N/m", at_least(0), "Cy at Fz0, p0"),
      U(YAW_STIFFNESS, "N m/rad", at_least(0), "at Fz0, p0"), U(FREQ_LONG, "Hz", at_least(0), "mode: fore-aft"),
      U(FREQ_LAT, "Hz", at_least(0), "mode: lateral"), U(FREQ_YAW, "Hz", at_least(0), "mode: yaw"),
      U(FREQ_WINDUP, "Hz", at_least(0), "mode: wind-up"), K(DAMP_LONG, "damping ratio: fore-aft"),
      K(DAMP_LAT, "damping ratio: lateral"), K(DAMP_YAW, "damping ratio: yaw"),
      K(DAMP_WINDUP, "damping ratio: wind-up"), U(DAMP_RESIDUAL, "s", at_least(0), "residual damping / stiffness"),
      U(DAMP_VLOW, "s", at_least(0), "extra damping / stiffness at rest"), K(Q_BVX, "speed on in-plane stiffness"),
      K(Q_BVT, "speed on wind-up stiffness"), K(PCFX1, "Cx with deflection"), K(PCFX2, "Cx with deflection squared"),
      K(PCFX3, "Cx with pressure"), K(PCFY1, "Cy with deflection"), K(PCFY2, "Cy with deflection squared"),
      K(PCFY3, "Cy with pressure"), K(PCMZ1, "yaw stiffness with pressure")});
}

template <> std::vector<FieldRef> fields_of(TirPatch& s) {
  return table<TirPatch>({
      K(Q_RA1, "length, root term"), K(Q_RA2, "length, linear term"), K(Q_RB1, "width, root term"),
      K(Q_RB2, "width, linear term"), K(Q_A1, "5.2: length, root term"), K(Q_A2, "5.2: length, linear term"),
      K(ELLIPS_SHIFT, "cams: distance"), K(ELLIPS_LENGTH, "cams: length"), K(ELLIPS_HEIGHT, "cams: height"),
      K(ELLIPS_ORDER, "cams: order"), U(ELLIPS_MAX_STEP, "m", at_least(0), "cams: highest step"),
      K(ELLIPS_NWIDTH, "cams: across"), K(ELLIPS_NLENGTH, "cams: along"), K(ENV_C1, "effective height"),
      K(ENV_C2, "effective slope")});
}

template <> std::vector<FieldRef> fields_of(TirRanges& s) {
  return table<TirRanges>({
      U(PRESMIN, "Pa", at_least(0), "pressure from"), U(PRESMAX, "Pa", at_least(0), "pressure to"),
      U(FZMIN, "N", at_least(0), "load from"), U(FZMAX, "N", at_least(0), "load to"),
      U(KPUMIN, "-", any_finite(), "slip ratio from"), U(KPUMAX, "-", any_finite(), "slip ratio to"),
      U(ALPMIN, "rad", any_finite(), "slip angle from"), U(ALPMAX, "rad", any_finite(), "slip angle to"),
      U(CAMMIN, "rad", any_finite(), "camber from"), U(CAMMAX, "rad", any_finite(), "camber to")});
}

template <> std::vector<FieldRef> fields_of(TirScaling& s) {
  return table<TirScaling>({
      U(LFZO, "-", above(0), "nominal load"), K(LCX, "C of Fx"), K(LMUX, "mu of Fx"), K(LEX, "E of Fx"),
      K(LKX, "stiffness of Fx"), K(LHX, "SH of Fx"), K(LVX, "SV of Fx"), K(LGAX, "camber in Fx (5.2)"),
      K(LCY, "C of Fy"), K(LMUY, "mu of Fy"), K(LEY, "E of Fy"), K(LKY, "stiffness of Fy"), K(LHY, "SH of Fy"),
      K(LVY, "SV of Fy"), K(LGAY, "camber in Fy (5.2)"), K(LKYC, "camber stiffness of Fy"),
      K(LKZC, "camber stiffness of Mz"), K(LMUV, "mu falling with slip speed"), K(LTR, "trail"),
      K(LRES, "residual Mz"), K(LGAZ, "camber in Mz (5.2)"), K(LXAL, "alpha in Fx"), K(LYKA, "kappa in Fy"),
      K(LVYKA, "kappa induced Fy"), K(LS, "arm of Fx in Mz"), K(LMX, "Mx"), K(LVMX, "offset of Mx"), K(LMY, "My"),
      K(LMP, "parking moment"), K(LSGKP, "relaxation of Fx (5.2)"), K(LSGAL, "relaxation of Fy (5.2)"),
      K(LGYR, "gyroscopic moment (5.2)"), K(LCZ, "vertical stiffness (5.2)")});
}

template <> std::vector<FieldRef> fields_of(TirLongitudinal& s) {
  return table<TirLongitudinal>({
      K(PCX1, "C"), K(PDX1, "mu"), K(PDX2, "mu: load"), K(PDX3, "mu: camber squared"), K(PEX1, "E"),
      K(PEX2, "E: load"), K(PEX3, "E: load squared"), K(PEX4, "E: sign of slip"), K(PKX1, "K / Fz"),
      K(PKX2, "K: load"), K(PKX3, "K: load exponent"), K(PHX1, "SH"), K(PHX2, "SH: load"), K(PVX1, "SV / Fz"),
      K(PVX2, "SV: load"), K(PPX1, "K: pressure"), K(PPX2, "K: pressure squared"), K(PPX3, "mu: pressure"),
      K(PPX4, "mu: pressure squared"), K(RBX1, "combined B"), K(RBX2, "combined B: kappa"),
      K(RBX3, "combined B: camber"), K(RCX1, "combined C"), K(REX1, "combined E"), K(REX2, "combined E: load"),
      K(RHX1, "combined SH"), K(PTX1, "5.2: relaxation length"), K(PTX2, "5.2: the same, load"),
      K(PTX3, "5.2: the same, load exponent")});
}

template <> std::vector<FieldRef> fields_of(TirOverturning& s) {
  return table<TirOverturning>({
      K(QSX1, "offset"), K(QSX2, "camber"), K(QSX3, "Fy"), K(QSX4, "load with Fy and camber"),
      K(QSX5, "the same, shape"), K(QSX6, "the same, slope"), K(QSX7, "the same, camber"), K(QSX8, "the same, Fy"),
      K(QSX9, "the same, slope of Fy"), K(QSX10, "load and camber"), K(QSX11, "the same, slope"),
      K(QSX12, "camber squared"), K(QSX13, "Fy, outer term"), K(QSX14, "Fy and |camber|"), K(PPMX1, "pressure")});
}

template <> std::vector<FieldRef> fields_of(TirLateral& s) {
  return table<TirLateral>({
      K(PCY1, "C"), K(PDY1, "mu"), K(PDY2, "mu: load"), K(PDY3, "mu: camber squared"), K(PEY1, "E"),
      K(PEY2, "E: load"), K(PEY3, "E: sign of slip"), K(PEY4, "E: camber"), K(PEY5, "E: camber squared"),
      K(PKY1, "K / Fz0"), K(PKY2, "load of the largest K"), K(PKY3, "K: camber"), K(PKY4, "K: shape over load"),
      K(PKY5, "load of the largest K: camber"), K(PKY6, "camber stiffness"), K(PKY7, "camber stiffness: load"),
      K(PHY1, "SH"), K(PHY2, "SH: load"), K(PHY3, "5.2: SH: camber"), K(PVY1, "SV / Fz"), K(PVY2, "SV: load"),
      K(PVY3, "SV: camber"), K(PVY4, "SV: camber and load"), K(PPY1, "K: pressure"),
      K(PPY2, "load of the largest K: pressure"), K(PPY3, "mu: pressure"), K(PPY4, "mu: pressure squared"),
      K(PPY5, "camber stiffness: pressure"), K(RBY1, "combined B"), K(RBY2, "combined B: alpha"),
      K(RBY3, "combined B: shift of alpha"), K(RBY4, "combined B: camber"), K(RCY1, "combined C"),
      K(REY1, "combined E"), K(REY2, "combined E: load"), K(RHY1, "combined SH"), K(RHY2, "combined SH: load"),
      K(RVY1, "kappa induced Fy"), K(RVY2, "the same, load"), K(RVY3, "the same, camber"), K(RVY4, "the same, alpha"),
      K(RVY5, "the same, kappa"), K(RVY6, "the same, slope of kappa"), K(PTY1, "5.2: relaxation length"),
      K(PTY2, "5.2: load of its largest value")});
}

template <> std::vector<FieldRef> fields_of(TirRolling& s) {
  return table<TirRolling>({
      K(QSY1, "constant"), K(QSY2, "Fx"), K(QSY3, "speed"), K(QSY4, "speed^4"), K(QSY5, "camber squared"),
      K(QSY6, "load and camber squared"), K(QSY7, "load exponent"), K(QSY8, "pressure exponent")});
}

template <> std::vector<FieldRef> fields_of(TirAligning& s) {
  return table<TirAligning>({
      K(QBZ1, "trail B"), K(QBZ2, "trail B: load"), K(QBZ3, "trail B: load squared"), K(QBZ4, "trail B: camber"),
      K(QBZ5, "trail B: |camber|"), K(QBZ6, "trail B: camber squared (book)"), K(QBZ9, "residual B"),
      K(QBZ10, "residual B: By Cy"), K(QCZ1, "trail C"), K(QDZ1, "trail"), K(QDZ2, "trail: load"),
      K(QDZ3, "trail: camber"), K(QDZ4, "trail: camber squared"), K(QDZ6, "residual"), K(QDZ7, "residual: load"),
      K(QDZ8, "residual: camber"), K(QDZ9, "residual: camber and load"), K(QDZ10, "residual: camber |camber|"),
      K(QDZ11, "the same, load"), K(QEZ1, "trail E"), K(QEZ2, "trail E: load"), K(QEZ3, "trail E: load squared"),
      K(QEZ4, "trail E: sign of slip"), K(QEZ5, "trail E: camber"), K(QHZ1, "trail SH"), K(QHZ2, "trail SH: load"),
      K(QHZ3, "trail SH: camber"), K(QHZ4, "trail SH: camber and load"), K(PPZ1, "trail: pressure"),
      K(PPZ2, "residual: pressure"), K(SSZ1, "arm of Fx"), K(SSZ2, "arm: Fy"), K(SSZ3, "arm: camber"),
      K(SSZ4, "arm: camber and load"), K(QTZ1, "5.2: gyroscopic moment"), U(MBELT, "kg", at_least(0), "5.2: belt mass")});
}

template <> std::vector<FieldRef> fields_of(TirTurnslip& s) {
  return table<TirTurnslip>({
      K(PDXP1, "mu of Fx"), K(PDXP2, "the same, load"), K(PDXP3, "the same, kappa"), K(PKYP1, "K of Fy"),
      K(PDYP1, "mu of Fy"), K(PDYP2, "the same, load"), K(PDYP3, "the same, alpha"), K(PDYP4, "the same, root"),
      K(PHYP1, "SH of Fy: C"), K(PHYP2, "SH of Fy: D"), K(PHYP3, "SH of Fy: D, load"), K(PHYP4, "SH of Fy: E"),
      K(PECP1, "camber against spin"), K(PECP2, "the same, load"), K(QDTP1, "trail"), K(QCRP1, "moment at rest"),
      K(QCRP2, "moment at 90 deg"), K(QBRP1, "residual B"), K(QDRP1, "residual D: C"), K(QDRP2, "residual D: E")});
}
// clang-format on

template <> std::vector<FieldRef> fields_of(TirModel& s) {
  return table<TirModel>(
      {field("FITTYP", s.FITTYP, "-", between(52, 62), "version: 52, 61, 62"),
       field("TYRESIDE", s.TYRESIDE, "side of the car the tire was measured for"),
       field("LONGVL", s.LONGVL, "m/s", above(0), "speed V0 of the measurement"),
       field("VXLOW", s.VXLOW, "m/s", above(0), "below this speed forces are scaled down (limits on)"),
       field("USE_MODE", s.USE_MODE, "-", any_finite(), "of the host program, not used"),
       field("ROAD_INCREMENT", s.ROAD_INCREMENT, "m", any_finite(), "of the host program, not used"),
       field("HMAX_LOCAL", s.HMAX_LOCAL, "s", any_finite(), "of the host program, not used"),
       field("TIME_SWITCH_INTEG", s.TIME_SWITCH_INTEG, "s", any_finite(), "of the host program, not used"),
       field("ROAD_DIRECTION", s.ROAD_DIRECTION, "-", any_finite(), "of the host program, not used"),
       field("N_TIRE_STATES", s.N_TIRE_STATES, "-", any_finite(), "of the host program, not used"),
       field("USER_SUB_ID", s.USER_SUB_ID, "-", any_finite(), "of the host program, not used")});
}

template <> std::vector<FieldRef> fields_of(TirSpec& s) {
  return table<TirSpec>(
      {block("model", s.model, "version and side"), block("dimension", s.dimension, "sizes"),
       block("operating", s.operating, "inflation pressure"), block("inertia", s.inertia, "masses"),
       block("vertical", s.vertical, "vertical force, loaded and effective radius"),
       block("structural", s.structural, "carcass"), block("contact_patch", s.contact_patch, "contact patch"),
       block("ranges", s.ranges, "where the coefficients are valid (five blocks of the file)"),
       block("scaling", s.scaling, "scale factors"), block("longitudinal", s.longitudinal, "Fx"),
       block("overturning", s.overturning, "Mx"), block("lateral", s.lateral, "Fy"), block("rolling", s.rolling, "My"),
       block("aligning", s.aligning, "Mz"), block("turnslip", s.turnslip, "turn slip"),
       field("mirrored", s.mirrored, "evaluate as the tire of the other side of the car")});
}

#undef K
#undef U

}  // namespace vdsim
