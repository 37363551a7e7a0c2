#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A day of a teacher: the first picture, one value changed, the difference, curves of a tire, the handling of a car.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

# hold, roll, stop, hold: the first command ends with the page that shows it
expect 0 run lugre_grade_demo --out first
tail -1 out | grep -qx "first/report.html" || fail "the last line is not the page: $(tail -1 out)"
[ "$(grep -c '^  stood ' out)" = 2 ] || fail "the car does not stand twice: $(cat out)"
grep -qE 'e-[0-9]{2}' out && fail "rounding is shown: $(grep -E 'e-[0-9]{2}' out)"
contains out "km/h"
for title in Speed Pedals "Longitudinal acceleration"; do contains first/report.html "\"t\":\"$title\""; done
contains first/report.html "speed [km/h]"
contains first/report.html "Bird"
# what a steeper road does
expect 0 run lugre_grade_demo --set grade=0.2 --out steep --quiet
expect 0 compare first steep --out steeper.html
grep -qE '^  grade: [0-9.]+ -> 0\.2$' out || fail "grade is not named"
contains out "1 value of the configuration differs."
# curves of tires, for the blackboard
expect 0 tire plot --tire tire.touring_front --tire tire.sport_grip --out tires.svg
/usr/bin/python3 -c 'import xml.dom.minidom as m; m.parse("tires.svg")' || fail "tires.svg is not XML"
expect 0 tire plot --tire tire.sport_grip --out tires.html
# understeer in degrees per g, speeds in km/h
expect 0 handling vehicle.sedan_comfort --out handling
contains out "deg/g"
contains out "characteristic speed"
grep -q "characteristic speed.*km/h" out || fail "the characteristic speed is not in km/h"
tail -1 out | grep -qx "handling/report.html" || fail "the last line is not the page: $(tail -1 out)"
# where everything is, and how to go on
expect 0 help
contains out "vdsim maneuver run iso7401"
expect 0 catalog list
for word in Scenes Vehicles Parts Manoeuvres; do contains out "$word"; done
expect 0 maneuver run iso7401 --set speed='kmh(100)' --out turn
contains out "27.78 m/s (100 km/h)"
expect 2 run lugre_grade_dem --out no
contains err "did you mean 'lugre_grade_demo'?"
finish
