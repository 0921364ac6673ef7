"""Run programs of strangers under minispore and MindSpore, from equal weights: the numbers that they print, compared.

::

    python benchmarks/strangers/run.py FOLDER --mindspore-python PATH [--only NAME ...] [--write PAGE]

``programs.json`` lists the programs: repository, commit, path, arguments. FOLDER holds a clone of each repository, at
that commit, under its name. No line of theirs is in this repository. The data are 640 images of the Fashion-MNIST
that minispore ships, in the files of MNIST; a batch of 32 makes twenty steps of an epoch. ``results.json`` keeps what
was run, and ``--write`` writes the page of it.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from minispore.dataset import embedded_fashion_mnist

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.\d+(?:[eE][-+]?\d+)?|\bnan\b|\binf\b")
IMAGES, SECONDS = 640, 240


def write_data(folder):
    """Write the images and labels as the files of MNIST."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (images, labels) in zip(("train", "t10k"), embedded_fashion_mnist(), strict=True):
        images, labels = np.asarray(images[:IMAGES], np.uint8), np.asarray(labels[:IMAGES], np.uint8)
        heads = np.array([2051, len(images), 28, 28], ">i4"), np.array([2049, len(labels)], ">i4")
        (folder / f"{name}-images-idx3-ubyte").write_bytes(heads[0].tobytes() + images.tobytes())
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(heads[1].tobytes() + labels.tobytes())


def ran(command, script, program):
    """A run of a script in its own folder: the exit code, the printed numbers, the last line of its errors.

    Where the program has a ``pattern``, its one group finds the numbers, in what is logged too.
    """
    started = time.perf_counter()
    whole = [*command, str(HERE.resolve() / "prelude.py"), script.name, *program["arguments"].split()]
    try:
        done = subprocess.run(whole, cwd=script.parent, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return {"code": "time", "numbers": [], "error": f"more than {SECONDS} s", "seconds": SECONDS}
    pattern = program.get("pattern")
    text = "\n".join(line for line in done.stdout.splitlines() if not line.startswith("Namespace("))  # the options
    found = re.findall(pattern, text + done.stderr) if pattern else NUMBER.findall(text)
    numbers = [float(x) for x in found]
    error = (done.stderr.strip().splitlines() or [""])[-1] if done.returncode else ""
    return {"code": done.returncode, "numbers": numbers, "error": error, "seconds": time.perf_counter() - started}


def verdict(ours, theirs):
    """One row of results from two runs."""
    row = {"minispore": ours["error"] or "ends", "MindSpore": theirs["error"] or "ends"}
    row["seconds"] = [round(ours["seconds"], 1), round(theirs["seconds"], 1)]
    a, b = np.array(ours["numbers"]), np.array(theirs["numbers"])
    row["numbers"] = [len(a), len(b)]
    if len(a) == len(b) and len(a):
        off = np.abs(a - b) / np.maximum(np.abs(b), 1e-3)
        off[(a == b) | (np.isnan(a) & np.isnan(b))] = 0
        row["first"], row["largest"] = float(f"{off[: max(len(off) // 20, 1)].max():.1e}"), float(f"{off.max():.1e}")
        row["last"] = [float(f"{x:.6g}") for x in (a[-1], b[-1])]
    return row


def run(folder, peer, only):
    """Run the programs whose names contain one of ``only``, and note the results."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name, repository in json.loads((HERE / "programs.json").read_text()).items():
        root = folder / name
        for program in repository["programs"]:
            script = (root / program["path"]).resolve()
            if not script.exists() or (only and not any(word in f"{script} {program.get('title')}" for word in only)):
                continue
            if "data" in repository:
                write_data(root / repository["data"])
            ours = ran([sys.executable, "-m", "minispore", "run"], script, program)
            shutil.rmtree(script.parent / "images", ignore_errors=True)
            theirs = ran([peer], script, program)
            title = f"{name}/{program['path']} {program.get('title', '')}".strip()
            results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
            results[title] = verdict(ours, theirs)
            print(title, results[title], flush=True)
            RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    return results


def page(results):
    """The page docs/reference/strangers.md."""
    listed = json.loads((HERE / "programs.json").read_text())
    commits = [f"- [{name}]({r['repository']}), commit `{r['commit'][:10]}`" for name, r in sorted(listed.items())]
    rows = [_row(name, results[name]) for name in sorted(results)]
    ended = [r for r in results.values() if r["MindSpore"] == "ends"]
    ours = sum(r["minispore"] == "ends" for r in ended)
    text = (HERE / "page.md").read_text()
    return text.format(
        count=len(results), ended=len(ended), ours=ours, commits="\n".join(commits), rows="\n".join(rows)
    )


def _row(name, result):
    """A row: the script, how both ended, the differences, the last number."""
    repository, _, rest = name.partition("/")
    cells = [repository, f"`{rest.rpartition('/')[2]}`", _said(result["minispore"]), _said(result["MindSpore"])]
    if "largest" in result:
        first = f"{result['first']:.0e}" if "first" in result else ""
        cells += [first, f"{result['largest']:.0e}", f"{result['last'][0]:g}"]
    return f"| {' | '.join(cells + [''] * (7 - len(cells)))} |"


def _said(text):
    return text if text == "ends" else f"`{text[:60]}`"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--mindspore-python", default="python")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    results = run(given.folder, given.mindspore_python, given.only) if given.folder else json.loads(RESULTS.read_text())
    if given.write:
        given.write.write_text(page(results), encoding="utf-8")


if __name__ == "__main__":
    main()
