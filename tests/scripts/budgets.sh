#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Budgets of every room: a function has at most 60 lines and 7 parameters (12 in core), a header 300 lines, a source file 500.
# An exception says why: "// budget: reason" in the two lines above the function, or in the first 5 lines of the file.
# usage: budgets.sh [--all]   --all also prints the exceptions
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "$0")/../..}"
exec /usr/bin/python3 - "$@" <<'PY'
import pathlib, re, sys

# core passes which law, parameters, state, contact, slip, load and results apart: nothing is copied into a bundle on a GPU.
FUNCTION_LINES, PARAMETERS, CORE_PARAMETERS, FILE_LINES = 60, 7, 12, {".hpp": 300, ".h": 300, ".inl": 300, ".cpp": 500}
ROOMS = ["core", "engine", "formats", "config", "study", "lab", "report", "validation"]
FOLDERS = {room: f"src/vdsim/{room}" for room in ROOMS} | {"apps": "apps", "bindings": "bindings"}
REASON = re.compile(r"//\s*budget:\s*(\S.*)")
# comments, texts, and preprocessor lines with their continuations
NOISE = re.compile(r"""//[^\n]*|/\*.*?\*/|\bR"(?P<tag>\w*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*\#(?:\\\n|[^\n])*""", re.S | re.M)
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b[^()]*$")
NAMED = re.compile(r"(operator\s*(?:\(\)|[^\s\w(]+|\w+)|[\w:~]+)\s*\(")
NOT_NAMES = re.compile(r"\b(?:requires|decltype|noexcept|alignas|__attribute__)\s*\(")

def closing(text, start, left="(", right=")"):
    """Index of the bracket that closes the one at start."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == left) - (text[i] == right)
        if depth == 0:
            return i
    return len(text)

def name_and_parameters(head):
    while found := NOT_NAMES.search(head):  # their brackets are no parameters
        head = head[:found.start()] + head[closing(head, found.end() - 1) + 1:]
    named = NAMED.search(head)
    if not named:
        return "?", 0
    inside = head[named.end():closing(head, named.end() - 1)]
    depth = commas = 0
    for c in re.sub(r"->|<=|>=", "  ", inside):
        depth += (c in "(<[{") - (c in ")>]}")
        commas += c == "," and depth == 0
    return named[1], commas + 1 if inside.strip() else 0

def functions(text):
    """(first line, last line, name, parameters) of each function at namespace or class scope."""
    code = NOISE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    head, start, i = "", 0, 0
    while i < len(code):
        c = code[i]
        if c == "{":
            plain = re.sub(r"template\s*<[^{};]*?>(?=\s)", "", head)
            if SCOPE.search(plain) and not plain.rstrip().endswith("="):
                head = ""
            else:
                open_list = head.count("(") > head.count(")")  # a default value among the parameters
                is_function = not open_list and ")" in head and not head.rstrip().endswith("=")
                i = closing(code, i, "{", "}")
                after = code[i + 1:i + 200].lstrip()[:1]
                if open_list or (is_function and after in (",", "{")):  # ... or an initialiser of a constructor
                    head += "{}"
                else:
                    if is_function:
                        yield (code.count("\n", 0, start) + 1, code.count("\n", 0, i) + 1, *name_and_parameters(head))
                    head = ""
        elif c in ";}":
            head = ""
        else:
            if not head.strip() and not c.isspace():
                start = i
            head += c
        i += 1

def over_budget(path):
    """(where, what, reason or None) of everything above a budget, and the number of functions."""
    text = path.read_text(encoding="utf-8")
    lines, found, count = text.split("\n"), [], 0
    limit, length = FILE_LINES[path.suffix], text.count("\n")
    if length > limit:
        found.append((path, f"{length} lines (limit {limit})", REASON.search("\n".join(lines[:5]))))
    for first, last, name, parameters in functions(text):
        count += 1
        reason = REASON.search("\n".join(lines[max(0, first - 3):first - 1]))
        if last - first + 1 > FUNCTION_LINES:
            found.append((f"{path}:{first}", f"{name} has {last - first + 1} lines (limit {FUNCTION_LINES})", reason))
        most = CORE_PARAMETERS if "/core/" in str(path) else PARAMETERS
        if parameters > most:
            found.append((f"{path}:{first}", f"{name} has {parameters} parameters (limit {most})", reason))
    return found, count

failed = False
for room, folder in FOLDERS.items():
    files = sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix in FILE_LINES)
    count = exceptions = 0
    for path in files:
        found, functions_here = over_budget(path)
        count += functions_here
        missing = [(where, what) for where, what, reason in found if not reason]
        exceptions += len(found) - len(missing)
        if "--all" in sys.argv:
            for where, what, reason in found:
                print(f"{where}: {what}: {'exception: ' + reason[1].strip() if reason else 'no reason given'}")
        for where, what in missing:
            failed = True
            print(f"{where}: {what}: OVER BUDGET, no reason given")
    print(f"{room:<12}{len(files):4} files {count:5} functions {exceptions:4} exceptions")
sys.exit(1 if failed else 0)
PY
