# SPDX-License-Identifier: Apache-2.0
"""Figures in the docs that a run gives: sentence or row is read from the page, the run must say the same.

usage: docs_figures.py VDSIM DOCS, in an empty folder (docs_figures.sh). A figure agrees if the measured value, rounded to the
digits that the page has, is the figure; after "less than", "below" or "within" it is a bound.
"""
import hashlib, json, math, pathlib, re, subprocess, sys

VDSIM, DOCS = sys.argv[1], pathlib.Path(sys.argv[2])
NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
KMH80 = 80 / 3.6
SEDAN, COMFORT = "vehicle.sedan_vdsim07", "vehicle.sedan_comfort"
TIRE = {"rolling": "tire.vdsim07_pacejka", "breakaway": "tire.lugre_breakaway", "fallback": "tire.kinematic_fallback"}
MF = ["tire.lugre.enabled=false", "tire.combined=similarity", "tire.low_speed_mode=none",
      "tire.relaxation_length_lat=0", "tire.relaxation_length_long=0"]
BELT = ["tire.belt.enabled=true", "tire.belt.sigma_lat=0.6", "tire.belt.sigma_long=0.6"]
failures, held, runs = [], 0, {}


# ---- runs ------------------------------------------------------------------------------------------------------------
def vdsim(*words, allow=(0,)):
    done = subprocess.run([VDSIM, *map(str, words)], capture_output=True, text=True)
    if done.returncode not in allow:
        sys.exit(f"vdsim {' '.join(map(str, words))}: exit code {done.returncode}: {done.stderr[:500]}")
    return done.stdout if done.returncode in (0, 3) else done.stderr


class Table(dict):
    """Columns of a CSV file, each read when it is asked for."""

    def __init__(self, text):
        head, *rows = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
        self.names, self.rows = head, rows

    def __missing__(self, name):
        i = self.names.index(name)
        self[name] = [float(row[i]) for row in self.rows]
        return self[name]


def scene(driver, car=SEDAN, level="L2", vx0=0, solver=("rk4", 1e-3), duration=10, rate=10, tire=None, sets=(), **road):
    """Columns of one car on its own. Exit code 3: the run is refused beside a finer one, its rows are whole."""
    integrator, dt = solver
    ego = {"id": "ego", "blueprint": car, "level": level, "vx0": vx0, "driver": driver}
    if tire:
        ego["parts"] = {"tire": tire}
    solver = {"integrator": integrator, "dt": dt}
    text = json.dumps({"id": "figure", "duration": duration, "rate": rate, "solver": solver, **road, "fleet": [ego]})
    key = hashlib.sha1((text + " ".join(sets)).encode()).hexdigest()
    if key not in runs:
        pathlib.Path("figure.yaml").write_text(text)
        words = [word for path in sets for word in ("--set", path)]
        vdsim("run", "figure.yaml", "--no-report", "--quiet", "--precision", 17, "--out", "figure", *words, allow=(0, 3))
        runs[key] = Table(pathlib.Path("figure/run.csv").read_text())
    return runs[key]


def points(command, tire, rows, *options):
    """Columns of `vdsim tire eval` or `vdsim rig` over a table of points."""
    pathlib.Path("points.csv").write_text("\n".join([",".join(rows[0])] + [",".join(f"{v:.17g}" for v in r.values()) for r in rows]) + "\n")
    return Table(vdsim(*command.split(), "--tire", tire, "--input", "points.csv", *options))


def at(run, column, time):
    i = min(range(len(run["t"])), key=lambda k: abs(run["t"][k] - time))
    return run[column][i]


def end(run, column):
    return run[column][-1]


def apart(a, b, column, size=max):
    """Largest difference at any time over the largest (size=max) or the last value."""
    most = max(map(abs, b[column])) if size is max else abs(b[column][-1])
    return max(abs(x - y) for x, y in zip(a[column], b[column])) / most


def rms(values):
    mean = sum(values) / len(values)
    return math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))


def stopped(run):
    """Speed 2 s after the first row that does not move on, largest within half a second (what rings has a phase)."""
    t0 = next(t for t, v in zip(run["t"], run["vx"]) if v <= 0)
    return max(math.hypot(x, y) for t, x, y in zip(run["t"], run["vx"], run["vy"]) if t0 + 2 <= t <= t0 + 2.5)


# ---- pages -----------------------------------------------------------------------------------------------------------
def agrees(said, value, bound):
    said = said.replace("−", "-")
    if bound:
        return abs(value) <= float(said)
    mantissa, _, exponent = said.partition("e")
    digits = len(mantissa.partition(".")[2])
    return abs(value - float(said)) <= 0.5001 * 10.0 ** (int(exponent or 0) - digits)


def compare(where, said, values, bound):
    global held
    if len(said) != len(values):
        failures.append(f"{where}: {len(said)} figures on the page, {len(values)} measured: {said}, {values}")
        return
    for text, value in zip(said, values):
        held += 1
        if not agrees(text, value, bound):
            failures.append(f"{where}: the page says {text}, the run {value:.6g}")


def figures(page, pattern):
    """What stands for every # of a sentence that the page has once."""
    found = [m.groups() for m in re.finditer(pattern.replace("#", f"({NUMBER})"), (DOCS / page).read_text(encoding="utf-8"))]
    if len(found) != 1:
        failures.append(f"{page}: found {len(found)} times, expected once: {pattern}")
    return list(found[0]) if len(found) == 1 else None


def says(page, pattern, *values, bound=False):
    said = figures(page, pattern)
    if said:
        compare(f"{page}: {pattern[:50]}", said, values, bound)


def check(page, words, true):
    """Words without a figure that a run must bear out."""
    global held
    held += 1
    if figures(page, re.escape(words)) is not None and not true:
        failures.append(f"{page}: not so: {words}")


def row(page, first, *values):
    """A row of a table by the begin of its first cell: the figures of the other cells, from left to right."""
    lines = [line for line in (DOCS / page).read_text(encoding="utf-8").splitlines() if line.startswith("| " + first)]
    if len(lines) != 1:
        failures.append(f"{page}: {len(lines)} rows begin with '{first}', expected one")
        return
    cells = re.split(r"(?<!\\)\|", lines[0])[2:]
    said = re.findall(rf"(?<![\w.^]){NUMBER}", " ".join(re.sub(r"\(.*?\)|`.*?`", "", c) for c in cells).replace("−", "-"))
    compare(f"{page}: {first}", said, values, False)


# ---- what the user reads first ---------------------------------------------------------------------------------------
def standing(*options):
    vdsim("run", "lugre_grade_demo", "--no-report", "--quiet", "--out", "demo", *options)
    return [s["drift_m"] for s in json.loads(pathlib.Path("demo/summary.json").read_text())["cars"][0]["standing"]]


def step_steer(level="L2", solver=("rk4", 1e-3), steer=0.0415, car=COMFORT, v=KMH80, sets=(), rate=100):
    return scene({"speed": v, "steer": [[1, 0], [1.1, steer]]}, car, level, v, solver, 6, rate, sets=sets)


def creep(law, grade, brake=0.6, sets=()):
    return -1e3 * end(scene({"brake": brake}, duration=30, tire=TIRE[law], sets=sets, grade=grade), "vx")


def catalog():
    page = "CATALOG_AND_PHYSICS.md"
    says(page, r"Drift while standing: less than # m with the rolling law", max(standing()), bound=True)
    none, breakaway = standing("--no-lugre"), standing("--law", "breakaway")
    drift = [1e3 * f(d) for d in (none, breakaway) for f in (min, max)]
    says(page, r"# to # mm without bristles, # to # mm with the breakaway law", *drift)
    fine, coarse = step_steer(), step_steer(solver=("rk4", 5e-3))
    says(page, r"a step steer within # of its yaw rate at any time", apart(coarse, fine, "r"), bound=True)
    says(page, r"at any time \(.*?\), # once settled", end(coarse, "r") / end(fine, "r") - 1, bound=True)
    others = ["vehicle.sports_aggressive", "vehicle.race_gt", "vehicle.fsk_formula"]
    worst = max(apart(step_steer(solver=("rk4", 5e-3), car=c), step_steer(car=c), "r") for c in others)
    says(page, r"\(sedan; sports, GT, FSK within #\)", worst, bound=True)
    launch = {"throttle": [[0, 0], [0.5, 1], [7, 1], [7.2, 0]], "brake": [[7.2, 0], [7.5, 0.6]]}  # scene accel_brake
    go = {c: [scene(launch, c, solver=("rk4", dt), duration=14, rate=100) for dt in (5e-3, 1e-3)] for c in (COMFORT, *others)}
    *most, fsk = (apart(*pair, "vx") for pair in go.values())
    says(page, r"launch and stop within # of the speed \(FSK", max(most), bound=True)
    says(page, r"of the speed \(FSK #\)", fsk, bound=True)
    implicit = step_steer(solver=("implicit", 5e-3))
    says(page, r"cheapest; within about # %", 100 * max(apart(implicit, fine, c) for c in ("r", "ay", "vx")), bound=True)
    coasts = lambda grade: end(scene({"gear": 0}, COMFORT, duration=20, tire="tire.default_pacejka", grade=grade / 100), "vx")
    words = "Rolling resistance alone holds on slopes up to its coefficient (1.1 % for the default tire)"
    check(page, words, abs(coasts(1.05)) < 1e-12 and coasts(1.15) < -0.05)
    check(page, "a creep of about a millimetre per second on a slope", 0.5 < creep("fallback", 0.12) < 2)


def levels():
    page = "VEHICLE_LEVELS.md"
    small = {level: step_steer(level, steer=0.005, car=SEDAN, v=22) for level in ("L3", "L5")}
    big = {level: step_steer(level, steer=0.0277, car=SEDAN, rate=1000) for level in ("L2", "L3", "L5")}
    settled = lambda pair, column: end(pair["L3"], column) / end(pair["L5"], column) - 1
    says(page, r"agree at any time within # % for small steer", 100 * apart(small["L3"], small["L5"], "r", "end"), bound=True)
    says(page, r"small steer \(settled # %\)", 100 * settled(small, "r"), bound=True)
    says(page, r"and # % at 0.4 g; settled roll", 100 * apart(big["L3"], big["L5"], "r", "end"), bound=True)
    says(page, r"settled roll within # %", 100 * max(map(abs, (settled(small, "roll"), settled(big, "roll")))), bound=True)
    says(page, r"L2 is # % higher in yaw rate at 0.4 g", 100 * (end(big["L2"], "r") / end(big["L5"], "r") - 1))
    rough = {}
    for solver in (("rk4", 1e-3), ("rk4", 5e-3), ("implicit", 1e-3), ("implicit", 5e-3), ("implicit", 1e-2), ("euler", 2e-3)):
        run = scene({"speed": 20}, level="L3", vx0=20, solver=solver, duration=10, rate=100 if solver[1] == 1e-2 else 200, iso_class="C")
        rough[solver] = rms(run["az"]), rms(run["fz_fl"])
    more = {s: [100 * (x / y - 1) for x, y in zip(v, rough["rk4", 1e-3])] for s, v in rough.items()}
    says(page, r"class C road at 20 m/s: vertical acceleration within #", more["rk4", 5e-3][0] / 100, bound=True)
    says(page, r"vertical acceleration is # % and load change # % too large", *more["implicit", 5e-3])
    says(page, r"rough roads within # %", max(more["implicit", 1e-3]), bound=True)
    fine = step_steer("L3", steer=0.0277, car=SEDAN)
    says(page, r"handling within # %", 100 * apart(step_steer("L3", ("implicit", 5e-3), 0.0277, SEDAN), fine, "r"), bound=True)
    page = "theory/02_integration.md"
    says(page, r"vertical acceleration \(# m/s²\) and of the change of load of a front wheel \(# N\)", *rough["rk4", 1e-3])
    coarse = step_steer("L3", ("rk4", 5e-3), 0.0277, SEDAN)
    found = [apart(coarse, fine, "r"), max(more["rk4", 5e-3]) / 100]
    says(page, r"RK4 at 5 ms differs by # of the yaw rate and # of acceleration and load", *found)
    for method, dt in (("implicit", 1e-3), ("implicit", 5e-3), ("implicit", 1e-2), ("euler", 2e-3)):
        steer = step_steer("L3", (method, dt), 0.0277, SEDAN, rate=100)
        yaw = [100 * apart(steer, fine, "r"), abs(end(steer, "r") / end(fine, "r") - 1)]
        row(page, f"{method}, {1e3 * dt:.0f} ms", *yaw, *more[method, dt])


def low_speed():
    page = "design/LOW_SPEED_HANDLING.md"
    laws = list(TIRE)
    for first, grade in (("speed on 8 %", 0.08), ("on 20 %", 0.2), ("on 30 %", 0.3)):
        row(page, first, *(creep(law, grade) for law in laws))
    roll = {law: scene({"brake": 0}, duration=2, rate=100, tire=TIRE[law], sets=["tire.rolling_resistance=0"], grade=0.08) for law in laws}
    released = [at(roll[law], "vx", 1) - at(roll[law], "vx", 2) for law in laws]
    row(page, "on 8 % released", *released)
    row(page, "stop from 10 m/s", *(stopped(stop(law)) for law in laws))
    row(page, "$a_y$ at 30 m/s", *(end(turn(30, law), "ay") for law in laws))
    page = "FROM_VDSIM_0_7.md"
    says(page, r"`LowSpeed.\*` \| # mm/s; # to # mm/s: the wheels stand", *(creep("fallback", g) for g in (0.08, 0.12, 0.2)))
    says(page, r"same: # m/s² on 8 %", released[2])
    says(page, r"Breakaway does not: # against # mm/s of the blend", creep("breakaway", 0.08, 0.3), creep("fallback", 0.08, 0.3))
    says("theory/06_roads.md", r"between 1 and 2 s: \$-#\$ m/s²", released[0])
    page = "theory/20_low_speed_fallback.md"
    row(page, "blend, every level", *(creep("fallback", g) for g in (0.08, 0.12, 0.2, 0.3)))
    vlow = ["tire.low_speed_mode=tire_vlow", "tire.relaxation_length_lat=0", "tire.relaxation_length_long=0"]
    row(page, "tire_vlow", *(creep("fallback", g, sets=vlow) for g in (0.08, 0.2)))
    says(page, r"Brake 0.3 on 8 %, from rest: # mm/s", creep("fallback", 0.08, 0.3))
    says(page, r"Released on 8 %, without rolling resistance: # m/s²", released[2])


def refused():
    """Longest steps of a car without bristles, from the message that refuses a longer one."""
    ego = {"id": "ego", "blueprint": SEDAN, "parts": {"tire": TIRE["fallback"]}}
    pathlib.Path("refused.yaml").write_text(json.dumps({"id": "refused", "duration": 0.1, "fleet": [ego]}))
    page, found = "theory/20_low_speed_fallback.md", []
    for method in ("rk4", "euler", "implicit"):
        words = vdsim("run", "refused.yaml", "--integrator", method, "--dt", 0.02, "--out", "refused", allow=(2,))
        found.append(1e3 * float(re.search(r"at most ([\d.]+) s", words)[1]))
    says(page, r"refused beyond # ms with `rk4`, # with `euler` and # with `implicit`", *found)


def counts():
    golden = (DOCS.parent / "tests/golden/golden.txt").read_text().splitlines()
    says("PERFORMANCE.md", r"held by the # hashes", len(golden))
    says("theory/02_integration.md", r"holds the hashes of # runs", len(golden))
    says("PERFORMANCE.md", r"the final states of # drives", sum("patch" not in line.split(".")[0] for line in golden))
    mapped = re.search(r"## Properties(.*?)\nKeys that", (DOCS / "FROM_LIBRERALLY.md").read_text(encoding="utf-8"), re.S)[1]
    says("theory/23_rally_tire.md", r"section 9 maps all #", len(re.findall(r"^\| [A-Z]", mapped, re.M)))


def stop(law, solver=("rk4", 1e-3)):
    return scene({"brake": 0.6, "steer": 0.1}, vx0=10, solver=solver, duration=6, rate=min(1000, 1 / solver[1]), tire=TIRE[law])


def turn(v, law=None, sets=(), steer=0.02, level="L2"):
    return scene({"speed": v, "steer": steer}, level=level, vx0=v, duration=15, tire=law and TIRE[law], sets=sets)


def others():
    rack = step_steer(sets=["steering.rack.steering_dynamic=true"])
    says("DRIVELINE_AND_CONTROL.md", r"the step steer of # m/s² becomes one of # m/s²", end(step_steer(), "ay"), end(rack, "ay"))
    gradient = lambda *sets: json.loads(vdsim("handling", COMFORT, "--json", "--out", "handling", *sets))["at_speed"]["K_deg_per_g"]
    plain = gradient()
    softer = [abs(gradient("--set", f"tire_{axle}.B_lat={0.99 * b}") - plain) for axle, b in (("rear", 12.4), ("front", 7.41))]
    says("HANDLING.md", r"one percent of cornering stiffness on one axle is # \(rear\) or # deg/g \(front\)", *softer)
    search = ["--find-max-speed", "--vehicle", SEDAN, "--set", "preview=0.8"]
    vdsim("maneuver", "run", "iso3888_2", *search, "--no-report", "--quiet", "--out", "cones")
    found = json.loads(pathlib.Path("cones/summary.json").read_text())["found"]["value"]
    says("theory/32_preview_driver.md", r"up to # km/h coasting \(share 0.4, preview 0.8 s\)", 3.6 * found)
    margins = []
    for preview, *human in ((0.6,), (0.8,), (1,), (1.5,), (0.8, "--set", "delay=0.15", "--set", "bandwidth=3")):
        words = ["--vehicle", SEDAN, "--set", f"preview={preview}", *human, "--no-report", "--quiet", "--out", "lanes"]
        vdsim("maneuver", "run", "iso3888_1", *words)
        metrics = json.loads(pathlib.Path("lanes/summary.json").read_text())["metrics"]
        margins.append(next(m["value"] for m in metrics if m["name"] == "margin"))
    says("theory/32_preview_driver.md", r"m \| #, #, #, # m \|\n\| preview 0.8 s, delay 0.15 s, 3 Hz \| [\d.]+ m \| # m \|", *margins)
    page, bend = "FROM_LIBRERALLY.md", [{"fz": 3000, "kappa": 0, "alpha": math.radians(a)} for a in range(1, 61)]
    side = lambda *o: [-f for f in points("tire eval", "tire.rally", bend, "--temperature", "85", *o)["fy"]]
    plain, kept = side("--set", "tire.magic_formula.high_slip_force_retention=0"), side()
    left = [100 * f[39] / max(f) for f in (plain, kept)]
    says(page, r"keeps # % of its peak at 40 degrees, with 0.65 it falls to # %", *left)
    says("theory/23_rally_tire.md", r"# % of the peak from 40 deg on, where the curve alone has # %", *left[::-1])


# ---- theory pages ----------------------------------------------------------------------------------------------------
def theory_planar():
    ahead, back = (scene({"steer": 0.05, "throttle": 0.02, "gear": g}, vx0=3 * g, duration=3) for g in (1, -1))
    found = [end(run, c) for run in (ahead, back) for c in ("r", "vx")]
    says("theory/01_conventions.md", r"yaw rate # at\s+\+# m/s and # rad/s at # m/s", *found)
    held_turn = [end(turn(KMH80, steer=0.025, level=x), "r") for x in ("L1", "L2")]
    says("theory/04_bicycle.md", r"yaw rate # rad/s \(L1\), # rad/s \(L2\)", *held_turn)
    page = "theory/05_seven_dof.md"
    six = {"steer": [[0, 0], [0.1, math.radians(6)]]}

    def lifted(sigma0, dt, *more):
        sets = ["chassis.cg_height=0.85", f"tire.lugre.sigma0={sigma0:g}", *more]
        return end(scene(six, vx0=KMH80, solver=("rk4", dt), duration=4, sets=sets), "r")

    yaw = [lifted(sigma0, dt) for sigma0 in (5e4, 1e5, 3e5, 1e6) for dt in (2e-4, 1e-3, 5e-3)]
    says(page, r"lies between # and # rad/s in all twelve runs", min(yaw), max(yaw))
    both = [lifted(s, 1e-3, f"tire.lugre.rolling.sigma0_lat={s / 3:g}") for s in (5e4, 1e5, 3e5, 1e6)]
    says(page, r"a third of it: #, #, # and # rad/s", *both)
    brake = scene({"brake": 0.3}, vx0=20, duration=1)
    loads = [end(brake, f"fz_{axle}l") + end(brake, f"fz_{axle}r") for axle in "fr"]
    says(page, r"\$a_x = #\$ m/s², axle loads # N and # N", end(brake, "ax"), *loads)
    for name, kind in (("Open", "Open"), ("LSD 0.1", "LSD"), ("Locked", "Locked")):
        sets = ["drivetrain.drive_type=RWD", f"drivetrain.differential={kind}", "drivetrain.lsd_preload=0.1",
                "drivetrain.lsd_ramp=0.2"]
        run = scene({"throttle": 0.8}, vx0=5, duration=1, sets=sets, split_mu={"mu_left": 0.1, "mu_right": 1})
        row("theory/07_wheels_brakes_drive.md", name, end(run, "omega_rl"), end(run, "omega_rr"), end(run, "vx"))


def theory_integration():
    page = "theory/02_integration.md"
    ramp = {"throttle": 0.2, "steer": [[1 + k / 500, 0.02 * (1 - math.cos(math.pi * k / 500))] for k in range(501)]}
    drive = lambda method, dt: scene(ramp, vx0=20, solver=(method, dt), duration=3, rate=100)
    fine = drive("rk4", 1e-4)
    says(page, r"lateral position \(# m\)", end(fine, "y"))
    for method, steps in (("rk4", (1, 5, 10)), ("implicit", (1, 5, 10)), ("euler", (1, 2))):
        for ms in steps:
            run = drive(method, ms / 1e3)
            off = [abs(end(run, c) / end(fine, c) - 1) for c in ("r", "vx")] + [abs(end(run, "y") - end(fine, "y"))]
            row(page, f"{method} | {ms} ms", ms, *off)
    for method, dt, where in (("implicit", 5e-3, "`implicit` at 5 ms"), ("euler", 2e-3, "`euler` at 2 ms")):
        off = [100 * (at(drive(method, dt), c, 1.5) / at(fine, c, 1.5) - 1) for c in ("r", "ay")]
        says(page, where + r" \$r\$ # %, \$a_y\$ # %", *off)
    rest = lambda method: max(stopped(stop("rolling", (method, dt))) for dt in (1e-3, 2e-3, 5e-3, 1e-2))
    says(page, r"at most # m/s with `rk4` and # m/s with `implicit`, at 1, 2, 5 and 10 ms", rest("rk4"), rest("implicit"))
    sets = ["drivetrain.drive_type=RWD", "drivetrain.final_drive_ratio=1", "drivetrain.max_motor_torque=400"]

    def launch(resistance, method, dt):
        more = [f"tire.rolling_resistance={resistance}"]
        return end(scene({"throttle": 1}, solver=(method, dt), duration=3, sets=sets + more), "vx")

    v, w = launch(0, "rk4", 1e-4), launch(0.015, "rk4", 1e-4)
    off = [launch(0, "rk4", dt) - v for dt in (1e-3, 5e-3, 1e-2)]
    says(page, r"= #\$ m/s against 0.1 ms: # m/s at 1 ms, # at 5 ms, # at 10 ms", v, *off)
    says(page, r"With rolling resistance \(# m/s\) #, # and # m/s", w, *(abs(launch(0.015, "rk4", dt) - w) for dt in (1e-3, 5e-3, 1e-2)))
    says(page, r"`implicit` at 5 ms: # without, # m/s with", launch(0, "implicit", 5e-3) - v, launch(0.015, "implicit", 5e-3) - w)


def theory_sprung():
    page = "theory/08_fourteen_dof.md"
    links = ["chassis.arb_front=12000", "chassis.arb_rear=6000", "chassis.damper_rebound_ratio=1.6", "chassis.camber_per_roll=0.6"]
    heights = lambda f, r: links + [f"chassis.roll_center_front={f}", f"chassis.roll_center_rear={r}"]
    rows = [(f"{level} |", level, []) for level in ("L1", "L2", "L3", "L5")]
    rows += [("L3, roll centres", "L3", heights(0.05, 0.1)), ("L5, the same |", "L5", heights(0.05, 0.1)),
             ("L3, the same, roll", "L3", heights(0.2, 0.2)), ("L5, the same, roll", "L5", heights(0.2, 0.2))]
    for first, level, sets in rows:
        run = step_steer(level, steer=0.0277, car=SEDAN, rate=1000, sets=sets)
        r = run["r"]
        late = next(t for t, x in zip(run["t"], r) if x >= 0.9 * r[-1])
        row(page, first, r[-1], max(r), end(run, "ay"), *([end(run, "roll")] if "roll" in run.names else []), late)
    small, big = ({level: step_steer(level, steer=steer, car=SEDAN, v=v, rate=rate) for level in ("L3", "L5")}
                  for steer, v, rate in ((0.005, 22, 100), (0.0277, KMH80, 1000)))
    for first, pair in (("0.4 g, as above", big), ("0.07 g", small)):
        settled = [100 * abs(end(pair["L3"], c) / end(pair["L5"], c) - 1) for c in ("roll", "r")]
        row(page, first, *settled, *(100 * apart(pair["L3"], pair["L5"], c, "end") for c in ("r", "ay")))
    slow = [end(scene({"speed": 5, "steer": 0.01}, level=x, vx0=5, duration=8), "r") for x in ("L2", "L3", "L5")]
    says(page, r"5 m/s, 0.01 rad: yaw rate # \(L2\), # \(L3\), # rad/s \(L5\)", *slow)
    bank = [scene({"brake": 1}, level=x, duration=0.01, rate=100, bank=math.tan(math.radians(6)))["roll"][0] for x in ("L3", "L5")]
    says(page, r"leans by # rad in L3 and # in L5", *bank)


def theory_tire():
    page, curve = "theory/03_magic_formula.md", lambda tire, scaling="peak_only": points(
        "tire eval", tire, [{"fz": 4000, "kappa": k, "alpha": a, "mu": mu} for k, a in rows], "--set", f"tire.mu_scaling={scaling}")
    mu, rows = 1, [(k / 1000, 0) for k in range(1, 1501)] + [(-1, 0)]
    fx = curve("tire.vdsim07_pacejka")["fx"]
    along = (1 + fx.index(max(fx))) / 1000
    rows = [(0, math.atan(k / 1000)) for k in range(1, 501)]
    fy = curve("tire.vdsim07_pacejka")["fy"]
    says(page, r"\$\\kappa_p = #\$, \$\\tan\\alpha_p = #\$", along, (1 + fy.index(min(fy))) / 1000)
    says(page, r"locked wheel \(\$#\\,D\$\); at 1.5 it has \$#\\,D\$", -fx[-1] / 4000, fx[1499] / 4000)
    mu, rows = 0.1, [(0, k * 1e-4) for k in range(1, 3000)]
    peak = [(1 + f.index(min(f))) * math.degrees(1e-4) for f in
            (curve("tire.default_pacejka", s)["fy"] for s in ("similarity", "peak_only"))]
    says(page, r"peaks at # degrees with `similarity` and at # with", *peak)
    page = "theory/19_lugre_dynamic_tire.md"
    wheel = [{"t": i, "kappa": 0, "alpha": a, "fz": 4000, "vx": 20} for i, a in enumerate((0.01, 0.03, 0.08))]
    force = {law: [-f / 4000 for f in points("rig", TIRE[law], wheel)["fy"]] for law in ("rolling", "breakaway")}
    for i, first in enumerate(("steady $F_y", "same at 0.03", "same at 0.08")):
        row(page, first, force["rolling"][i], force["breakaway"][i])
    for v in (20, 30):
        row(page, f"$a_y$ at {v} m/s held", *(end(turn(v, law), "ay") for law in ("rolling", "breakaway")))
        says(page, rf"\$a_y\$ at {v} m/s held, steer 0.02 rad \(MF: # m/s²\)", end(turn(v, sets=MF), "ay"))
    six = {"steer": [[0, 0], [0.1, math.radians(6)]]}
    limit = lambda law, s: end(scene(six, vx0=KMH80, duration=4, tire=TIRE[law], sets=[f"tire.lugre.sigma0={s:g}"]), "r")
    row(page, "6° step in 0.1 s", *(limit(law, s) for law in ("rolling", "breakaway") for s in (9e4, 3e5)))
    row(page, "braked 0.6 on 8 %", 0, creep("breakaway", 0.08))
    row(page, "braked 0.6 on 20 %", 0, creep("breakaway", 0.2), creep("breakaway", 0.3))
    row(page, "stop from 10 m/s, brake 0.6, steer 0.1", stopped(stop("rolling")), stopped(stop("breakaway")))
    held_turn = lambda *sets: end(turn(KMH80, sets=list(sets), steer=0.025), "r")
    stiff = [held_turn(f"tire.lugre.sigma0={s:g}", f"tire.lugre.rolling.sigma0_lat={s / 3:g}") for s in (5e4, 3e5, 1e6)]
    row(page, "held turn, 80 km/h", stiff[0] if max(stiff) - min(stiff) < 5e-7 else math.nan)
    row(page, "same, MF only", held_turn(*MF), held_turn("tire.lugre.rolling.c_psi=0"))


def theory_rest():
    """Page 19, the standing car."""
    page, found = "theory/19_lugre_dynamic_tire.md", []
    for law in ("rolling", "breakaway"):
        run = scene({"brake": 0.6}, duration=60, tire=TIRE[law], bank=0.2)
        late = [(x, y, math.hypot(u, w)) for t, x, y, u, w in zip(*(run[c] for c in ("t", "x", "y", "vx", "vy"))) if t >= 10]
        found += [math.dist(late[0][:2], late[-1][:2]), max(v for *_, v in late)]
    row(page, "braked 0.6 across", *found)
    cycles = [[0, 0]] + [[4 * k + t, angle] for k in range(10) for t, angle in ((1, 0.5), (3, -0.5), (4, 0))]
    rolling, breakaway = (scene({"brake": 1, "steer": cycles}, duration=42, tire=TIRE[law], grade=0.2) for law in ("rolling", "breakaway"))
    row(page, "ten steer cycles", *(abs(end(rolling, c) - rolling[c][0]) for c in ("x", "y", "psi")), -1e3 * end(breakaway, "x"))


def theory_patch():
    page = "theory/22_lugre_patch.md"
    vdsim("paper", "lugre2004", "--out", "paper")
    four, five = (Table(pathlib.Path(f"paper/figure{n}.csv").read_text()) for n in (4, 5))
    off = lambda f, one, exact: 100 * max(abs(x - y) for x, y in zip(f[one], f[exact])) / max(map(abs, f[exact]))
    mean = lambda channel, kappa, sigma0: off(four, f"{channel}_{kappa}_s{sigma0}", f"{channel}_exact_s{sigma0}")
    load = lambda channel, other, angle: off(five, f"{channel}_{other}_a{angle}", f"{channel}_exact_trapezoidal_a{angle}")
    says(page, r"is off by # % in \$F_y\$ and # % in \$F_x\$ at", mean("fy", "kappa1.2", 150), mean("fx", "kappa1.2", 150))
    says(page, r"= 500 1/m it is # %: a stiff tread", mean("fx", "kappa1.2", 500))
    says(page, r"what remains is the lag, # % and # %", *(mean("fx", "kappass", s) for s in (150, 500)))
    cubic = {angle: [load(c, "exact_cubic", angle) for c in ("fy", "mz")] for angle in (4, 15)}
    average = [load(c, "average_trapezoidal", 4) for c in ("fy", "mz")]
    says(page, r"follows the trapezoid within # % in \$M_z\$ at 4 deg", average[1])
    says(page, r"centroid differ by # % in \$F_y\$ and # % in \$M_z\$; at 15 deg by # % and # %", *cubic[4], *cubic[15])
    says(page, r"stays within # % \(\$F_y\$\) to # % \(\$M_z\$\) of the exact one", *average)
    says(page, r"cubic against trapezoid # % in \$F_y\$ and # % in \$M_z\$", *cubic[4])


def theory_rally():
    slips, angles = [k / 1000 for k in range(1, 601)], [math.radians(k / 20) for k in range(1, 401)]
    at_rest = {"fz": 3000, "kappa": 0, "alpha": 0, "vx": 10}
    rows = [{**at_rest, "kappa": k} for k in slips] + [{**at_rest, "alpha": a} for a in angles] + [{**at_rest, "alpha": 1e-6}]
    for ground in ("tarmac", "wet_tarmac", "gravel", "mud", "snow", "ice"):
        run = points("tire eval", "tire.rally", rows, "--surface", f"surface.{ground}", "--temperature", "85")
        fx, fy = run["fx"][:len(slips)], [-f for f in run["fy"][len(slips):]]
        peaks = slips[fx.index(max(fx))], math.degrees(angles[fy.index(max(fy))])
        numbers = r"\| # \| [\d.]+ \| # \| [\d.]+ \| #° \| # \|"
        says("theory/23_rally_tire.md", rf"\n\| {ground} " + numbers, max(fx) / 3000, *peaks, fy[-1] / 1e-6 / 1e3)


def theory_belt():
    page = "theory/21_belt_transient.md"
    laws = (("rolling", MF), ("fallback", []), ("breakaway", ["tire.rolling_resistance=0.015"]), ("rolling", []))
    rows = [[] for _ in range(6)]
    for law, sets in laws:
        go = lambda driver, v, belt: scene(driver, vx0=v, duration=1, rate=1000, tire=TIRE[law], sets=sets + belt)
        cases = (({"steer": 0.04}, 20), ({"brake": 0.3, "gear": 0}, 25), ({"steer": 0.03}, 20))
        off, on = ([go(*case, belt) for case in cases] for belt in ([], BELT))
        mean = lambda run: -sum(a for a, t in zip(run["ax"], run["t"]) if t >= 0.5) / sum(t >= 0.5 for t in run["t"])
        for r in (off, on):
            for cells, value in zip(rows, (at(r[0], "ay", 0.02), at(r[0], "ay", 0.8), -at(r[1], "ax", 0.01), mean(r[1]))):
                cells.append(value)
        rows[4].append(at(on[2], "ay", 0.03) / at(off[2], "ay", 0.03))
        rows[5] += [at(go({"steer": 0.03}, v, BELT), "ay", 0.025) / at(go({"steer": 0.03}, v, []), "ay", 0.025) for v in (12, 34)]
    firsts = ("$a_y$ 20 ms after", "same at 0.8 s", "brake 0.3 at 25 m/s", "same, mean from", "on/off at $t", "on/off at 25 ms")
    for first, values in zip(firsts, rows):
        row(page, first, *values)


for part in (catalog, levels, low_speed, refused, counts, others, theory_planar, theory_integration, theory_sprung,
             theory_tire, theory_rest, theory_patch, theory_rally, theory_belt):
    part()
if failures:
    print(*failures, sep="\n")
print(f"{held} figures of the docs, {len(runs)} runs, {len(failures)} failures")
sys.exit(bool(failures))
