#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# vdsim rig and vdsim tire eval, lint, convert: exit codes, messages with their place, files whole or not at all.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

leftovers() { find . -name '.*.tmp' | grep -q . && fail "temporary files left: $(find . -name '.*.tmp')"; }

for verb in rig tire "tire eval" "tire plot" "tire fit" "tire lint" "tire convert"; do
  # shellcheck disable=SC2086
  expect 0 $verb --help
  contains out "Examples:"
done
expect 2 tire
contains err "expected eval, plot, fit, lint or convert"
expect 2 tire evl
contains err "did you mean 'eval'?"

# --- rig
printf 't,omega,vx,vy,fz\n0,60,20,0,4000\n1,50,20,1,4500\n' >motion.csv
expect 0 rig --tire tire.lugre_on --input motion.csv --output a.csv --dt 1e-3
contains out "1001 rows in a.csv"
[ "$(head -1 a.csv)" = "t,fx,fy,fz,mx,my,mz,kappa,alpha" ] || fail "header of the rig: $(head -1 a.csv)"
[ "$(wc -l <a.csv)" = 1002 ] || fail "rows of the rig: $(wc -l <a.csv)"
expect 0 rig --tire tire.lugre_on --input motion.csv --output b.csv --dt 1e-3 --quiet
[ -s out ] && fail "--quiet printed"
cmp a.csv b.csv || fail "two runs of the rig differ"
expect 0 rig --tire tire.lugre_on --input motion.csv
cmp a.csv out || fail "standard output differs from the file"
expect 0 rig --tire tire.lugre_on --input motion.csv --output s.csv --states
case "$(head -1 s.csv)" in t,fx,fy,fz,mx,my,mz,kappa,alpha,zx,zy*) ;; *) fail "states: $(head -1 s.csv)" ;; esac
expect 0 rig --tire tire.lugre_on --set tire.lugre.law=breakaway --input motion.csv --output b.csv
cmp -s a.csv b.csv && fail "--set changed nothing"
printf 't,kappa,alpha,fz\n0,-0.2,0.1,4000\n1,0.2,-0.1,4000\n' >sweep.csv
expect 0 rig --tire tire.lugre_on --input sweep.csv
[ "$(wc -l <out)" = 3 ] || fail "a sweep has a row per row"
expect 0 rig --tire tire.lugre_on --input sweep.csv --dt 0.1
[ "$(wc -l <out)" = 12 ] || fail "a sweep with --dt has a row per step"

# every tire of the catalog runs on the rig and has a steady law
printf 'fz,kappa,alpha\n4000,0.05,0.02\n' >one.csv
for id in $("$vdsim" catalog list --ids tire); do
  expect 0 rig --tire "$id" --input motion.csv --output t.csv --dt 0.01 --states --quiet
  expect 0 tire eval --tire "$id" --input one.csv --quiet
  [ "$(wc -l <out)" = 2 ] || fail "eval of $id: $(wc -l <out) lines"
done

# the ground under a rally tire
expect 0 tire eval --tire tire.rally --input one.csv --output tarmac.csv
expect 0 tire eval --tire tire.rally --surface surface.ice --input one.csv --output ice.csv
cmp -s tarmac.csv ice.csv && fail "--surface changed nothing"
expect 0 rig --tire tire.rally --surface surface.gravel --input motion.csv --output t.csv --dt 0.01
expect 0 tire plot --tire tire.rally --surface surface.snow --output snow.svg
expect 2 rig --tire tire.lugre_on --surface surface.ice --input motion.csv --output t.csv
contains err "--surface surface.ice"
expect 2 tire eval --tire tire.rally --surface surface.ise --input one.csv
contains err "did you mean 'surface.ice'?"

# every error at once, nothing written, an old file untouched
cp a.csv old.csv
refuse() { # refuse MESSAGE WORDS...: exit code 2
  local message=$1
  shift
  expect 2 "$@"
  contains err "$message"
}
printf 't,omega,vx,vy\n0,60,20,0\n' >bad.csv
refuse "bad.csv:1:1: missing column 'fz'" rig --tire tire.lugre_on --input bad.csv --output a.csv
printf 't,omega,vx,vy,fz\n0,60,20,0,4000\n0,nan,20,x,-1\n' >bad.csv
refuse "bad.csv:3:1: t: 0 is not above the value of the row before" rig --tire tire.lugre_n --input bad.csv --output a.csv
contains err "bad.csv:3:3: omega: expected a finite number, found 'nan'"
contains err "bad.csv:3:10: vy: expected a number [m/s], found 'x'"
contains err "bad.csv:3:12: fz: -1 is out of range, expected at least 0 N"
contains err "did you mean 'tire.lugre_on'?"
refuse "expected a step above 0 s" rig --tire tire.lugre_on --input motion.csv --output a.csv --dt 0
refuse "expected a step above 0 s" rig --tire tire.lugre_on --input motion.csv --output a.csv --dt -1e-3
refuse "too small" rig --tire tire.lugre_on --input motion.csv --output a.csv --dt 1e-15
refuse "did you mean 'tire.lugre.law'?" rig --tire tire.lugre_on --set law=breakaway --input motion.csv --output a.csv
refuse "unknown key" rig --tire tire.lugre_on --set chassis.mass=1 --input motion.csv --output a.csv
refuse "cannot be read" rig --tire tire.lugre_on --input nothing.csv --output a.csv
refuse "no such file" rig --tire nothing.tir --input motion.csv --output a.csv
refuse "--input is required" rig --tire tire.lugre_on
: >empty.csv
refuse "the table is empty" rig --tire tire.lugre_on --input empty.csv --output a.csv
cmp a.csv old.csv || fail "bad input touched the old file"
expect 4 rig --tire tire.lugre_on --input motion.csv --output no/such/folder/a.csv
mkdir -p folder
expect 4 rig --tire tire.lugre_on --input motion.csv --output folder
leftovers

# a stopped rig leaves nothing
printf 't,omega,vx,vy,fz\n0,60,20,0,4000\n100000,50,20,1,4500\n' >long.csv
"$vdsim" rig --tire tire.lugre_on --input long.csv --output a.csv --quiet 2>err &
pid=$!
for _ in $(seq 100); do
  find . -name '.a.csv.*.tmp' -size +100k | grep -q . && break
  sleep 0.1
done
kill -TERM $pid
wait $pid
code=$?
[ $code = 143 ] || fail "stopped rig: exit code $code, expected 143"
cmp a.csv old.csv || fail "a stopped rig touched the old file"
leftovers

# --- eval
printf 'fz,kappa,alpha\n4000,0.1,0\n4000,0,0.1\n4000,-0.5,-0.1\n' >points.csv
expect 0 tire eval --tire tire.lugre_on --input points.csv --output e.csv
[ "$(head -1 e.csv)" = "fz,kappa,alpha,fx,fy,mx,my,mz" ] || fail "header of eval: $(head -1 e.csv)"
[ "$(wc -l <e.csv)" = 4 ] || fail "rows of eval: $(wc -l <e.csv)"
expect 0 tire eval --tire tire.lugre_on --input points.csv
cmp e.csv out || fail "standard output of eval differs from the file"
refuse "missing column 'alpha'" tire eval --tire tire.lugre_on --input motion.csv
refuse "each 1 or 2" tire eval --tire tire.lugre_on --input points.csv --use-mode 311
refuse "expected tno or book" tire eval --tire tire.lugre_on --input points.csv --flavour siemens

# --- .tir files
cat >ours.tir <<'TIR'
[UNITS]
LENGTH = 'meter'
FORCE = 'newton'
ANGLE = 'radians'
MASS = 'kg'
TIME = 'second'
[MODEL]
FITTYP = 61
LONGVL = 16.7
[DIMENSION]
UNLOADED_RADIUS = 0.3135
WIDTH = 0.205
RIM_RADIUS = 0.19
[VERTICAL]
FNOMIN = 4000
VERTICAL_STIFFNESS = 209651
[LONGITUDINAL_COEFFICIENTS]
PCX1 = 1.65
PDX1 = 1.0
PKX1 = 20
[LATERAL_COEFFICIENTS]
PCY1 = 1.3
PDY1 = 1.0
PKY1 = -15
PKY2 = 1.7
PKY4 = 2
PHY1 = 0.003
[ALIGNING_COEFFICIENTS]
QBZ1 = 10
QCZ1 = 1.2
QDZ1 = 0.1
TIR
expect 0 tire lint ours.tir
contains out "ours.tir: passed"
expect 0 tire lint --json ours.tir
json out
sed 's/^PKY1 = -15/PKY1 = 15/' ours.tir >wrong.tir
expect 1 tire lint ours.tir wrong.tir
contains out "wrong.tir: failed"
contains out "ours.tir: passed"
expect 1 tire lint --json wrong.tir
json out
contains out '"verdict": "failed"'
expect 2 tire lint nothing.tir
printf 'no property file' >garbage.tir
expect 2 tire lint garbage.tir
expect 2 tire lint --json garbage.tir
json out

expect 0 tire eval --tire ours.tir --input points.csv --output e.csv --quiet
case "$(head -1 e.csv)" in fz,kappa,alpha,fx,fy,mx,my,mz,re,rho,a,b,trail,mux,muy,rl,mzr,cx,cy,cz,kya,kxk,sigmax,sigmay*) ;; *)
  fail "header of eval with a file: $(head -1 e.csv)" ;;
esac
expect 0 tire convert ours.tir --output again.tir --quiet
expect 0 tire eval --tire again.tir --input points.csv --output f.csv --quiet
cmp e.csv f.csv || fail "the converted file is another tire"
expect 0 tire convert ours.tir --mirror --output right.tir --quiet
expect 0 tire eval --tire right.tir --input points.csv --output f.csv --quiet
cmp -s e.csv f.csv && fail "--mirror changed nothing"
expect 0 tire convert right.tir --mirror --output left.tir --quiet
expect 0 tire eval --tire left.tir --input points.csv --output f.csv --quiet
cmp e.csv f.csv || fail "mirrored twice is not the tire itself"
expect 2 tire convert garbage.tir --output g.tir
[ -e g.tir ] && fail "a refused file was converted"
expect 4 tire convert ours.tir --output no/such/folder/g.tir
expect 0 rig --tire ours.tir --input motion.csv --output r.csv --quiet
[ "$(wc -l <r.csv)" = 1002 ] || fail "rows of the rig with a file: $(wc -l <r.csv)"
leftovers
finish
