// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/car_state.hpp"

namespace vdsim {

template <> StateList state_of_struct(Power<double>& s) {
  return {state("drive", s.drive, "J", "by motor and engine"),
          state("gravity", s.gravity, "J", "by gravity along the road"),
          state("brake", s.brake, "J", "lost in brakes and the LSD clutch"),
          state("rolling", s.rolling, "J", "lost to rolling resistance"),
          state("drag", s.drag, "J", "lost to the air"),
          state("contact", s.contact, "J", "into the contact of road and tires"),
          state("steer", s.steer, "J", "by whoever turns the wheels"),
          state("hold", s.hold, "J", "by the low-speed fallback"),
          state("damper", s.damper, "J", "lost in dampers and tires")};
}
template <> StateList state_of_struct(Actuation<double>& s) {
  return {state("steer", s.steer, "rad", "single-track road-wheel angle"),
          state("steer_rate", s.steer_rate, "rad/s", "its rate"),
          state("T", s.T, "N m", "drive torque into each axle"),
          state("dT", s.dT, "N m s/rad", "its slope over the spin"),
          state("w_ref", s.w_ref, "rad/s", "spin it is taken at"),
          state("engine", s.engine, "kg m^2", "inertia that turns with the axle"),
          state("Tw", s.Tw, "N m", "torque of single wheels"),
          state("cap", s.cap, "N m", "brake capacity of each wheel")};
}

// --- contact-patch LuGre
template <> StateList state_of_struct(PatchMotion<double>& s) {
  return {state("U", s.U, "m/s", "rolling speed"), state("vx", s.vx, "m/s", "slip velocity"),
          state("vy", s.vy, "m/s", "slip velocity"), state("mu", s.mu, "-", "road friction factor")};
}
template <> StateList state_of_struct(PatchLeak<double>& s) {
  return {state("q", s.q, "m/s", "leak"), state("dq", s.dq, "-", "its slope over the slip speed"),
          state("speed", s.speed, "m/s", "slip speed")};
}
template <> StateList state_of_struct(PatchSums<double>& s) {
  return {state("z", s.z, "m", "mean deflection"), state("K", s.K, "m", "mean of its slope"),
          state("zh", s.zh, "m", "first moment"), state("Kh", s.Kh, "m", "first moment of its slope")};
}
template <> StateList state_of_struct(PatchOutflow<double>& s) {
  return {state("kappa", s.kappa, "-", "outflow of the mean bristle"), state("nu", s.nu, "-", "of its moment")};
}
template <> StateList state_of_struct(PatchAverage<double>& s) {
  return {state("z", s.z, "m", "mean deflection"), state("zh", s.zh, "m", "first moment"),
          state("flow", s.flow, "", "outflow of the last motion")};
}
template <> StateList state_of_struct(PatchNode<double>& s) {
  return {state("S", s.S, "-", "rolled distance, patch lengths"),
          state("dt", s.dt, "s", "duration of the interval before"),
          state("level", s.level, "-", "merger of 2^level steps"),
          state("U", s.U, "1/s", "rolling rate"),
          state("Q", s.Q, "m", "integral of the leak"),
          state("q", s.q, "m/s", "leak"),
          state("z", s.z, "m", "reference bristle"),
          state("zd", s.zd, "m/s", "its rate"),
          state("W", s.W, "m", "cumulated moments")};
}
template <> StateList state_of_struct(PatchHistory<double>& s) {
  return {state("node", s.node, "", "entries of the patch, a ring"),
          state("first", s.first, "", "oldest", between(0, kPatchNodes - 1)),
          state("count", s.count, "", "in use", between(0, kPatchNodes)),
          state("base", s.base, "-", "where the cumulated moments begin")};
}
template <> StateList state_of_struct(PatchProfile<double>& s) {
  return {state("lead", s.lead, "-", "entered part of the first element"), state("part", s.part, "m", "its integral"),
          state("mean", s.mean, "m", "mean deflection of the whole elements"),
          state("z", s.z, "m", "reference bristle"), state("zd", s.zd, "m/s", "its rate")};
}
template <> StateList state_of_struct(PatchMemory<double>& s) {
  return {state("motion", s.motion, "", "at the last step"),
          state("leak", s.leak, "", "of that motion"),
          state("dir", s.dir, "-", "rolling direction"),
          state("load", s.load, "N", "of the last step"),
          state("sums", s.sums, "", "what the load sees of the profile"),
          state("average", s.average, "", "fidelity average"),
          state("history", s.history, "", "fidelity exact"),
          state("profile", s.profile, "", "fidelity distributed")};
}
template <> StateList state_of_struct(PatchTire<double>& s) {
  return {state("memory", s.memory, "", "of the contact patch")};
}

// --- the car
template <> StateList state_of_struct(CarClock& s) {
  return {state("time", s.time, "s", "since the start"), state("steps", s.steps, "", "taken"),
          state("turns", s.turns, "-", "whole turns of the heading")};
}
template <> StateList state_of_struct(BalanceState& s) {
  return {state("work", s.work, "", "integrals of the powers"),
          state("kinetic0", s.kinetic0, "J", "at the start"),
          state("stored0", s.stored0, "J", "at the start"),
          state("springs0", s.springs0, "J", "at the start"),
          state("engine", s.engine, "kg m^2", "inertia that turned with the axles in the last step"),
          state("changed", s.changed, "J", "kinetic and spring energy by changes of the car"),
          state("changed_tires", s.changed_tires, "J", "stored in the tires by changes of the car")};
}
template <> StateList state_of_struct(LastStep& s) {
  return {state("steer", s.steer, "rad", "where the wheels point"), state("ax", s.ax, "m/s^2", "mean of the step"),
          state("ay", s.ay, "m/s^2", "mean of the step"), state("act", s.act, "", "what the equipment gave at its end"),
          state("equipped", s.equipped, "", "the commands went through equipment")};
}

template <Level Lv> StateList state_list(CarState<Lv>& s) {
  StateList out{state("motion", s.motion, "", "body, wheels, tires, rack"),
                state("equipment", s.equipment, "", "powertrain, brakes, controllers"),
                state("actuator", s.actuator, "", "steer, throttle, brake"),
                state("clock", s.clock, "", "time"),
                state("balance", s.balance, "", "energy balance"),
                state("last", s.last, "", "what the last step left")};
  for (PatchTire<double>& tire : s.patch) out.push_back(state("patch", tire, "", "contact patch of one tire"));
  return out;
}
template StateList state_list(CarState<Level::L1>&);
template StateList state_list(CarState<Level::L2>&);
template StateList state_list(CarState<Level::L3>&);
template StateList state_list(CarState<Level::L5>&);

}  // namespace vdsim
