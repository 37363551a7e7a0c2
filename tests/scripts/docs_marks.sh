#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every measured figure in the docs says what holds it (CONTRIBUTING.md, "Figures in the docs"): sections and tables of measured
# figures carry a mark, and every test, validation row and commit that a page names exists.
# usage: docs_marks.sh [PAGE...]
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "${BASH_SOURCE[0]}")/../..}"
exec /usr/bin/python3 - "$@" <<'PY'
import pathlib, re, subprocess, sys

GENERATED = {"docs/VALIDATION.md", "docs/reference/catalog.md", "docs/reference/parameters.md"}  # by the program, with tests of their own
pages = [pathlib.Path(p) for p in sys.argv[1:]] or \
    [p for p in [pathlib.Path("README.md"), *sorted(pathlib.Path("docs").rglob("*.md"))] if str(p) not in GENERATED]
TITLE = re.compile(r"\b(measured|accuracy|how exact|figures|side by side|costs?|speed|agreement|GPU|build time)\b", re.I)
NOT_MEASURED = re.compile(r"^(# |## (Low speed|Speed reference)\b)")  # titles of pages, of laws
TEST = re.compile(r"`((?:[A-Z][A-Z0-9]*[a-z][A-Za-z0-9]*\.(?:[A-Z]\w+|\*))|(?:script|python)\.\w+)`")
ROW = re.compile(r"[(;,] ?`vdsim validate` ([\w-]+(?:, [\w-]+)*)")
COMMIT = re.compile(r"\b20\d\d-\d\d-\d\d, commit (\w+)")
# tables of numbers that nobody measured, by the first name in their head
GIVEN = {("docs/HANDLING.md", "option"), ("docs/theory/02_integration.md", "`solver.integrator`"), ("docs/theory/19_lugre_dynamic_tire.md", "key"),
         ("docs/theory/23_rally_tire.md", "friction")}

tests = "\n".join(p.read_text(encoding="utf-8") for p in pathlib.Path("tests").rglob("test_*.cpp"))
names = {f"{m[1]}.{m[2]}" for m in re.finditer(r"TEST(?:_[FP])?\((\w+), *(\w+)\)", tests)}
names |= {f"script.{p.stem}" for p in pathlib.Path("tests/scripts").glob("*.sh")}
names |= {f"python.{p.stem[len('test_'):]}" for p in pathlib.Path("tests/python").glob("test_*.py")}
figures = pathlib.Path("tests/scripts/docs_figures.py").read_text(encoding="utf-8")
suites = {name.split(".")[0] for name in names}
rows = set(re.findall(r"\(`(\w+)`\) \|", pathlib.Path("docs/VALIDATION.md").read_text(encoding="utf-8")))
groups = set(re.findall(r'"([\w-]+)"', re.search(r"(?s)kValidationGroups\[\] = (.*?);", pathlib.Path("src/vdsim/validation/validation.hpp").read_text())[1]))
def git(*words):
    try:
        return subprocess.run(["git", *words], capture_output=True, text=True)
    except FileNotFoundError:
        return subprocess.CompletedProcess(words, 1, "", "")

whole = git("rev-parse", "--show-toplevel", "--is-shallow-repository").stdout.split("\n")[:2] == [str(pathlib.Path.cwd()), "false"]
known = {}

def is_commit(name):
    if not re.fullmatch(r"[0-9a-f]{7,40}", name):
        return False
    if whole and name not in known:
        known[name] = git("cat-file", "-e", name + "^{commit}").returncode == 0
    return known.get(name, True)

def blocks(text):
    """(line, lines) of paragraphs, lists and tables between blank lines; code is left out."""
    found, begin, code = [], None, False
    for number, line in enumerate(text.splitlines() + [""], 1):
        if line.startswith("```"):
            code = not code
            line = ""
        if code or not line.strip() or line.startswith("#"):
            begin = None
            if line.startswith("#") and not code:
                found.append((number, [line]))
            continue
        if begin is None or line.startswith("|") != found[-1][1][-1].startswith("|"):
            found.append((number, []))
        begin = number
        found[-1][1].append(line)
    return found

def depth(line):
    return len(line) - len(line.lstrip("#"))

def marked(lines):
    text = "\n".join(lines)
    return TEST.search(text) or ROW.search(text) or COMMIT.search(text)

def measured_table(lines):
    """Half of its cells behind the first are numbers with a point or an exponent, percent, or some digits."""
    cells = [c.strip().strip("*~<>+ ") for line in lines[2:] for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))[1:]]
    cells = [c for c in cells if c]
    return len(lines) > 3 and len(cells) > 3 and sum(bool(re.match(r"[-−+$]?\d+(\.\d+|e-?\d+| %|,| to |\b)", c)) for c in cells) >= 0.5 * len(cells)

errors, count, tables = [], 0, 0
for page in pages:
    text = page.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        for name in TEST.findall(line):
            count += 1
            suite, test = name.split(".")
            if not (name in names or test == "*" and suite in suites):
                errors.append(f"{page}:{number}: there is no test {name}")
        for said in ROW.findall(line):
            for row in said.split(", "):
                count += 1
                if row not in rows | groups:
                    errors.append(f"{page}:{number}: `vdsim validate` has no row {row}")
        for commit in COMMIT.findall(line):
            count += 1
            if not is_commit(commit):
                errors.append(f"{page}:{number}: there is no commit {commit}")
    if "`script.docs_figures`" in text and f'"{str(page).removeprefix("docs/")}"' not in figures:
        errors.append(f"{page}: tests/scripts/docs_figures.py does not read this page")
    parts = blocks(text)
    first = []  # of a section of measured figures the first block: a mark there holds for all of it
    for i, (number, lines) in enumerate(parts):
        near = [b for _, b in parts[max(i - 1, 0):i + 2] if not b[0].startswith(("#", "|"))] + [lines, first]
        if lines[0].startswith("#"):
            inside = []
            for _, b in parts[i + 1:]:
                if depth(b[0]) and depth(b[0]) <= depth(lines[0]):
                    break
                inside.append(b)
            first = inside[0] if inside and TITLE.search(lines[0]) and not NOT_MEASURED.match(lines[0]) else []
            if first and not any(map(marked, inside)):
                errors.append(f"{page}:{number}: '{lines[0].strip('# ')}' names no test, validation row or date and commit")
        elif lines[0].startswith("|"):
            head = next((c.strip() for c in lines[0].split("|") if c.strip()), "")
            if measured_table(lines) and (str(page), head) not in GIVEN:
                tables += 1
                if not any(map(marked, near)):
                    errors.append(f"{page}:{number}: a table of figures without a mark: {lines[0][:60]}")
        elif re.search(r"(^|[.:] |\n)Measured\b", "\n".join(lines)) and not any(marked(b) for _, b in parts[i:i + 3]):
            errors.append(f"{page}:{number}: measured, but no mark: {lines[0][:60]}")
print(*errors, sep="\n") if errors else print(f"{count} marks, each of something that exists; {tables} tables of figures carry one")
sys.exit(1 if errors else 0)
PY
