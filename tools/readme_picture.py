#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/images/grade_demo.svg from three runs of lugre_grade_demo (standard library only).

usage: tools/readme_picture.py   (runs ./vdsim)
"""
import csv
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = [
    ("rolling law (default)", [], "#0b6e4f"),
    ("breakaway law", ["--tire", "tire.lugre_breakaway"], "#c44900"),
    ("no bristles (fallback)", ["--tire", "tire.kinematic_fallback"], "#5b5f97"),
]


def run(args, folder):
    subprocess.run([str(ROOT / "vdsim"), "run", "lugre_grade_demo", "--quiet", "--out", folder, *args], check=True)
    with open(pathlib.Path(folder, "run.csv"), encoding="utf-8") as f:
        rows = csv.DictReader(line for line in f if not line.startswith("#"))
        return [(float(r["t"]), float(r["x"]), float(r["vx"])) for r in rows]


class Panel:
    """One diagram: data range x0..x1, y0..y1 in a box on the page."""

    def __init__(self, left, top, width, height, x0, x1, y0, y1):
        self.box = (left, top, width, height)
        self.range = (x0, x1, y0, y1)
        self.out = [f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#fff" stroke="#999"/>']

    def at(self, x, y):
        left, top, width, height = self.box
        x0, x1, y0, y1 = self.range
        return left + (x - x0) / (x1 - x0) * width, top + (y1 - y) / (y1 - y0) * height

    def axes(self, xs, ys, title, xlabel, ylabel):
        left, top, width, height = self.box
        for x in xs:
            px, _ = self.at(x, 0)
            self.out.append(f'<path d="M{px:.1f} {top}v{height}" stroke="#eee"/>')
            self.out.append(f'<text x="{px:.1f}" y="{top + height + 16}" text-anchor="middle">{x:g}</text>')
        for y in ys:
            _, py = self.at(0, y)
            self.out.append(f'<path d="M{left} {py:.1f}h{width}" stroke="#eee"/>')
            self.out.append(f'<text x="{left - 6}" y="{py + 4:.1f}" text-anchor="end">{y:g}</text>')
        self.out.append(f'<text x="{left}" y="{top - 10}" font-weight="bold">{title}</text>')
        self.out.append(f'<text x="{left + width / 2}" y="{top + height + 34}" text-anchor="middle">{xlabel}</text>')
        cx, cy = left - 46, top + height / 2
        self.out.append(f'<text x="{cx}" y="{cy}" text-anchor="middle" transform="rotate(-90 {cx} {cy})">{ylabel}</text>')

    def line(self, points, colour, width=2):
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in (self.at(x, y) for x, y in points))
        self.out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>')


def main():
    creep = Panel(70, 50, 400, 240, 0, 10, -10, 2)
    creep.axes(range(0, 11, 2), range(-10, 3, 2), "Brake held: where the car goes", "time [s]", "position [mm]")
    speed = Panel(560, 50, 400, 240, 0, 20, -2.5, 0.5)
    speed.axes(range(0, 21, 4), [-2.5, -2, -1.5, -1, -0.5, 0, 0.5], "Hold, release, brake to a stop, hold", "time [s]", "speed [m/s]")
    legend = []
    for i, (name, args, colour) in enumerate(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            rows = run(args, folder)
        creep.line([(t, 1000 * x) for t, x, _ in rows[::8] if t <= 10], colour)
        speed.line([(t, v) for t, _, v in rows[::8]], colour)
        x = 90 + 300 * i
        legend.append(f'<path d="M{x} 352h28" stroke="{colour}" stroke-width="3"/><text x="{x + 36}" y="356">{name}</text>')
    body = "\n".join(creep.out + speed.out + legend)
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 380" width="1000" height="380" '
           f'font-family="sans-serif" font-size="13" fill="#222">\n<rect width="1000" height="380" fill="#fff"/>\n{body}\n</svg>\n')
    (ROOT / "docs/images/grade_demo.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
