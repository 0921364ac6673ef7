"""Weak scaling of data-parallel training on this machine, beside PyTorch's, and what it says for larger ones.

``python benchmarks/data_parallel.py --torch-python PATH [--write docs/reference/scaling.md] [--quick]``: ResNet-20 on
one and two processes with the same batch in each, of one thread, in turn, round after round; then steps and sums of 1,
2 and 4 processes, of which ``scaling_model.py`` makes a model. ``data_parallel_process.py`` is what each process does.
It needs the extra mpi, and ``mpiexec`` beside this Python or on the path. With ``--check`` it ends with 1
where the efficiency is below PyTorch's.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import machine
import scaling_model
from peers import HERE, THREAD_VARIABLES
from tables import NONE, table

SCRIPT = HERE / "data_parallel_process.py"
BATCH, BUCKETS = 32, 4
GRADIENTS = 4 * 272_474  # bytes of ResNet-20's gradients
SIZES = [1 << 8, 1 << 12, 1 << 16, 1 << 18, 1 << 20]  # numbers in a sum
FITTED = [
    (1, 8, 1),
    (1, 16, 1),
    (1, 64, 1),
    (2, 8, 1),
    (2, 64, 16),
    (4, 8, 16),
    (4, 64, 1),
]  # processes, batch, buckets
HELD_OUT = [(1, 32, 1), (2, 16, 16), (2, 32, 1), (2, 32, 65), (4, 16, 4), (4, 32, 1)]
# Interconnects: (milliseconds of a message, bytes in a millisecond), as their makers and operators' guides tell them
INTERCONNECTS = {
    "Ethernet, 1 Gbit/s": (0.05, 1.2e5),
    "Ethernet, 10 Gbit/s": (0.02, 1.2e6),
    "InfiniBand, 100 Gbit/s": (0.002, 1.2e7),
}
RANKS = (8, 64, 1024)


def mpiexec():
    """MPI's launcher: that of this Python's environment, or one of the path."""
    found = shutil.which("mpiexec", path=os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")]))
    return found or sys.exit('There is no mpiexec: pip install -e ".[mpi]"')


def measured(framework, python, task):
    """What a job finds: its first process's line."""
    chosen = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, "1"), "PYTHONPATH": str(HERE.parent)}
    with TemporaryDirectory() as place:
        task = {**task, "framework": framework, "meeting": str(Path(place, "meeting"))}
        command = [python, str(SCRIPT), json.dumps(task)]
        if framework == "minispore" and task["count"] > 1:
            command = [mpiexec(), "-n", str(task["count"]), *command]
        ranks = range(task["count"] if framework == "torch" else 1)
        jobs = [
            subprocess.Popen(command, env={**chosen, "RANK": str(rank)}, stdout=subprocess.PIPE, text=True)
            for rank in ranks
        ]
        said = [job.communicate()[0] for job in jobs]
    if any(job.returncode for job in jobs):
        sys.exit(f"A job of {framework} has failed: {task}")
    return json.loads(next(line for text in said for line in text.splitlines() if line.startswith("{")))


def weak_scaling(options):
    """For each peer and number of processes the medians of the rounds."""
    here = "minispore", sys.executable
    peers = {
        "minispore": (*here, {"buckets": BUCKETS}),
        "minispore, sums after the pass": (*here, {"buckets": BUCKETS, "after": True}),
        "minispore, graph mode": (*here, {"buckets": BUCKETS, "graph": True}),
    }
    if options.torch_python:
        peers["PyTorch"] = ("torch", options.torch_python, {})
    found = {label: {1: [], 2: []} for label in peers}
    for _ in range(options.rounds):
        for label, (framework, python, more) in peers.items():
            for count in (1, 2):
                task = {"kind": "step", "count": count, "batch": BATCH, "times": options.times, **more}
                found[label][count].append(measured(framework, python, task)["ms"])
    return found


def efficiency(rounds):
    """The time of one process over that of two with the same batch in each; 1 where the second one is free."""
    return median(rounds[1]) / median(rounds[2])


def settings_measured(settings, options):
    """``(count, batch, buckets, bytes, milliseconds)`` for each setting: the median over the rounds."""
    times = {setting: [] for setting in settings}
    for _ in range(options.rounds):
        for count, batch, buckets in settings:
            task = {"kind": "step", "count": count, "batch": batch, "buckets": buckets, "times": options.times}
            times[count, batch, buckets].append(measured("minispore", sys.executable, task)["ms"])
    return [(*setting, GRADIENTS, median(each)) for setting, each in times.items()]


def model_of(options):
    """The model, and the measured steps that it was fitted on, and those that it has not seen."""
    sums, agreements = [], []
    for count in (2, 4):
        task = {"kind": "reduce", "count": count, "sizes": SIZES, "times": 5 * options.times}
        found = measured("minispore", sys.executable, task)
        sums += [(count, size, ms) for size, ms in found["sums"]]
        agreements.append((count, found["agreement"]))
    seen, unseen = settings_measured(FITTED, options), settings_measured(HELD_OUT, options)
    return scaling_model.fitted(seen, sums, agreements, os.cpu_count()), seen, unseen, sums


# The page


def scaling_table(found):
    rows = [
        [label, *(f"{median(rounds[count]):.1f}" for count in (1, 2)), f"{efficiency(rounds):.2f}"]
        for label, rounds in found.items()
    ]
    return table(["", "1 process, ms", "2 processes, ms", "efficiency"], rows)


def errors_table(model, steps):
    rows = []
    for (count, batch, buckets, size, ms), error in zip(steps, scaling_model.errors(model, steps), strict=True):
        predicted = model.step(count, batch, buckets, size)
        rows.append([f"{count}", f"{batch}", f"{buckets}", f"{ms:.1f}", f"{predicted:.1f}", f"{100 * error:+.0f} %"])
    return table(["processes", "batch in each", "buckets", "measured ms", "model ms", "error"], rows)


def sums_table(model, sums):
    rows = []
    for count, size, ms in sums:
        told = model._replace(agreement=0.0).communicate(count, 1, size)
        rows.append([f"{count}", f"{size / 1024:g}", f"{ms:.3f}", f"{told:.3f}"])
    return table(["processes", "KiB", "measured ms", "model ms"], rows)


def interconnects_table(model, heads, cell):
    """A row for each interconnect: ``cell(the model there, key)`` for each of ``heads``, key -> head of its column."""
    rows = []
    for name, (latency, rate) in INTERCONNECTS.items():
        there = model.elsewhere(latency, 1 / rate)
        rows.append([name, *(cell(there, key) for key in heads)])
    return table(["", *heads.values()], rows)


def elsewhere_table(model, batch, size, buckets):
    """Efficiencies: what a step computes over what it takes, the sums after the backward pass, and during it."""

    def cell(there, count):
        own, sums = there.compute(count, batch), there.communicate(count, buckets, size)
        hidden = min(sums * (1 - 1 / buckets), own * 2 / 3)  # the backward pass is two thirds; the last bucket waits
        return f"{own / (own + sums):.2f} / {own / (own + sums - hidden):.2f}"

    return interconnects_table(model, {count: f"{count:,} processes" for count in RANKS}, cell)


def end_table(model, batches, size, buckets):
    """For each global batch, how many processes still save a tenth of a step's time over half as many."""

    def cell(there, batch):
        def step(count):
            return there.step(count, batch / count, buckets, size)

        count = 1
        while 2 * count <= batch and step(2 * count) < 0.9 * step(count):
            count *= 2
        return f"{count} ({step(1) / step(count):.0f} x)"

    return interconnects_table(model, {batch: f"batch {batch:,}" for batch in batches}, cell)


def page(found):
    """docs/reference/scaling.md of a run's numbers."""
    model = scaling_model.Model(*found["model"])
    seen, unseen = found["seen"], found["unseen"]
    worst = max(map(abs, scaling_model.errors(model, unseen)))
    mean = sum(map(abs, scaling_model.errors(model, unseen))) / len(unseen)
    scaling = {label: {int(n): each for n, each in rounds.items()} for label, rounds in found["weak"].items()}
    words = {
        **model._asdict(),
        "rate": f"{1e-6 / model.per_byte:.2f}" if model.per_byte else NONE,
        "contention": f"{100 * model.m:.0f}",
        "machine": found["machine"],
        "load": found["load"],
        "rounds": found["rounds"],
        "times": found["times"],
        "batch": BATCH,
        "buckets": BUCKETS,
        "kib": GRADIENTS // 1024,
        "worst": f"{100 * worst:.0f}",
        "mean": f"{100 * mean:.0f}",
        "scaling": scaling_table(scaling),
        "absent": "" if "PyTorch" in scaling else "\nPyTorch was not measured.\n",
        "seen": errors_table(model, seen),
        "unseen": errors_table(model, unseen),
        "sums": sums_table(model, found["sums"]),
        "interconnects": ", ".join(
            f"{name}: {1e3 * latency:g} us and {rate / 1e6:g} GB/s" for name, (latency, rate) in INTERCONNECTS.items()
        ),
        "small": elsewhere_table(model, BATCH, GRADIENTS, BUCKETS),
        "large": elsewhere_table(model, BATCH, 100 * GRADIENTS, BUCKETS),
        "end": end_table(model, (256, 4096, 65536), GRADIENTS, BUCKETS),
    }
    return (HERE / "scaling_template.md").read_text().format(**words)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torch-python", metavar="PATH", help="an interpreter that has PyTorch")
    parser.add_argument("--rounds", type=int, default=5, help="jobs of each setting (default: 5)")
    parser.add_argument("--times", type=int, default=20, help="timed steps of each job (default: 20)")
    parser.add_argument("--quick", action="store_true", help="one round of five steps: to see that it runs")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the page")
    parser.add_argument("--check", action="store_true", help="end with exit code 1 where PyTorch scales better")
    options = parser.parse_args(arguments)
    if options.quick:
        options.rounds, options.times = 1, 5
    return options


def main(arguments=None):
    options = parse(arguments)
    weak = weak_scaling(options)
    print(scaling_table(weak), flush=True)
    model, seen, unseen, sums = model_of(options)
    load = " ".join(Path("/proc/loadavg").read_text().split()[:2]) if Path("/proc/loadavg").exists() else "unknown"
    told = {"rounds": options.rounds, "times": options.times, "machine": machine.described()["Processor"], "load": load}
    text = page({"weak": weak, "model": tuple(model), "seen": seen, "unseen": unseen, "sums": sums, **told})
    print(text)
    if options.write:
        options.write.write_text(text)
    behind = "PyTorch" in weak and efficiency(weak["minispore"]) < efficiency(weak["PyTorch"])
    return int(options.check and behind)


if __name__ == "__main__":
    sys.exit(main())
