"""Shares of a training step that the workers can take, counted on one thread; with --wall what two workers gain.

    python benchmarks/sharing.py [NAME ...]             # counted: any machine, busy or not
    python benchmarks/sharing.py [NAME ...] --wall      # timed with 1 and 2 workers: an idle machine of two cores

Counting, one thread does all pieces itself and notes the processor time of each. "bound" is how much faster two workers
could be at most: each takes the next piece. Handing over costs ``HANDED`` for each shared operation.
"""

import argparse
import heapq
import importlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tables import table

WORKLOADS = {
    "lenet5_b32": ("lenet5", {"batch": 32}),
    "lenet5_b256": ("lenet5", {"batch": 256}),
    "resnet20_b32": ("resnet20", {"batch": 32}),
    "resnet20_b64": ("resnet20", {"batch": 64}),
    "mlp_adam": ("mlp", {}),
    "encoder": ("encoder", {}),
    "lstm_x50": ("recurrent", {"kind": "LSTMCell"}),
}
HANDED = 60e-6  # seconds of an operation that is handed to a worker and waited for
ROUNDS, STEPS, WARM_UP = 5, 5, 3
COUNTED = ["", "step ms", "shared ms", "shared", "operations shared", "bound of two", "not shared, ms"]
TIMED = ["", "mode", "1 worker ms", "2 workers ms", "gain", "processor time of 2 to 1"]


class Pieces:
    """Counts the pieces of shared operations that one thread does alone, in seconds, by the primitive they are of."""

    def __init__(self, workers):
        self.workers, self.shared, self.two, self.jobs = workers, 0.0, 0.0, 0

    def share(self, work, pieces):
        pieces = list(pieces)
        if min(self.workers.count(), len(pieces)) < 2 or self.workers.at_work():
            return [work(piece) for piece in pieces]
        self.workers._piece.at_work, took = True, []
        try:
            results = [self._timed(work, piece, took) for piece in pieces]
        finally:
            self.workers._piece.at_work = False
        self.jobs += 1
        self.shared += sum(took)
        self.two += by_two(took) + HANDED
        return results

    def _timed(self, work, piece, took):
        start = time.thread_time()
        result = work(piece)
        took.append(time.thread_time() - start)
        return result


def by_two(took):
    """The time after which two workers have done pieces that take so long, each taking the next one."""
    ends = [0.0, 0.0]
    for seconds in took:
        heapq.heapreplace(ends, ends[0] + seconds)
    return max(ends)


@contextmanager
def counted_pieces(workers):
    """Have one thread do what two would share, and count it."""
    plain, found = workers.share, Pieces(workers)
    workers.share = found.share
    try:
        yield found
    finally:
        workers.share = plain


def step_of(ms, name, graph, threads):
    """The step of a workload with so many workers."""
    module, arguments = WORKLOADS[name]
    ms.set_context(mode=ms.GRAPH_MODE if graph else ms.PYNATIVE_MODE, runtime_num_threads=threads)
    step = importlib.import_module(f"workloads.{module}").cells(ms, **arguments)
    for _ in range(WARM_UP):
        step()
    return step


def counted(step, workers):
    """The best of some rounds: seconds of a step, those in pieces, those for two workers, and the shared operations."""
    found = []
    for _ in range(ROUNDS):
        with counted_pieces(workers) as pieces:
            start = time.thread_time()
            for _ in range(STEPS):
                step()
            whole = time.thread_time() - start
        two = whole - pieces.shared + pieces.two
        found.append((whole / STEPS, pieces.shared / STEPS, two / STEPS, pieces.jobs // STEPS))
    return min(found)


def alone_by_primitive(step, workers):
    """The milliseconds that each primitive computes outside of pieces, the costliest four."""
    import bounds

    spent = Counter()
    with counted_pieces(workers) as pieces, bounds.computing_timed(NotShared(pieces, spent)):
        step()
        spent.clear()
        for _ in range(STEPS):
            step()
    return ", ".join(f"{name} {seconds * 1e3 / STEPS:.1f}" for name, seconds in spent.most_common(4))


class NotShared:
    """Adds up what each primitive computes, without its pieces and without what it has another one compute."""

    def __init__(self, pieces, spent):
        self.pieces, self.spent, self.inner = pieces, spent, [0.0]

    def timed(self, compute):
        def run(primitive, *args):
            self.inner.append(0.0)
            start, shared = time.thread_time(), self.pieces.shared
            try:
                return compute(primitive, *args)
            finally:
                whole = time.thread_time() - start - (self.pieces.shared - shared)
                self.spent[primitive.name] += whole - self.inner.pop()
                self.inner[-1] += whole

        return run


def count_row(name):
    """The row of a workload: its eager step counted in this process."""
    import minispore
    from minispore.ops.kernels import workers

    step = step_of(minispore, name, graph=False, threads=2)
    whole, shared, two, jobs = counted(step, workers)
    rest = alone_by_primitive(step, workers)
    times = [f"{seconds * 1e3:.1f}" for seconds in (whole, shared)]
    return [name, *times, f"{shared / whole:.0%}", str(jobs), f"{whole / two:.2f}", rest]


def wall(name, graph, threads):
    """The median milliseconds of a step by the wall and of the process."""
    import minispore

    step = step_of(minispore, name, graph, threads)
    walls, used = [], []
    end = time.perf_counter() + 0.5
    while len(walls) < ROUNDS or time.perf_counter() < end:
        start, begun = time.perf_counter(), time.process_time()
        step()
        walls.append((time.perf_counter() - start) * 1e3)
        used.append((time.process_time() - begun) * 1e3)
    return median(walls), median(used)


def alone(function, *arguments, module="sharing"):
    """What a function of a module returns in a process of its own."""
    code = f"import json, {module}; print(json.dumps({module}.{function}(*{arguments!r})))"
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    where = Path(__file__).resolve().parent
    done = subprocess.run([sys.executable, "-c", code], cwd=where, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def timed_row(name, graph, rounds):
    """The row of a workload timed with 1 and 2 workers, process after process."""
    one, two = zip(*[[alone("wall", name, graph, threads) for threads in (1, 2)] for _ in range(rounds)], strict=True)
    (wall_1, used_1), (wall_2, used_2) = (map(median, zip(*found, strict=True)) for found in (one, two))
    figures = [f"{wall_1:.2f}", f"{wall_2:.2f}", f"{wall_1 / wall_2:.2f}", f"{used_2 / used_1:.2f}"]
    return [name, "graph" if graph else "eager", *figures]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(WORKLOADS)} (default: all)")
    parser.add_argument("--wall", action="store_true", help="time 1 and 2 workers, on an idle machine of two cores")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each, with --wall (default: 3)")
    options = parser.parse_args()
    names = options.names or list(WORKLOADS)
    if unknown := set(names) - set(WORKLOADS):
        parser.error(f"nothing is named {', '.join(sorted(unknown))}; there are {', '.join(WORKLOADS)}")
    if options.wall:
        rows = [timed_row(name, graph, options.rounds) for name in names for graph in (False, True)]
    else:
        rows = [alone("count_row", name) for name in names]
    print(table(TIMED if options.wall else COUNTED, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
