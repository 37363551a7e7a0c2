#!/usr/bin/env bash
# The kernels compiled with -mavx2 or -mfma must not share inline functions with other files. The linker keeps one copy
# of an inline function: if it kept theirs, exact code would round differently, or crash on an older processor.
set -euo pipefail
cd "${VDSIM_BUILD:?}/CMakeFiles/vdsim_engine.dir"
weak() { nm -C --defined-only "$@" 2>/dev/null | awk 'NF > 2 && $2 ~ /^[WVu]$/ {$1 = $2 = ""; print substr($0, 3)}' | sort -u; }

failed=0 kernels=0
for isa in avx2 fast; do
  mapfile -d '' own < <(find . -name "kernels*_$isa.cpp.o" -print0) # one set of flags: these may share
  [ ${#own[@]} -gt 0 ] || continue
  kernels=$((kernels + ${#own[@]}))
  mapfile -d '' others < <(find .. -name '*.o' ! -name "kernels*_$isa.cpp.o" -print0)
  # std:: and the libraries do no physics, and type descriptions are no code; our functions are what matters
  shared=$(comm -12 <(weak "${own[@]}") <(weak "${others[@]}") | grep -F 'vdsim::' | grep -v '^typeinfo ' || true)
  if [ -n "$shared" ]; then
    failed=1
    echo "the kernels of $isa share these inline functions with other files:"
    sed 's/^/  /' <<<"$shared" | cut -c1-160 | head -n 20
  fi
done
if [ $failed = 1 ]; then
  echo "Give each kernel file its own copy, for example by its own (inline) namespace around the core headers."
  exit 1
fi
echo "$kernels kernels share no inline function with other files"
