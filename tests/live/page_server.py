#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`vdsim page --native` as friends and strangers see it: raw sockets, a small WebSocket client, nothing of others."""
import atexit
import base64
import hashlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import zlib

VDSIM = os.environ["VDSIM_BIN"]


class Page:
    def __init__(self, *arguments, port=None):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = port or probe.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen([VDSIM, "page", *arguments, "--no-browser", "--port", str(port)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=self.folder.name)
        atexit.register(self.process.kill)  # also where a check fails
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://"), self.url + self.process.stderr.read()
        self.port = int(self.url.split(":")[2].split("/")[0])
        self.token = self.url.partition("#token=")[2]
        self.host = f"127.0.0.1:{self.port}"

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=15)

    def raw(self, text):
        """Status and everything else of the answer to these bytes."""
        with self.connect() as s:
            s.sendall(text)
            return answer(s)

    def get(self, path, method="GET", body=b"", **headers):
        head = {"Host": self.host, **{k.replace("_", "-"): v for k, v in headers.items() if v is not None}}
        if body:
            head["Content-Length"] = str(len(body))
        lines = "".join(f"{k}: {v}\r\n" for k, v in head.items())
        return self.raw(f"{method} {path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode() + body)

    def post(self, path, value, **headers):
        return self.get(path, "POST", json.dumps(value).encode(), Content_Type="application/json", **headers)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        out, errors = self.process.communicate(timeout=20)
        self.folder.cleanup()
        assert self.process.returncode == 0, (self.process.returncode, out, errors)
        return errors


def answer(s):
    data = b""
    try:
        while chunk := s.recv(65536):
            data += chunk
    except (ConnectionResetError, socket.timeout):
        pass
    head, _, body = data.partition(b"\r\n\r\n")
    status = int(head.split(b" ")[1]) if head.startswith(b"HTTP/") else 0
    return status, head.decode("latin1"), body


class Socket:
    def __init__(self, page, protocol="vdsim.json.v1", path="/api/live", origin=None, host=None, token=None):
        self.s = page.connect()
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or page.host}", "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}",
                 "Sec-WebSocket-Version: 13"]
        lines += [f"Sec-WebSocket-Protocol: {protocol}"] if protocol else []
        lines += [f"Origin: {origin}"] if origin else []
        lines += [f"Authorization: Bearer {token}"] if token else []
        self.s.sendall("\r\n".join(lines + ["", ""]).encode())
        head = b""
        while b"\r\n\r\n" not in head:
            more = self.s.recv(1)
            if not more:
                break
            head += more
        self.status = int(head.split(b" ")[1])
        self.head = head.decode("latin1")
        if self.status == 101:
            wanted = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
            assert wanted in self.head
            assert not protocol or f"Sec-WebSocket-Protocol: {protocol}" in self.head, self.head

    def frame(self, data, op=1):
        mask = os.urandom(4)
        n = len(data)
        size = bytes([0x80 | n]) if n < 126 else bytes([0x80 | 126]) + struct.pack(">H", n) if n < 65536 else bytes([0x80 | 127]) + struct.pack(">Q", n)
        self.s.sendall(bytes([0x80 | op]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def send(self, **value):
        self.frame(json.dumps(value).encode())

    def exactly(self, n):
        data = b""
        while len(data) < n:
            more = self.s.recv(n - len(data))
            if not more:
                raise ConnectionError("closed")
            data += more
        return data

    def recv(self):
        """op, data of the next message that is no ping"""
        whole, kind = b"", 0
        while True:
            first, second = self.exactly(2)
            n = second & 127
            n = struct.unpack(">H", self.exactly(2))[0] if n == 126 else struct.unpack(">Q", self.exactly(8))[0] if n == 127 else n
            data = self.exactly(n)
            if first & 15 == 9:
                self.frame(data, 10)
                continue
            whole, kind = whole + data, kind or first & 15
            if first & 0x80:
                return kind, whole

    def until(self, op, seconds=15, **has):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            kind, data = self.recv()
            if kind == 8:
                raise ConnectionError(f"closed {struct.unpack('>H', data[:2])[0]}")
            if kind == 1:
                value = json.loads(data)
                if value["op"] == op and all(value.get(k) == v for k, v in has.items()):
                    return value
        raise AssertionError(f"no {op} {has}")

    def close_code(self, seconds=15):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                kind, data = self.recv()
            except (ConnectionError, socket.timeout):
                return 0
            if kind == 8:
                return struct.unpack(">H", data[:2])[0]
        return None


def strangers(page):
    checks = 0
    for host in ("evil.example", f"evil.example:{page.port}", "127.0.0.1", f"127.0.0.1:{page.port + 1}", "", f"127.0.0.1.evil.example:{page.port}"):
        assert page.get("/api/config", Host=host)[0] in (400, 421), host
        checks += 1
    assert page.raw(f"GET /api/config HTTP/1.1\r\nHost: {page.host}\r\nHost: {page.host}\r\n\r\n".encode())[0] in (400, 421)
    assert page.raw(b"GET /api/config HTTP/1.1\r\n\r\n")[0] in (400, 421)
    for origin in ("null", "http://evil.example", f"https://{page.host}", "http://127.0.0.1:1", f"http://evil.example:{page.port}", "file://"):
        assert page.get("/api/config", Origin=origin)[0] == 403, origin
        assert page.post("/api/control", {"action": "reset"}, Origin=origin)[0] == 403, origin
        assert Socket(page, origin=origin).status == 403, origin
        checks += 3
    for origin in (f"http://{page.host}", f"http://localhost:{page.port}"):
        status, head, _ = page.get("/api/config", Origin=origin)
        assert status == 200 and "access-control" not in head.lower(), head
    for path in ("/../etc/passwd", "/api/results/../../etc/passwd", "/api/results/..%2f..%2fetc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/api/results/x/y",
                 "/api/results/../run.csv", "/api/results/.hidden/summary.json", "/api", "/favicon.ico", "/api/results/good/../secret.txt", "/api/results/link/summary.json"):
        assert page.get(path)[0] in (400, 404), path
        checks += 1
    for kind in (None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert page.get("/api/control", "POST", b'{"action":"reset"}', Content_Type=kind)[0] == 415, kind
    assert page.get("/api/control")[0] == 405 and page.post("/api/config", {})[0] == 405
    assert page.get("/api/config", "DELETE")[0] == 405 and page.get("/api/config", "OPTIONS")[0] == 405
    time.sleep(1.1)
    print(f"strangers: {checks} kinds of Host, Origin and path refused")


def answers(page):
    status, head, body = page.get("/api/config")
    assert status == 200 and json.loads(body)["native"] is True
    for line in ("content-security-policy: default-src 'none'", "x-content-type-options: nosniff", "referrer-policy: no-referrer", "cache-control: no-store"):
        assert line in head.lower(), (line, head)
    assert "lugre_grade_demo" in json.loads(page.get("/api/scene/list")[2])
    assert {"id": "tire.lugre_on"} in json.loads(page.get("/api/catalog")[2])["parts"]
    fields = json.loads(page.get("/api/schema")[2])["fields"]
    assert any(f["path"] == "chassis.mass" and f["unit"] == "kg" for f in fields)
    curves = json.loads(page.get("/api/tire/curves?tire=tire.sport_grip&fz=5000")[2])
    assert len(curves["slip"]) == 101 and abs(curves["rows"][50][curves["columns"].index("fx")]) < 200 < curves["rows"][70][curves["columns"].index("fx")]
    assert page.get("/api/tire/curves?tire=../../etc/passwd")[0] == 404 and page.get("/api/tire/curves?tire=tire.sport_grip&fz=x")[0] == 400
    state = json.loads(page.get("/api/state")[2])
    assert "ego" in state["cars"] and state["t"] > 0
    status, _, body = page.post("/api/manual", {"throttle": 2})
    assert status == 400 and "throttle" in body.decode(), body
    assert page.post("/api/manual", {"throttle": 0.5, "brake": 0})[0] == 200
    assert page.post("/api/control", {"action": "sing"})[0] == 400
    assert page.post("/api/set", {"path": "mu", "value": 0.5})[0] == 200
    status, _, body = page.post("/api/set", {"path": "chassis.mass", "value": -5})
    assert status == 400 and "chassis.mass" in body.decode(), body
    assert page.post("/api/set", {"path": "tire", "value": "/etc/passwd"})[0] == 400
    assert page.get("/api/control", "POST", b"[" * 100000, Content_Type="application/json")[0] == 400
    assert page.get("/api/control", "POST", b"{", Content_Type="application/json")[0] == 400
    with page.connect() as s:
        s.sendall(f"GET /api/stream HTTP/1.1\r\nHost: {page.host}\r\n\r\n".encode())
        data = b""
        while data.count(b"data: ") < 3:
            data += s.recv(4096)
    time.sleep(1.1)
    results = os.path.join(page.folder.name, "results")
    os.makedirs(results + "/good")
    os.makedirs(page.folder.name + "/outside")
    for name in ("good/summary.json", "good/report.html", "good/secret.txt", "../outside/summary.json"):
        with open(os.path.join(results, name), "w", encoding="utf8") as file:
            file.write('{"a": 1}')
    os.symlink(page.folder.name + "/outside", results + "/link")
    assert [r["id"] for r in json.loads(page.get("/api/results")[2])] in (["good"], ["good", "link"])
    assert page.get("/api/results/good/summary.json")[2] == b'{"a": 1}'
    assert "sandbox allow-scripts" in page.get("/api/results/good/report.html")[1]
    for path in ("good/secret.txt", "good/../outside/summary.json", "link/summary.json", "good", "good/"):
        assert page.get("/api/results/" + path)[0] == 404, path
    print("answers: all of the API")


def limits(page):
    status, _, _ = page.raw(b"GET / HTTP/1.1\r\nHost: " + page.host.encode() + b"\r\nX: " + b"x" * 9000 + b"\r\n\r\n")
    assert status in (431, 400), status
    status, _, _ = page.raw(f"POST /api/control HTTP/1.1\r\nHost: {page.host}\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\n\r\n".encode() + b" " * 1100000)
    assert status in (413, 0), status
    for garbage in (b"\x00" * 100, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", os.urandom(3000)):
        assert page.raw(garbage + b"\r\n\r\n")[0] in (0, 400, 421, 404, 505), garbage
    slow = [page.connect() for _ in range(20)]  # headers that never end
    begin = time.monotonic()
    for s in slow:
        s.sendall(b"GET / HTTP/1.1\r\n")
    assert page.get("/api/config")[0] == 200
    idle = [page.connect() for _ in range(40)]  # more than may be there at once
    time.sleep(0.3)
    for s in slow[:5]:
        s.settimeout(15)
        while time.monotonic() - begin < 14:
            try:
                s.sendall(b"X: 1\r\n")  # a byte now and then does not buy time
                s.settimeout(0.5)
                if s.recv(100) == b"":
                    break
            except socket.timeout:
                continue
            except OSError:
                break
        assert 8 < time.monotonic() - begin < 14, time.monotonic() - begin
    for s in slow + idle:
        s.close()
    time.sleep(0.3)
    assert page.get("/api/config")[0] == 200
    statuses = [page.get("/api/config")[0] for _ in range(150)]
    assert 429 in statuses, "a flood is told so"
    time.sleep(1.5)
    assert page.get("/api/config")[0] == 200
    print(f"limits: slow headers cut after {time.monotonic() - begin:.0f} s, {statuses.count(429)} of 150 requests at once got 429")


def live(page):
    driver = Socket(page)
    hello = driver.until("hello")
    assert hello["schema"] == "vdsim.live.v1" and hello["cars"][0]["id"] == "ego" and {"name": "vx", "unit": "m/s"} in hello["cars"][0]["signals"]
    driver.send(op="subscribe", signals=["t", "vx", "throttle"], rate=100)
    first = driver.until("state")
    assert len(first["values"]) == 3 and first["values"][0] == first["t"]
    driver.send(op="cmd", car=0, seq=5, throttle=0.5, unknown_field=1)
    while driver.until("state")["values"][2] != 0.5:
        pass
    # the others watch
    other = Socket(page, "vdsim.bin.v1")
    assert other.until("hello")["cars"][0]["role"] == "watcher"
    for message in ({"op": "cmd", "seq": 9, "throttle": 1}, {"op": "take", "seq": 9}, {"op": "set", "seq": 9, "path": "mu", "value": 1},
                    {"op": "control", "seq": 9, "action": "reset"}):
        other.send(**message)
        assert other.until("error", seq=9)["code"] == "role"
    other.send(op="subscribe", signals=["vx", "fz_fl"], rate=50)
    while True:
        kind, data = other.recv()
        if kind == 2:
            break
    magic, version, type_, _, _, when, count = struct.unpack("<IHHIIdI", data[:28])
    assert (magic, version, type_, count) == (0x56445331, 6, 3, 2) and len(data) == 28 + 16 + 4
    assert struct.unpack("<I", data[-4:])[0] == zlib.crc32(data[:-4])
    # refused, told by seq and path, nothing changes
    for message, path in (({"throttle": 1.5}, "throttle"), ({"steer": "x"}, "steer"), ({"gear": 99}, "gear"), ({"car": 7}, "car"), ({"steer": 1e9}, "steer")):
        driver.send(op="cmd", seq=7, **message)
        assert driver.until("error", seq=7)["path"] == path, message
    driver.send(op="fly", seq=8)
    assert driver.until("error", seq=8)["code"] == "op"
    driver.frame(b"{" * 30)
    assert driver.until("error")["code"] == "depth"
    driver.frame(b"nonsense")
    assert driver.until("error")["code"] == "json"
    driver.send(op="subscribe", seq=3, signals=["vxx"])
    assert "vx" in driver.until("error", seq=3)["what"]
    # edits, clock
    driver.send(op="set", path="mu", value=0.8)
    assert driver.until("event", what="edit")["path"] == "mu" and other.until("event", what="edit")
    driver.send(op="set", seq=4, path="mu", value=-1)
    assert driver.until("error", seq=4)["code"] == "refused"
    driver.send(op="control", action="pause")
    driver.until("event", what="pause")
    before = json.loads(page.get("/api/state")[2])["step"]
    driver.send(op="control", action="step", n=7)
    driver.until("event", what="step")
    assert json.loads(page.get("/api/state")[2])["step"] == before + 7
    driver.send(op="control", action="start", time_scale=2)
    driver.until("event", what="start")
    driver.send(op="control", action="record")
    driver.until("event", what="record", recording=True)
    time.sleep(0.3)
    driver.send(op="control", action="record")
    driver.until("event", what="record", recording=False)
    assert os.listdir(page.folder.name + "/results/live") == ["lugre_grade_demo_1.mcap"]
    # gone and back: still the driver
    driver.s.close()
    time.sleep(0.2)
    other.send(op="take", seq=11)
    assert other.until("error", seq=11)["code"] == "role"
    back = Socket(page, path="/api/live?resume=" + hello["resume"])
    assert back.until("hello")["role"] == "driver"
    back.send(op="release", car=0)
    other.until("event", what="release")
    other.send(op="take", car=0)
    back.until("event", what="take")
    for s in (other, back):
        s.s.close()
    print("live: roles, subscriptions, refusals, edits, clock, recording, resume")


def foxglove(page):
    viewer = Socket(page, "foxglove.websocket.v1")
    assert json.loads(viewer.recv()[1])["op"] == "serverInfo"
    channels = json.loads(viewer.recv()[1])["channels"]
    odom = next(c for c in channels if c["topic"] == "/odom")
    assert odom["schemaName"] == "nav_msgs/msg/Odometry" and odom["encoding"] == "cdr" and "MSG: std_msgs/Header" in odom["schema"]
    viewer.send(op="subscribe", subscriptions=[{"id": 77, "channelId": odom["id"]}])
    kind, data = viewer.recv()
    assert kind == 2 and struct.unpack("<BI", data[:5]) == (1, 77) and len(data) > 700
    viewer.send(op="setParameters")
    while True:
        kind, data = viewer.recv()
        if kind == 1:
            break
    assert json.loads(data)["op"] == "status"
    viewer.s.close()
    print("foxglove: channels of the recording")


def floods(page):
    flood = Socket(page)
    flood.until("hello")
    try:
        for i in range(3000):
            flood.send(op="cmd", seq=i, throttle=0.1)
    except OSError:
        pass
    assert flood.close_code() in (1008, 0)
    edits = Socket(page)
    edits.until("hello")
    for i in range(60):
        edits.send(op="set", path="mu", value=0.9)
    assert edits.close_code() in (1008, 0)
    large = Socket(page)
    large.until("hello")
    try:
        large.frame(b'{"x":"' + b"x" * 70000 + b'"}')
    except OSError:
        pass
    assert large.close_code() in (1009, 0)
    time.sleep(0.3)
    # eight, one of which does not read
    clients = [Socket(page) for _ in range(8)]
    assert all(c.status == 101 for c in clients), [c.status for c in clients]
    assert Socket(page).status == 503
    for c in clients:
        c.until("hello")
        c.send(op="subscribe", signals=[s["name"] for s in HELLO["cars"][0]["signals"]], rate=200)
    begin, counted = time.monotonic(), 0
    while time.monotonic() - begin < 3:
        for c in clients[1:]:
            if c.until("state"):
                counted += 1
    seen = [c.until("state") for c in clients[1:]]
    now = json.loads(page.get("/api/state")[2])["t"]
    assert all(now - s["t"] < 1.0 for s in seen), (now, [s["t"] for s in seen])
    print(f"floods: closed; 7 of 8 clients got {counted} states in 3 s beside one that does not read")
    for c in clients:
        c.s.close()


def bad_frames(page, count):
    """Bytes at random as WebSocket frames: answered or closed, the server lives."""
    sent = 0
    while sent < count:
        s = Socket(page)
        if s.status != 101:
            time.sleep(0.5)
            continue
        try:
            for _ in range(300):
                s.frame(os.urandom(sent % 40), 1 + sent % 2)
                sent += 1
        except OSError:
            pass
        s.s.close()
        time.sleep(0.05)
    time.sleep(1.2)
    assert page.get("/api/config")[0] == 200
    print(f"bad frames: {sent}")


def with_token():
    page = Page("lugre_grade_demo", "--native", "--bind", "0.0.0.0")
    assert len(page.token) == 32
    assert page.get("/api/config")[0] == 401 and page.get("/api/config", Authorization="Bearer " + "0" * 32)[0] == 401
    assert page.get("/api/config", Authorization="Bearer " + page.token)[0] == 200
    assert Socket(page, token=page.token).until("hello")
    first = Socket(page)
    first.send(op="auth", token=page.token)
    assert first.until("hello")
    wrong = Socket(page)
    wrong.send(op="auth", token="x")
    assert wrong.close_code() == 1008
    assert page.get("/api/config", Host=f"evil.example:{page.port}")[0] == 421
    errors = page.end()
    assert "no TLS" in errors
    print("token: asked for beyond loopback")


if __name__ == "__main__":
    page = Page("lugre_grade_demo", "--native")
    HELLO = json.loads(page.get("/api/config")[2])["session"]
    strangers(page)
    answers(page)
    live(page)
    foxglove(page)
    floods(page)
    bad_frames(page, int(sys.argv[1]) if len(sys.argv) > 1 else 3000)
    limits(page)
    busy = Page("lugre_grade_demo", "--native", port=page.port)
    assert busy.port != page.port
    busy.end()
    page.end()
    with_token()
