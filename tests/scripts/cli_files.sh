#!/usr/bin/env bash
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
    unshare -rm bash -c "mount -t tmpfs -o size=256k none full && '$vdsim' run parking_stop --format $format --out full/out >out 2>err; code=\$?
      find full -type f >left; exit \$code"
    code=$?
    [ $code = 4 ] || fail "full disk, $format: exit code $code"
    contains err "No space left on device"
    [ -s left ] && fail "full disk, $format: left $(cat left)"
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

# numbers that are finite but not physics: the energy balance warns
"$vdsim" run step_steer --set chassis.wheel_inertia=1e-12 --out e --quiet 2>warn.txt
grep -q "energy balance" warn.txt || fail "no warning for a residual of the energy balance"
"$vdsim" run lugre_grade_demo --out e --quiet 2>warn.txt
[ -s warn.txt ] && fail "a warning without a reason: $(cat warn.txt)"

# Ctrl-C: nothing half, the old file stays; kill -9: no run.csv that is not whole
expect 0 run step_steer --duration 0.1 --out c
cp c/run.csv before.csv
"$vdsim" run step_steer --duration 100000 --out c --quiet &
pid=$!
for _ in $(seq 100); do
  find c -name '.run.csv.*.tmp' -size +100k | grep -q . && break
  sleep 0.1
done
kill -TERM $pid
wait $pid
code=$?
[ $code = 143 ] || fail "stopped run: exit code $code, expected 143"
cmp c/run.csv before.csv || fail "a stopped run touched the old file"
leftovers c
"$vdsim" run step_steer --duration 100000 --out d --quiet &
pid=$!
for _ in $(seq 100); do
  find d -name '.run.csv.*.tmp' -size +100k 2>/dev/null | grep -q . && break
  sleep 0.1
done
kill -KILL $pid
wait $pid 2>/dev/null
[ -e d/run.csv ] && fail "a killed run left a run.csv"
finish
