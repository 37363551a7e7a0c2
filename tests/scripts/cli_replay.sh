#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# vdsim replay: a drive is repeated to the bit, a run is a drive, and whatever is wrong with a tape is said at once.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"
VDSIM_TAPES=. "${VDSIM_BUILD:?}/tests/test_live" --gtest_filter=LiveDrive.FiftyEdits*:LiveDrive.ARunIsADrive >tests.txt || fail "no tapes: $(tail -3 tests.txt)"

# --- fifty edits, on every level, with every method: the same drive
expect 0 replay edits.json --out a
contains out "50 edits"
contains out "the same drive"
for file in rolling/run.csv blend/run.csv summary.json report.html resolved.yaml tape.json; do [ -s "a/$file" ] || fail "no $file"; done
cmp edits.json a/tape.json || fail "the tape in the results is another one"
json a/summary.json
expect 0 replay a/tape.json --out b --no-report --quiet
[ -s out ] && fail "--quiet prints: $(head -3 out)"
[ -e b/report.html ] && fail "--no-report writes one"
cmp a/rolling/run.csv b/rolling/run.csv || fail "the same drive has other rows"
expect 0 replay edits.json --json
json out
contains out '"verdict": "same"'
contains out '"differs_at_step": null'
[ -s results/race_stop_replay/summary.json ] || fail "no results where they usually are"
# every column of every level is there, and the time goes on over resets
/usr/bin/python3 - <<'PY' || fail "the rows of the drive"
import csv
rows = [r for r in csv.reader(open("a/rolling/run.csv")) if not r[0].startswith("#")]
names, rows = rows[0], [[float(x) for x in r] for r in rows[1:]]
assert {"t", "x", "roll", "travel_fl", "fx_fl"} <= set(names), names
assert len(set(names)) == len(names)
t = [r[0] for r in rows]
assert t[0] == 0 and all(b > a for a, b in zip(t, t[1:]))
PY

# --- a run is a drive by nobody: the same bytes
for scene in step_steer race_stop; do
  expect 0 run $scene --duration 2 --out run_$scene --quiet
  expect 0 replay $scene.json --out replay_$scene --quiet
  for file in $(cd run_$scene && find . -name run.csv); do
    cmp "run_$scene/$file" "replay_$scene/$file" || fail "$scene: rows of vdsim run and vdsim replay"
  done
done

# --- a car that diverges: exit code 3, the other one has all its rows
expect 3 replay diverged.json --out d
contains err "diverged: car rolling after t = 2."
[ -s d/rolling/failed.snapshot ] || fail "no failed.snapshot"
[ -e d/blend/failed.snapshot ] && fail "the other car has a failed.snapshot"
tail -1 d/blend/run.csv | grep -q '^3,' || fail "the other car did not go on"
json d/summary.json

# --- another drive: exit code 1, and where it shows
/usr/bin/python3 - <<'PY' || fail "no command to change"
import json
tape = json.load(open("edits.json"))
event = next(e for e in tape["events"] if "command" in e[2])
event[2]["command"]["steer"] = event[2]["command"].get("steer", 0) + 1 / 8192
json.dump(tape, open("other.json", "w"))
print(event[0] // 1000 * 1000 + 1000, file=open("step", "w"))
PY
expect 1 replay other.json --out o
contains err "other.json: not the same drive: the states differ at step $(cat step)"
expect 1 replay other.json --out o --json
contains out '"verdict": "differs"'
json out

# --- bad tapes: exit code 2, every error, nothing written
/usr/bin/python3 - <<'PY'
import json
tape = json.load(open("step_steer.json"))
tape["dt"] = "quick"
tape["hsh"] = 1
tape["events"] = [[5, "nobody", {"command": {"steer": 0}}], [4, None, "rest"]]
json.dump(tape, open("bad.json", "w"))
tape = json.load(open("edits.json"))
n = next(i for i, e in enumerate(tape["events"]) if e[2] != "reset" and "edit" in e[2])
tape["events"][n][2]["edit"] = [["chassis.mass", "-5"], ["tire.mu_nomial", "1"]]
json.dump(tape, open("refused.json", "w"))
PY
expect 2 replay bad.json --out n
for what in "dt: expected a number" "hsh: unknown key" "no car 'nobody'" "step 4 after step 5" "events[1][2]: expected"; do contains err "$what"; done
expect 2 replay refused.json --out n
contains err "chassis.mass"
contains err "mu_nomial"
expect 2 replay missing.json --out n
contains err "missing.json"
expect 2 replay "$VDSIM_ROOT/configs/scenes/step_steer.yaml" --out n
expect 2 replay . --out n
expect 2 replay
[ -e n ] && fail "a refused tape left a folder"
expect 4 replay step_steer.json --out /proc/n
finish
