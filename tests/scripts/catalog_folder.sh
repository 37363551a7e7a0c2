#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# VDSIM_CONFIGS names the folder of the catalog; a folder without one is refused in plain words.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"

cp -r "${VDSIM_ROOT:?}/configs" mine
sed -i 's/^  mass: 265$/  mass: 267/' mine/parts/chassis/fsk_formula.yaml
expect 0 catalog show chassis.fsk_formula
grep -q 267 out && fail "the copy acts without being named"
export VDSIM_CONFIGS=$tmp/mine
expect 0 catalog show chassis.fsk_formula
contains out 267
export VDSIM_CONFIGS=$tmp/nowhere
expect 2 catalog list
contains err "$tmp/nowhere"
contains err VDSIM_CONFIGS
finish
