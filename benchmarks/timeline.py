"""Both threads of a step over time: where they compute, and where one waits. A table, and a picture of some steps.

    python benchmarks/timeline.py [NAME ...]                      # an idle machine of two cores
    python benchmarks/timeline.py --results results.json --draw   # for the page that compare.py writes

Each workload runs in a process of its own. The pieces of shared operations are noted with their thread, their time by
the wall and their processor time. Of several steps the one of median time is told.
"""

import argparse
import json
import sys
import threading
import time
from pathlib import Path
from statistics import median_low
from typing import NamedTuple

import sharing
from tables import table

STEPS = 15
DRAWN = "resnet20_b32", "encoder"
IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
HEADER = [
    "",
    "step ms",
    "both at work",
    "alone",
    "begins late",
    "ends late",
    "for the lock",
    "processor time of 2 to 1",
]
COLOURS = {"Conv": "#c8590a", "Batch": "#2f6fb7", "Mat": "#3a7d44", "": "#8a6d9b"}  # by the beginning of a name


class Piece(NamedTuple):
    """One piece of a shared operation: in seconds from the beginning of the step."""

    primitive: str
    caller: bool  # True if the thread that called did it
    start: float
    end: float
    used: float  # processor time


class Job(NamedTuple):
    """One shared operation."""

    start: float
    end: float
    pieces: list

    def ends(self, caller):
        """When a thread began its first piece and ended its last one; None twice if it had none."""
        own = [piece for piece in self.pieces if piece.caller == caller]
        return (min(p.start for p in own), max(p.end for p in own)) if own else (None, None)


class Trace:
    """Notes the shared operations of a step, in place of ``workers.share``."""

    def __init__(self, share):
        self.share, self.jobs, self.names, self.zero = share, [], ["?"], 0.0

    def timed(self, compute):
        """Note the name of the primitive that computes."""

        def run(primitive, *args):
            self.names.append(primitive.name)
            try:
                return compute(primitive, *args)
            finally:
                self.names.pop()

        return run

    def shared(self, work, pieces):
        caller, name, found = threading.get_ident(), self.names[-1], []

        def noted(piece):
            start, used = time.perf_counter(), time.thread_time()
            result = work(piece)
            times = start - self.zero, time.perf_counter() - self.zero, time.thread_time() - used
            found.append(Piece(name, threading.get_ident() == caller, *times))
            return result

        start = time.perf_counter() - self.zero
        results = self.share(noted, pieces)
        job = Job(start, time.perf_counter() - self.zero, found)
        if len({piece.caller for piece in found}) > 1:
            self.jobs.append(job)
        return results

    def step(self, step):
        """``(seconds, jobs)`` of one step."""
        self.jobs, self.zero = [], time.perf_counter()
        step()
        return time.perf_counter() - self.zero, self.jobs


def traced(name):
    """``{"seconds", "jobs", "used"}`` of the step of median time; "used" is processor time, of 2 workers to 1."""
    import bounds

    import minispore
    from minispore.ops.kernels import workers

    used = [processor_time(sharing.step_of(minispore, name, graph=False, threads=count)) for count in (1, 2)]
    step, trace = sharing.step_of(minispore, name, graph=False, threads=2), Trace(workers.share)
    workers.share = trace.shared
    with bounds.computing_timed(trace):
        found = [trace.step(step) for _ in range(STEPS)]
    seconds = median_low(each[0] for each in found)
    return {"seconds": seconds, "jobs": dict(found)[seconds], "used": used[1] / used[0]}


def processor_time(step):
    """The least processor time of a step, of all threads."""
    found = []
    for _ in range(STEPS):
        start = time.process_time()
        step()
        found.append(time.process_time() - start)
    return min(found)


def waits(seconds, jobs):
    """The parts of the step's time, in seconds.

    Returns:
        tuple, the time when both have a piece; when nothing is shared; until the second thread has a piece; when one
        has none any more; and half of what both stood still inside pieces, for Python's lock.
    """
    both = late = end = lock = 0.0
    for job in jobs:
        (caller_first, caller_last), (first, last) = job.ends(True), job.ends(False)
        begin, stop = max(caller_first, first), min(caller_last, last)
        both += max(0.0, stop - begin)
        late += begin - job.start
        end += job.end - max(stop, begin)
        lock += sum(max(0.0, piece.end - piece.start - piece.used) for piece in job.pieces) / 2
    return both, seconds - sum(job.end - job.start for job in jobs), late, end, lock


def row(name, found):
    """The table's row of a workload."""
    parts = [f"{part * 1e3:.2f} ({part / found['seconds']:.0%})" for part in waits(found["seconds"], found["jobs"])]
    return [name, f"{found['seconds'] * 1e3:.1f}", *parts, f"{found['used']:.2f}"]


def draw(found, theme, path):
    """Both threads of some steps over time: a bar for each piece, in its operation's colour."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    ink = "#1f2328" if theme == "light" else "#e8eaed"
    figure = Figure(figsize=(9, 1.7 * len(found) + 0.4), layout="constrained")
    for axis, (name, step) in zip(figure.subplots(len(found), 1, squeeze=False).ravel(), found.items(), strict=True):
        for piece in (piece for job in step["jobs"] for piece in job.pieces):
            span = piece.start * 1e3, (piece.end - piece.start) * 1e3
            axis.broken_barh([span], (1.1 if piece.caller else 0.1, 0.8), color=colour(piece.primitive), linewidth=0)
        alone = [(a * 1e3, (b - a) * 1e3) for a, b in gaps(step)]
        axis.broken_barh(alone, (1.1, 0.8), color=ink, alpha=0.25, linewidth=0)
        axis.set_yticks([0.5, 1.5], ["worker", "caller"])
        axis.set_xlim(0, step["seconds"] * 1e3)
        axis.set_title(f"{name}: one step, ms", fontsize=9, color=ink)
        axis.tick_params(colors=ink, labelsize=8)
        for side in axis.spines.values():
            side.set_color(ink)
    words = "convolution", "BatchNorm", "product", "other shared", "not shared"
    shades = [*COLOURS.values(), ink]
    patches = [Patch(color=c, alpha=0.25 if c == ink else 1, label=w) for w, c in zip(words, shades, strict=True)]
    figure.legend(handles=patches, loc="outside lower center", ncols=5, fontsize=8, frameon=False, labelcolor=ink)
    figure.savefig(path, transparent=True, metadata={"Date": None})


def colour(primitive):
    return next(shade for start, shade in COLOURS.items() if primitive.startswith(start))


def gaps(step):
    """The spans between shared operations, when the caller works alone: (start, end)."""
    ends = [0.0, *(job.end for job in step["jobs"])]
    return list(zip(ends, [*(job.start for job in step["jobs"]), step["seconds"]], strict=True))


def of_json(found):
    """What another process has printed, with its jobs and pieces again."""
    jobs = [Job(start, end, [Piece(*piece) for piece in pieces]) for start, end, pieces in found["jobs"]]
    return {**found, "jobs": jobs}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(sharing.WORKLOADS)} (default: all)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep the table there, beside what it has")
    parser.add_argument("--draw", action="store_true", help="draw the pictures of the page")
    options = parser.parse_args(arguments)
    names = options.names or list(sharing.WORKLOADS)
    if unknown := set(names) - set(sharing.WORKLOADS):
        parser.error(f"nothing is named {', '.join(sorted(unknown))}; there are {', '.join(sharing.WORKLOADS)}")
    found = {name: of_json(sharing.alone("traced", name, module="timeline")) for name in names}
    rows = [row(name, step) for name, step in found.items()]
    print(table(HEADER, rows))
    if options.results:
        kept = json.loads(options.results.read_text()) if options.results.exists() else {}
        options.results.write_text(json.dumps({**kept, "timeline": rows}))
    if options.draw:
        drawn = {name: found[name] for name in DRAWN if name in found}
        for theme in ("light", "dark"):
            draw(drawn, theme, IMAGES / f"two_threads_{theme}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
