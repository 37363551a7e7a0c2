#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A lane keeper that drives `vdsim run --stdio`: nothing but the standard library. The car starts 2 m beside its lane and is to be
back in it after 10 s. usage: lane.py [VDSIM [arguments of vdsim run]]"""
import json, pathlib, subprocess, sys

scene = pathlib.Path(__file__).with_name("lane.yaml")
command = [*(sys.argv[1:2] or ["vdsim"]), "run", str(scene), "--stdio", *sys.argv[2:]]
car = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
hello = json.loads(car.stdout.readline())


def ask(**request):
    print(json.dumps(request), file=car.stdin, flush=True)
    return json.loads(car.stdout.readline())


now = ask(read=["y", "psi", "vx"])
while "done" not in now:
    y, psi, vx = (now["read"][name] for name in ("y", "psi", "vx"))
    steer = -0.01 * y - 0.25 * psi
    now = ask(advance=0.02, demand={"steer": steer, "speed": 15})
    if "error" in now:
        sys.exit("\n".join(now["error"]))
print(f"protocol {hello['protocol']}: after {now['t']} s {now['read']['y']:.3f} m beside the lane, {now['read']['vx']:.2f} m/s")
sys.exit(car.wait() or abs(now["read"]["y"]) > 0.1)
