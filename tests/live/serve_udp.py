#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`vdsim serve` as a client of VDS1 sees it. Its frames are packed and summed by struct and zlib alone."""
import atexit
import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import zlib

VDSIM = os.environ["VDSIM_BIN"]
MAGIC = 0x56445331
NAMES = ("x y z roll pitch yaw vx vy vz p q r ax ay w0 w1 w2 w3 steer radius fz0 fz1 fz2 fz3 rack k0 k1 k2 k3 a0 a1 a2 a3 s0 s1 s2 s3 "
         "m_ax m_ay m_wz m_steer gnss_x gnss_y fx0 fx1 fx2 fx3 fy0 fy1 fy2 fy3 throttle brake").split()


def command(seq, vehicle=0, steer=0.0, throttle=0.0, brake=0.0, gear=1, handbrake=0, version=5, kind=1, magic=MAGIC):
    text = struct.pack("<IHHIIddddiB3xdd", magic, version, kind, seq, vehicle, 0.0, steer, throttle, brake, gear, handbrake, 0.0, 0.0)
    return text + struct.pack("<I", zlib.crc32(text))


def state(text):
    assert len(text) == 452, len(text)
    assert struct.unpack("<I", text[-4:])[0] == zlib.crc32(text[:-4])
    magic, version, kind, seq, vehicle, when = struct.unpack("<IHHIId", text[:24])
    assert (magic, version, kind) == (MAGIC, 5, 2)
    return {"seq": seq, "vehicle": vehicle, "t": when, **dict(zip(NAMES, struct.unpack("<53d", text[24:-4])))}


class Server:
    def __init__(self, *arguments):
        self.states = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.states.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.states.bind(("127.0.0.1", 0))
        self.states.settimeout(10)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.process = subprocess.Popen([VDSIM, "serve", *arguments, "--cmd-port", str(self.port), "--state-port", str(self.states.getsockname()[1])],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)  # also where a check fails
        self.first = self.process.stdout.readline()
        assert "commands in" in self.first, self.first + self.process.stderr.read()

    def send(self, text):
        self.out.sendto(text, ("127.0.0.1", self.port))

    def state(self):
        return state(self.states.recv(2048))

    def newest(self):
        self.states.setblocking(False)
        last = None
        try:
            while True:
                last = self.states.recv(2048)
        except BlockingIOError:
            pass
        self.states.settimeout(10)
        return state(last) if last else self.state()

    def end(self, how=signal.SIGINT):
        if how:
            self.process.send_signal(how)
        out, errors = self.process.communicate(timeout=20)
        return self.process.returncode, self.first + out, errors


def drive(i):
    """Commands that are multiples of 1/8192, so that rounding leaves them."""
    return {"steer": ((i * 37) % 101 - 50) / 8192, "throttle": (i % 64) / 128 if i % 97 < 60 else 0.0, "brake": 0.25 if i % 97 >= 80 else 0.0}


def lockstep_is_run(scene, ticks):
    """The same commands through the line protocol of `vdsim run`: the same bits after every tick."""
    server = Server(scene, "--lockstep", "--set", "duration=1000")
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.Popen([VDSIM, "run", scene, "--set", "control=external", "--set", "duration=1000", "--stdio", "--no-report", "--quiet",
                                "--out", folder + "/out"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        json.loads(run.stdout.readline())
        names = {"x": "x", "y": "y", "psi": "yaw", "vx": "vx", "vy": "vy", "r": "r", "ax": "ax", "omega_fl": "w0", "fz_rr": "fz3", "kappa_rl": "k2"}
        for i in range(1, ticks + 1):
            server.send(command(i, **drive(i)))
            got = server.state()
            assert got["seq"] == i
            request = {"demand": drive(i), "advance": 0.005}
            if i == 1:
                request["read"] = list(names)
            run.stdin.write(json.dumps(request) + "\n")
            run.stdin.flush()
            wanted = json.loads(run.stdout.readline())
            assert "error" not in wanted, wanted
            assert abs(got["t"] - wanted["t"]) < 1e-9
            for theirs, ours in names.items():
                assert got[ours] == wanted["read"][theirs], (i, theirs, got[ours], wanted["read"][theirs])
        run.kill()
        run.communicate()
    code, out, _ = server.end()
    assert code == 0 and f"{ticks} commands, 0 refused" in out, out
    print(f"{scene}: lockstep, {ticks} ticks: the bits of vdsim run")


def lockstep_waits():
    """Nothing moves without a command of every car; unnumbered and old frames."""
    server = Server("two_vehicle_race", "--lockstep")
    server.send(command(1, 0))
    server.states.settimeout(0.4)
    try:
        server.state()
        raise AssertionError("a state without the command of the second car")
    except socket.timeout:
        pass
    server.states.settimeout(10)
    server.send(command(9, 1))
    pair = sorted((server.state()["vehicle"], 0) for _ in range(2))
    assert pair == [(0, 0), (1, 0)]
    code, out, _ = server.end()
    assert code == 0 and "2 commands, 0 refused" in out, out


def real_time():
    """200 states a second, commands obeyed, then the brake when they stop; the recording is closed."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server("step_steer", "--record", folder + "/x.mcap", "--set", "driver.speed=null", "--set", "control=external")
        begin = server.newest()["t"]
        wall = time.monotonic()
        for i in range(1, 101):
            server.send(command(i, throttle=0.5, steer=0.0625))
            time.sleep(0.01)
        passed = time.monotonic() - wall
        last = server.newest()
        assert abs((last["t"] - begin) - passed) < 0.1, (last["t"] - begin, passed)
        assert last["throttle"] == 0.5 and last["steer"] == 0.0625, last
        time.sleep(0.4)
        last = server.newest()
        assert last["throttle"] == 0 and last["brake"] == 0.3 and last["steer"] == 0.0625, "stale: it brakes, wheels as they were"
        server.send(command(1, throttle=0.25))  # a client that started again
        time.sleep(0.05)
        assert server.newest()["throttle"] == 0.25
        code, out, errors = server.end()
        assert code == 0 and "101 commands, 0 refused" in out, out + errors
        size = os.path.getsize(folder + "/x.mcap")
        with open(folder + "/x.mcap", "rb") as file:
            text = file.read()
        assert text[:8] == text[-8:] and size > 10000
    print("real time:", re.search("late by.*", out)[0])


def bad_frames(count):
    """Every one counted by its kind; the car never moves; the server lives."""
    server = Server("lugre_grade_demo", "--lockstep")
    random.seed(1)
    good = command(5, throttle=0.5)
    kinds = {
        "size": lambda: os.urandom(random.choice([0, 1, 75, 77, 452, 1400])),
        "magic": lambda: command(5, magic=random.getrandbits(31)),
        "version": lambda: command(5, version=random.choice([0, 4, 6, 65535])),
        "type": lambda: command(5, kind=random.choice([0, 2, 3, 9])),
        "crc": lambda: flipped(good),
        "id": lambda: command(5, vehicle=random.randrange(1, 1 << 31)),
        "non_finite": lambda: command(5, steer=random.choice([float("nan"), float("inf"), float("-inf")])),
        "range": lambda: command(5, throttle=random.choice([-0.001, 1.001, 1e300, -5.0])),
    }
    sent = dict.fromkeys(kinds, 0)
    names = list(kinds)
    for i in range(count):
        kind = names[i % len(names)]
        text = kinds[kind]()
        if kind == "magic" and struct.unpack("<I", text[:4])[0] == MAGIC:
            continue
        server.send(text)
        sent[kind] += 1
        if i % 100 == 99:
            time.sleep(0.004)  # the system's own queue is short
    time.sleep(0.5)
    code, out, errors = server.end()
    assert code == 0, errors
    counted = {name: int(n) for n, name in re.findall(r"(\d+) (size|magic|version|type|crc|id|seq|non_finite|range)\b", out)}
    lost = sum(sent.values()) - sum(counted.values())
    assert lost == 0 and counted == sent, (counted, sent)
    assert out.startswith("lugre_grade_demo") and "\n0 s simulated, 0 commands" in out, out
    print(f"{sum(sent.values())} bad frames: {counted}")


def flipped(text):
    at = random.randrange(8, len(text))
    return text[:at] + bytes([text[at] ^ (1 << random.randrange(8))]) + text[at + 1:]


def refused(*arguments, code=2, says=""):
    done = subprocess.run([VDSIM, "serve", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == code and says in done.stderr, (arguments, done)


def options():
    refused("lugre_grade_demo", "--cmd-port", "0", "--state-ip", "x", "--time-scale", "11", says="--time-scale 11")
    refused("lugre_grade_demo", "--rate", "300", says="no multiple")
    refused("no_such_scene", says="no_such_scene")
    refused("lugre_grade_demo", "--record", "/nonexistent/x.mcap", code=4, says="/nonexistent/x.mcap")
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write("channels:\n  - {source: 3.state, template: vds2, to: [{ip: localhost, port: 70000}]}\n  - {direction: in, listn: {port: 1}}\n")
        file.flush()
        done = subprocess.run([VDSIM, "serve", "lugre_grade_demo", "--comms", file.name], capture_output=True, text=True, timeout=60)
        for part in ("channels[0].source", "vds2", "channels[0].to[0].ip", "70000", "listn", "'template' is missing"):
            assert part in done.stderr, (part, done.stderr)
        assert done.returncode == 2
    print("options and comms files: every error at once")


def comms():
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        listen = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        listen.bind(("127.0.0.1", 0))
        listen.settimeout(10)
        port = listen.getsockname()[1]
        file.write(f"channels:\n  - {{source: 0.state, template: json, to: [{{ip: 127.0.0.1, port: {port}}}]}}\n"
                   f"  - {{source: 0.state, template: nmea_gga, origin: [48, 11, 500], to: [{{ip: 127.0.0.1, port: {port}}}]}}\n")
        file.flush()
        done = subprocess.Popen([VDSIM, "serve", "lugre_grade_demo", "--comms", file.name, "--duration", "0.1"], stdout=subprocess.PIPE, text=True)
        first, second = listen.recv(65536), listen.recv(65536)
        values = json.loads(first)["values"]
        assert values["t"] == 0.005 and abs(values["vx"]) < 1e-3
        assert re.fullmatch(rb"\$GPGGA,000000\.0[01],4800\.00000,N,01100\.00000,E,1,12,0\.5,500\.\d{3},M,0\.0,M,,\*[0-9A-F]{2}\r\n", second), second
        body, total = second[1:-5], 0
        for byte in body:
            total ^= byte
        assert int(second[-4:-2], 16) == total
        out, _ = done.communicate(timeout=20)
        assert done.returncode == 0 and "20 ticks" in out, out
    print("comms: JSON and NMEA")


def examples():
    """Those of the docs, in Python and in C, drive the same car to the same place."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/live")
    said = []
    with tempfile.TemporaryDirectory() as made:
        subprocess.run(["cc", "-O1", "-Wall", "-Werror", folder + "/drive_udp.c", "-o", made + "/drive"], check=True)
        for words in ([sys.executable, folder + "/drive_udp.py"], [made + "/drive"]):
            server = Server("step_steer", "--lockstep")
            port = server.states.getsockname()[1]
            server.states.close()
            said.append(subprocess.run([*words, str(server.port), str(port)], check=True, capture_output=True, text=True, timeout=60).stdout)
            code, out, _ = server.end()
            assert code == 0 and "400 commands, 0 refused" in out, out
    assert said[0] == said[1] and said[0].startswith("t 2.000 s"), said
    print("examples in Python and C:", said[0].strip())


if __name__ == "__main__":
    examples()
    options()
    comms()
    lockstep_is_run("lugre_grade_demo", 300)
    lockstep_is_run("l3_sedan_kinematics", 100)
    lockstep_waits()
    real_time()
    bad_frames(int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
