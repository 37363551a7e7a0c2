#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every verb, none left out: a standard output or a disk that takes nothing is exit code 4, a signal leaves nothing behind.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"
configs=$VDSIM_ROOT/configs
unset TMPDIR

/usr/bin/python3 - <<'PY'
import math
with open("motion.csv", "w") as f:
    f.write("t,omega,vx,vy,fz\n0,30,9,0,4000\n0.05,31,9,0.1,4000\n")
with open("points.csv", "w") as f:
    f.write("fz,kappa,alpha\n4000,0,0.05\n")
with open("data.csv", "w") as f:
    f.write("fz,kappa,alpha,fx,fy\n")
    for fz in (2000, 4000, 6000):
        for i in range(-15, 16):
            a = i / 100
            f.write(f"{fz},0,{a},0,{-fz * math.sin(1.3 * math.atan(8 * a))}\n")
            f.write(f"{fz},{a},0,{fz * math.sin(1.6 * math.atan(10 * a))},0\n")
PY
for out in a b; do "$vdsim" run step_steer --duration 0.1 --out $out --quiet || fail "no run to report"; done
VDSIM_TAPES=. "${VDSIM_BUILD:?}/tests/test_live" --gtest_filter=LiveDrive.ARunIsADrive >/dev/null || fail "no tape to replay"
tir=$configs/tir/book_205_60R15.tir crg=$configs/roads/s_bend.crg

# A verb and the rest of its line; @ stands for a place to write to.
declare -A verbs=(
  [run]="step_steer --duration 0.5 --out @/o" ["maneuver run"]="iso21994 --out @/o" ["maneuver list"]="" ["maneuver show"]="iso7401"
  ["catalog list"]="" ["catalog show"]="tire.lugre_on" ["catalog validate"]="$tir" ["catalog docs"]="--out @/o"
  [rig]="--tire tire.lugre_on --input motion.csv" ["tire eval"]="--tire tire.sport_grip --input points.csv"
  ["tire plot"]="--tire tire.sport_grip --out @/o.svg" ["tire fit"]="--model mf96 --data data.csv --starts 1 --out @/o.yaml --plot @/o.html"
  ["tire lint"]="$tir" ["tire convert"]="$tir" ["road eval"]="$crg --uv 1,0" ["road info"]="$crg"
  ["road convert"]="$crg @/o.crg" ["road plot"]="$crg --out @/o.svg" [paper]="lugre2004 --out @/o" [handling]="vehicle.race_gt --out @/o" [sensitivity]="step_steer --wrt chassis.mass --of yaw_rate --out @/o"
  [validate]="--only iso7401_yaw_rate" [report]="a --out @/o.html --svg @/svg" [compare]="a b --out @/o.html --svg @/svg"
  [bench]="--duration 0.01" [completion]="bash" ["fmu export"]="step_steer --out @/o.fmu" ["fmu info"]="o.fmu" ["fmu check"]="o.fmu"
  [serve]="lugre_grade_demo --duration 0.1 --time-scale 0 --cmd-port 17391" [page]="--export @/o"
  [replay]="step_steer.json --out @/o"
)
lines=() # the same, and those that write where they usually print
for verb in "${!verbs[@]}"; do lines+=("$verb ${verbs[$verb]}"); done
lines+=("rig ${verbs[rig]} --out @/o.csv" "tire eval ${verbs[tire eval]} --out @/o.csv" "tire convert $tir --out @/o.tir"
  "road eval $crg --uv 1,0 --out @/o.csv"
  "run step_steer --duration 0.5 --format hdf5 --out @/o" "maneuver run iso21994 --format hdf5 --out @/o" "run two_vehicle_race --duration 0.3 --out @/p/q")
if ! "$vdsim" fmu export step_steer --out o.fmu --quiet 2>/dev/null; then # a build without FMUs, or without their library
  keep=()
  for line in "${lines[@]}"; do [[ $line == fmu* ]] || keep+=("$line"); done
  lines=("${keep[@]}")
fi
if ! "$vdsim" page --export o --quiet >/dev/null 2>&1; then # a build without the page
  keep=()
  for line in "${lines[@]}"; do [[ $line == page* ]] || keep+=("$line"); done
  lines=("${keep[@]}")
fi

# the table names every verb that the program has
below() { # VERB...: the verbs below it
  "$vdsim" "$@" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\+\) .*/\1/p'
}
for verb in $(below); do
  names=$(below "$verb")
  for name in ${names:-""}; do [ -n "${verbs["$verb${name:+ $name}"]+x}" ] || fail "the table lacks vdsim $verb $name"; done
done

# --- standard output that takes nothing
for line in "${lines[@]}"; do
  for stream in closed full; do
    rm -rf w && mkdir w
    read -ra words <<<"${line//@/w}"
    if [ $stream = closed ]; then
      "$vdsim" "${words[@]}" >&- 2>err
    else
      "$vdsim" "${words[@]}" >/dev/full 2>err
    fi
    code=$?
    [ $code = 4 ] || fail "vdsim $line: exit code $code with a $stream standard output, expected 4"
    grep -q "cannot write to standard output" err || fail "vdsim $line: with a $stream standard output says $(head -2 err)"
  done
done

# --- a full disk
if unshare -rm true 2>/dev/null; then
  mkdir disk
  for line in "${lines[@]}"; do
    [[ $line == *@* ]] || continue
    read -ra words <<<"${line//@/disk}"
    unshare -rm bash -c 'mount -t tmpfs -o size=64k none disk && head -c 100k /dev/zero >disk/filling 2>/dev/null
      "$@" >out 2>err; code=$?; find disk -mindepth 1 ! -name filling >left; exit $code' _ "$vdsim" "${words[@]}"
    code=$?
    [ $code = 4 ] || fail "vdsim $line: exit code $code on a full disk, expected 4"
    contains err "No space left on device"
    [ -s left ] && fail "vdsim $line: left on a full disk $(cat left)"
  done
else
  echo "skipped: no tmpfs of our own on this machine"
fi

# --- SIGTERM as soon as something is there to be left behind
for line in "${lines[@]}" "compare low-speed --out @/o"; do
  [[ $line == *@* ]] || continue
  rm -rf w && mkdir w
  read -ra words <<<"${line//@/w}"
  "$vdsim" "${words[@]}" >out 2>err &
  pid=$!
  until [ -n "$(ls -A w)" ] || ! kill -0 $pid 2>/dev/null; do :; done
  kill -TERM $pid 2>/dev/null
  wait $pid
  code=$?
  hidden=$(find w -name '.*.tmp')
  [ -z "$hidden" ] || fail "vdsim $line: SIGTERM left $hidden"
  case $code in
    143) [ -z "$(ls -A w)" ] || ! grep -q "nothing written" err || fail "vdsim $line: stopped, and wrote $(ls -A w)" ;;
    0 | 1) [ -n "$(ls -A w)" ] || fail "vdsim $line: exit code $code and nothing written" ;; # it was quicker
    *) fail "vdsim $line: exit code $code after SIGTERM: $(head -2 err)" ;;
  esac
done
finish
