#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives car 0 of `vdsim serve SCENE --lockstep` for two seconds: a command out, a state back, 400 times. Python alone."""
import socket
import struct
import sys
import zlib

MAGIC, VERSION = 0x56445331, 5
cmd_port, state_port = (int(word) for word in (sys.argv[1:] or ["7001", "7002"]))


def command(seq, steer, throttle, brake, gear=1, handbrake=0, vehicle=0):
    frame = struct.pack("<IHHIIddddiB3xdd", MAGIC, VERSION, 1, seq, vehicle, 0.0, steer, throttle, brake, gear, handbrake, 0.0, 0.0)
    return frame + struct.pack("<I", zlib.crc32(frame))


states = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
states.bind(("127.0.0.1", state_port))
states.settimeout(5)
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for seq in range(1, 401):
    out.sendto(command(seq, steer=0.03 if seq > 200 else 0.0, throttle=0.5, brake=0.0), ("127.0.0.1", cmd_port))
    frame = states.recv(2048)
    assert len(frame) == 452 and zlib.crc32(frame[:-4]) == struct.unpack("<I", frame[-4:])[0]
    answered, vehicle, t = struct.unpack("<IId", frame[8:24])
    x, y, z, roll, pitch, yaw, vx, vy = struct.unpack("<8d", frame[24:88])
    assert answered == seq
print(f"t {t:.3f} s, x {x:.3f} m, y {y:.3f} m, yaw {yaw:.4f} rad, vx {vx:.3f} m/s")
