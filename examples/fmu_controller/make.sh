#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: make.sh FILE.fmu   compiles cruise.c and packs it for this machine
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(readlink -f "${1:?usage: make.sh FILE.fmu}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
machine=linux64
[ "$(uname -m)" = aarch64 ] && machine=aarch64-linux
mkdir -p "$work/binaries/$machine"
cc -std=c99 -O2 -Wall -Wextra -fPIC -shared -fvisibility=hidden "$here/cruise.c" -o "$work/binaries/$machine/cruise.so"
cp "$here/modelDescription.xml" "$work"
rm -f "$out"
(cd "$work" && /usr/bin/python3 -m zipfile -c "$out" modelDescription.xml binaries)
