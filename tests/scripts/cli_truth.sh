#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What results say is what was run: names of parts, sensors, values that --set gives, pedals that end at 1.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

# fact NAME VALUE PAGE: a card at the head of a report
fact() { tr -d '\n' <"$3" | grep -qF -- "<dt>$1</dt><dd>$2</dd>" || fail "$3: the fact $1 is not $2"; }

expect 0 run step_steer --tire tire.sport_grip --duration 0.1 --out grip --quiet
fact tire tire.sport_grip grip/report.html
expect 0 run step_steer --duration 0.1 --out axles --quiet
fact tire "front tire.touring_front, rear tire.default_pacejka" axles/report.html
expect 0 maneuver run iso21994 --tire tire.sport_grip --out stop --quiet
fact tire tire.sport_grip stop/report.html
expect 0 report grip axles --out both.html --quiet
contains both.html ">tire.sport_grip<"
contains both.html ">front tire.touring_front, rear tire.default_pacejka<"
expect 0 run abs_stop --duration 0.1 --out cars --quiet
contains cars/summary.json '"tire": "tire.book_205_60R15"'

# a manoeuvre keeps the sensors of its car
cat >own.yaml <<'YAML'
id: own
version: 1
label: Braking with sensors
levels: [L2, L1]
parameters:
  pedal: {value: 0.3, meaning: brake pedal}
car:
  blueprint: vehicle.sedan_comfort
  parts: {sensors: sensors.ideal}
  vx0: 10
phases:
  - {name: slow, driver: {brake: pedal}, lasts: 1}
metrics:
  seen: {value: "mean(m_ax, slow.from + 0.5, slow.to)", unit: m/s^2, meaning: what the IMU sees}
  true_ax: {value: "mean(ax, slow.from + 0.5, slow.to)", unit: m/s^2, meaning: what it is}
series: {parameter: pedal, values: [0.2, 0.4]}
YAML
expect 0 maneuver run own.yaml --out own --quiet
contains own/report.html '"pedal 0.2"' # a value without a unit says what it is of
head -7 own/run.csv | grep -q ',m_ax,' || fail "the rows have no columns of the sensors"
/usr/bin/python3 - <<'PY' || fail "the IMU does not see the braking"
import json
m = {x["name"]: x["value"] for x in json.load(open("own/summary.json"))["metrics"]}
assert m["seen"] < -1 and abs(m["seen"] - m["true_ax"]) < 1e-3, m
PY
expect 0 maneuver run own/resolved.yaml --level L2 --out again --quiet
[ "$(grep -v '^#' own/run.csv | cksum)" = "$(grep -v '^#' again/run.csv | cksum)" ] ||
  fail "resolved.yaml does not repeat the sensors"
expect 0 maneuver run own.yaml --level L1 --out own1 --quiet

# a parameter of a series, of a search or of a run before that --set gives is used
expect 0 maneuver run own.yaml --set pedal=0.1 --json --out one
/usr/bin/python3 - <<'PY' || fail "--set pedal=0.1 did not replace the series"
import json
s = json.load(open("out"))
assert not s["runs"] and s["parameters"][0]["value"] == 0.1, s["runs"]
PY
expect 2 maneuver run iso3888_2 --find-max-speed --set speed=10 --out no
contains err "--find-max-speed searches for speed, which --set gives"
expect 0 maneuver run sine_with_dwell --set A=0.1 --set amplitude=0.2 --json --out dwell
/usr/bin/python3 - <<'PY' || fail "--set A=0.1 was replaced by the run before"
import json
p = {x["name"]: x["value"] for x in json.load(open("out"))["parameters"]}
assert p["A"] == 0.1 and p["amplitude"] == 0.2, p
PY

# pedals
sed 's/brake: pedal/brake: 1.6/' own.yaml >hard.yaml
expect 2 maneuver run hard.yaml --out no
contains err "phases[0].driver.brake: expected 0 to 1, found 1.6"
expect 2 maneuver run own.yaml --set pedal=1.6 --out no
contains err "expected 0 to 1, found 1.6"
sed 's/brake: pedal/brake: 2*t/' own.yaml >ramp.yaml
expect 0 maneuver run ramp.yaml --out ramp
contains out "note: a pedal was asked for less than 0 or more than 1"
[ ! -e no ] || fail "a refused manoeuvre left a folder"
finish
