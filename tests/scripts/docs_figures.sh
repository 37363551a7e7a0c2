#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Figures in the docs that a run gives: the sentence is read from the page, and the run must say the same.
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.bash"
/usr/bin/python3 "$VDSIM_ROOT/tests/scripts/docs_figures.py" "$vdsim" "$VDSIM_ROOT/docs" || fail "a figure in the docs is not what the run gives"
finish
