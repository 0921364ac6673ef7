"""Time minispore against its peers: each in fresh processes, in turn, round after round.

``python benchmarks/compare.py [WORKLOAD ...] --torch-python PATH`` prints, for each workload, every peer's median and
least time and the ratio of its median to PyTorch's, with the ratios of the single rounds as its spread.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import NamedTuple

from workloads import WORKLOADS

HERE = Path(__file__).resolve().parent
IMPORT_ROUNDS, IMPORT_LIMIT_MS = 10, 200
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Peer(NamedTuple):
    """A framework, the interpreter that has it, and what is imported before it."""

    label: str
    framework: str
    python: str
    before: tuple = ()


def peers_of(workload, options):
    """The peers of one workload, minispore first."""
    peers = [Peer("minispore", "minispore", sys.executable)]
    if WORKLOADS[workload].after_numpy:
        peers.append(Peer("minispore after NumPy", "minispore", sys.executable, ("numpy",)))
    if options.torch_python:
        peers.append(Peer("PyTorch", "torch", options.torch_python))
    if options.mindspore_python:
        peers.append(Peer("MindSpore", "mindspore", options.mindspore_python))
    return peers


def environment(framework, threads):
    """The variables of a measuring process: its threads, and this checkout's minispore."""
    chosen = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(threads)), "GLOG_v": "3"}
    if framework == "minispore":
        chosen["PYTHONPATH"] = str(HERE.parent)
    return chosen


def measured(peer, workload, options):
    """The milliseconds of one fresh process: of its steps, or of its import where that is the workload."""
    command = [peer.python, str(HERE / "measure.py"), peer.framework, workload]
    command += [str(options.seconds), str(options.threads), *peer.before]
    done = subprocess.run(
        command, env=environment(peer.framework, options.threads), stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{peer.label} failed at '{workload}'; its message stands above.")
    found = json.loads(done.stdout.splitlines()[-1])
    if peer.framework == "minispore" and found["unwanted"]:
        sys.exit(f"importing minispore imports {' and '.join(found['unwanted'])} too.")
    return found["steps_ms"] or [found["import_ms"]]


def rounds_of(workload, peers, options):
    """For each peer its processes' times, taken in turn so that noise falls on all alike."""
    times = {peer: [] for peer in peers}
    for _ in range(IMPORT_ROUNDS if workload == "import" else options.rounds):
        for peer in peers:
            times[peer].append(measured(peer, workload, options))
    return times


def ratio_to(base, rounds):
    """The ratio of the medians over the rounds, and the least and greatest ratio of one round."""
    mine, theirs = [median(steps) for steps in rounds], [median(steps) for steps in base]
    single = [a / b for a, b in zip(mine, theirs, strict=True)]
    return median(mine) / median(theirs), min(single), max(single)


def show(workload, times, threads):
    """Print one workload's table; returns the names of the limits that minispore misses."""
    task, missed = WORKLOADS[workload], []
    unit, scale = ("us/op", 1e3 / task.operations) if task.operations else ("ms", 1.0)
    limit = f", limit {task.limit}" if task.limit else ""
    print(f"\n{workload}: {task.about} ({threads} thread{'s' * (threads > 1)}{limit})", flush=True)
    base = next((rounds for peer, rounds in times.items() if peer.framework == "torch"), None)
    for peer, rounds in times.items():
        middle, least = median(map(median, rounds)) * scale, min(map(min, rounds)) * scale
        line = f"  {peer.label:<22} median {middle:9.3f} {unit}  min {least:9.3f} {unit}"
        if base and peer.framework != "torch":
            ratio, low, high = ratio_to(base, rounds)
            line += f"  {ratio:5.2f}x PyTorch ({low:.2f} to {high:.2f})"
            if task.limit and peer.framework == "minispore" and ratio > task.limit:
                missed.append(f"{workload}, {peer.label}: {ratio:.2f}x is above {task.limit}x")
        print(line, flush=True)
        if workload == "import" and peer.framework == "minispore" and middle > IMPORT_LIMIT_MS:
            missed.append(f"import, {peer.label}: {middle:.0f} ms is above {IMPORT_LIMIT_MS} ms")
    return missed


def parse(arguments):
    parser = argparse.ArgumentParser(description="Time minispore against its peers.")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=f"of {', '.join(WORKLOADS)} (default: all)")
    parser.add_argument("--torch-python", metavar="PATH", help="an interpreter that has PyTorch and NumPy")
    parser.add_argument("--mindspore-python", metavar="PATH", help="an interpreter that has MindSpore 2.7")
    parser.add_argument("--threads", type=int, default=1, help="threads of each peer (default: 1)")
    parser.add_argument("--rounds", type=int, default=5, help="processes of each peer (default: 5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="timed seconds of each process (default: 1)")
    parser.add_argument("--check", action="store_true", help="end with exit code 1 where a limit is missed")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.workloads if name not in WORKLOADS]
    if unknown:
        parser.error(f"no workload is named {', '.join(unknown)}; there are {', '.join(WORKLOADS)}")
    if min(options.threads, options.rounds) < 1 or options.seconds <= 0:
        parser.error("--threads, --rounds and --seconds must be above 0")
    return options


def main(arguments=None):
    options = parse(arguments)
    missed = []
    for workload in options.workloads or WORKLOADS:
        times = rounds_of(workload, peers_of(workload, options), options)
        missed += show(workload, times, options.threads)
    judged = "No limit is missed." if options.torch_python else "Without --torch-python, ratios are not judged."
    print("\n" + "\n".join([f"Missed: {line}" for line in missed] or [judged]))
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
