#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# vdsim run --stdio as another program meets it: lines on standard output and nothing else there, the end of either side, signals, FIFOs,
# and the examples.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"
root=${VDSIM_ROOT:?}
scene=$root/examples/stdio/lane.yaml

# run LINES...: says them, then closes
say() { printf '%s\n' "$@"; }
lines() { # every line of $1 is one JSON object; there are $2
  /usr/bin/python3 -c 'import json, sys
lines = open(sys.argv[1]).read().splitlines()
assert all(isinstance(json.loads(line), dict) for line in lines)
assert len(lines) == int(sys.argv[2]), f"{len(lines)} lines"' "$1" "$2" 2>py || fail "$1: $(tail -1 py)"
}

# --- the end of input ends the run, with all its files
say '{"advance":0.5,"demand":{"speed":15},"read":["vx"]}' '{"advnce":1}' '{"advance":0.5}' |
  "$vdsim" run "$scene" --stdio --out a >out 2>err || fail "exit code $? at the end of input: $(head -3 err)"
lines out 4
contains out "request 2: advnce: unknown key, did you mean 'advance'?"
tail -1 out | grep -q '^{"t":1,"read":{"vx":11[.0-9]*},"stale":true}$' || fail "the last reply: $(tail -1 out)"
contains err "lane: ended at 1 of 10 s; results in a"
for file in run.csv summary.json report.html resolved.yaml; do [ -s "a/$file" ] || fail "no $file"; done
grep -q '"end_time_s": 1.0' a/summary.json || fail "summary.json does not say when it ended"
# resolved.yaml waits for a program too, and the same words give the same rows
say '{"advance":0.5,"demand":{"speed":15},"read":["vx"]}' '{"advance":0.5}' | "$vdsim" run a/resolved.yaml --stdio --out b --quiet >out 2>err
[ -s err ] && fail "--quiet says something: $(cat err)"
cmp a/run.csv b/run.csv || fail "the same requests give other rows"
# nothing said at all; no line end behind the last request
"$vdsim" run "$scene" --stdio --out c </dev/null >out 2>err || fail "exit code $? without a request"
lines out 1
printf '{"advance":20}' | "$vdsim" run "$scene" --stdio --out c >out 2>err || fail "exit code $? without a line end"
lines out 2
grep -q '"t":10,.*"done":true' out || fail "no end of the run: $(tail -1 out)"
contains err "lane: ended at 10 of 10 s"

# --- a reader that goes away
yes '{"advance":0.01}' | "$vdsim" run "$scene" --duration 1e4 --stdio --out d 2>err | head -3 >out
code=${PIPESTATUS[1]}
[ "$code" = 0 ] || fail "a closed standard output: exit code $code: $(head -3 err)"
[ -s d/run.csv ] || fail "a closed standard output: no run.csv"
say '{"advance":0.01}' | "$vdsim" run "$scene" --stdio --out d2 2>err >/dev/full || fail "a full standard output: exit code $?"
[ -s d2/run.csv ] || fail "a full standard output: no run.csv"

# --- what is refused
expect 2 run "$scene" --out e
contains err "fleet[0].control: nobody commands ego, an external car: give --stdio"
expect 2 run "$scene" --stdio --json --out e
contains out "--json: cannot be combined with --stdio"
expect 2 run "$scene" --stdio --set control=remote --out e
contains err "control: expected one of internal, external"
expect 0 run "$scene" --set control=internal --duration 0.1 --out f
expect 2 maneuver run step_steer --set control=external --out e
contains err "car.control: a manoeuvre drives its car itself"
say '{"demand":{"steer":0}}' | "$vdsim" run step_steer --stdio --out f >out 2>err
contains out "demand: car ego is driven by its driver"
[ -e e ] && fail "a refused run left a folder"
# a huge line is passed over in bounded memory
(
  case ${VDSIM_BUILD:-} in */asan) ;; *) ulimit -v 200000 ;; esac # [kB], less than the line; a sanitizer maps terabytes
  { head -c 300000000 /dev/zero | tr '\0' x; echo; say '{"advance":0.1}'; } | "$vdsim" run "$scene" --stdio --out g >out 2>err
) || fail "a line of 300 MB: exit code $?"
lines out 3
contains out "the line is longer than 65536 bytes"

# --- a signal ends it at once while it waits, and nothing is written
mkfifo to
sleep 30 >to &
holder=$!
"$vdsim" run "$scene" --stdio --out h <to >out 2>err &
pid=$!
sleep 0.7
kill -TERM $pid
began=$(date +%s%N)
wait $pid
code=$?
[ $((($(date +%s%N) - began) / 1000000)) -lt 1500 ] || fail "SIGTERM was not heeded"
[ $code = 143 ] || fail "exit code $code after SIGTERM"
kill $holder
wait $holder 2>/dev/null
[ -e h ] && fail "a stopped run left a folder"
lines out 1

# --- the examples
/usr/bin/python3 "$root/examples/stdio/lane.py" "$vdsim" --out p --no-report >out 2>err || fail "lane.py: $(cat out err)"
contains out "m beside the lane"
timeout 60 sh "$root/examples/stdio/speed.sh" "$vdsim" --out s --no-report >out 2>err || fail "speed.sh: $(cat out err)"
contains err "after 10 s"
finish
