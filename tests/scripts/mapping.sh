#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The mapping pages tell the truth: every name in backquotes in a column "... here" of their tables exists: files by path,
# ids, keys and signals in the catalog, tests, options, equations and functions by search. Links lead to files.
# usage: mapping.sh [PAGE...]
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "${BASH_SOURCE[0]}")/../..}"
exec /usr/bin/python3 - "$@" <<'PY'
import pathlib, re, sys

pages = [pathlib.Path(p) for p in sys.argv[1:]] or [pathlib.Path("docs/FROM_VDSIM_0_7.md"), pathlib.Path("docs/FROM_LIBRERALLY.md")]

def texts(*folders, kinds):
    return {p: p.read_text(encoding="utf-8", errors="replace") for folder in folders for p in sorted(pathlib.Path(folder).rglob("*"))
            if p.suffix in kinds and p.is_file()}
code = texts("src", "apps", kinds={".hpp", ".cpp"})
tests = texts("tests", kinds={".hpp", ".cpp"})
configs = texts("configs", kinds={".yaml"})
theory = texts("docs/theory", kinds={".md"})
all_code, all_tests = "\n".join(code.values()), "\n".join(tests.values())
# keys and signals: first cells of the generated list, each with the rest of its row
keys = {}
for line in pathlib.Path("docs/reference/parameters.md").read_text(encoding="utf-8").splitlines():
    if row := re.match(r"\| `([^`]+)` \|(.*)", line):
        keys.setdefault(row[1], []).append(row[2])
ids = set(re.findall(r"^id: (\S+)$", "\n".join(configs.values()), re.M))
words = set(re.findall(r"[A-Za-z_]\w*", all_code))
suites = {(m[1], m[2]) for m in re.finditer(r"TEST(?:_[FP])?\((\w+), (\w+)\)", all_tests)}

def command(text):
    first, *rest = text.split()
    if first.startswith("./") and not pathlib.Path(first).is_file():
        return False
    if first == "./test":
        return True
    plain = [w for w in rest if re.fullmatch(r"[a-z][a-z-]*", w)][:1]
    return all(f'"{w}"' in all_code for w in plain) and \
        all(re.search(r'["\s,]%s["\s,=]' % re.escape(o.split("=")[0]), all_code) for o in rest if o.startswith("--"))

def exists(name):
    if re.match(r"(\./|vdsim )", name):
        return command(name)
    if name.startswith("--"):
        return re.search(r'["\s,]%s["\s,=]' % re.escape(name.split()[0]), all_code) is not None
    if re.fullmatch(r"T\d+\.\d+", name):
        return any(r"\tag{%s}" % name in t for t in theory.values())
    if "/" in name or re.search(r"\.(md|hpp|cpp|yaml|sh|txt)$", name):
        return pathlib.Path(name).exists()
    if name in ids or name in keys:
        return True
    if pair := re.fullmatch(r"([\w.]+): ([\w.]+)", name):  # key: value
        return any(re.search(r"\b%s\b" % re.escape(pair[2]), row) for row in keys.get(pair[1], []))
    if pair := re.fullmatch(r"([A-Z]\w*)\.(\w+|\*)", name):  # a test
        return any(s == pair[1] and pair[2] in ("*", t) for s, t in suites)
    if pair := re.fullmatch(r"(\w+)::(\w+)(?:\(\))?", name):  # a member: its name stands in a file that declares the type
        return any(re.search(r"\b(struct|class|enum class) %s\b" % pair[1], t) and re.search(r"\b%s\b" % pair[2], t) for t in code.values())
    if call := re.fullmatch(r"(\w+)\(\)", name):
        return re.search(r"\b%s\(" % call[1], all_code) is not None
    return re.fullmatch(r"[A-Za-z_]\w*", name) is not None and name in words

errors, count = [], 0
for page in pages:
    column, found, before = None, 0, 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines() + [""], 1):
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", line):
            if not (page.parent / link).exists():
                errors.append(f"{page}:{number}: no file {link}")
        if not line.startswith("|"):
            if column is not None and found == before:
                errors.append(f"{page}:{number - 1}: no name in the column \"here\" of this table")
            column, before = None, found
            continue
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if column is None:
            column = next((i for i, c in enumerate(cells) if re.search(r"\bhere$", c)), -1)
            if column < 0:
                errors.append(f"{page}:{number}: a table without a column \"... here\"")
        elif column >= 0 and not set(line) <= set("|-: "):
            if len(cells) <= column or not cells[column]:
                errors.append(f"{page}:{number}: nothing in the column \"here\"")
                continue
            for name in re.findall(r"`([^`]+)`", cells[column]):
                found += 1
                if not exists(name):
                    errors.append(f"{page}:{number}: {name} does not exist")
    if found < 40:
        errors.append(f"{page}: only {found} names found, is the table still a table?")
    count += found
print(*errors, sep="\n") if errors else print(f"{count} names, each of something that exists")
sys.exit(1 if errors else 0)
PY
