#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A day of a game developer: two cars at 60 rows a second, long steps, a replay as JSON, answers to nonsense.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

cat >race.yaml <<'YAML'
id: race
version: 1
label: Two cars, one on gravel tires
duration: 5
rate: 60
solver: {integrator: implicit, dt: 0.005}
fleet:
  - {id: red, level: L5, blueprint: vehicle.sports_aggressive, vx0: 20, driver: {throttle: [[0, 0.5]], steer: [[1, 0], [1.5, 0.03]]}}
  - {id: blue, level: L5, blueprint: vehicle.sedan_comfort, parts: {tire: tire.rally_gravel}, y0: 6, vx0: 20, driver: {speed: 22}}
YAML
expect 0 run race.yaml --out race --json
json out
/usr/bin/python3 - <<'PY' || fail "the race is no replay"
import csv, json, math
s = json.load(open("out"))
assert s["wall_s"] < 2 * s["duration_s"] * len(s["cars"]), s["wall_s"]  # 2: machines with many guests
assert [c["id"] for c in s["cars"]] == ["red", "blue"]
assert s["cars"][1]["tire"] == "tire.rally_gravel", s["cars"][1]
for car in s["cars"]:
    rows = list(csv.DictReader(l for l in open(f"race/{car['id']}/run.csv") if not l.startswith("#")))
    assert len(rows) == 301, len(rows)  # 60 a second
    for key in ("x", "y", "z", "psi", "roll", "pitch"):
        assert all(math.isfinite(float(r[key])) for r in rows)
    assert float(rows[-1]["x"]) > 80
assert "race/report.html" in s["files"]
PY
# the same again, to the bit
expect 0 run race.yaml --out again --quiet --no-report
cmp race/red/run.csv again/red/run.csv || fail "two runs differ"
# on rough ground this step is too long: that is said with one that works
expect 3 run race.yaml --set iso_class=C --out rough --quiet
contains err "use solver.integrator rk4 with solver.dt 0.001"
# the same without a page, and as HDF5
[ ! -e again/report.html ] || fail "--no-report wrote one"
expect 0 run race.yaml --duration 0.5 --format hdf5 --out h5 --quiet
[ -s h5/red/run.h5 ] || fail "no run.h5"
# nonsense is told where and why
expect 2 run race.yaml --set red.chassis.masss=1 --out no
contains err "did you mean 'mass'?"
expect 2 run race.yaml --dt 0.1 --out no
contains err "out of range"
expect 2 run race.yaml --set green.vx0=3 --out no
contains err "green"
[ ! -e no ] || fail "a refused run left a folder"
expect 0 bench --duration 0.05 --json
json out
finish
