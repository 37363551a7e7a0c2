#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A day of a researcher: a manoeuvre of one's own with sensors and a friction patch, a series, a chart of the metric.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

cat >slick.yaml <<'YAML'
id: slick
version: 1
label: Braking into a slick patch
purpose: How much longer the way becomes, and what the inertial unit sees of it.
levels: [L2, L3, L5]
scene:
  rate: 200
  patches: [{mu: =mu_patch, edge: 0.5, polygon: [[40, -5], [60, -5], [60, 5], [40, 5]]}]
parameters:
  speed: {value: kmh(70), unit: m/s, meaning: at the start}
  mu_patch: {value: 0.3, meaning: friction of the patch}
car:
  blueprint: vehicle.sedan_comfort
  parts: {sensors: sensors.sedan_suite}
  vx0: =speed
phases:
  - {name: roll, driver: {speed: speed}, until: x > 30, within: 10}
  - {name: stop, driver: {brake: "0.5*ramp(t, 0, 0.2)", gear: 0}, until: v < 0.01, within: 60}
metrics:
  way: {value: "stopping_distance(vx, stop.from)", unit: m, meaning: from the pedal to standstill, limit: "< 60"}
  seen: {value: "mean(m_ax, crossing(x, 45, 0), crossing(x, 55, 0))", unit: m/s^2, meaning: of the inertial unit on the patch}
  is: {value: "mean(ax, crossing(x, 45, 0), crossing(x, 55, 0))", unit: m/s^2, meaning: in truth}
series: {parameter: mu_patch, from: 0.1, to: 0.9, step: 0.2}
YAML
expect 0 catalog validate slick.yaml
expect 0 maneuver run slick.yaml --out slick
contains out "5 runs"
contains out "slick: resolved.yaml, run.csv, summary.json, run_01 to run_0"
tail -1 out | grep -qx "slick/report.html" || fail "the last line is not the page: $(tail -1 out)"
/usr/bin/python3 - <<'PY' || fail "the series does not show what friction does"
import json
s = json.load(open("slick/summary.json"))
d = [r["metrics"]["way"] for r in s["runs"]]
mu = [r["parameters"]["mu_patch"] for r in s["runs"]]
assert mu == sorted(mu) and len(mu) == 5, mu
assert all(a >= b - 0.05 for a, b in zip(d, d[1:])) and d[0] > d[-1] + 3, d  # less friction, longer way
m = {x["name"]: x["value"] for x in s["metrics"]}
assert abs(m["seen"] - m["is"]) < 0.5, m  # bias and noise of the part; its pitch is that of L2: none
PY
head -7 slick/run.csv | grep -q ",m_ax," || fail "no columns of the sensors"
contains slick/report.html '"t":"way","xl":"mu_patch [-]","yl":"way [m]"'
contains slick/report.html '"n":"limit"'
contains slick/report.html "Metrics over mu_patch"
contains slick/report.html "All runs"
contains slick/report.html '<path class="cover"' # the patch lies in the bird's-eye view
# one value, one level, and the difference by path
expect 0 maneuver run slick.yaml --set mu_patch=0.2 --out dry --quiet
expect 0 maneuver run slick.yaml --set mu_patch=0.2 --set tire.D_long=1.2 --out grippy --quiet
expect 0 compare dry grippy --out why.html
contains out "D_long: "
contains out "distance"
# a rerun of what was written gives the same rows
expect 0 maneuver run dry/resolved.yaml --set mu_patch=0.2 --out again --quiet
[ "$(grep -v '^#' dry/run.csv | cksum)" = "$(grep -v '^#' again/run.csv | cksum)" ] || fail "resolved.yaml does not repeat the run"
finish
