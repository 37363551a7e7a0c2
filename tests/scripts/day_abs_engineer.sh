#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A day of an ABS engineer: run the stop, change two thresholds, run again, compare both.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

expect 0 run abs_stop --out before
contains out "before/report.html"
# an override in a scene of its own: the change is written down
sed 's|parts: {control: control.abs,|overrides: {control: {abs: {slip_start: 0.1, drop: 0.08}}}\n    &|' \
  "$VDSIM_ROOT/configs/scenes/abs_stop.yaml" >mine.yaml
expect 0 run mine.yaml --out after
expect 0 compare before after --out both.html
contains out "A is before/abs, B is after/abs"
contains out "2 values of the configuration differ."
grep -qE '^  control\.abs\.slip_start: [0-9.]+ -> 0\.1$' out || fail "slip_start is not named by its path"
grep -qE '^  control\.abs\.drop: [0-9.]+ -> 0\.08$' out || fail "drop is not named by its path"
contains out "A is before/locked, B is after/locked"
contains out "The resolved configurations are the same."
# both stopping distances, those of the rows: from the pedal to standstill
/usr/bin/python3 - <<'PY' || fail "the stopping distances are not those of the rows"
import csv, re

def stopped(path):
    rows = list(csv.DictReader(line for line in open(path) if not line.startswith("#")))
    t, v, brake = ([float(r[k]) for r in rows] for k in ("t", "vx", "brake"))
    first = next(i for i, b in enumerate(brake) if b > 0) - 1
    last = next(i for i in range(first, len(v)) if v[i] < 0.05)
    return sum((v[i] + v[i - 1]) / 2 * (t[i] - t[i - 1]) for i in range(first + 1, last + 1))

said = [list(map(float, m)) for m in re.findall(r"stopping distance +m +([\d.]+) +([\d.]+)", open("out").read())]
want = [[stopped(f"{run}/{car}/run.csv") for run in ("before", "after")] for car in ("abs", "locked")]
assert len(said) == 2, said
for a, b in zip(said, want):
    for x, y in zip(a, b):
        assert abs(x - y) < 0.01, (said, want)
assert want[0][0] < want[1][0], "ABS stops no sooner than locked wheels"
PY
contains out "RMS difference"
# the activity of the ABS is in the charts of both pages
contains before/report.html 'ABS: 1 where it holds or releases the brake'
contains both.html "ABS: 1 where it holds or releases the brake"
contains both.html "control.abs.slip_start: "
# one car against the other, by its rows
expect 0 compare before/abs/run.csv before/locked/run.csv --out cars.html
contains out "control.abs.enabled: true -> false"
finish
