#!/usr/bin/env bash
# Budgets in core/: a function has at most 60 lines, a header at most 300.
# An exception says why: "// budget: reason" in the two lines above the function, or in the first 5 lines of the header.
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "$0")/../..}"
exec /usr/bin/python3 - <<'PY'
import pathlib, re, sys

FUNCTION_LINES, HEADER_LINES = 60, 300
REASON = re.compile(r"//\s*budget:\s*(\S.*)")
# comments, texts, and preprocessor lines with their continuations
NOISE = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*\#(?:\\\n|[^\n])*""", re.S | re.M)
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b[^()]*$")

def functions(text):
    """(first line, last line, name) of each function at namespace or class scope."""
    code = NOISE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    head, body_depth, line, first, begun = "", 0, 1, 0, 0
    for i, c in enumerate(code):
        if body_depth:
            body_depth += (c == "{") - (c == "}")
            if body_depth == 0:
                after = code[i + 1:].lstrip()[:1]
                if after in (",", "{") and is_function:  # that was an initialiser of a constructor
                    head += "{}"
                else:
                    if is_function:
                        named = re.search(r"([\w:~]+|operator\S+)\s*\(", re.sub(r"\b(?:requires|decltype|noexcept|alignas)\s*\(", "", head))
                        yield first, line, named[1] if named else "?"
                    head = ""
        elif c == "{":
            plain = re.sub(r"template\s*<[^{};]*?>(?=\s)", "", head)
            if SCOPE.search(plain) and not plain.rstrip().endswith("="):
                head = ""
            else:
                is_function = ")" in head and not head.rstrip().endswith("=")
                body_depth = 1
        elif c in ";}":
            head = ""
        else:
            if not head.strip() and not c.isspace():
                first = line
            head += c
        line += c == "\n"

failed = False
paths = sorted(p for p in pathlib.Path("src/vdsim/core").rglob("*") if p.suffix in (".hpp", ".h", ".inl"))
count = 0
def report(where, what, reason):
    global failed
    failed |= reason is None
    print(f"{where}: {what}: {'exception: ' + reason[1].strip() if reason else 'OVER BUDGET, no reason given'}")

for path in paths:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    length = text.count("\n")
    if length > HEADER_LINES:
        report(path, f"{length} lines (limit {HEADER_LINES})", REASON.search("\n".join(lines[:5])))
    for first, last, name in functions(text):
        count += 1
        if last - first + 1 > FUNCTION_LINES:
            above = "\n".join(lines[max(0, first - 3):first - 1])
            report(f"{path}:{first}", f"{name} has {last - first + 1} lines (limit {FUNCTION_LINES})", REASON.search(above))
print(f"{len(paths)} headers, {count} functions in core looked at")
sys.exit(1 if failed else 0)
PY
