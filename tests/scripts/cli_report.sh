#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# vdsim report and vdsim compare: files, exit codes, messages.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

expect 0 run step_steer --duration 2 --out a --quiet
expect 0 run step_steer --duration 2 --set mu=0.5 --out b --quiet

expect 0 report a
contains out "a/report.html"
grep -q "</html>" a/report.html || fail "the page has no end"
expect 0 report a/run.csv --out one.html --quiet
[ -s out ] && fail "--quiet printed $(cat out)"
cmp a/report.html one.html || fail "folder and run.csv give different pages"
expect 0 report a b --title "Dry & wet" --svg figures --json
json out
contains out '"runs": 2'
[ -s report.html ] || fail "no report.html of two runs here"
contains report.html "<h1>Dry &amp; wet</h1>"
n=$(find figures -name '*.svg' | wc -l)
[ "$n" -ge 5 ] || fail "only $n figures as SVG"
for svg in figures/*.svg; do
  /usr/bin/python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$svg" || fail "$svg is not XML"
done
expect 0 report a --out new/folder/page.html --quiet
[ -s new/folder/page.html ] || fail "the folder of --out was not made"

expect 0 compare a b --out both.html
contains out "both.html"
contains both.html "mu: 1 -&gt; 0.5"
contains out "1 value of the configuration differs."
contains out "  mu: 1 -> 0.5"
contains out "RMS difference"
contains out "distance"
contains both.html "RMS difference"
expect 0 compare a a --out same.html --quiet
contains same.html "configurations are the same"

# scenes of several cars: one run per car
cat >two.yaml <<'YAML'
id: two
version: 1
duration: 1
fleet:
  - {id: front, blueprint: vehicle.sedan_comfort, vx0: 10, driver: {speed: 10}}
  - {id: rear, blueprint: vehicle.sedan_comfort, vx0: 8, y0: 4, driver: {speed: 8}}
YAML
expect 0 run two.yaml --out two --quiet
expect 0 report two --json
contains out '"runs": 2'
contains two/report.html "two/front"

expect 2 report
expect 2 report nowhere
contains err "nowhere: no such run folder or run.csv"
mkdir empty
expect 2 report empty a
contains err "empty: no run.csv in this folder"
expect 2 report a --out page.pdf
contains err "ends in .html"
expect 2 compare a
contains err "expected two run folders"
expect 2 compare a b a
expect 2 compare a two
contains err "no car is in both; found a, two/front, two/rear"

# scenes of several cars: car by car
expect 0 run two.yaml --set rear.chassis.mass=1600 --out heavy --quiet
expect 0 compare two heavy --out cars.html
contains out "A is two/front, B is heavy/front"
contains out "The resolved configurations are the same."
contains out "  chassis.mass: 1500 -> 1600"
expect 0 compare two/rear/run.csv heavy/rear/run.csv --out rear.html
contains out "  chassis.mass: 1500 -> 1600"
expect 0 compare two/rear/run.csv heavy --out rear.html
contains err "only one folder has them: heavy/front"
expect 2 report a --titel x
contains err "--title"
expect 0 run step_steer --duration 0.1 --format hdf5 --out h5 --quiet
expect 2 report h5
contains err "reports read run.csv"
cp -r a broken && sed -i '20s/,[^,]*/,oops/' broken/run.csv
expect 2 report broken --json
json out
contains out "broken/run.csv:20:"
cp -r a cut && head -c 200 a/summary.json >cut/summary.json
expect 2 report cut
contains err "summary.json:"
touch file
expect 4 report a --out file/page.html
# units as people write them, on every page
expect 0 handling vehicle.sedan_comfort --out h --quiet
contains h/report.html "m/s²"
grep -q 'm/s^2' h/report.html && fail "a page writes m/s^2: $(grep -o '.\{20\}m/s^2' h/report.html | head -1)"
finish
