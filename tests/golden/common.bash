# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# Of levels.sh and machines.sh: how golden_main.cpp is compiled, and where what it prints goes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=$root/build/golden
golden=$root/tests/golden/golden.txt
flags=(-std=c++20 -Wall -Wextra -Wno-psabi -ffp-contract=off -I "$root/src")
mkdir -p "$out"
