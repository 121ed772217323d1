"""New kinds, as one who contributes adds them: a file and a row each, on a copy of the tree, and the tests that every
kind has to pass. Usage: long_additions.py PROGRAM"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# The file, where it goes, the list, its row; what a script makes with it, and what it prints.
ADDITIONS = [
    ("fading.c", "src/law", "src/law/laws.def", "PC_LAW(fading)",
     "pc.collide(pc.body.disc{ radius = 0.1, mass = 1 }, pc.contact.fading{ e = 0.4, mu = 0, V = 1 },"
     " { vt = 0, vn = -1 }).velocity.n", "0.4"),
    ("hardening.c", "src/law", "src/law/laws.def", "PC_LAW(hardening)",
     "pc.collide(pc.body.disc{ radius = 0.1, mass = 1 }, pc.contact.hardening{ k = 1e6, h = 1e12, mu = 0 },"
     " { vt = 0, vn = -1 }).restitution.kinematic", "1"),
    ("tube.c", "src/body", "src/body/bodies.def", "PC_BODY(tube)",
     "pc.free{ body = pc.body.tube{ radius = 2, bore = 1, length = 1, mass = 2 } }.inertia", "5"),
    ("wedge.c", "src/scene", "src/scene/obstacles.def", "PC_OBSTACLE(wedge_block)",
     "#pc.wedge_block{ x = 0, y = 0, width = 2, height = 1 }.shape.corners", "3"),
    ("heun.c", "src/ode", "src/ode/methods.def", "PC_ODE_METHOD(heun)",
     "pc.simulate(pc.scene{ pc.free{ shape = 'disc', radius = 1, mass = 1 }, gravity = 2 },"
     " { duration = 1, solver = pc.solver.heun{ step = 0.1 } }):at(1).y", "-1"),
]
C_SUITES = ["laws", "element", "body_properties", "part_properties", "ode", "face"]
LUA_SUITES = ["row", "register", "help", "equation", "scene_options"]


# The make that runs this hands down its own choice of tests.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("T", "MAKEFLAGS", "MFLAGS")}


def run(copy, *command):
    done = subprocess.run(command, cwd=copy, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(" ".join(command), done.stdout[-4000:], done.stderr[-4000:], sep="\n")
    return done


def copy_tree(copy, build):
    copy.mkdir()
    for name in ["Makefile", "README.md"]:
        shutil.copy2(ROOT / name, copy)
    for name in ["src", "lua", "scripts", "tests"]:
        shutil.copytree(ROOT / name, copy / name)
    if build.name == "release":  # so that only what is new is compiled
        shutil.copytree(build, copy / "build/release")


def add(copy):
    for file, folder, rows, row, _, _ in ADDITIONS:
        shutil.copy(HERE / file, copy / folder)
        with open(copy / rows, "a", encoding="utf-8") as out:
            out.write(row + "\n")


def results(copy):
    """Whether each step went well: the build, the suites, what scripts print."""
    sources = [next(copy.glob(f"tests/c/*/test_{name}.c")) for name in C_SUITES]
    tests = [f"build/release/{source.relative_to(copy).with_suffix('')}" for source in sources]
    made = run(copy, "make", "-s", "all", "core", *tests).returncode == 0
    yield made
    if not made:
        return
    for kind, names in [("test-c", C_SUITES), ("test-lua", LUA_SUITES)]:
        for name in names:
            yield run(copy, "make", "-s", kind, f"T={name}").returncode == 0
    for *_, script, expected in ADDITIONS:
        done = run(copy, "build/release/percuss", "-e",
                   f"local pc = require 'percuss' print(('%.10g'):format({script}))")
        if done.stdout.strip() != expected:
            print(script, "is", done.stdout, done.stderr, "not", expected)
        yield done.stdout.strip() == expected


def main():
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy"
        copy_tree(copy, pathlib.Path(sys.argv[1]).resolve().parent)
        add(copy)
        good = list(results(copy))
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed")
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
