// SPDX-License-Identifier: Apache-2.0
#include "vdsim/engine/readers.hpp"

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "vdsim/core/tire/compile.hpp"
#include "vdsim/core/vehicle/compile_sprung.hpp"

namespace vdsim {
namespace {

constexpr std::array kContactWords{"off", "rolling", "breakaway", "patch"};
static_assert(kContactWords.size() == kChoiceCount<ContactLaw>);

template <class E> constexpr std::span<const char* const> choice_words() { return EnumNames<E>::names; }
template <> constexpr std::span<const char* const> choice_words<ContactLaw>() { return kContactWords; }

// What a choice is called, in the order of ReaderChoices.
constexpr std::array kChoiceKeys{"level",    "backend", "lugre",        "combined",   "low_speed_mode", "mode",
                                 "fidelity", "load",    "differential", "drive_type", "type",           "mode"};
static_assert(kChoiceKeys.size() == std::tuple_size_v<ReaderChoices>);

// The key behind a switch, its value while it is off and on.
struct SwitchWords {
  const char *key, *off, *on;
};
constexpr std::array<SwitchWords, static_cast<std::size_t>(Switch::count)> kSwitchWords{
    {{"belt.enabled", "false", "true"},
     {"reff_dreff and reff_freff", "0", "one of them not 0"},
     {"sigma1", "above 0", "0"},
     {"rolling.c_psi", "0", "above 0"},
     {"wheel_inertia of tire and chassis", "given", "0"},
     {"beamng friction", "given", "0"},
     {"surface.water_depth", "0", "above 0"},
     {"high_slip_force_retention", "0", "above 0"},
     {"combined_slip_coupling", "0", "above 0"},
     {"a radius", "of every tire", "missing on some tire"},
     {"a wheel_inertia", "of every tire", "missing on some tire"},
     {"wheel_inertia", "given by tire or chassis", "0"},
     {"steering_dynamic", "false", "true"},
     {"powertrain.enabled", "false", "true"},
     {"powertrain.enabled", "true", "false"},
     {"every controller", "off", "one on"},
     {"hydraulics and brake controllers", "off", "one on"},
     {"abs.enabled", "false", "true"},
     {"ebd.enabled", "false", "true"},
     {"tc.enabled", "false", "true"},
     {"esc.enabled and vectoring.enabled", "false", "one true"},
     {"esc.enabled", "false", "true"},
     {"vectoring.enabled", "false", "true"}}};

struct ReaderGroup {
  const char* key;
  ReaderBits mask;
  std::vector<const char*> on;  // of each bit
  const char* off = "";         // switch
};

template <class... E> std::vector<ReaderGroup> make_groups(std::tuple<E...>*) {
  std::vector<ReaderGroup> out;
  const auto choice = [&]<class C>(C* /*type*/) {
    const auto words = choice_words<C>();
    const ReaderBits mask = ((ReaderBits{1} << kChoiceCount<C>)-1) << FirstBit<C, ReaderChoices>::value;
    out.push_back({kChoiceKeys[out.size()], mask, {words.begin(), words.end()}});
  };
  (choice(static_cast<E*>(nullptr)), ...);
  for (std::size_t i = 0; i < kSwitchWords.size(); ++i)
    out.push_back(
        {kSwitchWords[i].key, reader_bit<Switch>(static_cast<Switch>(i)), {kSwitchWords[i].on}, kSwitchWords[i].off});
  return out;
}
const std::vector<ReaderGroup>& reader_groups() {
  static const std::vector<ReaderGroup> all = make_groups(static_cast<ReaderChoices*>(nullptr));
  return all;
}

// The named values of one group: "L3, L5".
std::string group_words(const ReaderGroup& group, ReaderBits named) {
  std::string out;
  ReaderBits bit = group.mask & (~group.mask + 1);
  for (const char* word : group.on) {
    if (named & bit) out += (out.empty() ? "" : ", ") + std::string(word);
    bit <<= 1;
  }
  return out.empty() ? group.off : out;
}

bool lacks(const ReaderGroup& group, ReaderBits needed, ReaderBits car) {
  return (needed & group.mask) && !(needed & group.mask & car);
}
bool reads_one(ReaderBits needed, ReaderBits car) {
  for (const ReaderGroup& group : reader_groups())
    if (lacks(group, needed, car)) return false;
  return true;
}

template <class E> void choose(ReaderBits& bits, E value) {
  for (int i = 0; i < kChoiceCount<E>; ++i)
    if (i != static_cast<int>(value)) bits &= ~reader_bit<E>(static_cast<E>(i));
}
void turn(ReaderBits& bits, Switch which, bool on) {
  if (!on) bits &= ~reader_bit<Switch>(which);
}
constexpr ReaderBits kUnknown = ~ReaderBits{0};

// compile_axle() takes the inertia of a wheel from its tire, from the chassis, or estimates it.
bool has_own_inertia(const TireSpec& t) { return t.schema == TireSchema::rally_v1 && t.rally.wheel.wheel_inertia > 0; }

}  // namespace

ReaderBits chosen(Level level) {
  ReaderBits out = kUnknown;
  choose(out, level);
  return out;
}

ReaderBits chosen(const TireSpec& t) {
  ReaderBits out = kUnknown;
  choose(out, contact_law(t));
  if (t.schema == TireSchema::lugre_patch_v1) {
    choose(out, t.patch.fidelity);
    choose(out, t.patch.load);
    return out;
  }
  if (t.schema == TireSchema::rally_v1) {
    const RallyKind kind = rally_kind(t.rally);
    choose(out, kind.mode);
    turn(out, Switch::estimated_inertia, t.rally.wheel.wheel_inertia == 0);
    turn(out, Switch::power_law, !kind.exponential);
    turn(out, Switch::water, t.rally.surface.water_depth > 0);
    turn(out, Switch::retention, kind.retention);
    turn(out, Switch::coupling, kind.coupled);
    return out;
  }
  choose(out, t.backend);
  choose(out, combined_slip(t));
  choose(out, t.low_speed_mode);
  turn(out, Switch::belt, t.belt.enabled);
  turn(out, Switch::vertical_radius, t.reff_dreff != 0 || t.reff_freff != 0);
  turn(out, Switch::automatic_sigma1, t.lugre.sigma1 == 0);
  turn(out, Switch::parking_torque, t.lugre.rolling.c_psi > 0);
  return out;
}

ReaderBits chosen(const SteeringSpec& s) {
  ReaderBits out = kUnknown;
  turn(out, Switch::rack, s.rack.steering_dynamic);
  return out;
}

ReaderBits chosen(const DrivetrainSpec& d) {
  ReaderBits out = kUnknown;
  choose(out, d.differential);
  choose(out, d.drive_type);
  return out;
}

ReaderBits chosen(const PowertrainSpec& p) {
  ReaderBits out = kUnknown;
  turn(out, Switch::powertrain, p.enabled);
  turn(out, Switch::plain_torque, !p.enabled);
  choose(out, p.type);
  choose(out, p.shift.mode);
  return out;
}

ReaderBits chosen(const ControlSpec& c) {
  ReaderBits out = kUnknown;
  const bool brakes = c.abs.enabled || c.ebd.enabled || c.esc.enabled || c.tc.enabled;
  turn(out, Switch::abs, c.abs.enabled);
  turn(out, Switch::ebd, c.ebd.enabled);
  turn(out, Switch::tc, c.tc.enabled);
  turn(out, Switch::esc, c.esc.enabled);
  turn(out, Switch::vectoring, c.vectoring.enabled);
  turn(out, Switch::reference, c.esc.enabled || c.vectoring.enabled);
  turn(out, Switch::hydraulics, c.hydraulics.enabled || brakes);
  turn(out, Switch::controllers, brakes || c.vectoring.enabled);
  return out;
}

ReaderBits chosen(const VehicleSpec& v) {
  ReaderBits out = chosen(v.steering) & chosen(v.drivetrain) & chosen(v.powertrain) & chosen(v.control);
  bool open_radius = false, open_inertia = false, guessed = false;
  for (int i = 0; i < 4; ++i) {
    const TireSpec& t = tire_of(v, i);
    open_radius = open_radius ||
                  (t.schema == TireSchema::pacejka_mf96_v1 && t.backend != TireBackend::magic_formula && t.radius == 0);
    if (i % 2) continue;  // an axle takes the left one
    open_inertia = open_inertia || !has_own_inertia(t);
    guessed = guessed || (t.schema != TireSchema::rally_v1 && v.chassis.wheel_inertia == 0);
  }
  turn(out, Switch::nominal_radius, open_radius);
  turn(out, Switch::chassis_inertia, open_inertia);
  turn(out, Switch::wheel_estimate, guessed);
  turn(out, Switch::estimated_inertia, v.chassis.wheel_inertia == 0);
  return out;
}

Readers within(const Readers& block, const FieldRef& field) {
  if (!block.any[0] || std::string_view(field.name) == "enabled") return field.readers;
  Readers out = field.readers;
  out.any[0] |= block.any[0];
  if (out.any[1]) out.any[1] |= block.any[0];
  return out;
}

bool reads(const Readers& readers, ReaderBits car) {
  if (!readers.any[0]) return true;
  for (const ReaderBits needed : readers.any)
    if (needed && reads_one(needed, car)) return true;
  return false;
}

std::string readers_text(const Readers& readers) {
  std::string out;
  for (const ReaderBits needed : readers.any) {
    std::string one;
    for (const ReaderGroup& group : reader_groups())
      if (needed & group.mask)
        one += (one.empty() ? "" : " and ") + std::string(group.key) + " " + group_words(group, needed);
    if (!one.empty()) out += (out.empty() ? "" : "; or ") + one;
  }
  return out;
}

std::string why_unread(const Readers& readers, ReaderBits car) {
  const ReaderGroup *first = nullptr, *second = nullptr;  // what the alternatives lack
  ReaderBits needed[Readers::kMost] = {};
  for (const ReaderBits one : readers.any)
    for (const ReaderGroup& group : reader_groups()) {
      if (!lacks(group, one, car)) continue;
      const bool same = !first || first == &group;
      (same ? first : second) = &group;
      needed[same ? 0 : 1] |= one;
      break;
    }
  if (!first) return "";
  const std::string has = std::string(first->key) + " " + group_words(*first, car & first->mask),
                    wants = group_words(*first, needed[0]);
  if (!second) return "with " + has + ", only with " + wants;
  return "with " + has + " and " + second->key + " " + group_words(*second, car & second->mask) + ", only with " +
         first->key + " " + wants + " or " + second->key + " " + group_words(*second, needed[1]);
}

}  // namespace vdsim
