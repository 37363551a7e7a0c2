#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One spelling of options, help, what show and validate take, values that cannot be meant, output that cannot be written.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"
configs=$VDSIM_ROOT/configs

# help as a verb
expect 0 help
contains out "Usage: vdsim"
expect 0 help maneuver run
contains out "--find-max-speed"
expect 2 help runn
contains err "did you mean 'run'?"

# --out everywhere, the old names too
printf 'fz,kappa,alpha\n4000,0,0.05\n3000,0.02,0\n' >points.csv
expect 0 tire eval --tire tire.sport_grip --input points.csv --out new.csv
expect 0 tire eval --tire tire.sport_grip --input points.csv --output old.csv
expect 0 tire eval --tire tire.sport_grip --input points.csv --output=third.csv
cmp new.csv old.csv || fail "--output is not --out"
cmp new.csv third.csv || fail "--output= is not --out"
expect 0 road convert "$configs/roads/cobbles.crg" --out small.crg --format binary
expect 0 road convert "$configs/roads/cobbles.crg" same.crg --format binary
cmp small.crg same.crg || fail "road convert: --out differs from OUT.crg"
expect 2 road convert "$configs/roads/cobbles.crg"
contains err "expected a file to write"
expect 0 road convert --help
grep -q "OUT.crg REQUIRED" out && fail "road convert --help asks for OUT.crg twice"
for verb in run "maneuver run" report compare handling "tire eval" "tire plot" "tire fit" "tire convert" rig "road plot" "road eval" "road convert"; do
  # shellcheck disable=SC2086  # two words
  expect 0 $verb --help
  contains out "--out "
  grep -q -- --output out && fail "vdsim $verb --help shows the old name --output"
done
for verb in run "maneuver run"; do
  # shellcheck disable=SC2086
  expect 0 $verb --help
  for option in --dt --integrator --law --rate --format --level; do contains out "$option "; done
done
expect 0 maneuver run grade_hold --dt 0.002 --integrator implicit --rate 50 --out hold --quiet
contains hold/resolved.yaml "integrator: implicit"
contains hold/resolved.yaml "dt: 0.002"
expect 0 maneuver run grade_hold --format hdf5 --out h5 --json
json out
[ -s h5/run.h5 ] || fail "--format hdf5 of a manoeuvre wrote no run.h5"
[ ! -e h5/report.html ] || fail "a report of rows that it cannot read"

# tire eval repeats its points
[ "$(head -1 new.csv)" = fz,kappa,alpha,fx,fy,mx,my,mz ] || fail "tire eval: columns $(head -1 new.csv)"
[ "$(sed -n 3p new.csv | cut -d, -f1)" = 3000 ] || fail "tire eval does not repeat its points"

# show and validate take every kind of file
expect 0 catalog show "$configs/tir/book_205_60R15.tir"
contains out "[VERTICAL]"
expect 0 catalog show iso7401
contains out "standard: ISO 7401"
expect 0 catalog show "$configs/maneuvers/sine_with_dwell.yaml"
expect 0 catalog show "$configs/roads/s_bend.crg"
contains out "length"
expect 0 catalog validate "$configs/tir/book_205_60R15.tir" "$configs/maneuvers/iso7401.yaml" "$configs/roads/hill.asc"
contains out "3 files are valid"
cp "$configs/roads/s_bend.crg" "$configs/roads/hill.asc" .
cp hill.asc HILL.ASC && cp "$configs/tir/book_205_60R15.tir" BOOK.TIR
for file in s_bend.crg hill.asc HILL.ASC BOOK.TIR; do expect 0 catalog show $file; done # a bare name, any case
expect 0 catalog validate HILL.ASC BOOK.TIR
expect 0 catalog validate
sed 's/lasts: 6/lasts: later/' "$configs/maneuvers/iso7401.yaml" >late.yaml
expect 2 catalog validate late.yaml
contains err "late.yaml:18"
head -20 "$configs/tir/book_205_60R15.tir" >cut.tir
expect 2 catalog validate cut.tir
expect 0 catalog list maneuvers
contains out "iso7401"
expect 0 catalog list --ids set
contains out "chassis.mass"
contains out "control.abs.slip_start"
contains out "solver.dt"

# values that can be computed but not be meant
expect 0 run step_steer --duration 0.1 --set chassis.mass=1e7 --out heavy --quiet
contains err "chassis.mass: 1e+07 kg is far from any car"
expect 0 run step_steer --duration 0.1 --set mu=50 --out sticky --quiet
contains err "mu: 50 is far from any road"
expect 0 maneuver run iso21994 --set mu=50 --out sticky --quiet
contains err "mu: 50 is far from any road"
expect 2 maneuver run iso21994 --set speed=-5 --out no
contains err "parameters.speed: expected 0 m/s or more, found -5"
expect 0 run step_steer --duration 0.1 --out fine --quiet
[ -s err ] && fail "a plain run warns: $(cat err)"

# text that is not UTF-8
printf 'id: x\nversion: 1\nlabel: caf\xe9\nfleet:\n  - {id: e, blueprint: vehicle.sedan_comfort}\n' >latin.yaml
expect 2 run latin.yaml --out no
contains err "latin.yaml:3:11: this text is not UTF-8"

# output that cannot be written is found before the work
mkdir folder
/usr/bin/python3 - >data.csv <<'PY'
import math
print("fz,kappa,alpha,fx,fy")
for fz in (2000, 4000, 6000):
    for i in range(-15, 16):
        a = i / 100
        print(f"{fz},0,{a},0,{-fz * math.sin(1.3 * math.atan(8 * a))}")
        print(f"{fz},{a},0,{fz * math.sin(1.6 * math.atan(10 * a))},0")
PY
expect 4 tire fit --model mf96 --data data.csv --out folder
contains err "folder: it is a folder"
grep -q "start 1" err && fail "the fit began before its output was found not to be writable"
expect 4 validate --out folder
contains err "folder: it is a folder"
[ ! -e no ] || fail "a refused run left a folder"
finish
