"""Images per second of pipelines on two workers, beside PyTorch's DataLoader and MindSpore's: ratios of medians.

``python benchmarks/image_pipeline.py [--torch-python PATH] [--mindspore-python PATH]``: each peer in a process of its
own, in turn, round after round. The peers need Pillow, and PyTorch's torchvision too; ``image_chains.py`` is what each
process does. ``--write docs/reference/performance.md`` puts the section into the page, ``--results FILE`` the
numbers into the file that ``compare.py`` makes the page of. ``--check`` ends with 1 where minispore is slower than
PyTorch.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import machine
import tables
from figures import good
from image_chains import WORKERS, write_photographs
from peers import EAGER, HERE, MINUTES, TORCH, all_peers, environment

CHAINS = {
    "folder": "JPEG files, a random crop decoded and resized to 224 x 224, flip, normalize, channels first, batch 32",
    "arrays": "arrays of 32 x 32, padded and cropped, flip, rescale, normalize, channels first, batch 128",
}
MINDSPORE = "MindSpore"
HEADING = "## Image pipelines"
INTRODUCTION = """\
Images a second on {workers} workers, more is better: the median over {rounds} rounds of each process's median epoch,
the fastest epoch of all, and the ratio of medians to PyTorch's DataLoader, with the least and the greatest ratio of one
round in brackets. Where the load is above the number of cores, other work took its share: rates are then low for all,
and ratios tell how much of the processor an image takes, rather than how well the workers share two cores.
`benchmarks/image_pipeline.py` writes this section.

- Processor: {machine}. The load (1 and 5 minutes) was {load} when the run ended.
- Peers: {versions}."""


def chosen_peers(options):
    """minispore, and the peers that an interpreter is named for, MindSpore once: its modes have one pipeline."""
    options.autograd_python = None
    found = {peer.framework: peer for peer in all_peers(options)[::-1]}
    labels = {"minispore": EAGER, "torch": TORCH, "mindspore": MINDSPORE}
    return [found[name]._replace(label=label) for name, label in labels.items() if name in found]


def measured(peer, chain, count, seconds, folder):
    """What a fresh process of ``peer`` finds for a chain; ``{"failed": message}`` where it fails."""
    arguments = [peer.framework, chain, str(count), str(seconds), str(folder)]
    command = [peer.python, str(HERE / "image_chains.py"), *arguments]
    try:
        with TemporaryDirectory() as place:  # MindSpore leaves files where it runs
            done = subprocess.run(
                command,
                env=environment(peer.framework, WORKERS),
                capture_output=True,
                text=True,
                check=False,
                timeout=60 * MINUTES,
                cwd=place,
            )
    except subprocess.TimeoutExpired:
        return {"failed": f"gave up after {MINUTES} minutes"}
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def rounds_of(peers, chain, count, options, folder):
    """For each peer's label what its processes find, in turn, so that noise falls on all alike."""
    found = {peer.label: [] for peer in peers}
    for _ in range(options.rounds):
        for peer in peers:
            found[peer.label].append(measured(peer, chain, count, options.seconds, folder))
            if "failed" in found[peer.label][-1]:
                print(f"  {peer.label}: {found[peer.label][-1]['failed']}", file=sys.stderr, flush=True)
    return found


def speed(rounds, base):
    """The ratio of median rates to ``base``'s, and the least and greatest of a round; None where one has no number."""
    mine, theirs = good(rounds), good(base)
    if not mine or not theirs:
        return None
    single = [a["rate"] / b["rate"] for a, b in zip(mine, theirs, strict=False)]
    return median(a["rate"] for a in mine) / median(b["rate"] for b in theirs), min(single), max(single)


def table(chain):
    """A chain's table: a line for each peer."""
    rows = []
    for label, rounds in chain.items():
        if not good(rounds):
            rows.append([label, "failed", tables.NONE, tables.NONE])
            continue
        rates = [f"{median(each['rate'] for each in good(rounds)):.0f}"]
        rates.append(f"{max(each['best'] for each in good(rounds)):.0f}")
        rows.append([label, *rates, "1" if label == TORCH else tables.spread(speed(rounds, chain.get(TORCH)))])
    return tables.table(["", "images a second", "most", "to PyTorch"], rows)


def section(found):
    """The page's section of the numbers of a run."""
    versions = ", ".join(f"{label} {version}" for label, version in found["versions"].items())
    parts = [
        f"{CHAINS[name][0].upper()}{CHAINS[name][1:]}:\n\n{table(chain)}" for name, chain in found["chains"].items()
    ]
    absent = [label for label in (TORCH, MINDSPORE) if label not in found["versions"]]
    said = [f"{label} was not measured." for label in absent]
    words = {key: found[key] for key in ("rounds", "machine", "load")}
    return "\n\n".join([INTRODUCTION.format(workers=WORKERS, versions=versions, **words), *parts, *said])


def versions(found):
    """The version that each peer said it is."""
    said = {}
    for chain in found.values():
        said.update({label: good(rounds)[-1]["version"] for label, rounds in chain.items() if good(rounds)})
    return said


def put_into(page, text):
    """The page with ``text`` as its section of image pipelines."""
    before, heading, rest = page.partition(f"{HEADING}\n")
    if not heading:
        raise SystemExit(f"The page must have a section '{HEADING}'.")
    _, following, after = rest.partition("\n## ")
    return f"{before}{heading}\n{text}\n{following}{after}"


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torch-python", metavar="PATH", help="an interpreter that has PyTorch and torchvision")
    parser.add_argument("--mindspore-python", metavar="PATH", help="an interpreter that has MindSpore")
    parser.add_argument(
        "--images", type=int, default=256, help="JPEG files; there are 16 arrays for each (default: 256)"
    )
    parser.add_argument("--rounds", type=int, default=3, help="processes of each peer (default: 3)")
    parser.add_argument("--seconds", type=float, default=2.0, help="timed seconds of each process (default: 2)")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep the numbers there, beside those it has")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the section into this page")
    parser.add_argument("--check", action="store_true", help="end with exit code 1 where PyTorch is faster")
    return parser.parse_args(arguments)


def run(options):
    """The numbers of all chains under all peers."""
    found, peers = {}, chosen_peers(options)
    with TemporaryDirectory() as folder:
        write_photographs(folder, options.images)
        for chain, count in (("folder", options.images), ("arrays", 16 * options.images)):
            found[chain] = rounds_of(peers, chain, count, options, folder)
    about = machine.described()
    load = " ".join(Path("/proc/loadavg").read_text().split()[:2]) if Path("/proc/loadavg").exists() else "unknown"
    said = {"rounds": options.rounds, "machine": about["Processor"], "load": load}
    return {"chains": found, "versions": versions(found), **said}


def main(arguments=None):
    options = parse(arguments)
    found = run(options)
    text = section(found)
    print(text)
    if options.results:
        kept = json.loads(options.results.read_text()) if options.results.exists() else {}
        options.results.write_text(json.dumps({**kept, "images": found}))
    if options.write:
        options.write.write_text(put_into(options.write.read_text(), text))
    ratios = [speed(chain[EAGER], chain.get(TORCH)) for chain in found["chains"].values()]
    return 1 if options.check and any(ratio is None or ratio[0] < 1 for ratio in ratios) else 0


if __name__ == "__main__":
    sys.exit(main())
