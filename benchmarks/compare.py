"""Time minispore against its peers: each in fresh processes, in turn, round after round.

``python benchmarks/compare.py [NAME ...] --torch-python PATH`` prints a table for each workload: every peer's median
and least time and the ratio of its median to PyTorch's, with the ratios of the single rounds as its spread.
``--write docs/reference/performance.md`` makes the page of it.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import machine
import page
import tables
from figures import all_missed
from peers import all_peers
from sections import NAMES, plan

KEYS = ("steps", "import", "peak", "growth", "batches", "levels", "bounds")


def parse(arguments):
    parser = argparse.ArgumentParser(description="Time minispore against its peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)} (default: all)")
    parser.add_argument("--torch-python", metavar="PATH", help="an interpreter that has PyTorch and NumPy")
    parser.add_argument("--mindspore-python", metavar="PATH", help="an interpreter that has MindSpore 2.7")
    parser.add_argument("--autograd-python", metavar="PATH", help="an interpreter that has HIPS autograd")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="threads of each peer (default: 1 2)")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each peer (default: 3)")
    parser.add_argument("--peer-rounds", type=int, default=1, help="those of MindSpore and autograd (default: 1)")
    parser.add_argument("--seconds", type=float, default=0.5, help="timed seconds of each process (default: 0.5)")
    parser.add_argument(
        "--clock",
        choices=("wall", "cpu"),
        default="wall",
        help="what ratios on one thread are judged by; both are shown",
    )
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep the numbers there, beside those it has")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the page of all numbers there")
    parser.add_argument("--check", action="store_true", help="end with exit code 1 where a must is missed")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f"nothing is named {', '.join(unknown)}; there are {', '.join(NAMES)}")
    if min(*options.threads, options.rounds, options.peer_rounds) < 1 or options.seconds <= 0:
        parser.error("--threads, --rounds, --peer-rounds and --seconds must be above 0")
    return options


def begun(options):
    """The results to fill: those of the file, or none; the run's settings are this run's."""
    kept = json.loads(options.results.read_text()) if options.results and options.results.exists() else {}
    settings = {"clock": f"{options.clock}_ms", "rounds": options.rounds, "peer_rounds": options.peer_rounds}
    said = {"machine": machine.described(), "seconds": options.seconds, **settings}
    return {**{key: {} for key in KEYS}, "versions": {}, **kept, **said}


def put(results, path, found):
    *way, last = path
    for key in way:
        results = results.setdefault(key, {})
    results[last] = found


def note_versions(results, peers, found):
    """Note the version that each framework said it is."""
    for peer in peers:
        for each in found.get(peer.label, []) if isinstance(found, dict) else []:
            if isinstance(each, dict) and "version" in each:
                results["versions"][peer.framework] = each["version"]


def show(path, found):
    """Print the table of one section."""
    key, *rest = path
    if key == "steps":
        print(f"\n{rest[1]}, on {rest[0]} thread{'s' * (rest[0] != '1')}\n\n{tables.steps(rest[1], found)}", flush=True)
    elif key == "bounds":
        parts = (part({rest[0]: found}) for part in (tables.bounds, tables.limits, tables.costliest))
        print("", *parts, sep="\n", flush=True)
    else:
        kind = "imports" if key == "import" else key
        print(f"\n{' '.join(path)}\n\n{getattr(tables, kind)(found)}", flush=True)


def tell(message):
    print(f"  {message}", file=sys.stderr, flush=True)


def main(arguments=None):
    options = parse(arguments)
    results, peers, start = begun(options), all_peers(options), time.perf_counter()
    for path, section, *particulars in plan(options.names or NAMES, options.threads):
        found = section(*particulars, peers, options, tell)
        put(results, path, found)
        note_versions(results, peers, found)
        show(path, found)
        if options.results:
            options.results.write_text(json.dumps(results))
    missed = all_missed(results)
    print("\n" + "\n".join(f"Missed, a {kind}: {sentence}" for kind, sentence in missed))
    print(f"\n{(time.perf_counter() - start) / 60:.1f} minutes")
    if options.write:
        options.write.write_text(page.text(results))
    return 1 if options.check and any(kind == "must" for kind, _ in missed) else 0


if __name__ == "__main__":
    sys.exit(main())
