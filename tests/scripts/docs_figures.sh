#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Figures in the docs that a run gives: the sentence is read from the page, and the run must say the same.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"
docs=$VDSIM_ROOT/docs

# docs/CATALOG_AND_PHYSICS.md: drift while standing, three laws
expect 0 run lugre_grade_demo --no-report --quiet --out rolling
expect 0 run lugre_grade_demo --no-lugre --no-report --quiet --out none
expect 0 run lugre_grade_demo --law breakaway --no-report --quiet --out breakaway
# docs/CATALOG_AND_PHYSICS.md: a step five times as long
for dt in 0.001 0.005; do expect 0 run step_steer --dt $dt --rate 100 --no-report --quiet --out "step_$dt"; done
/usr/bin/python3 - "$docs/CATALOG_AND_PHYSICS.md" <<'PY' || fail "docs/CATALOG_AND_PHYSICS.md"
import csv, json, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
drift = lambda run: [s["drift_m"] for s in json.load(open(f"{run}/summary.json"))["cars"][0]["standing"]]
said = re.search(r"Drift while standing: less than ([\d.e-]+) m with the rolling law, (\d+) to (\d+) mm without bristles, (\d+) to (\d+) mm with", page)
assert said, "the sentence on drift is gone"
assert max(drift("rolling")) < float(said[1]), (drift("rolling"), said[1])
for run, low, high in (("none", said[2], said[3]), ("breakaway", said[4], said[5])):
    found = sorted(round(1e3 * d) for d in drift(run))
    assert [found[0], found[-1]] == [int(low), int(high)], (run, found, low, high)
yaw = lambda run: [float(r["r"]) for r in csv.DictReader(l for l in open(f"{run}/run.csv") if not l.startswith("#"))]
a, b = yaw("step_0.001"), yaw("step_0.005")
said = re.search(r"a step steer within ([\d.e-]+) of its yaw rate at any time .*?, ([\d.e-]+) once settled", page)
assert said, "the sentence on longer steps is gone"
most = max(map(abs, a))
assert max(abs(x - y) for x, y in zip(a, b)) < float(said[1]) * most and abs(a[-1] - b[-1]) < float(said[2]) * most
PY

# measured tables say when and of what
for page in PERFORMANCE VEHICLE_LEVELS LOW_SPEED_COMPARISON; do
  grep -qE '20[0-9]{2}-[0-9]{2}-[0-9]{2}, commit [0-9a-f]{7}' "$docs/$page.md" || fail "docs/$page.md: measured figures without date and commit"
done
finish
