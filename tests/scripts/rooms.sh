#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A room includes only rooms further down this list, and of other people's libraries only its own.
set -euo pipefail
cd "${VDSIM_ROOT:-$(dirname "${BASH_SOURCE[0]}")/../..}"
/usr/bin/python3 - <<'PY'
import pathlib, re, sys
rooms = ["validation", "lab", "report", "study", "config", "formats", "engine", "core"]
# libraries that a room may see, beside the standard one
libraries = {
    "core": {"immintrin", "arm_neon"}, "engine": set(), "formats": {"fmt", "hdf5"}, "config": {"fmt", "yaml-cpp"},
    "study": {"fmt", "nlohmann", "Eigen"}, "lab": {"fmt", "nlohmann", "Eigen", "ceres"}, "report": {"fmt", "nlohmann"},
    "validation": {"fmt", "nlohmann"},
}
foreign = {"fmt", "yaml-cpp", "CLI", "nlohmann", "Eigen", "ceres", "hdf5", "immintrin", "arm_neon"}
bad = []
for path in sorted(pathlib.Path("src/vdsim").rglob("*.?pp")):
    room = path.parts[2]
    if room not in rooms:
        bad.append(f"{path}: no room of that name")
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        include = re.match(r'\s*#include\s+[<"]([^>"]+)[>"]', line)
        if not include:
            continue
        name = include[1]
        if name.startswith("vdsim/"):
            other = name.split("/")[1]
            if other in rooms and rooms.index(other) < rooms.index(room):
                bad.append(f"{path}:{number}: {room} includes {name}, which is above it")
            if not (pathlib.Path("src") / name).is_file() and name != "vdsim/version.hpp":
                bad.append(f"{path}:{number}: no such file: {name}")
        else:
            library = re.split(r"[/.]", name)[0]
            if library in foreign and library not in libraries[room]:
                bad.append(f"{path}:{number}: {room} has no business with {name}")
            if '"' in line:
                bad.append(f"{path}:{number}: includes start at src/: {name}")
print("\n".join(bad) or "every include points down")
sys.exit(bool(bad))
PY
