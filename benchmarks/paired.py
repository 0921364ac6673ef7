"""Two checkouts of minispore timed against each other, each by a process that is asked in turn.

    python benchmarks/paired.py OLD NEW                                  # everything: about twenty minutes
    python benchmarks/paired.py OLD NEW --rounds 5 dispatch lenet5       # some names
    python benchmarks/paired.py OLD NEW lenet5 --levels O2 --modes graph

The workloads are those of this checkout, and run on the package of each. Times are of the processor, on one BLAS
thread. Printed are each one's best step of all rounds, the ratio of the two, and the median of the rounds' ratios of
median steps. ``--check`` ends with exit code 1 where that median is above the law. A package beside itself differs by
2 %. O2 is without a loss scale; "dense" is a step of one Dense at O2 with one.
"""

import argparse
import json
import os
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tables import table

HERE = Path(__file__).resolve().parent
SECONDS = 0.3  # of processor time that a process spends when it is asked
MUST, CONVERSION_MUST = 1.02, 0.75  # the largest medians of ratios
IMPORT = "import time; begun = time.process_time_ns(); import minispore; print((time.process_time_ns() - begun) / 1e6)"
WORKLOADS = {  # name -> module of the workloads, its arguments
    "dispatch": ("dispatch", {}),
    "lenet5": ("lenet5", {"batch": 32}),
    "mlp": ("mlp", {}),
    "encoder": ("encoder", {}),
    "resnet20": ("resnet20", {"batch": 16}),
    "lstm": ("recurrent", {"kind": "LSTMCell"}),
}
LEVELS, MODES = ("O0", "O2"), ("eager", "graph")


class Case(NamedTuple):
    """What is timed: a program, or a workload with its arguments."""

    name: str
    module: str | None
    arguments: dict
    graph: bool = False
    must: float = MUST

    @property
    def label(self):
        level = [self.arguments["level"]] if "level" in self.arguments else []
        return ", ".join([self.name, *level, *(["graph"] if self.graph else [])])


def cases(levels, modes):
    """Every case at these levels and in these modes."""
    graphs = [mode == "graph" for mode in modes]
    found = [Case("import", None, {}), Case("empty cell", None, {})]
    found.append(Case("conversion", None, {}, must=CONVERSION_MUST))
    found += [Case("dense", None, {}, graph) for graph in graphs]
    for name, (module, arguments) in WORKLOADS.items():
        if name == "dispatch":  # a function, which has no level and is not recorded
            found.append(Case(name, module, arguments))
        else:
            leveled = [arguments | {"level": level} for level in levels]
            found += [Case(name, module, each, graph) for each in leveled for graph in graphs]
    return found


class Side:
    """A checkout, and its process once it is asked for steps."""

    def __init__(self, checkout, stack):
        threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        self.environment = {**os.environ, **threads, "PYTHONPATH": str(checkout)}
        self.compiled = {
            "PYTHONPYCACHEPREFIX": stack.enter_context(TemporaryDirectory()),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        self.stack, self.process = stack, None

    def steps(self, case, count):
        """The milliseconds of ``count`` steps."""
        if self.process is None:
            command = [sys.executable, str(HERE / "paired_process.py")]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
            self.process = self.stack.enter_context(subprocess.Popen(command, env=self.environment, **pipes))
        asked = {**case._asdict(), "count": count}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def imports(self):
        """The milliseconds of the import, by a fresh process; the first one compiles the package."""
        command, chosen = [sys.executable, "-c", IMPORT], self.environment | self.compiled
        done = subprocess.run(command, env=chosen, stdout=subprocess.PIPE, text=True, check=True)
        return [float(done.stdout)]


def asked(case, sides, rounds):
    """The times of both sides, round after round, the first of a round in turn: ``[(old, new), ...]``."""
    ask, found = [asking(case, side) for side in sides], []
    for i in range(rounds):
        first = i % 2
        one, other = ask[first](), ask[1 - first]()
        found.append((other, one) if first else (one, other))
    return found


def asking(case, side):
    """The function that times a case on a side once, with as many steps as a round has time for."""
    if case.name == "import":
        side.imports()
        return side.imports
    once = median(side.steps(case, 3))
    return partial(side.steps, case, max(3, int(SECONDS * 1e3 / max(once, 1e-3))))


def figures(found):
    """The best of each side, and the median of the rounds' ratios of medians."""
    old, new = (min(min(pair[i]) for pair in found) for i in (0, 1))
    return old, new, median(median(new) / median(old) for old, new in found)


def row(case, old, new, pairs):
    return [case.label, f"{old:.3f}", f"{new:.3f}", f"{new / old:.3f}", f"{pairs:.3f}", f"{case.must:.2f}"]


HEADER = ["", "old, ms", "new, ms", "ratio of best", "median of pairs", "at most"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("names", nargs="*", help=f"import, conversion, dense, empty cell, {', '.join(WORKLOADS)}")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--levels", nargs="+", choices=LEVELS, default=LEVELS)
    parser.add_argument("--modes", nargs="+", choices=MODES, default=MODES)
    parser.add_argument("--check", action="store_true", help="exit code 1 where a median is above the law")
    options = parser.parse_args()
    chosen = [case for case in cases(options.levels, options.modes) if not options.names or case.name in options.names]
    rows, good = [], True
    with ExitStack() as stack:
        sides = [Side(path.resolve(), stack) for path in (options.old, options.new)]
        for case in chosen:
            rows.append(row(case, *figures(asked(case, sides, options.rounds))))
            good = good and float(rows[-1][4]) <= case.must
            print(" | ".join(rows[-1]), flush=True)
    print("\n" + table(HEADER, rows))
    return 0 if good or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
