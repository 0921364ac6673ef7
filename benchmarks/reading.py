"""What a reader of minispore goes through: lines of code to read, calls, changes of file, body lines, rooms, arrows.

    python benchmarks/reading.py                   # of this checkout
    python benchmarks/reading.py --package PATH    # beside those of another checkout, with the ratios

Lines to read are the lines of code (no blank line, comment or docstring) of all files in which a function runs while a
program runs for the first time. A change of file is a call into another file than the call before. Body lines are the
lines of code of the functions that run, each once. ``programs.py`` has the programs, ``counted.py`` counts, and
``imports.py`` counts rooms and arrows. "At most" is a law of this checkout: of lines to read, it holds for the ratio.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import imports
from tables import NONE, table

HERE = Path(__file__).resolve().parent
READ = {
    "a gradient of a product": 0.54,
    "an empty Cell called, a Dense made": 0.49,
    "an O2 step with an overflow": 0.67,
    "an O1 conversion": 0.79,
    "one primitive called": 0.45,
}
CALLS = {  # at most, and the goal; Python 3.11
    "an empty Cell": (9, 6),
    "nn.Dense(3, 2) made": (180, 120),
    "an O2 step of one Dense": (750, 600),
    "the same, recorded": (500, 350),
    "a conversion to O1": (4000, 3000),
}
STEP = "an O2 step of one Dense"
CHANGES, BODY_LINES = 220, 850  # of that step


def figures(checkout, program):
    """The figures of a program, found by a fresh process that imports the package of ``checkout``."""
    environment = {**os.environ, "PYTHONPATH": str(checkout), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, str(HERE / "programs.py"), program]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def of_checkout(checkout):
    """All figures of a checkout: (what is counted, program) -> number."""
    found = {("lines to read", name): figures(checkout, name)["lines to read"] for name in READ}
    for name in CALLS:
        found |= {(what, name): number for what, number in figures(checkout, name).items()}
    graph = imports.graph_of(checkout)
    return found | {("rooms", "the package"): len(graph.rooms), ("arrows", "the package"): len(graph.arrows)}


def most():
    """The laws: (what is counted, program) -> the number, or for lines to read the ratio, that is allowed."""
    limits = {("lines to read", name): ratio for name, ratio in READ.items()}
    limits |= {("calls", name): must for name, (must, _) in CALLS.items()}
    limits |= {("changes of file", STEP): CHANGES, ("body lines", STEP): BODY_LINES}
    return limits | {("rooms", "the package"): imports.ROOMS, ("arrows", "the package"): imports.ARROWS}


def report(now, before=None):
    """The table of the figures, beside those from before where they are given."""
    limits, rows = most(), []
    for key in sorted(now):
        old = before[key] if before else None
        ratio = f"{now[key] / old:.2f}" if old else NONE
        rows.append([", ".join(key), f"{old:,}" if old else NONE, f"{now[key]:,}", ratio, str(limits.get(key, NONE))])
    return table(["", "before", "now", "ratio", "at most"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", type=Path, help="another checkout, whose figures stand before")
    options = parser.parse_args()
    before = of_checkout(options.package.resolve()) if options.package else None
    print(report(of_checkout(HERE.parent), before))


if __name__ == "__main__":
    main()
