#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels compiled with -mavx2 or -mfma must not share inline functions with other files. The linker keeps one copy
# of an inline function: if it kept theirs, exact code would round differently, or crash on an older processor.
set -euo pipefail
cd "${VDSIM_BUILD:?}/CMakeFiles/vdsim_engine.dir"
weak() { nm -C --defined-only "$@" 2>/dev/null | awk 'NF > 2 && $2 ~ /^[WVu]$/ {$1 = $2 = ""; print substr($0, 3)}' | sort -u; }

mapfile -d '' own < <(find . -name 'kernels*_wide.cpp.o' -print0) # one set of flags: these may share
if [ ${#own[@]} -gt 0 ]; then # none where the processor has no kernels of its own
  mapfile -d '' others < <(find .. -name '*.o' ! -name 'kernels*_wide.cpp.o' -print0)
  # std:: and the libraries do no physics, and type descriptions are no code; our functions are what matters
  shared=$(comm -12 <(weak "${own[@]}") <(weak "${others[@]}") | grep -F 'vdsim::' | grep -v '^typeinfo ' || true)
  if [ -n "$shared" ]; then
    echo "the wide kernels share these inline functions with other files:"
    sed 's/^/  /' <<<"$shared" | cut -c1-160 | head -n 20
    echo "Give each kernel file its own copy, for example by its own (inline) namespace around the core headers."
    exit 1
  fi
fi
echo "${#own[@]} files of kernels share no inline function with other files"
