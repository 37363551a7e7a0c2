#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A speed controller in awk, over a pair of FIFOs: 15 to 20 m/s with the throttle alone.
# usage: speed.sh [VDSIM [arguments of vdsim run]]
set -eu
scene=$(dirname "$0")/lane.yaml
vdsim=${1:-vdsim}
[ $# = 0 ] || shift
pipes=$(mktemp -d)
trap 'rm -rf "$pipes"' EXIT
mkfifo "$pipes/to" "$pipes/from"
"$vdsim" run "$scene" --stdio "$@" <"$pipes/to" >"$pipes/from" &
awk=awk
"$awk" -W version 2>&1 </dev/null | grep -q mawk && awk="$awk -W interactive" # it would wait for a full buffer
$awk '
  { vx = 15; if (match($0, /"vx":[-0-9.e]+/)) vx = substr($0, RSTART + 5, RLENGTH - 5) }
  /"error"/ { print > "/dev/stderr"; exit 1 }
  /"done":true/ { printf "after 10 s %.2f m/s\n", vx > "/dev/stderr"; exit !(vx > 19.5 && vx < 20.5) }
  { pedal = 0.1 + 0.3 * (20 - vx); pedal = pedal < 0 ? 0 : pedal > 1 ? 1 : pedal
    printf "{\"advance\":0.05,\"demand\":{\"throttle\":%.6f},\"read\":[\"vx\"]}\n", pedal; fflush() }' >"$pipes/to" <"$pipes/from"
wait $!
