#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hostile input: refused with exit code 2 and a sentence, never a crash, an endless loop or a result that ignores it.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

limit=10 # [s]
case ${VDSIM_BUILD:-} in */asan) limit=60 ;; esac # sanitizers take ten times as long
# refused TEXT WORDS...: within the limit, exit code 2, and the text is on stderr
refused() {
  local text=$1 got
  shift
  timeout -s KILL $limit "$vdsim" "$@" >out 2>err
  got=$?
  [ $got = 2 ] || fail "vdsim $*: exit code $got, expected 2: $(head -3 err)"
  contains err "$text"
}
# maneuver LINES PHASE: writes m.yaml
maneuver() {
  printf '%s\n' "id: m" "levels: [L2]" "parameters:" "  speed: {value: 10, unit: m/s, meaning: at the start}" "$1" \
    "phases:" "  - {name: a, ${2:-lasts: 1}}" "metrics:" "  top: {value: \"maximum(vx, 0, end)\"}" >m.yaml
}
# bad TEXT LINES [PHASE]: a manoeuvre with these lines is refused
bad() {
  maneuver "${@:2}"
  refused "$1" maneuver run m.yaml --out o --no-report
}

# --- courses: what is no course used to be read beyond its end
path='driver: {path: true}, lasts: 1'
bad "course: needs one of kind, lanes and path" "course: {}" "$path"
bad "course.lanes: expected a list of lanes" "course: {lanes: 5}" "$path"
bad "course.lanes[0]: expected a block of keys" "course: {lanes: [5]}" "$path"
bad "course.lanes[0].to: inf is out of range" "course: {lanes: [{from: 0, to: 1/0, right: -3, left: 3}]}" "$path"
bad "course.lanes[0].width: unknown key" "course: {lanes: [{from: 0, to: 9, right: -3, left: 3, width: 1}]}" "$path"
bad "expected at least 2 way points [x, y], found 0" "course: {path: []}" "$path"
bad "expected at least 2 way points [x, y], found 1" "course: {path: [[0, 0]]}" "$path"
bad "expected at least 2 way points [x, y], found '5'" "course: {path: 5}" "$path"
bad "course.path[1]: repeats the point before it" "course: {path: [[0, 0], [0, 0]]}" "$path"
bad "course.share: 50 is out of range" "course: {kind: iso3888_2, share: 50}" "$path"
bad "course.spacing: -1 is out of range" "course: {kind: iso3888_2, spacing: -1}" "$path"

# --- a manoeuvre that runs itself first
first='first: {maneuver: %s, take: {speed: top}}\n'
# shellcheck disable=SC2059  # the format is ours
maneuver "$(printf "$first" m.yaml)" && refused "would have to run before itself" maneuver run m.yaml --out o
# shellcheck disable=SC2059
maneuver "$(printf "$first" m.yaml)" && mv m.yaml b.yaml && maneuver "$(printf "$first" b.yaml)"
refused "would have to run before itself" maneuver run m.yaml --out o

# --- a block that lacks a key and has another in its place
bad "solve.high: missing key" "solve: {parameter: speed, metric: top, target: 1, low: 1, tolerance: 0.1}"
bad "search.low: missing key" "search: {parameter: speed, high: 9, resolution: 1}"

# --- work without end
bad "100000 m from the first to the last" "course: {lanes: [{from: 0, to: 1e5, right: -3, left: 3}]}" "$path"
bad "0.001 m gives 2e+05 cones" "course: {lanes: [{from: 0, to: 100, right: -3, left: 3}], spacing: 1e-3}" "$path"
bad "phases[0].at_most: inf is out of range" "scene: {solver: {dt: 1e-6}}" "until: 0, at_most: 1/0"
bad "phases[0].within: inf is out of range" "scene: {solver: {dt: 1e-6}}" "until: 0, within: 1/0"
bad "phases[0].lasts: inf is out of range" "scene: {solver: {dt: 1e-6}}" "lasts: 1/0"
bad "at most 1000 numbers, found 5000" "series: {parameter: speed, values: [$(seq -s, 5000)]}"
bad "series.values: expected a finite number" "series: {parameter: speed, values: [1/0]}"
maneuver "search: {parameter: speed, low: 1, high: 1e300, resolution: 1e-300}"
refused "search.resolution: is too fine" maneuver run m.yaml --find-max-speed --out o
bad "lower scene.rate" "scene: {rate: 1e6, solver: {dt: 1e-6}}" "lasts: 2"

# --- nothing is ignored
bad "scene: expected a block of keys, found '5'" "scene: 5"
bad "car: expected a block of keys, found '5'" "car: 5"
bad "driver.speed: expected a finite number, found inf" "" "driver: {speed: 1/0}, lasts: 1"
bad "driver.speed: expected a finite number, found nan" "" "driver: {speed: \"sqrt(-1-t)\"}, lasts: 1"
bad "gear: 99 is out of range" "" "driver: {gear: 99}, lasts: 1"
maneuver "spectra: {s: {input: vx, output: vy, from: 0, to: 1, segment: 1e8}}"
expect 0 maneuver run m.yaml --out o --no-report
contains out "spectrum s: no segment of 1e+08 s"
sed -i 's/^id: m$/id: ..\/..\/m/' m.yaml
refused "is no name" maneuver run m.yaml

# --- a wrong value is named by the path of the file; every error of scene and car at once, and none that follows from them
bad "m.yaml:5:12: car.vx0: -5e9 is out of range" "car: {vx0: -5e9}"
bad "car.overrides.chassis.mas: unknown key" "car: {vx0: -5e9, overrides: {chassis: {mas: 1}}, level: L2}
scene: {grade: 1e300}"
for path in car.vx0 car.level scene.grade; do contains err ": $path: "; done
[ "$(wc -l <err)" = 4 ] || fail "four wrong values are told as $(cat err)"
refused "vx0: expected a number" maneuver run iso7401 --set vx0=x
[ "$(wc -l <err)" = 1 ] || fail "one wrong value is told as $(cat err)"

scene() { printf '%s\n' "id: s" "duration: 0.1" "${@:2}" "fleet:" "  - {id: ego, blueprint: vehicle.sedan_comfort$1}" >s.yaml; }
scene "" "grade: 1e300" && refused "grade: 1e300 is out of range" run s.yaml
for set in tire.B_lat=1e300 tire.E_long=-1e300 tire.mu_nominal=1e16 stunt.ramp.length=1e16; do
  refused "is out of range" run step_steer --set $set
done
scene ", x0: 1e16" && refused "x0: 1e16 is out of range" run s.yaml
scene "" 'label: "\e[31mred"' && refused "control characters" run s.yaml
scene "" 'label: "\x9b31mred"' && refused "control characters" run s.yaml
printf '%s\n' 'id: "a\nduration: 9"' "type: tire" "body: {}" >p.yaml
refused "is no name" run step_steer --tire p.yaml
refused "?[31mx" run "$(printf '\033[31mx')"

# the times of a table differ, whatever the precision of its values
expect 0 run step_steer --duration 20 --precision 3 --out t --no-report
[ -z "$(grep -v '^#' t/run.csv | cut -d, -f1 | uniq -d | head -1)" ] || fail "--precision 3: equal times in run.csv"
grep -q '^19.99,' t/run.csv || fail "--precision 3: no row at 19.99 s"
expect 0 report t --out t.html

# a file that may not grow ends like a full disk
(
  ulimit -f 100
  timeout -s KILL 20 "$vdsim" run step_steer --duration 60 --out big --quiet 2>err
)
code=$?
[ $code = 4 ] || fail "a limit on the size of files: exit code $code, expected 4"
contains err "File too large"
[ -e big ] && fail "a run that could not be written left a folder"

# --- an FMU with a flipped bit: what is in it is not taken, and never run
/usr/bin/python3 - <<'PY'
import zipfile
with zipfile.ZipFile("flipped.fmu", "w", zipfile.ZIP_STORED) as z:
    z.writestr("modelDescription.xml", "<fmiModelDescription fmiVersion='2.0'/>")
    z.writestr("binaries/linux64/x.so", b"A" * 1000)
data = bytearray(open("flipped.fmu", "rb").read())
data[data.index(b"AAAA") + 500] ^= 1
open("flipped.fmu", "wb").write(data)
PY
"$vdsim" fmu --help | grep -q "not in this build" || refused "binaries/linux64/x.so is damaged" fmu info flipped.fmu

# --- signals are heeded within a second, also between rows and while results are written
heeds() { # SIGNAL WORDS...
  local signal=$1 pid code began
  shift
  "$vdsim" "$@" >out 2>err &
  pid=$!
  sleep 0.7
  began=$(date +%s%N)
  kill "-$signal" $pid
  for _ in $(seq 30); do kill -0 $pid 2>/dev/null || break; sleep 0.1; done
  kill -KILL $pid 2>/dev/null
  wait $pid
  code=$?
  [ $((($(date +%s%N) - began) / 1000000)) -lt 1500 ] || fail "vdsim $*: took more than 1.5 s to heed SIG$signal"
  [ $code -gt 128 ] || fail "vdsim $*: exit code $code after SIG$signal"
}
maneuver "scene: {rate: 1e-3, solver: {dt: 1e-6}}" "lasts: 3600"
heeds INT maneuver run m.yaml --out o2
heeds TERM maneuver run m.yaml --out o2
maneuver "series: {parameter: speed, from: 1, to: 100, step: 0.1}" "lasts: 60"
heeds INT maneuver run m.yaml --out o2
heeds TERM run step_steer --duration 1e6 --rate 1e-4 --dt 1e-4 --out o2
[ -e o2 ] && fail "a run that was stopped left a folder"
finish
