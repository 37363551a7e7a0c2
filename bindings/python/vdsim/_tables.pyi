# SPDX-License-Identifier: Apache-2.0
# Made by tools/python_stubs.py from the engine's field tables; a test compares.
from typing import Any, Optional, Sequence, Union

from ._fields import Block, Spec

class TireLugreRolling(Block):
    @property
    def sigma0_lat(self) -> float:
        """[N/m] lateral bristle stiffness; relaxation length = slip stiffness / sigma0; above 0 N/m; default 100000"""
    @sigma0_lat.setter
    def sigma0_lat(self, value: float) -> None: ...
    @property
    def m_eff(self) -> float:
        """[kg] mass per wheel that the automatic sigma1 damps critically; above 0 kg; default 200"""
    @m_eff.setter
    def m_eff(self, value: float) -> None: ...
    @property
    def v_st(self) -> float:
        """[m/s] speed below which friction is static; above 0 m/s; default 0.05"""
    @v_st.setter
    def v_st(self, value: float) -> None: ...
    @property
    def v_d(self) -> float:
        """[m/s] speed above which bristle damping fades; above 0 m/s; default 0.5"""
    @v_d.setter
    def v_d(self, value: float) -> None: ...
    @property
    def beta(self) -> float:
        """share of the peak force that is purely elastic at rest; 0 to below 1; default 0.8"""
    @beta.setter
    def beta(self, value: float) -> None: ...
    @property
    def roll_memory(self) -> float:
        """[m] distance of rolling that renews the contact patch; 0 = none; at least 0 m; default 0.03"""
    @roll_memory.setter
    def roll_memory(self, value: float) -> None: ...
    @property
    def kappa_cap(self) -> float:
        """largest slip ratio the steady curve is read at; at least 0.5; default 1.5"""
    @kappa_cap.setter
    def kappa_cap(self, value: float) -> None: ...
    @property
    def r_psi(self) -> float:
        """[m] radius of the parking torque: M_max = D r_psi; above 0 m; default 0.044"""
    @r_psi.setter
    def r_psi(self, value: float) -> None: ...
    @property
    def c_psi(self) -> float:
        """[N m/rad] twist stiffness of the standing patch; 0 = no parking torque; at least 0 N m/rad; default 3500"""
    @c_psi.setter
    def c_psi(self, value: float) -> None: ...
    @property
    def L_psi(self) -> float:
        """[m] rolling distance over which the twist unwinds; above 0 m; default 0.06"""
    @L_psi.setter
    def L_psi(self, value: float) -> None: ...

class TireLugre(Block):
    @property
    def enabled(self) -> bool:
        """bristle states on; off = kinematic fallback; default true"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def law(self) -> str:
        """rolling: steady law at speed, true hold at rest; breakaway: classic LuGre on MF96; rolling, breakaway; default rolling"""
    @law.setter
    def law(self, value: str) -> None: ...
    @property
    def sigma0(self) -> float:
        """[N/m] bristle stiffness (rolling: longitudinal); above 0 N/m; default 300000"""
    @sigma0.setter
    def sigma0(self, value: float) -> None: ...
    @property
    def sigma1(self) -> float:
        """[N s/m] bristle damping; 0 = 2 sqrt(sigma0 m_eff); at least 0 N s/m; default 0"""
    @sigma1.setter
    def sigma1(self, value: float) -> None: ...
    @property
    def sigma2(self) -> float:
        """[N s/m] viscous friction; at least 0 N s/m; default 120"""
    @sigma2.setter
    def sigma2(self, value: float) -> None: ...
    @property
    def m_eff(self) -> float:
        """[kg] mass for the automatic sigma1; above 0 kg; default 40"""
    @m_eff.setter
    def m_eff(self, value: float) -> None: ...
    @property
    def rolling(self) -> TireLugreRolling:
        ...
    @rolling.setter
    def rolling(self, value: Any) -> None: ...

class TireBelt(Block):
    @property
    def enabled(self) -> bool:
        """carcass compliance: the force follows the slip after a rolled distance; default false"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def sigma_lat(self) -> float:
        """[m] lateral relaxation length of the carcass; 0 = rigid; at least 0 m; default 0.5"""
    @sigma_lat.setter
    def sigma_lat(self, value: float) -> None: ...
    @property
    def sigma_long(self) -> float:
        """[m] longitudinal relaxation length of the carcass; 0 = rigid; at least 0 m; default 0.5"""
    @sigma_long.setter
    def sigma_long(self, value: float) -> None: ...

class TireWheel(Block):
    @property
    def width(self) -> float:
        """[m] of the tread: patch length, tread stiffness, overturning; 0.02 to 1 m; default 0.205"""
    @width.setter
    def width(self, value: float) -> None: ...
    @property
    def tire_pressure(self) -> float:
        """[Pa] cold inflation pressure over ambient; 50000 to 1000000 Pa; default 220000"""
    @tire_pressure.setter
    def tire_pressure(self, value: float) -> None: ...
    @property
    def vertical_stiffness(self) -> float:
        """[N/m] radial, at 220 kPa; 10000 to 10000000 N/m; default 200000"""
    @vertical_stiffness.setter
    def vertical_stiffness(self, value: float) -> None: ...
    @property
    def wheel_inertia(self) -> float:
        """[kg m^2] about the axle; 0 = estimate; at least 0 kg m^2; default 0"""
    @wheel_inertia.setter
    def wheel_inertia(self, value: float) -> None: ...
    @property
    def hub_radius(self) -> float:
        """[m] of the rim, for that estimate; 0 = 0.55 radius; at least 0 m; default 0"""
    @hub_radius.setter
    def hub_radius(self, value: float) -> None: ...
    @property
    def hub_width(self) -> float:
        """[m] of the rim, for that estimate and Mx; 0 = width; at least 0 m; default 0"""
    @hub_width.setter
    def hub_width(self, value: float) -> None: ...
    @property
    def wheel_offset(self) -> float:
        """[m] wheel plane outboard of the hub: lever of Fx about the hub, with its sign; -0.5 to 0.5 m; default 0"""
    @wheel_offset.setter
    def wheel_offset(self, value: float) -> None: ...

class TireMagicFormula(Block):
    @property
    def longitudinal_b(self) -> float:
        """stiffness factor, longitudinal; 1 to 60; default 12"""
    @longitudinal_b.setter
    def longitudinal_b(self, value: float) -> None: ...
    @property
    def longitudinal_c(self) -> float:
        """shape factor, longitudinal; 1.05 to 2; default 1.65"""
    @longitudinal_c.setter
    def longitudinal_c(self, value: float) -> None: ...
    @property
    def longitudinal_e(self) -> float:
        """curvature factor, longitudinal; -20 to 0.99; default -0.5"""
    @longitudinal_e.setter
    def longitudinal_e(self, value: float) -> None: ...
    @property
    def longitudinal_load_stiffness_sensitivity(self) -> float:
        """exponent of the load ratio in the longitudinal stiffness; -0.5 to 0.5; default 0.04"""
    @longitudinal_load_stiffness_sensitivity.setter
    def longitudinal_load_stiffness_sensitivity(self, value: float) -> None: ...
    @property
    def lateral_b(self) -> float:
        """stiffness factor, lateral, on tan(slip angle); 1 to 60; default 10"""
    @lateral_b.setter
    def lateral_b(self, value: float) -> None: ...
    @property
    def lateral_c(self) -> float:
        """shape factor, lateral; 1.05 to 2; default 1.3"""
    @lateral_c.setter
    def lateral_c(self, value: float) -> None: ...
    @property
    def lateral_e(self) -> float:
        """curvature factor, lateral; -20 to 0.99; default -0.6"""
    @lateral_e.setter
    def lateral_e(self, value: float) -> None: ...
    @property
    def lateral_load_stiffness_sensitivity(self) -> float:
        """exponent of the load ratio in the lateral stiffness; -0.5 to 0.5; default 0.06"""
    @lateral_load_stiffness_sensitivity.setter
    def lateral_load_stiffness_sensitivity(self, value: float) -> None: ...
    @property
    def lateral_load_degression(self) -> float:
        """d: cornering stiffness over load falls as 1/(1 + d (Fz/reference)^2); 0 to 2; default 0.08"""
    @lateral_load_degression.setter
    def lateral_load_degression(self, value: float) -> None: ...
    @property
    def lateral_camber_stiffness_sensitivity(self) -> float:
        """[1/rad] rise of the lateral stiffness with camber; 0 to 1.5 1/rad; default 0.35"""
    @lateral_camber_stiffness_sensitivity.setter
    def lateral_camber_stiffness_sensitivity(self, value: float) -> None: ...
    @property
    def lateral_camber_curvature_sensitivity(self) -> float:
        """[1/rad] change of the lateral curvature factor with camber; -1 to 1 1/rad; default -0.15"""
    @lateral_camber_curvature_sensitivity.setter
    def lateral_camber_curvature_sensitivity(self, value: float) -> None: ...
    @property
    def sidewall_stiffness(self) -> float:
        """factor on the lateral stiffness; 0.1 to 5; default 1"""
    @sidewall_stiffness.setter
    def sidewall_stiffness(self, value: float) -> None: ...
    @property
    def high_slip_force_retention(self) -> float:
        """lateral force kept at large slip angles, over the peak; 0 to 1; default 0.65"""
    @high_slip_force_retention.setter
    def high_slip_force_retention(self, value: float) -> None: ...
    @property
    def high_slip_transition_start(self) -> float:
        """[rad] slip angle at which retention begins; not before the peak; 0.01 to 1.4 rad; default 0.26"""
    @high_slip_transition_start.setter
    def high_slip_transition_start(self, value: float) -> None: ...
    @property
    def high_slip_transition_end(self) -> float:
        """[rad] slip angle at which retention is complete; 0.02 to 1.5 rad; default 0.7"""
    @high_slip_transition_end.setter
    def high_slip_transition_end(self, value: float) -> None: ...

class TireFriction(Block):
    @property
    def peak_friction_coefficient(self) -> float:
        """longitudinal, at the reference load, warm and new, on a surface of friction 1; 0.05 to 4; default 1.05"""
    @peak_friction_coefficient.setter
    def peak_friction_coefficient(self, value: float) -> None: ...
    @property
    def friction_ellipse_ratio(self) -> float:
        """lateral over longitudinal peak; 0.1 to 4; default 1"""
    @friction_ellipse_ratio.setter
    def friction_ellipse_ratio(self, value: float) -> None: ...
    @property
    def load_sensitivity(self) -> float:
        """friction falls as (Fz/reference)^-this; 0 to 1; default 0.15"""
    @load_sensitivity.setter
    def load_sensitivity(self, value: float) -> None: ...
    @property
    def reference_load(self) -> float:
        """[N] load at which all factors of load are 1; 10 to 1000000 N; default 3000"""
    @reference_load.setter
    def reference_load(self, value: float) -> None: ...
    @property
    def beamng_no_load_friction_coefficient(self) -> float:
        """exponential load sensitivity in place of the power law: friction at no load; 0 = power law; 0 to 10; default 0"""
    @beamng_no_load_friction_coefficient.setter
    def beamng_no_load_friction_coefficient(self, value: float) -> None: ...
    @property
    def beamng_full_load_friction_coefficient(self) -> float:
        """friction at infinite load; 0 = power law; 0 to 10; default 0"""
    @beamng_full_load_friction_coefficient.setter
    def beamng_full_load_friction_coefficient(self, value: float) -> None: ...
    @property
    def beamng_load_sensitivity_slope(self) -> float:
        """[1/N] rate of that exponential; 0 to 1 1/N; default 0"""
    @beamng_load_sensitivity_slope.setter
    def beamng_load_sensitivity_slope(self, value: float) -> None: ...
    @property
    def contact_area_grip_exponent(self) -> float:
        """friction grows as (contact area)^this; 0 to 0.5; default 0.05"""
    @contact_area_grip_exponent.setter
    def contact_area_grip_exponent(self, value: float) -> None: ...
    @property
    def combined_slip_coupling(self) -> float:
        """how fast cross slip lowers a force, beyond the shared peak; 0 = not at all; 0 to 20; default 0.6"""
    @combined_slip_coupling.setter
    def combined_slip_coupling(self, value: float) -> None: ...
    @property
    def combined_slip_exponent(self) -> float:
        """shape of that loss; 1 to 2; default 2"""
    @combined_slip_exponent.setter
    def combined_slip_exponent(self, value: float) -> None: ...

class TirePatch(Block):
    @property
    def contact_patch_length_scale(self) -> float:
        """factor on the patch length Fz/(pressure width); 0.1 to 5; default 1"""
    @contact_patch_length_scale.setter
    def contact_patch_length_scale(self, value: float) -> None: ...
    @property
    def contact_patch_stiffness(self) -> float:
        """[N/m] of the tread at 220 kPa and 205 mm: slip stiffness in BrushOnly, carcass shear; 1000 to 1000000 N/m; default 40000"""
    @contact_patch_stiffness.setter
    def contact_patch_stiffness(self, value: float) -> None: ...
    @property
    def contact_patch_damping(self) -> float:
        """[N s/m] lateral bristle damping near rest; 0 = the rolling law's own; at least 0 N s/m; default 4500"""
    @contact_patch_damping.setter
    def contact_patch_damping(self, value: float) -> None: ...
    @property
    def relaxation_length(self) -> float:
        """[m] lateral, small slip, hard road; 0.01 to 5 m; default 0.3"""
    @relaxation_length.setter
    def relaxation_length(self, value: float) -> None: ...
    @property
    def longitudinal_relaxation_length(self) -> float:
        """[m] longitudinal, small slip, hard road; 0.01 to 5 m; default 0.28"""
    @longitudinal_relaxation_length.setter
    def longitudinal_relaxation_length(self, value: float) -> None: ...
    @property
    def lateral_surface_relaxation_sensitivity(self) -> float:
        """how much loose ground lengthens the lateral one; 0 to 5; default 0.6"""
    @lateral_surface_relaxation_sensitivity.setter
    def lateral_surface_relaxation_sensitivity(self, value: float) -> None: ...
    @property
    def longitudinal_surface_relaxation_sensitivity(self) -> float:
        """how much loose ground lengthens the longitudinal one; 0 to 5; default 0.85"""
    @longitudinal_surface_relaxation_sensitivity.setter
    def longitudinal_surface_relaxation_sensitivity(self, value: float) -> None: ...
    @property
    def carcass_stiffness(self) -> float:
        """divides both relaxation lengths; 0.1 to 10; default 1"""
    @carcass_stiffness.setter
    def carcass_stiffness(self, value: float) -> None: ...

class TireMoments(Block):
    @property
    def camber_thrust_coefficient(self) -> float:
        """[1/rad] side force per load and inclination; 0 to 5 1/rad; default 0.8"""
    @camber_thrust_coefficient.setter
    def camber_thrust_coefficient(self, value: float) -> None: ...
    @property
    def pneumatic_trail(self) -> float:
        """[m] at zero slip and reference load; 0 to 0.3 m; default 0.025"""
    @pneumatic_trail.setter
    def pneumatic_trail(self, value: float) -> None: ...
    @property
    def aligning_torque_residual_factor(self) -> float:
        """share of that trail left when the whole patch slides; 0 to 1; default 0.08"""
    @aligning_torque_residual_factor.setter
    def aligning_torque_residual_factor(self, value: float) -> None: ...
    @property
    def aligning_torque_fx_moment_arm(self) -> float:
        """[m] sideways shift of the patch at full side force: lever of Fx; 0 to 0.1 m; default 0.008"""
    @aligning_torque_fx_moment_arm.setter
    def aligning_torque_fx_moment_arm(self, value: float) -> None: ...
    @property
    def overturning_couple_factor(self) -> float:
        """Mx per side force and half width; 0 to 0.5; default 0.015"""
    @overturning_couple_factor.setter
    def overturning_couple_factor(self, value: float) -> None: ...
    @property
    def overturning_camber_factor(self) -> float:
        """[1/rad] Mx per load, inclination and half width; 0 to 5 1/rad; default 0.35"""
    @overturning_camber_factor.setter
    def overturning_camber_factor(self, value: float) -> None: ...
    @property
    def rolling_resistance_coefficient(self) -> float:
        """of the tire on a hard road; 0 to 0.5; default 0.012"""
    @rolling_resistance_coefficient.setter
    def rolling_resistance_coefficient(self, value: float) -> None: ...
    @property
    def rolling_resistance_moment_factor(self) -> float:
        """factor on the whole rolling-resistance moment; 0 to 5; default 1"""
    @rolling_resistance_moment_factor.setter
    def rolling_resistance_moment_factor(self, value: float) -> None: ...
    @property
    def rolling_resistance_moment_fx_factor(self) -> float:
        """loss by driving and braking: a tenth of this times Fx^2/Dx; 0 to 2; default 0.08"""
    @rolling_resistance_moment_fx_factor.setter
    def rolling_resistance_moment_fx_factor(self, value: float) -> None: ...
    @property
    def standing_wave_critical_speed(self) -> float:
        """[m/s] speed at which the gain doubles the resistance; 1 to 1000 m/s; default 65"""
    @standing_wave_critical_speed.setter
    def standing_wave_critical_speed(self, value: float) -> None: ...
    @property
    def standing_wave_resistance_gain(self) -> float:
        """rise of the resistance with speed squared; 0 to 100; default 1"""
    @standing_wave_resistance_gain.setter
    def standing_wave_resistance_gain(self, value: float) -> None: ...
    @property
    def carcass_shear_coefficient(self) -> float:
        """resistance of the tread squeezed through the patch; 0 to 10; default 0.5"""
    @carcass_shear_coefficient.setter
    def carcass_shear_coefficient(self, value: float) -> None: ...

class TireThermal(Block):
    @property
    def thermal_mass(self) -> float:
        """[J/K] of the tread; 10 to 10000000 J/K; default 8000"""
    @thermal_mass.setter
    def thermal_mass(self, value: float) -> None: ...
    @property
    def core_thermal_mass(self) -> float:
        """[J/K] of carcass and gas; 10 to 10000000 J/K; default 24000"""
    @core_thermal_mass.setter
    def core_thermal_mass(self, value: float) -> None: ...
    @property
    def cooling_rate(self) -> float:
        """[W/K] tread to air, at rest; 0 to 10000 W/K; default 15"""
    @cooling_rate.setter
    def cooling_rate(self, value: float) -> None: ...
    @property
    def core_cooling_rate(self) -> float:
        """[W/K] core to air, at rest; 0 to 10000 W/K; default 4"""
    @core_cooling_rate.setter
    def core_cooling_rate(self, value: float) -> None: ...
    @property
    def surface_to_core_conductance(self) -> float:
        """[W/K] tread to core; 0 to 10000 W/K; default 55"""
    @surface_to_core_conductance.setter
    def surface_to_core_conductance(self, value: float) -> None: ...
    @property
    def road_heat_transfer_rate(self) -> float:
        """[W/K] tread to road at reference load; 0 to 10000 W/K; default 25"""
    @road_heat_transfer_rate.setter
    def road_heat_transfer_rate(self, value: float) -> None: ...
    @property
    def water_cooling_gain(self) -> float:
        """[1/m] rise of that per depth of water; 0 to 100000 1/m; default 400"""
    @water_cooling_gain.setter
    def water_cooling_gain(self, value: float) -> None: ...
    @property
    def grip_temperature_surface_weight(self) -> float:
        """share of the tread in the temperature that sets the grip; 0 to 1; default 0.7"""
    @grip_temperature_surface_weight.setter
    def grip_temperature_surface_weight(self, value: float) -> None: ...
    @property
    def ambient_temperature(self) -> float:
        """[degC] air, road, start of the tire; -60 to 70 degC; default 30"""
    @ambient_temperature.setter
    def ambient_temperature(self, value: float) -> None: ...
    @property
    def optimal_temperature(self) -> float:
        """[degC] middle of the window; -60 to 250 degC; default 85"""
    @optimal_temperature.setter
    def optimal_temperature(self, value: float) -> None: ...
    @property
    def temperature_window(self) -> float:
        """[K] full grip this far to either side, 0.7 at twice that; 1 to 500 K; default 40"""
    @temperature_window.setter
    def temperature_window(self, value: float) -> None: ...
    @property
    def tread_heat_share(self) -> float:
        """of the sliding power; the road takes the rest; 0 to 1; default 0.5"""
    @tread_heat_share.setter
    def tread_heat_share(self, value: float) -> None: ...
    @property
    def cooling_speed(self) -> float:
        """[m/s] speed that doubles the cooling by air; 0.1 to 10000 m/s; default 20"""
    @cooling_speed.setter
    def cooling_speed(self, value: float) -> None: ...
    @property
    def temperature_limit(self) -> float:
        """[degC] above which sliding and rolling no longer heat the tire; 100 to 2000 degC; default 350"""
    @temperature_limit.setter
    def temperature_limit(self, value: float) -> None: ...

class TireWear(Block):
    @property
    def wear_rate(self) -> float:
        """[1/J] tread life lost per sliding energy; 0 to 0.001 1/J; default 1e-09"""
    @wear_rate.setter
    def wear_rate(self, value: float) -> None: ...
    @property
    def worn_grip_fraction(self) -> float:
        """friction left without tread; above 0 to 1; default 0.65"""
    @worn_grip_fraction.setter
    def worn_grip_fraction(self, value: float) -> None: ...
    @property
    def tread_depth(self) -> float:
        """[m] new; drains water; 0 to 0.03 m; default 0.008"""
    @tread_depth.setter
    def tread_depth(self, value: float) -> None: ...

class TireStart(Block):
    @property
    def tread_temperature(self) -> Optional[float]:
        """[degC] of the tread; without: ambient; -60 to 400 degC"""
    @tread_temperature.setter
    def tread_temperature(self, value: Optional[float]) -> None: ...
    @property
    def core_temperature(self) -> Optional[float]:
        """[degC] of carcass and gas; without: ambient; -60 to 400 degC"""
    @core_temperature.setter
    def core_temperature(self, value: Optional[float]) -> None: ...
    @property
    def tread(self) -> float:
        """tread life, 1 new, 0 bald; 0 to 1; default 1"""
    @tread.setter
    def tread(self, value: float) -> None: ...
    @property
    def pressure(self) -> float:
        """[Pa] inflation pressure at the core temperature of the start; 0 = tire_pressure at ambient; 0 to 1000000 Pa; default 0"""
    @pressure.setter
    def pressure(self, value: float) -> None: ...

class TireSurface(Block):
    @property
    def friction(self) -> float:
        """factor on the friction of the tire; above 0 to 3; default 1.1"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def microtexture(self) -> float:
        """fine roughness: grip through a water film, wear; 0 to 1; default 0.8"""
    @microtexture.setter
    def microtexture(self, value: float) -> None: ...
    @property
    def macrotexture(self) -> float:
        """coarse roughness: drainage, heat into the road; 0 to 1; default 0.6"""
    @macrotexture.setter
    def macrotexture(self, value: float) -> None: ...
    @property
    def water_depth(self) -> float:
        """[m] standing water; 0 = dry; 0 to 0.05 m; default 0"""
    @water_depth.setter
    def water_depth(self, value: float) -> None: ...
    @property
    def rolling_resistance(self) -> float:
        """of the ground; 0.012 is a hard road and adds nothing to the tire's own; 0 to 1; default 0.012"""
    @rolling_resistance.setter
    def rolling_resistance(self, value: float) -> None: ...
    @property
    def slip_stiffness_scale(self) -> float:
        """factor on the slip stiffness; 0.05 to 2; default 1"""
    @slip_stiffness_scale.setter
    def slip_stiffness_scale(self, value: float) -> None: ...
    @property
    def relaxation_length_scale(self) -> float:
        """factor on both relaxation lengths; 0.2 to 5; default 1"""
    @relaxation_length_scale.setter
    def relaxation_length_scale(self, value: float) -> None: ...
    @property
    def peak_slip_ratio_scale(self) -> float:
        """moves the longitudinal peak to this multiple of its slip, at unchanged slip stiffness; 0.5 to 5; default 1"""
    @peak_slip_ratio_scale.setter
    def peak_slip_ratio_scale(self, value: float) -> None: ...
    @property
    def deformation(self) -> float:
        """how far the ground gives way; 0 to 1; default 0.02"""
    @deformation.setter
    def deformation(self, value: float) -> None: ...
    @property
    def noise_factor(self) -> float:
        """spread of the friction with position; 0 to 1; default 0.02"""
    @noise_factor.setter
    def noise_factor(self, value: float) -> None: ...

class TireFields(Spec):
    @property
    def backend(self) -> str:
        """steady law: mf96; linear (saturated at the peak); magic_formula (from a .tir file); mf96, linear, magic_formula; default mf96"""
    @backend.setter
    def backend(self, value: str) -> None: ...
    @property
    def tir_path(self) -> str:
        """backend magic_formula: MF-Tyre property file, relative to this file; default """""
    @tir_path.setter
    def tir_path(self, value: str) -> None: ...
    @property
    def tir_flavour(self) -> str:
        """where the MF-Tyre program (tno) and Pacejka's book differ; tno, book; default tno"""
    @tir_flavour.setter
    def tir_flavour(self, value: str) -> None: ...
    @property
    def B_long(self) -> float:
        """stiffness factor, longitudinal; above 0; default 10"""
    @B_long.setter
    def B_long(self, value: float) -> None: ...
    @property
    def C_long(self) -> float:
        """shape factor, longitudinal; above 0 to 2; default 1.65"""
    @C_long.setter
    def C_long(self, value: float) -> None: ...
    @property
    def D_long(self) -> float:
        """peak factor, longitudinal; above 0; default 1"""
    @D_long.setter
    def D_long(self, value: float) -> None: ...
    @property
    def E_long(self) -> float:
        """curvature factor, longitudinal; at most 1; default 0.97"""
    @E_long.setter
    def E_long(self, value: float) -> None: ...
    @property
    def B_lat(self) -> float:
        """[1/rad] stiffness factor, lateral; above 0 1/rad; default 8"""
    @B_lat.setter
    def B_lat(self, value: float) -> None: ...
    @property
    def C_lat(self) -> float:
        """shape factor, lateral; above 0 to 2; default 1.3"""
    @C_lat.setter
    def C_lat(self, value: float) -> None: ...
    @property
    def D_lat(self) -> float:
        """peak factor, lateral; above 0; default 1"""
    @D_lat.setter
    def D_lat(self, value: float) -> None: ...
    @property
    def E_lat(self) -> float:
        """curvature factor, lateral; at most 1; default -1"""
    @E_lat.setter
    def E_lat(self, value: float) -> None: ...
    @property
    def mu_nominal(self) -> float:
        """friction at the nominal load; above 0; default 1"""
    @mu_nominal.setter
    def mu_nominal(self, value: float) -> None: ...
    @property
    def Fz_nominal(self) -> float:
        """[N] nominal load; above 0 N; default 4000"""
    @Fz_nominal.setter
    def Fz_nominal(self, value: float) -> None: ...
    @property
    def load_sensitivity(self) -> float:
        """loss of friction per unit of relative overload; 0 to 2; default 0"""
    @load_sensitivity.setter
    def load_sensitivity(self, value: float) -> None: ...
    @property
    def rolling_resistance(self) -> float:
        """moment on the wheel / (Fz Re), dry at rest; 0 to 1; default 0"""
    @rolling_resistance.setter
    def rolling_resistance(self, value: float) -> None: ...
    @property
    def relaxation_length_lat(self) -> float:
        """[m] slip angle lag; at least 0 m; default 0"""
    @relaxation_length_lat.setter
    def relaxation_length_lat(self, value: float) -> None: ...
    @property
    def relaxation_length_long(self) -> float:
        """[m] slip ratio lag; at least 0 m; default 0"""
    @relaxation_length_long.setter
    def relaxation_length_long(self, value: float) -> None: ...
    @property
    def cornering_stiffness(self) -> float:
        """[N/rad] at the nominal load; above 0 N/rad; default 80000"""
    @cornering_stiffness.setter
    def cornering_stiffness(self, value: float) -> None: ...
    @property
    def combined_slip_enabled(self) -> bool:
        """false = combined: none; default true"""
    @combined_slip_enabled.setter
    def combined_slip_enabled(self, value: bool) -> None: ...
    @property
    def combined(self) -> str:
        """combined slip; auto = similarity (law rolling) or ellipse (law breakaway); auto, similarity, ellipse, none; default auto"""
    @combined.setter
    def combined(self, value: str) -> None: ...
    @property
    def mu_scaling(self) -> str:
        """road friction shrinks force and slip alike, or the force alone; similarity, peak_only; default similarity"""
    @mu_scaling.setter
    def mu_scaling(self, value: str) -> None: ...
    @property
    def pneumatic_trail(self) -> float:
        """[m] trail at zero slip angle; at least 0 m; default 0.05"""
    @pneumatic_trail.setter
    def pneumatic_trail(self, value: float) -> None: ...
    @property
    def trail_falloff_alpha(self) -> float:
        """[rad] slip angle where the trail is down to 71 %; above 0 rad; default 0.2"""
    @trail_falloff_alpha.setter
    def trail_falloff_alpha(self, value: float) -> None: ...
    @property
    def camber_stiffness(self) -> float:
        """[1/rad] camber thrust per load and camber angle; at least 0 1/rad; default 0"""
    @camber_stiffness.setter
    def camber_stiffness(self, value: float) -> None: ...
    @property
    def crown_radius(self) -> float:
        """[m] tread crown radius; at least 0 m; default 0"""
    @crown_radius.setter
    def crown_radius(self, value: float) -> None: ...
    @property
    def tire_vertical_stiffness(self) -> float:
        """[N/m] radial stiffness; above 0 N/m; default 220000"""
    @tire_vertical_stiffness.setter
    def tire_vertical_stiffness(self, value: float) -> None: ...
    @property
    def radius(self) -> float:
        """[m] free rolling radius; 0 = the chassis' wheel_radius_nominal; at least 0 m; default 0"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def reff_breff(self) -> float:
        """effective radius: low load stiffness; at least 0; default 0"""
    @reff_breff.setter
    def reff_breff(self, value: float) -> None: ...
    @property
    def reff_dreff(self) -> float:
        """effective radius: peak value; at least 0; default 0"""
    @reff_dreff.setter
    def reff_dreff(self, value: float) -> None: ...
    @property
    def reff_freff(self) -> float:
        """effective radius: high load stiffness; at least 0; default 0"""
    @reff_freff.setter
    def reff_freff(self, value: float) -> None: ...
    @property
    def lugre(self) -> TireLugre:
        ...
    @lugre.setter
    def lugre(self, value: Any) -> None: ...
    @property
    def belt(self) -> TireBelt:
        ...
    @belt.setter
    def belt(self, value: Any) -> None: ...
    @property
    def low_speed_mode(self) -> str:
        """model near standstill when LuGre is off; kinematic_blend, tire_vlow, none; default kinematic_blend"""
    @low_speed_mode.setter
    def low_speed_mode(self, value: str) -> None: ...
    @property
    def vlow_speed_eps(self) -> float:
        """[m/s] tire_vlow: slip denominator floor; above 0 m/s; default 0.15"""
    @vlow_speed_eps.setter
    def vlow_speed_eps(self, value: float) -> None: ...
    @property
    def vlow_damping(self) -> float:
        """[N s/m] tire_vlow: damping at rest; at least 0 N s/m; default 2000"""
    @vlow_damping.setter
    def vlow_damping(self, value: float) -> None: ...
    @property
    def mode(self) -> str:
        """Auto: magic formula and brush; BrushOnly; PacejkaOnly: hardly any lag; Auto, BrushOnly, PacejkaOnly; default Auto"""
    @mode.setter
    def mode(self, value: str) -> None: ...
    @property
    def wheel(self) -> TireWheel:
        ...
    @wheel.setter
    def wheel(self, value: Any) -> None: ...
    @property
    def magic_formula(self) -> TireMagicFormula:
        ...
    @magic_formula.setter
    def magic_formula(self, value: Any) -> None: ...
    @property
    def friction(self) -> TireFriction:
        ...
    @friction.setter
    def friction(self, value: Any) -> None: ...
    @property
    def patch(self) -> TirePatch:
        ...
    @patch.setter
    def patch(self, value: Any) -> None: ...
    @property
    def moments(self) -> TireMoments:
        ...
    @moments.setter
    def moments(self, value: Any) -> None: ...
    @property
    def thermal(self) -> TireThermal:
        ...
    @thermal.setter
    def thermal(self, value: Any) -> None: ...
    @property
    def wear(self) -> TireWear:
        ...
    @wear.setter
    def wear(self, value: Any) -> None: ...
    @property
    def start(self) -> TireStart:
        ...
    @start.setter
    def start(self, value: Any) -> None: ...
    @property
    def surface(self) -> TireSurface:
        ...
    @surface.setter
    def surface(self, value: Any) -> None: ...
    @property
    def fidelity(self) -> str:
        """average: mean bristle; exact: moments of the profile; distributed: elements; average, exact, distributed; default exact"""
    @fidelity.setter
    def fidelity(self, value: str) -> None: ...
    @property
    def kappa(self) -> float:
        """outflow of the mean bristle, about 1.1 to 1.4; steady (or 0) = such that the steady force is exact; at least 0; default 0"""
    @kappa.setter
    def kappa(self, value: float) -> None: ...
    @property
    def elements(self) -> float:
        """number of elements, whole; 4 to 64; default 32"""
    @elements.setter
    def elements(self, value: float) -> None: ...
    @property
    def length(self) -> float:
        """[m] contact patch, leading to trailing edge; above 0 m; default 0.15"""
    @length.setter
    def length(self, value: float) -> None: ...
    @property
    def sigma0(self) -> Sequence[float]:
        """[1/m] bristle stiffness per newton of load, [x, y]; above 0 1/m; default [150, 150]"""
    @sigma0.setter
    def sigma0(self, value: Sequence[float]) -> None: ...
    @property
    def sigma1(self) -> Sequence[float]:
        """[s/m] bristle damping per newton of load, [x, y]; at least 0 s/m; default [0.05, 0.05]"""
    @sigma1.setter
    def sigma1(self, value: Sequence[float]) -> None: ...
    @property
    def sigma2(self) -> Sequence[float]:
        """[s/m] viscous friction per newton of load, [x, y]; at least 0 s/m; default [0.001, 0.001]"""
    @sigma2.setter
    def sigma2(self, value: Sequence[float]) -> None: ...
    @property
    def mu_s(self) -> float:
        """static friction; at least mu_k; above 0; default 1.1"""
    @mu_s.setter
    def mu_s(self, value: float) -> None: ...
    @property
    def mu_k(self) -> float:
        """kinetic friction; above 0; default 0.8"""
    @mu_k.setter
    def mu_k(self, value: float) -> None: ...
    @property
    def v_s(self) -> float:
        """[m/s] Stribeck speed: slip speed of the change from mu_s to mu_k; above 0 m/s; default 5.5"""
    @v_s.setter
    def v_s(self, value: float) -> None: ...
    @property
    def gamma(self) -> float:
        """exponent of that change; above 0; default 0.6"""
    @gamma.setter
    def gamma(self, value: float) -> None: ...
    @property
    def load(self) -> str:
        """distribution of the load over the patch; uniform, trapezoidal, cubic, polynomial; default uniform"""
    @load.setter
    def load(self, value: str) -> None: ...
    @property
    def load_a(self) -> float:
        """[m] end of the rise; above 0 m; default 0.02"""
    @load_a.setter
    def load_a(self, value: float) -> None: ...
    @property
    def load_b(self) -> float:
        """[m] start of the fall; load_a <= load_b < length; above 0 m; default 0.08"""
    @load_b.setter
    def load_b(self, value: float) -> None: ...
    @property
    def load_centroid(self) -> float:
        """[m] centroid behind the leading edge; 0.4 to 0.6 of the length, else the load is negative somewhere; above 0 m; default 0.075"""
    @load_centroid.setter
    def load_centroid(self, value: float) -> None: ...
    @property
    def load_poly(self) -> Sequence[float]:
        """coefficients [c0, c1, ...] of the load c0 + c1 x + c2 x^2 + ..., x from 0 (leading edge) to 1 (trailing edge); scaled to the wheel load, nowhere negative; any finite number; default []"""
    @load_poly.setter
    def load_poly(self, value: Sequence[float]) -> None: ...

class Chassis(Block):
    @property
    def mass(self) -> float:
        """[kg] whole car; above 0 kg; default 1500"""
    @mass.setter
    def mass(self, value: float) -> None: ...
    @property
    def mass_sprung(self) -> float:
        """[kg] body without wheels and axles; at most mass; above 0 kg; default 1350"""
    @mass_sprung.setter
    def mass_sprung(self, value: float) -> None: ...
    @property
    def inertia_diag(self) -> Sequence[float]:
        """[kg m^2] roll and pitch of the body on its springs (L3, L5), yaw of the whole car; above 0 kg m^2; default [500, 2000, 2500]"""
    @inertia_diag.setter
    def inertia_diag(self, value: Sequence[float]) -> None: ...
    @property
    def wheelbase(self) -> float:
        """[m] must equal cg_to_front + cg_to_rear; above 0 m; default 2.7"""
    @wheelbase.setter
    def wheelbase(self, value: float) -> None: ...
    @property
    def cg_to_front(self) -> float:
        """[m] CG to front axle; above 0 m; default 1.2"""
    @cg_to_front.setter
    def cg_to_front(self, value: float) -> None: ...
    @property
    def cg_to_rear(self) -> float:
        """[m] CG to rear axle; above 0 m; default 1.5"""
    @cg_to_rear.setter
    def cg_to_rear(self, value: float) -> None: ...
    @property
    def track_front(self) -> float:
        """[m] front track; above 0 m; default 1.55"""
    @track_front.setter
    def track_front(self, value: float) -> None: ...
    @property
    def track_rear(self) -> float:
        """[m] rear track; above 0 m; default 1.55"""
    @track_rear.setter
    def track_rear(self, value: float) -> None: ...
    @property
    def cg_height(self) -> float:
        """[m] CG of the whole car above the road; at least 0 m; default 0.55"""
    @cg_height.setter
    def cg_height(self, value: float) -> None: ...
    @property
    def wheel_radius_nominal(self) -> float:
        """[m] wheel radius where the tire part gives none; above 0 m; default 0.32"""
    @wheel_radius_nominal.setter
    def wheel_radius_nominal(self, value: float) -> None: ...
    @property
    def wheel_inertia(self) -> float:
        """[kg m^2] spin inertia per wheel; 0 = m_unsprung R^2 / 2; at least 0 kg m^2; default 0"""
    @wheel_inertia.setter
    def wheel_inertia(self, value: float) -> None: ...
    @property
    def spring_stiffness(self) -> Sequence[float]:
        """[N/m] per wheel; sets the roll stiffness split; above 0 N/m; default [30000, 30000, 30000, 30000]"""
    @spring_stiffness.setter
    def spring_stiffness(self, value: Sequence[float]) -> None: ...
    @property
    def damper_coefficient(self) -> Sequence[float]:
        """[N s/m] per wheel, in bump; at least 0 N s/m; default [3000, 3000, 3000, 3000]"""
    @damper_coefficient.setter
    def damper_coefficient(self, value: Sequence[float]) -> None: ...
    @property
    def damper_rebound_ratio(self) -> float:
        """rebound damping / bump damping; at least 0; default 1"""
    @damper_rebound_ratio.setter
    def damper_rebound_ratio(self, value: float) -> None: ...
    @property
    def bump_travel(self) -> float:
        """[m] upward travel at which the bump stop begins; at least 0 m; default 0.08"""
    @bump_travel.setter
    def bump_travel(self, value: float) -> None: ...
    @property
    def droop_travel(self) -> float:
        """[m] downward travel at which the rebound stop begins; at least 0 m; default 0.08"""
    @droop_travel.setter
    def droop_travel(self, value: float) -> None: ...
    @property
    def bump_stop_stiffness(self) -> float:
        """[N/m] of both stops, per wheel; at least 0 N/m; default 200000"""
    @bump_stop_stiffness.setter
    def bump_stop_stiffness(self, value: float) -> None: ...
    @property
    def unsprung_mass(self) -> Sequence[float]:
        """[kg] per wheel; above 0 kg; default [40, 40, 40, 40]"""
    @unsprung_mass.setter
    def unsprung_mass(self, value: Sequence[float]) -> None: ...
    @property
    def arb_front(self) -> float:
        """[N m/rad] front anti-roll bar, roll stiffness of the axle; at least 0 N m/rad; default 0"""
    @arb_front.setter
    def arb_front(self, value: float) -> None: ...
    @property
    def arb_rear(self) -> float:
        """[N m/rad] rear anti-roll bar, roll stiffness of the axle; at least 0 N m/rad; default 0"""
    @arb_rear.setter
    def arb_rear(self, value: float) -> None: ...
    @property
    def roll_center_front(self) -> float:
        """[m] front roll centre above the road; any finite number [m]; default 0"""
    @roll_center_front.setter
    def roll_center_front(self, value: float) -> None: ...
    @property
    def roll_center_rear(self) -> float:
        """[m] rear roll centre above the road; any finite number [m]; default 0"""
    @roll_center_rear.setter
    def roll_center_rear(self, value: float) -> None: ...
    @property
    def anti_dive_front(self) -> float:
        """share of the front axle's load change under its braking that the links carry; -1 to 2; default 0"""
    @anti_dive_front.setter
    def anti_dive_front(self, value: float) -> None: ...
    @property
    def anti_squat_rear(self) -> float:
        """share of the rear axle's load change under its drive that the links carry; -1 to 2; default 0"""
    @anti_squat_rear.setter
    def anti_squat_rear(self, value: float) -> None: ...
    @property
    def camber_per_roll(self) -> float:
        """inclination of the wheels per roll angle of the body: 0 stay upright, 1 lean with it; -1 to 2; default 0"""
    @camber_per_roll.setter
    def camber_per_roll(self, value: float) -> None: ...
    @property
    def camber_per_travel(self) -> float:
        """[rad/m] camber per upward travel, positive leans the top outwards; -5 to 5 rad/m; default 0"""
    @camber_per_travel.setter
    def camber_per_travel(self, value: float) -> None: ...
    @property
    def width(self) -> float:
        """[m] of the body without mirrors, for cones and pictures; 0 = widest track + 0.25 m; at least 0 m; default 0"""
    @width.setter
    def width(self, value: float) -> None: ...
    @property
    def length(self) -> float:
        """[m] of the body; 0 = wheelbase + 1.9 m; at least 0 m; default 0"""
    @length.setter
    def length(self, value: float) -> None: ...
    @property
    def front_overhang(self) -> float:
        """[m] front axle to bumper; 0 = 0.9 m; at least 0 m; default 0"""
    @front_overhang.setter
    def front_overhang(self, value: float) -> None: ...
    @property
    def aero_drag_coeff(self) -> float:
        """drag coefficient; at least 0; default 0.3"""
    @aero_drag_coeff.setter
    def aero_drag_coeff(self, value: float) -> None: ...
    @property
    def frontal_area(self) -> float:
        """[m^2] reference area of drag and lift; at least 0 m^2; default 2.2"""
    @frontal_area.setter
    def frontal_area(self, value: float) -> None: ...
    @property
    def aero_lift_front(self) -> float:
        """front lift coefficient, positive = down-force; any finite number; default 0"""
    @aero_lift_front.setter
    def aero_lift_front(self, value: float) -> None: ...
    @property
    def aero_lift_rear(self) -> float:
        """rear lift coefficient, positive = down-force; any finite number; default 0"""
    @aero_lift_rear.setter
    def aero_lift_rear(self, value: float) -> None: ...
    @property
    def aero_side_coeff(self) -> float:
        """in wind: side force per sine of the flow angle; at least 0; default 2.2"""
    @aero_side_coeff.setter
    def aero_side_coeff(self, value: float) -> None: ...
    @property
    def aero_yaw_coeff(self) -> float:
        """in wind: yaw moment about the middle of the wheelbase per sine times cosine of the flow angle, over the wheelbase, positive turns the nose out of the wind; any finite number; default 0.6"""
    @aero_yaw_coeff.setter
    def aero_yaw_coeff(self, value: float) -> None: ...
    @property
    def aero_rise_front(self) -> float:
        """in wind: front lift per squared sine of the flow angle, positive lifts; any finite number; default 1.2"""
    @aero_rise_front.setter
    def aero_rise_front(self, value: float) -> None: ...
    @property
    def aero_rise_rear(self) -> float:
        """the same at the rear; any finite number; default 1.2"""
    @aero_rise_rear.setter
    def aero_rise_rear(self, value: float) -> None: ...

class TireBlock(Block):
    @property
    def backend(self) -> str:
        """steady law: mf96; linear (saturated at the peak); magic_formula (from a .tir file); mf96, linear, magic_formula; default mf96"""
    @backend.setter
    def backend(self, value: str) -> None: ...
    @property
    def tir_path(self) -> str:
        """backend magic_formula: MF-Tyre property file, relative to this file; default """""
    @tir_path.setter
    def tir_path(self, value: str) -> None: ...
    @property
    def tir_flavour(self) -> str:
        """where the MF-Tyre program (tno) and Pacejka's book differ; tno, book; default tno"""
    @tir_flavour.setter
    def tir_flavour(self, value: str) -> None: ...
    @property
    def B_long(self) -> float:
        """stiffness factor, longitudinal; above 0; default 10"""
    @B_long.setter
    def B_long(self, value: float) -> None: ...
    @property
    def C_long(self) -> float:
        """shape factor, longitudinal; above 0 to 2; default 1.65"""
    @C_long.setter
    def C_long(self, value: float) -> None: ...
    @property
    def D_long(self) -> float:
        """peak factor, longitudinal; above 0; default 1"""
    @D_long.setter
    def D_long(self, value: float) -> None: ...
    @property
    def E_long(self) -> float:
        """curvature factor, longitudinal; at most 1; default 0.97"""
    @E_long.setter
    def E_long(self, value: float) -> None: ...
    @property
    def B_lat(self) -> float:
        """[1/rad] stiffness factor, lateral; above 0 1/rad; default 8"""
    @B_lat.setter
    def B_lat(self, value: float) -> None: ...
    @property
    def C_lat(self) -> float:
        """shape factor, lateral; above 0 to 2; default 1.3"""
    @C_lat.setter
    def C_lat(self, value: float) -> None: ...
    @property
    def D_lat(self) -> float:
        """peak factor, lateral; above 0; default 1"""
    @D_lat.setter
    def D_lat(self, value: float) -> None: ...
    @property
    def E_lat(self) -> float:
        """curvature factor, lateral; at most 1; default -1"""
    @E_lat.setter
    def E_lat(self, value: float) -> None: ...
    @property
    def mu_nominal(self) -> float:
        """friction at the nominal load; above 0; default 1"""
    @mu_nominal.setter
    def mu_nominal(self, value: float) -> None: ...
    @property
    def Fz_nominal(self) -> float:
        """[N] nominal load; above 0 N; default 4000"""
    @Fz_nominal.setter
    def Fz_nominal(self, value: float) -> None: ...
    @property
    def load_sensitivity(self) -> float:
        """loss of friction per unit of relative overload; 0 to 2; default 0"""
    @load_sensitivity.setter
    def load_sensitivity(self, value: float) -> None: ...
    @property
    def rolling_resistance(self) -> float:
        """moment on the wheel / (Fz Re), dry at rest; 0 to 1; default 0"""
    @rolling_resistance.setter
    def rolling_resistance(self, value: float) -> None: ...
    @property
    def relaxation_length_lat(self) -> float:
        """[m] slip angle lag; at least 0 m; default 0"""
    @relaxation_length_lat.setter
    def relaxation_length_lat(self, value: float) -> None: ...
    @property
    def relaxation_length_long(self) -> float:
        """[m] slip ratio lag; at least 0 m; default 0"""
    @relaxation_length_long.setter
    def relaxation_length_long(self, value: float) -> None: ...
    @property
    def cornering_stiffness(self) -> float:
        """[N/rad] at the nominal load; above 0 N/rad; default 80000"""
    @cornering_stiffness.setter
    def cornering_stiffness(self, value: float) -> None: ...
    @property
    def combined_slip_enabled(self) -> bool:
        """false = combined: none; default true"""
    @combined_slip_enabled.setter
    def combined_slip_enabled(self, value: bool) -> None: ...
    @property
    def combined(self) -> str:
        """combined slip; auto = similarity (law rolling) or ellipse (law breakaway); auto, similarity, ellipse, none; default auto"""
    @combined.setter
    def combined(self, value: str) -> None: ...
    @property
    def mu_scaling(self) -> str:
        """road friction shrinks force and slip alike, or the force alone; similarity, peak_only; default similarity"""
    @mu_scaling.setter
    def mu_scaling(self, value: str) -> None: ...
    @property
    def pneumatic_trail(self) -> float:
        """[m] trail at zero slip angle; at least 0 m; default 0.05"""
    @pneumatic_trail.setter
    def pneumatic_trail(self, value: float) -> None: ...
    @property
    def trail_falloff_alpha(self) -> float:
        """[rad] slip angle where the trail is down to 71 %; above 0 rad; default 0.2"""
    @trail_falloff_alpha.setter
    def trail_falloff_alpha(self, value: float) -> None: ...
    @property
    def camber_stiffness(self) -> float:
        """[1/rad] camber thrust per load and camber angle; at least 0 1/rad; default 0"""
    @camber_stiffness.setter
    def camber_stiffness(self, value: float) -> None: ...
    @property
    def crown_radius(self) -> float:
        """[m] tread crown radius; at least 0 m; default 0"""
    @crown_radius.setter
    def crown_radius(self, value: float) -> None: ...
    @property
    def tire_vertical_stiffness(self) -> float:
        """[N/m] radial stiffness; above 0 N/m; default 220000"""
    @tire_vertical_stiffness.setter
    def tire_vertical_stiffness(self, value: float) -> None: ...
    @property
    def radius(self) -> float:
        """[m] free rolling radius; 0 = the chassis' wheel_radius_nominal; at least 0 m; default 0"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def reff_breff(self) -> float:
        """effective radius: low load stiffness; at least 0; default 0"""
    @reff_breff.setter
    def reff_breff(self, value: float) -> None: ...
    @property
    def reff_dreff(self) -> float:
        """effective radius: peak value; at least 0; default 0"""
    @reff_dreff.setter
    def reff_dreff(self, value: float) -> None: ...
    @property
    def reff_freff(self) -> float:
        """effective radius: high load stiffness; at least 0; default 0"""
    @reff_freff.setter
    def reff_freff(self, value: float) -> None: ...
    @property
    def lugre(self) -> TireLugre:
        ...
    @lugre.setter
    def lugre(self, value: Any) -> None: ...
    @property
    def belt(self) -> TireBelt:
        ...
    @belt.setter
    def belt(self, value: Any) -> None: ...
    @property
    def low_speed_mode(self) -> str:
        """model near standstill when LuGre is off; kinematic_blend, tire_vlow, none; default kinematic_blend"""
    @low_speed_mode.setter
    def low_speed_mode(self, value: str) -> None: ...
    @property
    def vlow_speed_eps(self) -> float:
        """[m/s] tire_vlow: slip denominator floor; above 0 m/s; default 0.15"""
    @vlow_speed_eps.setter
    def vlow_speed_eps(self, value: float) -> None: ...
    @property
    def vlow_damping(self) -> float:
        """[N s/m] tire_vlow: damping at rest; at least 0 N s/m; default 2000"""
    @vlow_damping.setter
    def vlow_damping(self, value: float) -> None: ...
    @property
    def mode(self) -> str:
        """Auto: magic formula and brush; BrushOnly; PacejkaOnly: hardly any lag; Auto, BrushOnly, PacejkaOnly; default Auto"""
    @mode.setter
    def mode(self, value: str) -> None: ...
    @property
    def wheel(self) -> TireWheel:
        ...
    @wheel.setter
    def wheel(self, value: Any) -> None: ...
    @property
    def magic_formula(self) -> TireMagicFormula:
        ...
    @magic_formula.setter
    def magic_formula(self, value: Any) -> None: ...
    @property
    def friction(self) -> TireFriction:
        ...
    @friction.setter
    def friction(self, value: Any) -> None: ...
    @property
    def patch(self) -> TirePatch:
        ...
    @patch.setter
    def patch(self, value: Any) -> None: ...
    @property
    def moments(self) -> TireMoments:
        ...
    @moments.setter
    def moments(self, value: Any) -> None: ...
    @property
    def thermal(self) -> TireThermal:
        ...
    @thermal.setter
    def thermal(self, value: Any) -> None: ...
    @property
    def wear(self) -> TireWear:
        ...
    @wear.setter
    def wear(self, value: Any) -> None: ...
    @property
    def start(self) -> TireStart:
        ...
    @start.setter
    def start(self, value: Any) -> None: ...
    @property
    def surface(self) -> TireSurface:
        ...
    @surface.setter
    def surface(self, value: Any) -> None: ...
    @property
    def fidelity(self) -> str:
        """average: mean bristle; exact: moments of the profile; distributed: elements; average, exact, distributed; default exact"""
    @fidelity.setter
    def fidelity(self, value: str) -> None: ...
    @property
    def kappa(self) -> float:
        """outflow of the mean bristle, about 1.1 to 1.4; steady (or 0) = such that the steady force is exact; at least 0; default 0"""
    @kappa.setter
    def kappa(self, value: float) -> None: ...
    @property
    def elements(self) -> float:
        """number of elements, whole; 4 to 64; default 32"""
    @elements.setter
    def elements(self, value: float) -> None: ...
    @property
    def length(self) -> float:
        """[m] contact patch, leading to trailing edge; above 0 m; default 0.15"""
    @length.setter
    def length(self, value: float) -> None: ...
    @property
    def sigma0(self) -> Sequence[float]:
        """[1/m] bristle stiffness per newton of load, [x, y]; above 0 1/m; default [150, 150]"""
    @sigma0.setter
    def sigma0(self, value: Sequence[float]) -> None: ...
    @property
    def sigma1(self) -> Sequence[float]:
        """[s/m] bristle damping per newton of load, [x, y]; at least 0 s/m; default [0.05, 0.05]"""
    @sigma1.setter
    def sigma1(self, value: Sequence[float]) -> None: ...
    @property
    def sigma2(self) -> Sequence[float]:
        """[s/m] viscous friction per newton of load, [x, y]; at least 0 s/m; default [0.001, 0.001]"""
    @sigma2.setter
    def sigma2(self, value: Sequence[float]) -> None: ...
    @property
    def mu_s(self) -> float:
        """static friction; at least mu_k; above 0; default 1.1"""
    @mu_s.setter
    def mu_s(self, value: float) -> None: ...
    @property
    def mu_k(self) -> float:
        """kinetic friction; above 0; default 0.8"""
    @mu_k.setter
    def mu_k(self, value: float) -> None: ...
    @property
    def v_s(self) -> float:
        """[m/s] Stribeck speed: slip speed of the change from mu_s to mu_k; above 0 m/s; default 5.5"""
    @v_s.setter
    def v_s(self, value: float) -> None: ...
    @property
    def gamma(self) -> float:
        """exponent of that change; above 0; default 0.6"""
    @gamma.setter
    def gamma(self, value: float) -> None: ...
    @property
    def load(self) -> str:
        """distribution of the load over the patch; uniform, trapezoidal, cubic, polynomial; default uniform"""
    @load.setter
    def load(self, value: str) -> None: ...
    @property
    def load_a(self) -> float:
        """[m] end of the rise; above 0 m; default 0.02"""
    @load_a.setter
    def load_a(self, value: float) -> None: ...
    @property
    def load_b(self) -> float:
        """[m] start of the fall; load_a <= load_b < length; above 0 m; default 0.08"""
    @load_b.setter
    def load_b(self, value: float) -> None: ...
    @property
    def load_centroid(self) -> float:
        """[m] centroid behind the leading edge; 0.4 to 0.6 of the length, else the load is negative somewhere; above 0 m; default 0.075"""
    @load_centroid.setter
    def load_centroid(self, value: float) -> None: ...
    @property
    def load_poly(self) -> Sequence[float]:
        """coefficients [c0, c1, ...] of the load c0 + c1 x + c2 x^2 + ..., x from 0 (leading edge) to 1 (trailing edge); scaled to the wheel load, nowhere negative; any finite number; default []"""
    @load_poly.setter
    def load_poly(self, value: Sequence[float]) -> None: ...

class Brake(Block):
    @property
    def max_brake_torque(self) -> float:
        """[N m] pedal 1, sum over four wheels; at least 0 N m; default 5000"""
    @max_brake_torque.setter
    def max_brake_torque(self, value: float) -> None: ...
    @property
    def brake_bias_front(self) -> float:
        """share of the front axle; 0 to 1; default 0.5"""
    @brake_bias_front.setter
    def brake_bias_front(self, value: float) -> None: ...
    @property
    def max_handbrake_torque(self) -> float:
        """[N m] lever 1, sum over the rear wheels; at least 0 N m; default 2500"""
    @max_handbrake_torque.setter
    def max_handbrake_torque(self, value: float) -> None: ...

class SteeringRackColumnFriction(Block):
    @property
    def friction(self) -> float:
        """[N] force when sliding; 0 = none; at least 0 N; default 100"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def static_ratio(self) -> float:
        """force that breaks it loose / sliding force; 1 to 3; default 1.2"""
    @static_ratio.setter
    def static_ratio(self, value: float) -> None: ...
    @property
    def v_stribeck(self) -> float:
        """[m/s] rack speed below which friction is static; above 0 m/s; default 0.005"""
    @v_stribeck.setter
    def v_stribeck(self, value: float) -> None: ...
    @property
    def sigma0(self) -> float:
        """[N/m] stiffness before it slides; above 0 N/m; default 1000000"""
    @sigma0.setter
    def sigma0(self, value: float) -> None: ...
    @property
    def sigma1(self) -> float:
        """[N s/m] damping before it slides; at least 0 N s/m; default 2000"""
    @sigma1.setter
    def sigma1(self, value: float) -> None: ...
    @property
    def sigma2(self) -> float:
        """[N s/m] viscous part when sliding; at least 0 N s/m; default 0"""
    @sigma2.setter
    def sigma2(self, value: float) -> None: ...

class SteeringRack(Block):
    @property
    def steering_dynamic(self) -> bool:
        """the rack has its own dynamics; off = it follows the command; default false"""
    @steering_dynamic.setter
    def steering_dynamic(self, value: bool) -> None: ...
    @property
    def rack_mass(self) -> float:
        """[kg] rack, tie rods and steered wheels, as seen at the rack; above 0 kg; default 30"""
    @rack_mass.setter
    def rack_mass(self, value: float) -> None: ...
    @property
    def rack_damping(self) -> float:
        """[N s/m] viscous damping of the rack; at least 0 N s/m; default 800"""
    @rack_damping.setter
    def rack_damping(self, value: float) -> None: ...
    @property
    def pinion_radius(self) -> float:
        """[m] rack travel per pinion angle; above 0 m; default 0.0075"""
    @pinion_radius.setter
    def pinion_radius(self, value: float) -> None: ...
    @property
    def caster_trail(self) -> float:
        """[m] steering axis ahead of the contact point; any finite number [m]; default 0.03"""
    @caster_trail.setter
    def caster_trail(self, value: float) -> None: ...
    @property
    def rack_per_rad(self) -> float:
        """[m/rad] rack travel per road-wheel angle; above 0 m/rad; default 0.08"""
    @rack_per_rad.setter
    def rack_per_rad(self, value: float) -> None: ...
    @property
    def column_stiffness(self) -> float:
        """[N m/rad] torsion bar; 0 = hands off; at least 0 N m/rad; default 80"""
    @column_stiffness.setter
    def column_stiffness(self, value: float) -> None: ...
    @property
    def column_damping(self) -> float:
        """[N m s/rad] of the torsion bar; at least 0 N m s/rad; default 0.15"""
    @column_damping.setter
    def column_damping(self, value: float) -> None: ...
    @property
    def assist_gain(self) -> float:
        """assist torque / torsion bar torque; at least 0; default 3"""
    @assist_gain.setter
    def assist_gain(self, value: float) -> None: ...
    @property
    def column_friction(self) -> SteeringRackColumnFriction:
        ...
    @column_friction.setter
    def column_friction(self, value: Any) -> None: ...

class Steering(Block):
    @property
    def steering_ratio(self) -> float:
        """hand wheel angle / road wheel angle; above 0; default 15"""
    @steering_ratio.setter
    def steering_ratio(self, value: float) -> None: ...
    @property
    def max_steer_angle_wheel(self) -> float:
        """[rad] limit of the road wheel angle; above 0 to 1.4 rad; default 0.5"""
    @max_steer_angle_wheel.setter
    def max_steer_angle_wheel(self, value: float) -> None: ...
    @property
    def ackerman_percent(self) -> float:
        """[%] 0 = parallel wheels, 100 = Ackermann; -100 to 200 %; default 0"""
    @ackerman_percent.setter
    def ackerman_percent(self, value: float) -> None: ...
    @property
    def rack(self) -> SteeringRack:
        ...
    @rack.setter
    def rack(self, value: Any) -> None: ...

class Drivetrain(Block):
    @property
    def drive_type(self) -> str:
        """driven wheels; RWD, FWD, AWD; default RWD"""
    @drive_type.setter
    def drive_type(self, value: str) -> None: ...
    @property
    def differential(self) -> str:
        """of every driven axle; Open, Locked, LSD; default Open"""
    @differential.setter
    def differential(self, value: str) -> None: ...
    @property
    def max_motor_torque(self) -> float:
        """[N m] throttle 1, at the motor; at least 0 N m; default 300"""
    @max_motor_torque.setter
    def max_motor_torque(self, value: float) -> None: ...
    @property
    def final_drive_ratio(self) -> float:
        """motor speed / axle speed; above 0; default 5"""
    @final_drive_ratio.setter
    def final_drive_ratio(self, value: float) -> None: ...
    @property
    def engine_rotational_inertia(self) -> float:
        """[kg m^2] at the motor, in gear; at least 0 kg m^2; default 0.25"""
    @engine_rotational_inertia.setter
    def engine_rotational_inertia(self, value: float) -> None: ...
    @property
    def lsd_preload(self) -> float:
        """LSD lock at zero torque / largest axle torque; 0 to 1; default 0.1"""
    @lsd_preload.setter
    def lsd_preload(self, value: float) -> None: ...
    @property
    def lsd_ramp(self) -> float:
        """LSD lock per axle torque; 0 to 1; default 0.2"""
    @lsd_ramp.setter
    def lsd_ramp(self, value: float) -> None: ...
    @property
    def drive_split_front(self) -> float:
        """AWD: share of the front axle; 0 to 1; default 0.5"""
    @drive_split_front.setter
    def drive_split_front(self, value: float) -> None: ...

class PowertrainEngine(Block):
    @property
    def idle_rpm(self) -> float:
        """[rpm] speed the idle controller holds; above 0 rpm; default 800"""
    @idle_rpm.setter
    def idle_rpm(self, value: float) -> None: ...
    @property
    def redline_rpm(self) -> float:
        """[rpm] the limiter closes the throttle from here to 3 % above; above 0 rpm; default 6500"""
    @redline_rpm.setter
    def redline_rpm(self, value: float) -> None: ...
    @property
    def inertia(self) -> float:
        """[kg m^2] crankshaft and flywheel; above 0 kg m^2; default 0.25"""
    @inertia.setter
    def inertia(self, value: float) -> None: ...
    @property
    def rpm_breaks(self) -> Sequence[float]:
        """[rpm] speeds of the torque map, rising; held outside; at least 0 rpm; default [800, 1500, 2500, 3500, 4500, 5500, 6500]"""
    @rpm_breaks.setter
    def rpm_breaks(self, value: Sequence[float]) -> None: ...
    @property
    def throttle_breaks(self) -> Sequence[float]:
        """throttles of the torque map, rising; 0 to 1; default [0, 0.25, 0.5, 0.75, 1]"""
    @throttle_breaks.setter
    def throttle_breaks(self, value: Sequence[float]) -> None: ...
    @property
    def torque_map(self) -> Sequence[float]:
        """[N m] at the flywheel, one row per throttle, row by row; any finite number [N m]; default [0, 0, 0, 0, 0, 0, 0, 70, 85, 80, 65, 50, 35, 20, 95, 130, 140, 135, 120, 100, 75, 105, 145, 165, 175, 172, 155, 125, 110, 150, 175, 190, 195, 185, 160]"""
    @torque_map.setter
    def torque_map(self, value: Sequence[float]) -> None: ...
    @property
    def drag_torque(self) -> float:
        """[N m] drag at closed throttle; fades to 0 at full throttle; at least 0 N m; default 10"""
    @drag_torque.setter
    def drag_torque(self, value: float) -> None: ...
    @property
    def drag_slope(self) -> float:
        """[N m/1000 rpm] its growth with speed; at least 0 N m/1000 rpm; default 4"""
    @drag_slope.setter
    def drag_slope(self, value: float) -> None: ...
    @property
    def idle_torque(self) -> float:
        """[N m] most that the idle controller gives; above 0 N m; default 60"""
    @idle_torque.setter
    def idle_torque(self, value: float) -> None: ...

class PowertrainGearbox(Block):
    @property
    def gear_ratios(self) -> Sequence[float]:
        """forward gears, first gear first, falling; above 0; default [3.5, 2.1, 1.4, 1, 0.8]"""
    @gear_ratios.setter
    def gear_ratios(self, value: Sequence[float]) -> None: ...
    @property
    def reverse_ratio(self) -> float:
        """reverse gear; above 0; default 3.2"""
    @reverse_ratio.setter
    def reverse_ratio(self, value: float) -> None: ...
    @property
    def final_drive(self) -> float:
        """multiplies every gear; above 0; default 4.1"""
    @final_drive.setter
    def final_drive(self, value: float) -> None: ...
    @property
    def efficiency(self) -> float:
        """power out / power in, either way; above 0 to 1; default 0.92"""
    @efficiency.setter
    def efficiency(self, value: float) -> None: ...
    @property
    def shift_time(self) -> float:
        """[s] clutch open during a shift; at least 0 s; default 0.3"""
    @shift_time.setter
    def shift_time(self, value: float) -> None: ...

class PowertrainShift(Block):
    @property
    def mode(self) -> str:
        """manual: command gear n is the n-th gear; auto_rpm: gear 1 is drive; manual, auto_rpm; default auto_rpm"""
    @mode.setter
    def mode(self, value: str) -> None: ...
    @property
    def upshift_rpm(self) -> float:
        """[rpm] auto: next gear above this engine speed; above 0 rpm; default 5500"""
    @upshift_rpm.setter
    def upshift_rpm(self, value: float) -> None: ...
    @property
    def downshift_rpm(self) -> float:
        """[rpm] auto: next lower gear below this engine speed; at least 0 rpm; default 1800"""
    @downshift_rpm.setter
    def downshift_rpm(self, value: float) -> None: ...
    @property
    def start_gear(self) -> int:
        """lowest gear of auto; first gear of a run; 1 to 10; default 1"""
    @start_gear.setter
    def start_gear(self, value: int) -> None: ...

class PowertrainClutch(Block):
    @property
    def capacity(self) -> float:
        """[N m] friction torque, fully closed; above 0 N m; default 350"""
    @capacity.setter
    def capacity(self, value: float) -> None: ...
    @property
    def engage_time(self) -> float:
        """[s] time to close after a shift; above 0 s; default 0.25"""
    @engage_time.setter
    def engage_time(self, value: float) -> None: ...
    @property
    def launch_rpm(self) -> float:
        """[rpm] fully closed from this engine speed, open at idle; above 0 rpm; default 2200"""
    @launch_rpm.setter
    def launch_rpm(self, value: float) -> None: ...

class PowertrainMotor(Block):
    @property
    def max_torque(self) -> float:
        """[N m] throttle 1, below the corner speed; above 0 N m; default 310"""
    @max_torque.setter
    def max_torque(self, value: float) -> None: ...
    @property
    def max_power(self) -> float:
        """[W] torque = power / speed beyond the corner speed; above 0 W; default 150000"""
    @max_power.setter
    def max_power(self, value: float) -> None: ...
    @property
    def max_rpm(self) -> float:
        """[rpm] torque fades to 0 over the last 5 %; above 0 rpm; default 15000"""
    @max_rpm.setter
    def max_rpm(self, value: float) -> None: ...
    @property
    def ratio(self) -> float:
        """motor speed / axle speed; above 0; default 9"""
    @ratio.setter
    def ratio(self, value: float) -> None: ...
    @property
    def efficiency(self) -> float:
        """of the gears, either way; above 0 to 1; default 0.95"""
    @efficiency.setter
    def efficiency(self, value: float) -> None: ...
    @property
    def inertia(self) -> float:
        """[kg m^2] rotor; at least 0 kg m^2; default 0.03"""
    @inertia.setter
    def inertia(self, value: float) -> None: ...
    @property
    def regen(self) -> float:
        """share of the torque that may brake; comes first, the friction brakes give the rest; 0 to 1; default 0"""
    @regen.setter
    def regen(self, value: float) -> None: ...

class Powertrain(Block):
    @property
    def enabled(self) -> bool:
        """off: max_motor_torque x final_drive_ratio of the drivetrain; default false"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def type(self) -> str:
        """engine with clutch and gearbox, or electric motor; engine, motor; default engine"""
    @type.setter
    def type(self, value: str) -> None: ...
    @property
    def engine(self) -> PowertrainEngine:
        ...
    @engine.setter
    def engine(self, value: Any) -> None: ...
    @property
    def gearbox(self) -> PowertrainGearbox:
        ...
    @gearbox.setter
    def gearbox(self, value: Any) -> None: ...
    @property
    def shift(self) -> PowertrainShift:
        ...
    @shift.setter
    def shift(self, value: Any) -> None: ...
    @property
    def clutch(self) -> PowertrainClutch:
        ...
    @clutch.setter
    def clutch(self, value: Any) -> None: ...
    @property
    def motor(self) -> PowertrainMotor:
        ...
    @motor.setter
    def motor(self, value: Any) -> None: ...

class ControlHydraulics(Block):
    @property
    def enabled(self) -> bool:
        """brake torque follows the command late; on with any brake controller; default false"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def lag(self) -> float:
        """[s] first-order lag; 0.001 to 1 s; default 0.015"""
    @lag.setter
    def lag(self, value: float) -> None: ...
    @property
    def build_rate(self) -> float:
        """[1/s] fastest rise, in full brake torques per second; above 0 1/s; default 6"""
    @build_rate.setter
    def build_rate(self, value: float) -> None: ...
    @property
    def release_rate(self) -> float:
        """[1/s] fastest fall, in full brake torques per second; above 0 1/s; default 15"""
    @release_rate.setter
    def release_rate(self, value: float) -> None: ...

class ControlAbs(Block):
    @property
    def enabled(self) -> bool:
        """anti-lock brakes; default false"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def slip_start(self) -> float:
        """slip at which the search of the peak starts; above 0 to below 1; default 0.15"""
    @slip_start.setter
    def slip_start(self, value: float) -> None: ...
    @property
    def slip_most(self) -> float:
        """largest slip of the search; above slip_start; above 0 to below 1; default 0.5"""
    @slip_most.setter
    def slip_most(self, value: float) -> None: ...
    @property
    def search_rate(self) -> float:
        """[1/s] relative change of the slip that is aimed at; above 0 1/s; default 2.5"""
    @search_rate.setter
    def search_rate(self, value: float) -> None: ...
    @property
    def drop(self) -> float:
        """loss of friction that shows a peak passed; above 0 to below 1; default 0.04"""
    @drop.setter
    def drop(self, value: float) -> None: ...
    @property
    def response(self) -> float:
        """[s] time in which the slip reaches what is aimed at; above 0 s; default 0.05"""
    @response.setter
    def response(self, value: float) -> None: ...
    @property
    def side_rate(self) -> float:
        """[1/s] growth of the torque that a wheel may have beyond the other one of its axle, in full torques per second; at least 0 1/s; default 0.7"""
    @side_rate.setter
    def side_rate(self, value: float) -> None: ...
    @property
    def min_speed(self) -> float:
        """[m/s] off below; at least 0 m/s; default 2"""
    @min_speed.setter
    def min_speed(self, value: float) -> None: ...

class ControlEbd(Block):
    @property
    def enabled(self) -> bool:
        """electronic brake force distribution; default false"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def slip_difference(self) -> float:
        """rear slip above front slip: held; twice that: released; above 0 to below 1; default 0.01"""
    @slip_difference.setter
    def slip_difference(self, value: float) -> None: ...

class ControlTc(Block):
    @property
    def enabled(self) -> bool:
        """traction control; default false"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def slip(self) -> float:
        """drive slip that is allowed; above 0 to below 1; default 0.1"""
    @slip.setter
    def slip(self, value: float) -> None: ...
    @property
    def gain(self) -> float:
        """[1/s] throttle reduction per second and slip in excess; above 0 1/s; default 6"""
    @gain.setter
    def gain(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """immediate throttle reduction per slip in excess; at least 0; default 1.5"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def recover(self) -> float:
        """[1/s] throttle given back per second; above 0 1/s; default 0.8"""
    @recover.setter
    def recover(self, value: float) -> None: ...
    @property
    def brake_gain(self) -> float:
        """[s/m] share of the brake on the faster driven wheel per m/s of difference; at least 0 s/m; default 0.3"""
    @brake_gain.setter
    def brake_gain(self, value: float) -> None: ...
    @property
    def max_brake(self) -> float:
        """largest share of the brake; 0 to 1; default 0.5"""
    @max_brake.setter
    def max_brake(self, value: float) -> None: ...

class ControlReference(Block):
    @property
    def understeer_gradient(self) -> float:
        """[rad s^2/m] of the linear single-track car; at least 0 rad s^2/m; default 0.001"""
    @understeer_gradient.setter
    def understeer_gradient(self, value: float) -> None: ...
    @property
    def max_lateral(self) -> float:
        """[m/s^2] largest lateral acceleration it may ask for; above 0 m/s^2; default 20"""
    @max_lateral.setter
    def max_lateral(self, value: float) -> None: ...
    @property
    def lateral_margin(self) -> float:
        """[m/s^2] how far that may exceed the measured one; above 0 m/s^2; default 2.5"""
    @lateral_margin.setter
    def lateral_margin(self, value: float) -> None: ...
    @property
    def lag(self) -> float:
        """[s] of its yaw rate; at least 0 s; default 0.08"""
    @lag.setter
    def lag(self, value: float) -> None: ...
    @property
    def min_speed(self) -> float:
        """[m/s] yaw control and vectoring off below; above 0 m/s; default 5"""
    @min_speed.setter
    def min_speed(self, value: float) -> None: ...

class ControlEsc(Block):
    @property
    def enabled(self) -> bool:
        """yaw control by single brakes; default false"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def oversteer(self) -> float:
        """[rad/s] yaw rate in excess that is allowed; beyond: outer front brake; above 0 rad/s; default 0.03"""
    @oversteer.setter
    def oversteer(self, value: float) -> None: ...
    @property
    def understeer(self) -> float:
        """[rad/s] yaw rate missing that is allowed; beyond: inner rear brake; above 0 rad/s; default 0.08"""
    @understeer.setter
    def understeer(self, value: float) -> None: ...
    @property
    def understeer_gradient(self) -> float:
        """[rad s^2/m] a car that turns less than with this gradient understeers; at least 0 rad s^2/m; default 0.012"""
    @understeer_gradient.setter
    def understeer_gradient(self, value: float) -> None: ...
    @property
    def brake_gain(self) -> float:
        """[s/rad] share of the brake per rad/s beyond; above 0 s/rad; default 10"""
    @brake_gain.setter
    def brake_gain(self, value: float) -> None: ...
    @property
    def max_brake(self) -> float:
        """largest share of the brake; 0 to 1; default 1"""
    @max_brake.setter
    def max_brake(self, value: float) -> None: ...
    @property
    def throttle_gain(self) -> float:
        """[s/rad] throttle reduction per rad/s beyond; at least 0 s/rad; default 6"""
    @throttle_gain.setter
    def throttle_gain(self, value: float) -> None: ...
    @property
    def slip_allowed(self) -> float:
        """[rad] slip angle of the rear axle that is allowed, more below 80 km/h; beyond: front brake on the side it slides to; above 0 rad; default 0.01"""
    @slip_allowed.setter
    def slip_allowed(self, value: float) -> None: ...
    @property
    def slip_per_lateral(self) -> float:
        """[rad s^2/m] more of it per lateral acceleration: what tires have that do not slide; at least 0 rad s^2/m; default 0.009"""
    @slip_per_lateral.setter
    def slip_per_lateral(self, value: float) -> None: ...
    @property
    def slip_gain(self) -> float:
        """[1/rad] share of the brake per rad beyond; at least 0 1/rad; default 80"""
    @slip_gain.setter
    def slip_gain(self, value: float) -> None: ...
    @property
    def slip_lead(self) -> float:
        """[s] how far ahead the slip angle is predicted; at least 0 s; default 0.05"""
    @slip_lead.setter
    def slip_lead(self, value: float) -> None: ...
    @property
    def slip_fade(self) -> float:
        """[s] time in which its estimate returns to what the lateral acceleration explains; above 0 s; default 1"""
    @slip_fade.setter
    def slip_fade(self, value: float) -> None: ...
    @property
    def brake_slip(self) -> float:
        """slip at which ABS releases a front wheel at full yaw control; 0 = as without it; 0 to 1; default 0.9"""
    @brake_slip.setter
    def brake_slip(self, value: float) -> None: ...

class ControlVectoring(Block):
    @property
    def enabled(self) -> bool:
        """torque vectoring between left and right; default false"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def gain(self) -> float:
        """[N m s/rad] torque per error of the yaw rate; above 0 N m s/rad; default 6000"""
    @gain.setter
    def gain(self, value: float) -> None: ...
    @property
    def max_torque(self) -> float:
        """[N m] most at one side; at least 0 N m; default 500"""
    @max_torque.setter
    def max_torque(self, value: float) -> None: ...
    @property
    def front_share(self) -> float:
        """share of the front axle; 0 = rear only; 0 to 1; default 0"""
    @front_share.setter
    def front_share(self, value: float) -> None: ...

class Control(Block):
    @property
    def sample_time(self) -> float:
        """[s] of the controllers; at least the step; 0.001 to 0.1 s; default 0.005"""
    @sample_time.setter
    def sample_time(self, value: float) -> None: ...
    @property
    def hydraulics(self) -> ControlHydraulics:
        ...
    @hydraulics.setter
    def hydraulics(self, value: Any) -> None: ...
    @property
    def abs(self) -> ControlAbs:
        ...
    @abs.setter
    def abs(self, value: Any) -> None: ...
    @property
    def ebd(self) -> ControlEbd:
        ...
    @ebd.setter
    def ebd(self, value: Any) -> None: ...
    @property
    def tc(self) -> ControlTc:
        ...
    @tc.setter
    def tc(self, value: Any) -> None: ...
    @property
    def reference(self) -> ControlReference:
        ...
    @reference.setter
    def reference(self, value: Any) -> None: ...
    @property
    def esc(self) -> ControlEsc:
        ...
    @esc.setter
    def esc(self, value: Any) -> None: ...
    @property
    def vectoring(self) -> ControlVectoring:
        ...
    @vectoring.setter
    def vectoring(self, value: Any) -> None: ...

class Actuator(Block):
    @property
    def steer_deadtime_s(self) -> float:
        """[s] steer: dead time; 0 to 10 s; default 0"""
    @steer_deadtime_s.setter
    def steer_deadtime_s(self, value: float) -> None: ...
    @property
    def steer_lag_s(self) -> float:
        """[s] steer: time constant of the lag; 0 to 10 s; default 0"""
    @steer_lag_s.setter
    def steer_lag_s(self, value: float) -> None: ...
    @property
    def steer_rate_limit(self) -> float:
        """[rad/s] steer: largest rate; 0 = none; at least 0 rad/s; default 0"""
    @steer_rate_limit.setter
    def steer_rate_limit(self, value: float) -> None: ...
    @property
    def steer_min(self) -> float:
        """[rad] steer: lower limit; at most steer_max; -1.4 to 1.4 rad; default -1.4"""
    @steer_min.setter
    def steer_min(self, value: float) -> None: ...
    @property
    def steer_max(self) -> float:
        """[rad] steer: upper limit; -1.4 to 1.4 rad; default 1.4"""
    @steer_max.setter
    def steer_max(self, value: float) -> None: ...
    @property
    def drive_deadtime_s(self) -> float:
        """[s] throttle: dead time; 0 to 10 s; default 0"""
    @drive_deadtime_s.setter
    def drive_deadtime_s(self, value: float) -> None: ...
    @property
    def drive_lag_s(self) -> float:
        """[s] throttle: time constant of the lag; 0 to 10 s; default 0"""
    @drive_lag_s.setter
    def drive_lag_s(self, value: float) -> None: ...
    @property
    def drive_rate_limit(self) -> float:
        """[1/s] throttle: largest rate; 0 = none; at least 0 1/s; default 0"""
    @drive_rate_limit.setter
    def drive_rate_limit(self, value: float) -> None: ...
    @property
    def drive_min(self) -> float:
        """throttle: lower limit; at most drive_max; 0 to 1; default 0"""
    @drive_min.setter
    def drive_min(self, value: float) -> None: ...
    @property
    def drive_max(self) -> float:
        """throttle: upper limit; 0 to 1; default 1"""
    @drive_max.setter
    def drive_max(self, value: float) -> None: ...
    @property
    def brake_deadtime_s(self) -> float:
        """[s] brake: dead time; 0 to 10 s; default 0"""
    @brake_deadtime_s.setter
    def brake_deadtime_s(self, value: float) -> None: ...
    @property
    def brake_lag_s(self) -> float:
        """[s] brake: time constant of the lag; 0 to 10 s; default 0"""
    @brake_lag_s.setter
    def brake_lag_s(self, value: float) -> None: ...
    @property
    def brake_rate_limit(self) -> float:
        """[1/s] brake: largest rate; 0 = none; at least 0 1/s; default 0"""
    @brake_rate_limit.setter
    def brake_rate_limit(self, value: float) -> None: ...
    @property
    def brake_min(self) -> float:
        """brake: lower limit; at most brake_max; 0 to 1; default 0"""
    @brake_min.setter
    def brake_min(self, value: float) -> None: ...
    @property
    def brake_max(self) -> float:
        """brake: upper limit; 0 to 1; default 1"""
    @brake_max.setter
    def brake_max(self, value: float) -> None: ...

class SensorsImu(Block):
    @property
    def enabled(self) -> bool:
        """the car has one; default true"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def rate(self) -> float:
        """[Hz] readings per second; above 0 to 10000 Hz; default 100"""
    @rate.setter
    def rate(self, value: float) -> None: ...
    @property
    def latency(self) -> float:
        """[s] age of a reading when it appears; 0 to 2 s; default 0"""
    @latency.setter
    def latency(self, value: float) -> None: ...
    @property
    def accel_std(self) -> float:
        """[m/s^2] white noise of each acceleration, per reading; at least 0 m/s^2; default 0.05"""
    @accel_std.setter
    def accel_std(self, value: float) -> None: ...
    @property
    def gyro_std(self) -> float:
        """[rad/s] white noise of each turn rate, per reading; at least 0 rad/s; default 0.002"""
    @gyro_std.setter
    def gyro_std(self, value: float) -> None: ...
    @property
    def accel_bias0(self) -> float:
        """[m/s^2] constant bias, standard deviation over cars; at least 0 m/s^2; default 0"""
    @accel_bias0.setter
    def accel_bias0(self, value: float) -> None: ...
    @property
    def gyro_bias0(self) -> float:
        """[rad/s] constant bias, standard deviation over cars; at least 0 rad/s; default 0"""
    @gyro_bias0.setter
    def gyro_bias0(self, value: float) -> None: ...
    @property
    def accel_bias_walk(self) -> float:
        """[m/s^2/sqrt(s)] random walk of the bias: standard deviation after 1 s; at least 0 m/s^2/sqrt(s); default 0"""
    @accel_bias_walk.setter
    def accel_bias_walk(self, value: float) -> None: ...
    @property
    def gyro_bias_walk(self) -> float:
        """[rad/s/sqrt(s)] random walk of the bias: standard deviation after 1 s; at least 0 rad/s/sqrt(s); default 0"""
    @gyro_bias_walk.setter
    def gyro_bias_walk(self, value: float) -> None: ...
    @property
    def accel_range(self) -> float:
        """[m/s^2] readings end at +-range; 0 = no limit; at least 0 m/s^2; default 0"""
    @accel_range.setter
    def accel_range(self, value: float) -> None: ...
    @property
    def gyro_range(self) -> float:
        """[rad/s] readings end at +-range; 0 = no limit; at least 0 rad/s; default 0"""
    @gyro_range.setter
    def gyro_range(self, value: float) -> None: ...
    @property
    def accel_resolution(self) -> float:
        """[m/s^2] step of the readings; 0 = none; at least 0 m/s^2; default 0"""
    @accel_resolution.setter
    def accel_resolution(self, value: float) -> None: ...
    @property
    def gyro_resolution(self) -> float:
        """[rad/s] step of the readings; 0 = none; at least 0 rad/s; default 0"""
    @gyro_resolution.setter
    def gyro_resolution(self, value: float) -> None: ...
    @property
    def mount(self) -> Sequence[float]:
        """[m] place in body axes, from the CG: forward, left, up; any finite number [m]; default [0, 0, 0]"""
    @mount.setter
    def mount(self, value: Sequence[float]) -> None: ...
    @property
    def mount_rpy(self) -> Sequence[float]:
        """[rad] roll, pitch, yaw of the box against the body; -3.1416 to 3.1416 rad; default [0, 0, 0]"""
    @mount_rpy.setter
    def mount_rpy(self, value: Sequence[float]) -> None: ...

class SensorsGnss(Block):
    @property
    def enabled(self) -> bool:
        """the car has one; default true"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def rate(self) -> float:
        """[Hz] readings per second; above 0 to 10000 Hz; default 10"""
    @rate.setter
    def rate(self, value: float) -> None: ...
    @property
    def latency(self) -> float:
        """[s] age of a reading when it appears; 0 to 2 s; default 0"""
    @latency.setter
    def latency(self, value: float) -> None: ...
    @property
    def pos_std(self) -> float:
        """[m] white noise of each coordinate, per reading; at least 0 m; default 0.3"""
    @pos_std.setter
    def pos_std(self, value: float) -> None: ...
    @property
    def vel_std(self) -> float:
        """[m/s] white noise of each velocity, per reading; at least 0 m/s; default 0.05"""
    @vel_std.setter
    def vel_std(self, value: float) -> None: ...
    @property
    def mount(self) -> Sequence[float]:
        """[m] antenna in body axes, from the CG: forward, left, up; any finite number [m]; default [0, 0, 0]"""
    @mount.setter
    def mount(self, value: Sequence[float]) -> None: ...

class SensorsWheelSpeed(Block):
    @property
    def enabled(self) -> bool:
        """the car has them; default true"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def rate(self) -> float:
        """[Hz] readings per second; above 0 to 10000 Hz; default 100"""
    @rate.setter
    def rate(self, value: float) -> None: ...
    @property
    def latency(self) -> float:
        """[s] age of a reading when it appears; 0 to 2 s; default 0"""
    @latency.setter
    def latency(self, value: float) -> None: ...
    @property
    def std(self) -> float:
        """[rad/s] white noise of each wheel, per reading; at least 0 rad/s; default 0.05"""
    @std.setter
    def std(self, value: float) -> None: ...
    @property
    def pulses(self) -> int:
        """[1/turn] teeth of the pulse wheel; 0 = continuous; 0 to 100000 1/turn; default 0"""
    @pulses.setter
    def pulses(self, value: int) -> None: ...

class SensorsSteer(Block):
    @property
    def enabled(self) -> bool:
        """the car has one; default true"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def rate(self) -> float:
        """[Hz] readings per second; above 0 to 10000 Hz; default 100"""
    @rate.setter
    def rate(self, value: float) -> None: ...
    @property
    def latency(self) -> float:
        """[s] age of a reading when it appears; 0 to 2 s; default 0"""
    @latency.setter
    def latency(self, value: float) -> None: ...
    @property
    def std(self) -> float:
        """[rad] white noise, per reading; at least 0 rad; default 0.001"""
    @std.setter
    def std(self, value: float) -> None: ...
    @property
    def bias0(self) -> float:
        """[rad] constant bias, standard deviation over cars; at least 0 rad; default 0"""
    @bias0.setter
    def bias0(self, value: float) -> None: ...
    @property
    def resolution(self) -> float:
        """[rad] step of the readings; 0 = none; at least 0 rad; default 0"""
    @resolution.setter
    def resolution(self, value: float) -> None: ...

class Sensors(Block):
    @property
    def enabled(self) -> bool:
        """sensors on: columns m_* in the output; default false"""
    @enabled.setter
    def enabled(self, value: bool) -> None: ...
    @property
    def seed(self) -> int:
        """of all noise; same seed, same readings; at least 0; default 1"""
    @seed.setter
    def seed(self, value: int) -> None: ...
    @property
    def imu(self) -> SensorsImu:
        ...
    @imu.setter
    def imu(self, value: Any) -> None: ...
    @property
    def gnss(self) -> SensorsGnss:
        ...
    @gnss.setter
    def gnss(self, value: Any) -> None: ...
    @property
    def wheel_speed(self) -> SensorsWheelSpeed:
        ...
    @wheel_speed.setter
    def wheel_speed(self, value: Any) -> None: ...
    @property
    def steer(self) -> SensorsSteer:
        ...
    @steer.setter
    def steer(self, value: Any) -> None: ...

class VehicleFields(Spec):
    @property
    def chassis(self) -> Chassis:
        ...
    @chassis.setter
    def chassis(self, value: Any) -> None: ...
    @property
    def tire(self) -> TireBlock:
        ...
    @tire.setter
    def tire(self, value: Any) -> None: ...
    @property
    def brake(self) -> Brake:
        ...
    @brake.setter
    def brake(self, value: Any) -> None: ...
    @property
    def steering(self) -> Steering:
        ...
    @steering.setter
    def steering(self, value: Any) -> None: ...
    @property
    def drivetrain(self) -> Drivetrain:
        ...
    @drivetrain.setter
    def drivetrain(self, value: Any) -> None: ...
    @property
    def powertrain(self) -> Powertrain:
        ...
    @powertrain.setter
    def powertrain(self, value: Any) -> None: ...
    @property
    def control(self) -> Control:
        ...
    @control.setter
    def control(self, value: Any) -> None: ...
    @property
    def actuator(self) -> Actuator:
        ...
    @actuator.setter
    def actuator(self, value: Any) -> None: ...
    @property
    def sensors(self) -> Sensors:
        ...
    @sensors.setter
    def sensors(self, value: Any) -> None: ...
    @property
    def tire_front(self) -> TireBlock:
        ...
    @tire_front.setter
    def tire_front(self, value: Any) -> None: ...
    @property
    def tire_rear(self) -> TireBlock:
        ...
    @tire_rear.setter
    def tire_rear(self, value: Any) -> None: ...
    @property
    def tire_fl(self) -> TireBlock:
        ...
    @tire_fl.setter
    def tire_fl(self, value: Any) -> None: ...
    @property
    def tire_fr(self) -> TireBlock:
        ...
    @tire_fr.setter
    def tire_fr(self, value: Any) -> None: ...
    @property
    def tire_rl(self) -> TireBlock:
        ...
    @tire_rl.setter
    def tire_rl(self, value: Any) -> None: ...
    @property
    def tire_rr(self) -> TireBlock:
        ...
    @tire_rr.setter
    def tire_rr(self, value: Any) -> None: ...

class Solver(Block):
    @property
    def integrator(self) -> str:
        """method; rk4, euler, implicit; default rk4"""
    @integrator.setter
    def integrator(self, value: str) -> None: ...
    @property
    def dt(self) -> float:
        """[s] step; 1e-06 to 0.02 s; default 0.001"""
    @dt.setter
    def dt(self, value: float) -> None: ...

class SplitMu(Block):
    @property
    def mu_left(self) -> float:
        """friction for y above boundary_y; at least 0; default 0"""
    @mu_left.setter
    def mu_left(self, value: float) -> None: ...
    @property
    def mu_right(self) -> float:
        """friction for y below boundary_y; at least 0; default 0"""
    @mu_right.setter
    def mu_right(self, value: float) -> None: ...
    @property
    def boundary_y(self) -> float:
        """[m] the line between them; any finite number [m]; default 0"""
    @boundary_y.setter
    def boundary_y(self, value: float) -> None: ...
    @property
    def width(self) -> float:
        """[m] width of the smooth edge; above 0 m; default 0.1"""
    @width.setter
    def width(self, value: float) -> None: ...

class Surface(Block):
    @property
    def friction(self) -> Optional[float]:
        """factor on the friction of the tire; above 0 to 3"""
    @friction.setter
    def friction(self, value: Optional[float]) -> None: ...
    @property
    def microtexture(self) -> Optional[float]:
        """fine roughness: grip through a water film, wear; 0 to 1"""
    @microtexture.setter
    def microtexture(self, value: Optional[float]) -> None: ...
    @property
    def macrotexture(self) -> Optional[float]:
        """coarse roughness: drainage, heat into the road; 0 to 1"""
    @macrotexture.setter
    def macrotexture(self, value: Optional[float]) -> None: ...
    @property
    def water_depth(self) -> Optional[float]:
        """[m] standing water; 0 = dry; 0 to 0.05 m"""
    @water_depth.setter
    def water_depth(self, value: Optional[float]) -> None: ...
    @property
    def rolling_resistance(self) -> Optional[float]:
        """of the ground; 0.012 is a hard road and adds nothing to the tire's own; 0 to 1"""
    @rolling_resistance.setter
    def rolling_resistance(self, value: Optional[float]) -> None: ...
    @property
    def slip_stiffness_scale(self) -> Optional[float]:
        """factor on the slip stiffness; 0.05 to 2"""
    @slip_stiffness_scale.setter
    def slip_stiffness_scale(self, value: Optional[float]) -> None: ...
    @property
    def relaxation_length_scale(self) -> Optional[float]:
        """factor on both relaxation lengths; 0.2 to 5"""
    @relaxation_length_scale.setter
    def relaxation_length_scale(self, value: Optional[float]) -> None: ...
    @property
    def peak_slip_ratio_scale(self) -> Optional[float]:
        """moves the longitudinal peak to this multiple of its slip, at unchanged slip stiffness; 0.5 to 5"""
    @peak_slip_ratio_scale.setter
    def peak_slip_ratio_scale(self, value: Optional[float]) -> None: ...
    @property
    def deformation(self) -> Optional[float]:
        """how far the ground gives way; 0 to 1"""
    @deformation.setter
    def deformation(self, value: Optional[float]) -> None: ...
    @property
    def noise_factor(self) -> Optional[float]:
        """spread of the friction with position; 0 to 1"""
    @noise_factor.setter
    def noise_factor(self, value: Optional[float]) -> None: ...

class Psd(Block):
    @property
    def gd_n0(self) -> float:
        """[m^3] spectrum at 0.1 cycles/m; 0 = from iso_class; at least 0 m^3; default 0"""
    @gd_n0.setter
    def gd_n0(self, value: float) -> None: ...
    @property
    def waviness(self) -> float:
        """falling exponent of the spectrum; 0 to 5; default 2"""
    @waviness.setter
    def waviness(self, value: float) -> None: ...
    @property
    def n_break(self) -> float:
        """[1/m] wave number from which waviness_high holds; 0 = none; at least 0 1/m; default 0"""
    @n_break.setter
    def n_break(self, value: float) -> None: ...
    @property
    def waviness_high(self) -> float:
        """falling exponent above n_break; 0 to 5; default 2"""
    @waviness_high.setter
    def waviness_high(self, value: float) -> None: ...
    @property
    def n_min(self) -> float:
        """[1/m] lowest wave number, also of iso_class; above 0 1/m; default 0.0131"""
    @n_min.setter
    def n_min(self, value: float) -> None: ...
    @property
    def n_max(self) -> float:
        """[1/m] highest wave number, also of iso_class; above 0 1/m; default 2.83"""
    @n_max.setter
    def n_max(self, value: float) -> None: ...
    @property
    def seed(self) -> int:
        """another seed, another road of the same spectrum; 0 to 2147483647; default 1"""
    @seed.setter
    def seed(self, value: int) -> None: ...

class StuntRamp(Block):
    @property
    def x0(self) -> float:
        """[m] where the ramp begins; any finite number [m]; default 20"""
    @x0.setter
    def x0(self, value: float) -> None: ...
    @property
    def length(self) -> float:
        """[m] of the climb along x; above 0 m; default 10"""
    @length.setter
    def length(self, value: float) -> None: ...
    @property
    def height(self) -> float:
        """[m] at the end of the climb; 0 = no ramp; at least 0 m; default 0"""
    @height.setter
    def height(self, value: float) -> None: ...
    @property
    def lip(self) -> float:
        """[m] flat top after the climb; 0 = the incline ends in the air; at least 0 m; default 0"""
    @lip.setter
    def lip(self, value: float) -> None: ...
    @property
    def width(self) -> float:
        """[m] across; 0 = endless; at least 0 m; default 0"""
    @width.setter
    def width(self, value: float) -> None: ...

class StuntLoop(Block):
    @property
    def x0(self) -> float:
        """[m] where the flat meets the circle; any finite number [m]; default 40"""
    @x0.setter
    def x0(self, value: float) -> None: ...
    @property
    def radius(self) -> float:
        """[m] of the circle; 0 = no loop; at least 0 m; default 0"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def width(self) -> float:
        """[m] of the lane; it enters about y = 0; above 0 m; default 6"""
    @width.setter
    def width(self, value: float) -> None: ...
    @property
    def drift(self) -> float:
        """[m] the lane leaves that far left of where it enters; 0 = where it enters; any finite number [m]; default 0"""
    @drift.setter
    def drift(self, value: float) -> None: ...

class StuntOval(Block):
    @property
    def radius(self) -> float:
        """[m] of the turns, centre line; 0 = no oval; at least 0 m; default 0"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def straight(self) -> float:
        """[m] length of each straight; at least 0 m; default 100"""
    @straight.setter
    def straight(self, value: float) -> None: ...
    @property
    def width(self) -> float:
        """[m] of the track; above 0 m; default 12"""
    @width.setter
    def width(self, value: float) -> None: ...
    @property
    def bank(self) -> float:
        """[rad] of the turns, positive rises outwards; -1.2 to 1.2 rad; default 0.2"""
    @bank.setter
    def bank(self, value: float) -> None: ...

class Stunt(Block):
    @property
    def ramp(self) -> StuntRamp:
        ...
    @ramp.setter
    def ramp(self, value: Any) -> None: ...
    @property
    def loop(self) -> StuntLoop:
        ...
    @loop.setter
    def loop(self, value: Any) -> None: ...
    @property
    def oval(self) -> StuntOval:
        ...
    @oval.setter
    def oval(self, value: Any) -> None: ...

class Wind(Block):
    @property
    def speed(self) -> float:
        """[m/s] of the air over the road; 0 = no steady wind; 0 to 100 m/s; default 0"""
    @speed.setter
    def speed(self, value: float) -> None: ...
    @property
    def direction(self) -> float:
        """[rad] where the air goes: 0 = +x, pi/2 = +y, to the left; any finite number [rad]; default 1.5707963267948966"""
    @direction.setter
    def direction(self, value: float) -> None: ...
    @property
    def from_(self) -> float:
        """[m] where the steady wind begins: x, on an OpenCRG road the station; any finite number [m]; default 0"""
    @from_.setter
    def from_(self, value: float) -> None: ...
    @property
    def to(self) -> float:
        """[m] where it ends; equal to from: it is everywhere; any finite number [m]; default 0"""
    @to.setter
    def to(self, value: float) -> None: ...
    @property
    def edge(self) -> float:
        """[m] length of the smooth change at both ends; above 0 m; default 5"""
    @edge.setter
    def edge(self, value: float) -> None: ...
    @property
    def gust_speed(self) -> float:
        """[m/s] largest speed that a gust adds; 0 = none; -100 to 100 m/s; default 0"""
    @gust_speed.setter
    def gust_speed(self, value: float) -> None: ...
    @property
    def gust_start(self) -> float:
        """[m] where the gust begins; any finite number [m]; default 0"""
    @gust_start.setter
    def gust_start(self, value: float) -> None: ...
    @property
    def gust_length(self) -> float:
        """[m] of the gust, one wave of 1 - cosine; at least 0 m; default 0"""
    @gust_length.setter
    def gust_length(self, value: float) -> None: ...

class DriverHuman(Block):
    @property
    def preview(self) -> float:
        """[s] time over which a path error is closed; 0.2 to 5 s; default 0"""
    @preview.setter
    def preview(self, value: float) -> None: ...
    @property
    def delay(self) -> float:
        """[s] from seeing to acting; 0 to 0.5 s; default 0"""
    @delay.setter
    def delay(self, value: float) -> None: ...
    @property
    def bandwidth(self) -> float:
        """[Hz] of arms and muscles: half the power comes through; 0 = at once; at least 0 Hz; default 0"""
    @bandwidth.setter
    def bandwidth(self, value: float) -> None: ...
    @property
    def steer_rate(self) -> float:
        """[rad/s] fastest change of the road-wheel angle; 0 = no limit; at least 0 rad/s; default 0"""
    @steer_rate.setter
    def steer_rate(self, value: float) -> None: ...
    @property
    def noise(self) -> float:
        """[rad] unrest of the road-wheel angle, RMS; at least 0 rad; default 0"""
    @noise.setter
    def noise(self, value: float) -> None: ...
    @property
    def seed(self) -> int:
        """of the noise; same seed, same hand; at least 0; default 1"""
    @seed.setter
    def seed(self, value: int) -> None: ...

class Driver(Block):
    @property
    def steer(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """[rad] road-wheel angle of the equivalent single track, positive left"""
    @steer.setter
    def steer(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def throttle(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """pedal; 0 to 1"""
    @throttle.setter
    def throttle(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def brake(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """pedal, all wheels; 0 to 1"""
    @brake.setter
    def brake(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def handbrake(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """lever, rear wheels; 0 to 1"""
    @handbrake.setter
    def handbrake(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def gear(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """1 forward, 0 neutral, -1 reverse (manual gearbox: the gear); held between its points; -1 to 10"""
    @gear.setter
    def gear(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def speed(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """[m/s] hold this speed with throttle and brake; negative = reverse; -150 to 150 m/s"""
    @speed.setter
    def speed(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def torque_fl(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """[N m] torque of the front left wheel"""
    @torque_fl.setter
    def torque_fl(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def torque_fr(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """[N m] torque of the front right wheel"""
    @torque_fr.setter
    def torque_fr(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def torque_rl(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """[N m] torque of the rear left wheel"""
    @torque_rl.setter
    def torque_rl(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def torque_rr(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """[N m] torque of the rear right wheel"""
    @torque_rr.setter
    def torque_rr(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def torque_front(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """[N m] torque of the front axle"""
    @torque_front.setter
    def torque_front(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def torque_rear(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """[N m] torque of the rear axle"""
    @torque_rear.setter
    def torque_rear(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def force(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """[N] sum of the longitudinal contact forces"""
    @force.setter
    def force(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def acceleration(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """[m/s^2] of the speed, by pedals"""
    @acceleration.setter
    def acceleration(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def curvature(self) -> Union[None, float, Sequence[Sequence[float]]]:
        """[1/m] of the path driven, positive left"""
    @curvature.setter
    def curvature(self, value: Union[None, float, Sequence[Sequence[float]]]) -> None: ...
    @property
    def path(self) -> str:
        """way points [[x, y], ...] to follow"""
    @path.setter
    def path(self, value: str) -> None: ...
    @property
    def lookahead(self) -> float:
        """[m] distance over which a path error is closed; above 0 m; default 8"""
    @lookahead.setter
    def lookahead(self, value: float) -> None: ...
    @property
    def path_closed(self) -> bool:
        """the path starts over after its last point; default false"""
    @path_closed.setter
    def path_closed(self, value: bool) -> None: ...
    @property
    def human(self) -> DriverHuman:
        ...
    @human.setter
    def human(self, value: Any) -> None: ...

class SceneFields(Spec):
    @property
    def duration(self) -> float:
        """[s] length of the run; above 0 to 10000000 s; default 10"""
    @duration.setter
    def duration(self, value: float) -> None: ...
    @property
    def rate(self) -> float:
        """[1/s] rows per second in the output; above 0 to 1000000 1/s; default 200"""
    @rate.setter
    def rate(self, value: float) -> None: ...
    @property
    def cmd_timeout(self) -> float:
        """[s] age at which outside commands are stale (control: external); above 0 s; default 0.1"""
    @cmd_timeout.setter
    def cmd_timeout(self, value: float) -> None: ...
    @property
    def solver(self) -> Solver:
        ...
    @solver.setter
    def solver(self, value: Any) -> None: ...
    @property
    def mu(self) -> float:
        """friction of the road; multiplies the tire's own; at least 0; default 1"""
    @mu.setter
    def mu(self, value: float) -> None: ...
    @property
    def grade(self) -> float:
        """tangent of the slope along +x, positive climbs; -10 to 10; default 0"""
    @grade.setter
    def grade(self, value: float) -> None: ...
    @property
    def bank(self) -> float:
        """tangent of the slope along +y, positive rises to the left; -10 to 10; default 0"""
    @bank.setter
    def bank(self, value: float) -> None: ...
    @property
    def split_mu(self) -> SplitMu:
        ...
    @split_mu.setter
    def split_mu(self, value: Any) -> None: ...
    @property
    def surface(self) -> Surface:
        ...
    @surface.setter
    def surface(self, value: Any) -> None: ...
    @property
    def temperature(self) -> Optional[float]:
        """[degC] of the road, for rally tires; without: that of the air; -60 to 100 degC"""
    @temperature.setter
    def temperature(self, value: Optional[float]) -> None: ...
    @property
    def sections(self) -> str:
        """stretches of another friction or surface; the last one named wins"""
    @sections.setter
    def sections(self, value: str) -> None: ...
    @property
    def patches(self) -> str:
        """patches of another friction or surface, over the sections; the last one named wins"""
    @patches.setter
    def patches(self, value: str) -> None: ...
    @property
    def rough_amp(self) -> float:
        """[m] amplitude of a sine road along x; 0 = none; at least 0 m; default 0"""
    @rough_amp.setter
    def rough_amp(self, value: float) -> None: ...
    @property
    def rough_wl(self) -> float:
        """[m] wavelength of the sine road; above 0 m; default 5"""
    @rough_wl.setter
    def rough_wl(self, value: float) -> None: ...
    @property
    def iso_class(self) -> str:
        """unevenness by ISO 8608, A smooth to H broken; none, A, B, C, D, E, F, G, H; default none"""
    @iso_class.setter
    def iso_class(self, value: str) -> None: ...
    @property
    def psd(self) -> Psd:
        ...
    @psd.setter
    def psd(self, value: Any) -> None: ...
    @property
    def stunt(self) -> Stunt:
        ...
    @stunt.setter
    def stunt(self, value: Any) -> None: ...
    @property
    def wind(self) -> Wind:
        ...
    @wind.setter
    def wind(self, value: Any) -> None: ...
    @property
    def terrain(self) -> str:
        """file of heights; empty = none; default """""
    @terrain.setter
    def terrain(self, value: str) -> None: ...
    @property
    def interpolation(self) -> str:
        """between the heights of a grid; bilinear, bicubic; default bilinear"""
    @interpolation.setter
    def interpolation(self, value: str) -> None: ...
    @property
    def level(self) -> str:
        """vehicle model; L1, L2, L3, L5; default L2"""
    @level.setter
    def level(self, value: str) -> None: ...
    @property
    def control(self) -> Control:
        ...
    @control.setter
    def control(self, value: Any) -> None: ...
    @property
    def x0(self) -> float:
        """[m] CG along the road; -10000000 to 10000000 m; default 0"""
    @x0.setter
    def x0(self, value: float) -> None: ...
    @property
    def y0(self) -> float:
        """[m] CG across the road, positive left; -10000000 to 10000000 m; default 0"""
    @y0.setter
    def y0(self, value: float) -> None: ...
    @property
    def yaw0(self) -> float:
        """[rad] heading, 0 = +x; -10000 to 10000 rad; default 0"""
    @yaw0.setter
    def yaw0(self, value: float) -> None: ...
    @property
    def vx0(self) -> float:
        """[m/s] speed; the wheels roll without slip; -150 to 150 m/s; default 0"""
    @vx0.setter
    def vx0(self, value: float) -> None: ...
    @property
    def z0(self) -> float:
        """[m] L3, L5: dropped from this height above the road; 0 = stands on it; 0 to 1000 m; default 0"""
    @z0.setter
    def z0(self, value: float) -> None: ...
    @property
    def driver(self) -> Driver:
        ...
    @driver.setter
    def driver(self, value: Any) -> None: ...
    @property
    def chassis(self) -> Chassis:
        ...
    @chassis.setter
    def chassis(self, value: Any) -> None: ...
    @property
    def tire_fl(self) -> TireBlock:
        ...
    @tire_fl.setter
    def tire_fl(self, value: Any) -> None: ...
    @property
    def tire_fr(self) -> TireBlock:
        ...
    @tire_fr.setter
    def tire_fr(self, value: Any) -> None: ...
    @property
    def tire_rl(self) -> TireBlock:
        ...
    @tire_rl.setter
    def tire_rl(self, value: Any) -> None: ...
    @property
    def tire_rr(self) -> TireBlock:
        ...
    @tire_rr.setter
    def tire_rr(self, value: Any) -> None: ...
    @property
    def brake(self) -> Brake:
        ...
    @brake.setter
    def brake(self, value: Any) -> None: ...
    @property
    def steering(self) -> Steering:
        ...
    @steering.setter
    def steering(self, value: Any) -> None: ...
    @property
    def drivetrain(self) -> Drivetrain:
        ...
    @drivetrain.setter
    def drivetrain(self, value: Any) -> None: ...
    @property
    def powertrain(self) -> Powertrain:
        ...
    @powertrain.setter
    def powertrain(self, value: Any) -> None: ...
    @property
    def actuator(self) -> Actuator:
        ...
    @actuator.setter
    def actuator(self, value: Any) -> None: ...
    @property
    def sensors(self) -> Sensors:
        ...
    @sensors.setter
    def sensors(self, value: Any) -> None: ...
    @property
    def tire(self) -> TireBlock:
        ...
    @tire.setter
    def tire(self, value: Any) -> None: ...
    @property
    def tire_front(self) -> TireBlock:
        ...
    @tire_front.setter
    def tire_front(self, value: Any) -> None: ...
    @property
    def tire_rear(self) -> TireBlock:
        ...
    @tire_rear.setter
    def tire_rear(self, value: Any) -> None: ...
