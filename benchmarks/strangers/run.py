"""Run programs of strangers under minispore and MindSpore, from equal weights: the numbers that they print, compared.

::

    python benchmarks/strangers/run.py FOLDER --mindspore-python PATH [--only NAME ...] [--write PAGE]

``programs/REPOSITORY.json`` lists the programs of a repository: its address, a commit, and of each program the path,
the arguments, the folder where it starts (its own, unless given) and what data it reads, by the names in ``makers.py``;
``packages`` are folders of the repository to import from.
FOLDER holds a clone of each repository, at that commit, under its name. No line of theirs is in this repository. The
data are 640 images of the Fashion-MNIST that minispore ships; a batch of 32 makes twenty steps of an epoch.
``results/REPOSITORY.json`` keeps what was run, and ``--write`` writes the page of all.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from makers import MAKERS

HERE = Path(__file__).parent
A_TIME = r"(?!\d|\s*(?:s|ms|sec|secs|seconds)\b)"  # what no number is, that is to be compared
NUMBER = re.compile(rf"(?<![\w.])[-+]?\d+\.\d+(?:[eE][-+]?\d+)?{A_TIME}|\bnan\b|\binf\b")
SECONDS = 240


def read(kind):
    """All files of a kind, ``programs`` or ``results``: their contents by repository."""
    return {path.stem: json.loads(path.read_text()) for path in sorted((HERE / kind).glob("*.json"))}


def title(program):
    """The name of a program in its repository."""
    return f"{program['path']} {program.get('title', '')}".strip()


def write_data(root, *wanted):
    """Write the data that a repository and its program read, below the repository's folder."""
    for maker, place in [pair for each in wanted for pair in each.items()]:
        MAKERS[maker](root / place)


def surroundings(root, repository):
    """The environment of a run: the repository's folders that hold packages on the path, no window for plots."""
    packages = [str((root / path).resolve()) for path in repository.get("packages", ())]
    path = os.pathsep.join([*packages, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "MPLBACKEND": "Agg"}


def ran(command, root, program, env):
    """A run of a script in its folder: the exit code, the printed numbers, the last line of its errors.

    Where the program has a ``pattern``, its one group finds the numbers, in what is logged too.
    """
    script = (root / program["path"]).resolve()
    folder = root / program["folder"] if "folder" in program else script.parent
    whole = [*command, str(HERE.resolve() / "prelude.py"), str(script), *program["arguments"].split()]
    started = time.perf_counter()
    try:
        done = subprocess.run(whole, cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return {"code": "time", "numbers": [], "error": f"more than {SECONDS} s", "seconds": SECONDS}
    pattern = program.get("pattern")
    text = "\n".join(line for line in done.stdout.splitlines() if not line.startswith("Namespace("))  # the options
    found = re.findall(pattern, text + done.stderr) if pattern else NUMBER.findall(text)
    numbers = [float(x) for x in found]
    error = (done.stderr.strip().splitlines() or [""])[-1] if done.returncode else ""
    error = error.replace(f"{root.resolve()}/", "")
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
    for name, repository in read("programs").items():
        for program in repository["programs"]:
            full = f"{name}/{title(program)}"
            if (folder / name / program["path"]).exists() and (not only or any(word in full for word in only)):
                row = both(folder / name, peer, repository, program)
                print(full, row, flush=True)
                note(name, title(program), row)


def both(root, peer, repository, program):
    """One row of results: the program under minispore, then under MindSpore, each with its data written anew."""
    runs = []
    for command in ([sys.executable, "-m", "minispore", "run"], [peer]):
        write_data(root, repository.get("data", {}), program.get("data", {}))
        shutil.rmtree((root / program["path"]).parent / "images", ignore_errors=True)
        runs.append(ran(command, root, program, surroundings(root, repository)))
    return verdict(*runs)


def note(name, program, row):
    """Keep a row in the file of its repository."""
    path = HERE / "results" / f"{name}.json"
    rows = {**(json.loads(path.read_text()) if path.exists() else {}), program: row}
    path.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n")


def agrees(row):
    """True if both ended, with as many numbers, and the first of them agree to a thousandth."""
    ours, theirs = row["numbers"]
    return row["minispore"] == "ends" and ours == theirs > 0 and row["first"] <= 1e-3


def page(results):
    """The page docs/reference/strangers.md."""
    listed = read("programs")
    commits = [f"- [{name}]({r['repository']}), commit `{r['commit'][:10]}`" for name, r in listed.items()]
    whole = [(name, program, row) for name, rows in results.items() for program, row in sorted(rows.items())]
    ended = [row for *_, row in whole if row["MindSpore"] == "ends"]
    return (
        (HERE / "page.md")
        .read_text()
        .format(
            count=len(whole),
            repositories=len(results),
            ended=len(ended),
            ours=sum(row["minispore"] == "ends" for row in ended),
            equal=sum(agrees(row) for row in ended),
            commits="\n".join(commits),
            rows="\n".join(_row(*each) for each in whole),
        )
    )


def _row(repository, program, result):
    """A row: the script, how both ended, the differences, the last number, the seconds of both."""
    cells = [repository, f"`{_short(program)}`", _said(result["minispore"]), _said(result["MindSpore"])]
    if "largest" in result:
        first = f"{result['first']:.0e}" if "first" in result else ""
        cells += [first, f"{result['largest']:.0e}", f"{result['last'][0]:g}"]
    cells += [""] * (7 - len(cells)) + [" / ".join(f"{seconds:.0f}" for seconds in result["seconds"])]
    return f"| {' | '.join(cells)} |"


def _short(program):
    """A program's name without the folders of its path."""
    path, space, given = program.partition(" ")
    return f"{path.rpartition('/')[2]}{space}{given}"


def _said(text):
    return text if text == "ends" else f"`{text[:60]}`"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--mindspore-python", default="python")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    if given.folder:
        run(given.folder, given.mindspore_python, given.only)
    if given.write:
        given.write.write_text(page(read("results")), encoding="utf-8")


if __name__ == "__main__":
    main()
