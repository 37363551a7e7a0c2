#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The table of docs/C_API.md is vdsim.h: every function with its one line. Every struct of it has a line too.
# usage: c_api.sh [--fix]   --fix writes the table
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "${BASH_SOURCE[0]}")/../..}"
exec /usr/bin/python3 - "$@" <<'PY'
import pathlib, re, sys

header = pathlib.Path("bindings/c/include/vdsim.h").read_text()
page = pathlib.Path("docs/C_API.md")
errors, rows, group = [], [], ""
for part in re.split(r"^/\* --- ", header, flags=re.M)[1:]:
    group = re.match(r"(\w+)", part)[1]
    for call in re.finditer(r"^VDSIM_API (.*?);[ \t]*(?:/\*(.*?)\*/)?", part, re.S | re.M):
        text = re.sub(r"\s+", " ", call[1])
        name, arguments = re.match(r".*?(vdsim_\w+)\((.*)\)", text).groups()
        if not call[2]:
            errors.append(f"vdsim.h: {name} has no line that says what it does")
            continue
        names = [re.sub(r".*?(\w+)$", r"\1", a.strip()) if not a.strip().endswith("*") else
                 re.sub(r"(const |struct )?vdsim_(\w+) \*", r"\2", a.strip()) for a in arguments.split(",") if a.strip() != "void"]
        rows.append(f"| {group} | `{name}({', '.join(names)})` | {call[2].strip().replace('|', chr(92) + '|')} |")
for struct in re.finditer(r"^typedef struct (\w+) \{(.*)$", header, re.M):
    if not struct[2].strip().startswith("/*"):
        errors.append(f"vdsim.h: struct {struct[1]} has no line that says what it is")
table = "| | function | |\n|---|---|---|\n" + "\n".join(rows) + "\n"
text = page.read_text()
begin, end = "<!-- functions: tests/scripts/c_api.sh --fix -->\n", "<!-- end -->"
if begin not in text or end not in text:
    sys.exit(f"{page}: no place for the table")
made = text[:text.index(begin)] + begin + table + text[text.index(end):]
if "--fix" in sys.argv:
    page.write_text(made)
elif made != text:
    errors.append(f"{page}: the table is not that of vdsim.h. To fix: tests/scripts/c_api.sh --fix")
print(*errors, sep="\n") if errors else print(f"{len(rows)} functions, each with its line")
sys.exit(1 if errors else 0)
PY
