#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Frames of VDS1 made with struct and zlib of Python alone: name, then the bytes in hexadecimal, on frames.txt's lines."""
import struct
import zlib

MAGIC = 0x56445331


def frame(version, kind, seq, vehicle, time, body):
    text = struct.pack("<IHHIId", MAGIC, version, kind, seq, vehicle, time) + body
    return text + struct.pack("<I", zlib.crc32(text))


def command(seq=7, vehicle=1, time=2.5, steer=-0.125, throttle=0.75, brake=0.0625, gear=-1, handbrake=1, accel=3.5, speed=-4.25):
    return frame(5, 1, seq, vehicle, time, struct.pack("<dddiB3xdd", steer, throttle, brake, gear, handbrake, accel, speed))


def state():  # number i of the body is i + 0.1
    return frame(5, 2, 4294967295, 3, 12.345, struct.pack("<53d", *[i + 0.1 for i in range(53)]))


def values(numbers):
    return frame(6, 3, 9, 0, 0.1, struct.pack("<I", len(numbers)) + struct.pack(f"<{len(numbers)}d", *numbers))


assert len(command()) == 76 and len(state()) == 452
for name, text in [("command", command()), ("state", state()), ("values", values([1.5, -2.25, float("inf")])), ("values_none", values([]))]:
    print(name, text.hex())
