#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# With --json stdout is exactly one JSON document, for success and for every kind of error.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

check() { # CODE WORDS...
  expect "$@"
  json out
}
check 0 run step_steer --duration 0.5 --json
contains out '"verdict": "done"'
cmp -s out results/step_steer/summary.json || fail "stdout is not the summary"
check 0 run step_steer --duration 0.5 --json --quiet
check 0 catalog list --json
check 0 catalog show tire.lugre_on --json
check 0 catalog validate --json
check 0 catalog docs --check --json
check 2 run nosuch --json
contains out '"exit_code": 2'
check 2 run step_steer --json --set mu=x
contains out "expected a number"
check 2 run step_steer --json --nonsense
check 2 run --json
check 3 run accel_brake --json --level L3 --set z0=20
contains out '"verdict": "diverged"'
check 4 run step_steer --json --out /proc/nowhere
contains out '"exit_code": 4'
expect 0 run two_vehicle_race --duration 0.5 --json
/usr/bin/python3 - out <<'PY' || fail "summary lacks keys"
import json, sys
d = json.load(open(sys.argv[1]))
assert [c["id"] for c in d["cars"]] == ["sedan", "sports"], d
assert len(d["config"]) == 16 and d["integrator"] == "rk4" and d["dt_s"] == 0.001
for c in d["cars"]:
    assert c["steps"] == 500 and c["rows"] == 101
    assert c["level"] == "L2" and c["distance_m"] > 0 and "residual" in c["energy_J"]
PY
for level in L1 L2 L3 L5; do # bumps and a landing: the terms of the summary are the whole balance
  expect 0 run step_steer --json --duration 2 --level $level --set z0=$([ $level = L1 ] || [ $level = L2 ] && echo 0 || echo 0.05) \
    --set rough_amp=0.01 --set rough_wl=2
  /usr/bin/python3 - out $level <<'PY' || fail "the energy of $level does not add up"
import json, sys
e = json.load(open(sys.argv[1]))["cars"][0]["energy_J"]
gain = e["kinetic"] - e["kinetic_start"] + e["stored"] - e["stored_start"] + e["springs"] - e["springs_start"]
gain -= e["changed"] + e["changed_tires"]
came = e["drive"] + e["gravity"] + e["steer"] + e["hold"]
went = e["brake"] + e["rolling"] + e["drag"] + e["slip"] + e["damper"]
assert abs(gain - (came - went) - e["residual"]) < 1e-9 * e["kinetic_start"], (gain, came, went, e)
if sys.argv[2] in ("L3", "L5"):
    assert e["damper"] > 1 and e["springs"] != e["springs_start"], e
PY
done
finish
