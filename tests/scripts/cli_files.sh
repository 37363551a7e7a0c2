#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Files appear whole or not at all: unwritable folder, full disk, a kill in the middle; two runs give equal bytes.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

leftovers() { find "$1" -name '.*.tmp' 2>/dev/null | grep -q . && fail "temporary files left in $1"; }

expect 0 run parking_stop --duration 2 --out a
expect 0 run parking_stop --duration 2 --out b
cmp a/run.csv b/run.csv || fail "two runs differ"
cmp a/resolved.yaml b/resolved.yaml || fail "two resolved scenes differ"
expect 0 run parking_stop --duration 2 --format hdf5 --out a
sleep 1.1 # a time stamp in the file would now differ
expect 0 run parking_stop --duration 2 --format hdf5 --out b
cmp a/run.h5 b/run.h5 || fail "two hdf5 runs differ"

touch file
expect 4 run step_steer --duration 0.1 --out file
contains err "file"
mkdir -p taken/run.csv
expect 4 run step_steer --duration 0.1 --out taken
contains err "it is a folder"
leftovers taken

if [ "$(id -u)" != 0 ]; then
  mkdir locked && chmod a-w locked
  expect 4 run step_steer --duration 0.1 --out locked
  contains err "Permission denied"
fi

# a full disk: a small tmpfs of our own where the machine allows it
mkdir full
if unshare -rm true 2>/dev/null; then
  for format in csv hdf5; do
    for size in 16k 64k 256k; do # full at one place or another
      unshare -rm bash -c "mount -t tmpfs -o size=$size none full && '$vdsim' run parking_stop --format $format --out full/out >out 2>err; code=\$?
        find full -type f >left; exit \$code"
      code=$?
      [ $code = 4 ] || fail "full disk of $size, $format: exit code $code"
      contains err "No space left on device"
      [ -s left ] && fail "full disk of $size, $format: left $(cat left)"
    done
  done
else
  echo "skipped: no tmpfs of our own on this machine"
fi

# a table of an earlier run in the other format would mislead
expect 0 run step_steer --duration 0.1 --out e
expect 0 run step_steer --duration 0.1 --out e --format hdf5
[ -e e/run.csv ] && fail "an old run.csv stands beside the new run.h5"

# a full standard output is a file-system error, also with --json
"$vdsim" run step_steer --duration 0.1 --out e --json >/dev/full 2>full.txt
code=$?
[ $code = 4 ] || fail "full standard output: exit code $code, expected 4"
grep -q "standard output" full.txt || fail "full standard output: no message"

# a warning has a reason
"$vdsim" run lugre_grade_demo --out e --quiet 2>warn.txt
[ -s warn.txt ] && fail "a warning without a reason: $(cat warn.txt)"

# Ctrl-C: nothing half, the old file stays; kill -9: no run.csv that is not whole
expect 0 run step_steer --duration 0.1 --out c
cp c/run.csv before.csv
"$vdsim" run step_steer --duration 100000 --out c --quiet &
pid=$!
for _ in $(seq 100); do
  find .c.*.tmp -name '.run.csv.*.tmp' -size +100k 2>/dev/null | grep -q . && break
  sleep 0.1
done
kill -TERM $pid
wait $pid
code=$?
[ $code = 143 ] || fail "stopped run: exit code $code, expected 143"
cmp c/run.csv before.csv || fail "a stopped run touched the old file"
leftovers .
"$vdsim" run step_steer --duration 100000 --out d --quiet &
pid=$!
for _ in $(seq 100); do
  find .d.*.tmp -name '.run.csv.*.tmp' -size +100k 2>/dev/null | grep -q . && break
  sleep 0.1
done
kill -KILL $pid
wait $pid 2>/dev/null
[ -e d ] && fail "a killed run left a folder"
expect 0 run step_steer --duration 0.1 --out d
leftovers . # the next run removes those of the killed one

# streams: closed ones do not become files, full ones are told
"$vdsim" run step_steer --duration 0.1 --out s 2>&- >/dev/null
grep -q "note:\|warning" s/run.csv && fail "closed standard error: its lines are in run.csv"
"$vdsim" run step_steer --level L9 --out s 2>/dev/full
code=$?
[ $code = 2 ] || fail "full standard error: exit code $code, expected 2"
{ printf '%s\n' "id: s" "fleet: [{id: ego}]" && seq -f 'key%g: 1' 300; } >many.yaml
"$vdsim" run many.yaml --json >/dev/full 2>&1 # more than a stream keeps back
code=$?
[ $code = 2 ] || fail "errors as JSON on a full standard output: exit code $code, expected 2"
"$vdsim" catalog list >/dev/full 2>full.txt
grep -q "standard output" full.txt || fail "full standard output: $(cat full.txt)"

# a terminal that is closed takes the progress bar with it, not the run
cat >closed.py <<'PY'
import os, pty, select, signal, subprocess, sys, time
ours, theirs = pty.openpty()
run = subprocess.Popen(sys.argv[1:], stderr=theirs, stdout=subprocess.DEVNULL)
os.close(theirs)
select.select([ours], [], [], 60)  # the bar
os.close(ours)
time.sleep(1)
run.send_signal(signal.SIGTERM)
sys.exit(run.wait() & 255)
PY
/usr/bin/python3 closed.py "$vdsim" run step_steer --duration 100000 --rate 1 --out bar
code=$?
[ $code = 143 ] || fail "a terminal that was closed: exit code $code, expected 143"

# a result folder is replaced as a whole, what is not of a result stays
expect 0 run two_vehicle_race --duration 0.1 --out s
[ -e s/run.csv ] && fail "run.csv of the run before stands beside the cars"
[ -s s/report.html ] || fail "no report.html"
echo mine >s/notes.txt
expect 0 run step_steer --duration 0.1 --no-report --out s
if [ -e s/sedan ] || [ -e s/report.html ]; then fail "results of the run before are left: $(ls -a s)"; fi
[ "$(cat s/notes.txt)" = mine ] || fail "a file of the user is gone"

# files of different runs in one folder are not taken for one
expect 0 run step_steer --duration 0.2 --out s2
cp s2/resolved.yaml s/
expect 2 report s
contains err "files of different runs"

# a working folder that is gone
mkdir gone
(cd gone && rmdir ../gone && timeout 20 "$vdsim" run step_steer --duration 0.1) >out 2>err
code=$?
[ $code = 4 ] || fail "a working folder that is gone: exit code $code, expected 4"
finish
