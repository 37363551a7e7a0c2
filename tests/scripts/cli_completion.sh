#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The completion scripts load and offer verbs, options, scenes, manoeuvres and parts.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

for shell in bash zsh fish; do
  expect 0 completion $shell
  [ -s out ] || fail "no script for $shell"
done
"$vdsim" completion bash >script.bash
offers() { # EXPECTED WORDS... : completes the last word
  local wanted=$1 offered
  shift
  # all of it before it is searched: a writer whose reader has gone fails the pipe
  offered=$(bash -c '. ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vdsim; printf "%s\n" "${COMPREPLY[@]}"' _ "$@")
  grep -qxF -- "$wanted" <<<"$offered" ||
    fail "'$*' does not offer $wanted"
}
offers run "$vdsim" r
offers lugre_grade_demo "$vdsim" run lugre
offers --integrator "$vdsim" run step_steer --int
offers L5 "$vdsim" run step_steer --level L
offers implicit "$vdsim" run step_steer --integrator i
offers tire.low_mu "$vdsim" run step_steer --tire tire.lo
offers vehicle.race_gt "$vdsim" run step_steer --vehicle vehicle.r
offers surface.gravel "$vdsim" run step_steer --surface surface.g
offers iso3888_1 "$vdsim" maneuver run iso
offers iso3888_1 "$vdsim" maneuver show iso
offers validate "$vdsim" catalog val
offers --level "$vdsim" maneuver run iso7401 --le
offers L3 "$vdsim" maneuver run iso7401 --level L
offers chassis.mass= "$vdsim" run step_steer --set chassis.ma
offers control.abs.slip_start= "$vdsim" maneuver run iso7401 --set control.abs.sl
offers vehicle.race_gt "$vdsim" handling vehicle.r
offers iso7401 "$vdsim" catalog show iso74
offers chassis.sedan "$vdsim" catalog show chassis.se
# what the program says is compared, never run; and the start script is told that a shell asks
cat >hostile <<'STUB'
#!/bin/sh
[ "$VDSIM_COMPLETING" = 1 ] || touch built
printf '%s\n' 'tire.$(touch run)' 'tire.`touch run`' 'tire.a b' 'tire.fine'
STUB
chmod +x hostile
offers tire.fine ./hostile run step_steer --tire tire.f
offers 'tire.a b' ./hostile run step_steer --tire tire.a
for words in "run step_steer --tire tire." "run tire." "maneuver run tire." "catalog show tire."; do
  # shellcheck disable=SC2086  # several words
  offers 'tire.$(touch run)' ./hostile $words
done
[ -e run ] && fail "completion ran what an id says"
[ -e built ] && fail "completion started a build"
mkdir -p bad/catalog && printf 'catalog_id: x\nversion: 1\nparts:\n  "tire.$(touch run)": p.yaml\n' >bad/catalog/manifest.yaml
VDSIM_CONFIGS=$PWD/bad expect 2 catalog list --ids
contains err "is no name"
expect 2 completion tcsh
finish
