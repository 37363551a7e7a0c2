#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Exit codes, messages with the nearest name, nothing written on bad input.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

expect 0 --version
contains out "vdsim "
expect 0 --help
contains out "Examples:"
for verb in run catalog "catalog list" "catalog show" "catalog validate" "catalog docs" bench completion; do
  # shellcheck disable=SC2086
  expect 0 $verb --help
  contains out "Examples:"
done

expect 2 rnu
contains err "did you mean 'run'?"
expect 2 run lugre_grade_dmo
contains err "did you mean 'lugre_grade_demo'?"
expect 2 run step_steer --durtion 3
contains err "did you mean '--duration'?"
expect 2 run step_steer --tire tire.lugreon
contains err "did you mean 'tire.lugre_on'?"
expect 2 run step_steer --vehicle vehicle.sedn_comfort
contains err "did you mean 'vehicle.sedan_comfort'?"
expect 2 run step_steer --set chassis.mas=1
contains err "did you mean 'mass'?"
expect 2 catalog show tire.lugre
expect 2 catalog lst
contains err "did you mean 'list'?"
expect 2 run step_steer --format xml
expect 2 run step_steer --precision 99
expect 2 run step_steer --level L7
expect 2 run step_steer --dt -1
expect 2 run step_steer --lugre --no-lugre
for level in L1 L2 L3; do # would drive past the loop as if it were not there
  expect 2 run vertical_loop_demo --level $level
  contains err "level: $level cannot drive a vertical loop (stunt.loop); use L5"
done
expect 2 run missing.yaml
expect 2 run

cat >bad.yaml <<'YAML'
id: bad
mu: -1
fleet:
  - id: ego
    overrides: {chassis: {mas: 3}}
YAML
expect 2 run bad.yaml --out bad_out
contains err "bad.yaml:2:5: mu: -1 is out of range, expected at least 0"
contains err "bad.yaml:5:27: fleet[0].overrides.chassis.mas: unknown key, did you mean 'mass'?"
expect 2 catalog validate bad.yaml
[ -e bad_out ] && fail "bad input made a folder"
[ "$(find . -mindepth 1 | sort | tr '\n' ' ')" = "./bad.yaml ./err ./out " ] || fail "bad input left files: $(find .)"

expect 0 catalog validate
expect 0 catalog list
for id in $("$vdsim" catalog list --ids); do expect 0 catalog show "$id"; done
expect 0 catalog docs --check

# the LuGre switch does what it says, both ways, on a tire with and one without bristles, in scenes and manoeuvres
switched() { # true|false ARGUMENTS...
  expect 0 "${@:2}" --out switched --quiet
  [ "$(find switched -name resolved.yaml -exec grep -hA1 'lugre:' {} + | grep -o 'enabled: [a-z]*' | sort -u)" = "enabled: $1" ] ||
    fail "$*: lugre.enabled is not $1"
}
for tire in tire.lugre_on tire.kinematic_fallback; do
  switched true run lugre_grade_demo --duration 0.1 --tire $tire --lugre
  switched true run lugre_grade_demo --duration 0.1 --tire $tire --no-lugre=false
  switched false run lugre_grade_demo --duration 0.1 --tire $tire --no-lugre
  switched false run lugre_grade_demo --duration 0.1 --tire $tire --lugre=off
done
switched true maneuver run grade_hold --tire tire.kinematic_fallback --lugre
expect 2 run lugre_grade_demo --lugre=perhaps

# names of VDSim 0.7 are understood, with a note
cat >old.yaml <<YAML
id: tire.old
type: tire
version: 1
schema: pacejka_mf96_v1
label: as VDSim 0.7 wrote it
body: {backend: mf2002, tir_path: ${VDSIM_ROOT:?}/configs/tir/typical_195_65R15_mf52.tir}
YAML
expect 0 run step_steer --duration 0.1 --tire old.yaml --out old
contains err "old.yaml:6:17: tire.backend: mf2002 is an old name and read as magic_formula"

# a full run: default folder, every file, repeated with the resolved scene
expect 0 run lugre_grade_demo --duration 2
for file in run.csv resolved.yaml summary.json; do [ -s "results/lugre_grade_demo/$file" ] || fail "no $file"; done
expect 0 run results/lugre_grade_demo/resolved.yaml --out again
cmp results/lugre_grade_demo/run.csv again/run.csv || fail "the resolved scene gives other rows"
expect 0 run lugre_grade_demo --duration 0.5 --quiet
[ -s out ] && fail "--quiet printed"

# a scene in another folder may name parts beside it
mkdir -p mine
printf 'id: tire.mine\ntype: tire\nbody: {mu_nominal: 0.5}\n' >mine/tire.yaml
printf 'id: mine\nfleet: [{id: ego, parts: {tire: tire.yaml}}]\n' >mine/scene.yaml
expect 0 run mine/scene.yaml --duration 0.1 --out mine/out
contains mine/out/resolved.yaml "mu_nominal: 0.5"
expect 0 run step_steer --tire mine/tire.yaml --duration 0.1 --out mine/out2
contains mine/out2/resolved.yaml "mu_nominal: 0.5"

# numbers that fail
expect 3 run accel_brake --level L3 --set z0=20 --out failed
contains err "diverged: car ego"
contains err "a tire is pressed in by more than its radius"
[ -s failed/failed.snapshot ] || fail "no snapshot left"
[ -s failed/run.csv ] || fail "rows so far are not kept"
# steps that are too long: refused, with one that works
expect 2 run step_steer --vehicle vehicle.fsk_formula --level L3 --integrator implicit --dt 0.01
contains err "at most 0.00"
expect 2 run accel_brake --set chassis.mass=1e-300 --set chassis.mass_sprung=1e-300
contains err "too long for this car"
finish
