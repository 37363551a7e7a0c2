#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Equation tags such as [T19.3]: each tag in the code stands in docs/theory, and each tag there, written [T19.3] or
# \tag{T19.3}, stands in the code or is followed by (text).
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "$0")/../..}"
exec /usr/bin/python3 - <<'PY'
import pathlib, re, sys

NAME = r"T\d+(?:\.\d+)*[a-z]?"
IN_CODE = re.compile(r"\[(%s(?:\s*,\s*%s)*)\]" % (NAME, NAME))
IN_TEXT = re.compile(r"(?:\[(%s(?:\s*,\s*%s)*)\]|\\tag\{(%s)\})(\s*\$*\s*(?:<!-- )?\(text\))?" % (NAME, NAME, NAME))

code, theory, text_only = {}, {}, set()
for path in sorted(pathlib.Path("src/vdsim/core").rglob("*.hpp")):
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        for match in IN_CODE.finditer(line):
            for tag in re.split(r"\s*,\s*", match[1]):
                code.setdefault(tag, f"{path}:{number}")
for path in sorted(pathlib.Path("docs/theory").rglob("*.md")):
    content = path.read_text(encoding="utf-8")
    for match in IN_TEXT.finditer(content):
        for tag in re.split(r"\s*,\s*", match[1] or match[2]):
            theory.setdefault(tag, f"{path}:{content.count(chr(10), 0, match.start()) + 1}")
            if match[3]:
                text_only.add(tag)

errors = [f"{code[t]}: [{t}] is not in docs/theory" for t in code if t not in theory]
errors += [f"{theory[t]}: [{t}] is not in src/vdsim/core (mark it \"(text)\" if it is not meant to be)"
           for t in theory if t not in code and t not in text_only]
print(*errors, sep="\n") if errors else print(f"{len(code)} tags in the code, {len(theory)} in docs/theory: they agree")
sys.exit(1 if errors else 0)
PY
