#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# src/vdsim/core includes only itself and the standard maths, and uses no strings, heap, exceptions or virtuals:
# the same header must compile for the CPU, SIMD and the GPU.
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "$0")/../..}"
exec /usr/bin/python3 - <<'PY'
import pathlib, re, sys

ALLOWED = set("cmath cstddef cstdint cstring limits type_traits utility tuple array".split())
FORBIDDEN = re.compile(r"std::(?:string|vector|function)\b|\bthrow\b|\bvirtual\b|\bnew\s")
TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)

def blank(match):  # comments and texts become spaces; line numbers stay
    return re.sub(r"[^\n]", " ", match.group())

def blank_comment(match):
    return match.group() if match.group().startswith('"') else blank(match)

errors = []
files = sorted(p for p in pathlib.Path("src/vdsim/core").rglob("*") if p.suffix in (".hpp", ".h", ".inl", ".cpp"))
for path in files:
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(TOKENS.sub(blank_comment, text).split("\n"), 1):
        include = re.match(r'\s*#\s*include\s*(.*?)\s*$', line)
        if not include:
            continue
        quoted = re.fullmatch(r'["<](vdsim/core/[^">]+)[">]', include[1])
        angle = re.fullmatch(r"<([a-z_]+)>", include[1])
        if quoted and pathlib.Path("src", quoted[1]).is_file():
            continue
        if include[1] in ("<immintrin.h>", "<arm_neon.h>") and path.name == "pack.hpp":
            continue  # the one place that names instructions
        if not (angle and angle[1] in ALLOWED):
            errors.append(f"{path}:{number}: include not allowed in core: {include[1]}")
    for number, line in enumerate(TOKENS.sub(blank, text).split("\n"), 1):
        found = FORBIDDEN.search(line)
        if found:
            errors.append(f"{path}:{number}: not allowed in core: {found[0].strip()}")
print(*errors, sep="\n") if errors else print(f"{len(files)} files in core are clean")
sys.exit(1 if errors else 0)
PY
