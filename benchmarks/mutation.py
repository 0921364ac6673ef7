"""How many small wrongs in a room its tests notice: mutants of its source, sampled by a seed, and which of them die.

    python benchmarks/mutation.py amp --count 40 --seed 1

The tests of the room run once on a copy of the working tree, while coverage notes the lines that each of them runs.
Then each mutant is run against the tests that run its line, the cheapest of each file first. A mutant that they pass
has survived: read it, and write the test that it lacks; one that computes the same goes into
``equivalent_mutants.py``, with the reason. A mutant is dead too when the tests take too long. One whose line no test
runs has survived.

All that is found stays in ``--folder``. A run that is broken off goes on where it was; a later one with the same seed
tries the survivors alone again, and of the tests notes only those that are new or have changed.
"""

import argparse
import hashlib
import itertools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from equivalent_mutants import EQUIVALENT
from mutants import sample

ROOT = Path(__file__).resolve().parents[1]
# Room -> its files, and the tests that hold it
ROOMS = {
    "amp": ("minispore/amp/**/*.py", ["tests/amp", "tests/nn/test_wrap.py", "tests/conformance/test_amp.py"]),
    "autograd": ("minispore/core/tape.py", ["tests/core/test_tape.py", "tests/ops/test_derivatives.py"]),
    "graph": (
        "minispore/graph/*.py",
        [
            "tests/graph",
            "tests/amp/loss_scale",
            "tests/parallel/test_overlapped_reduction.py",
            "tests/core/test_tape.py",
        ],
    ),
    "rewrite": ("minispore/rewrite/**/*.py", ["tests/rewrite", "tests/amp/policy", "tests/amp/test_build.py"]),
    "rewrite/edit": ("minispore/rewrite/edit/*.py", ["tests/rewrite"]),
}
PYTEST = ["-q", "-n", "0", "-p", "no:cacheprovider", "--tb=no", "-p", "benchmarks.mutation_tests"]
WALL = 1800  # seconds that a run of the tests may wait for a processor


class Room:
    """A copy of the working tree, what the tests of a room reach in it, and what has been found of its mutants."""

    def __init__(self, name, folder):
        self.pattern, self.paths = ROOMS[name]
        self.copy, self.file = copied(folder / "copy"), folder / f"{name.replace('/', '_')}.jsonl"
        self._reached = folder / f"{name.replace('/', '_')}_reached.json"
        self.sources = sorted(path.relative_to(self.copy).as_posix() for path in self.copy.glob(self.pattern))
        known = [json.loads(line) for line in self.file.read_text().splitlines()] if self.file.exists() else []
        self.known = {row["mutant"]: row for row in known if row["by"]}

    def measure(self):
        """The tests that pass: seconds, and the lines that each runs; what is known of tests that stay is kept."""
        state = digest(self.copy, self.sources)
        kept = json.loads(self._reached.read_text()) if self._reached.exists() else {}
        files = kept["files"] if kept.get("sources") == state else {}
        now = {name: digest(self.copy, [name]) for name in self._test_files()}
        files = {name: row for name, row in files.items() if row["digest"] == now.get(name)}
        new = [name for name in now if name not in files]
        if new:
            print(f"noting what the tests of {len(new)} files reach ...", flush=True)
            for name, tests in itertools.groupby(self._measured(new).items(), lambda item: item[0].partition("::")[0]):
                files[name] = {"digest": now[name], "tests": dict(tests)}
            files.update({name: {"digest": now[name], "tests": {}} for name in new if name not in files})
        self._reached.write_text(json.dumps({"sources": state, "files": files}))
        return {test: row for file in files.values() for test, row in file["tests"].items()}

    def _test_files(self):
        paths = [self.copy / path for path in self.paths]
        found = {test for path in paths for test in ([path] if path.is_file() else path.rglob("test_*.py"))}
        return sorted(test.relative_to(self.copy).as_posix() for test in found)

    def _measured(self, files):
        out = self.copy / "reached.json"
        sources = [str(self.copy / source) for source in self.sources]
        code, said = pytest(self.copy, [*files, "--reached", str(out), "--sources", *sources], WALL * 8)
        if code not in (0, 1):
            raise SystemExit(f"the tests do not run: {said}")
        return json.loads(out.read_text())

    def verdict(self, mutant, tests, seconds):
        """A row on a mutant: what killed it, or None, and how many of the tests that reach it have run."""
        chosen, reaching = choose(mutant, tests, seconds)
        row = {"mutant": identity(mutant), "told": mutant.told(), "ran": len(chosen), "of": reaching}
        by = EQUIVALENT.get(mutant.changed())
        if by is None and chosen:
            by = self._killer(mutant, chosen, sum(tests[name]["seconds"] for name in chosen))
        row["by"] = by
        with self.file.open("a") as file:
            file.write(json.dumps(row) + "\n")
        return row

    def _killer(self, mutant, chosen, expected):
        """Which test notices a mutant; None where none does."""
        only, sound, times = self.copy / "only.json", mutant.path.read_text(), mutant.path.stat()
        only.write_text(json.dumps(chosen))
        files = list(dict.fromkeys(name.partition("::")[0] for name in chosen))
        mutant.path.write_text(mutant.text())
        os.utime(mutant.path, (times.st_atime, times.st_mtime + 3600))  # no compiled file is taken for the mutant's
        try:
            limit = int(3 * expected + 60)
            code, said = pytest(self.copy, ["-x", *files, "--only", str(only)], limit)
        finally:
            mutant.path.write_text(sound)
            os.utime(mutant.path, ns=(times.st_atime_ns, times.st_mtime_ns))
        if code < 0:
            return f"more than {limit} s"
        return None if code == 0 else said


def digest(folder, names):
    """A digest of the texts of files."""
    return hashlib.sha256(b"\0".join((folder / name).read_bytes() for name in names)).hexdigest()


def identity(mutant):
    """A name of a mutant that holds as long as its file stays the same."""
    return f"{digest(mutant.root, [mutant.name])[:16]} {mutant.name} {mutant.start} {mutant.end} {mutant.new}"


def choose(mutant, tests, seconds):
    """The names of tests that reach a mutant, of so many seconds together at most; and how many there are.

    The cheapest of each file come first, then the second of each, and so on. What stands outside of functions runs at
    the import: there all tests that reach the file are meant.
    """
    reach = [
        name
        for name, row in tests.items()
        if (lines := row["lines"].get(mutant.name)) and (not mutant.runs or mutant.line in lines)
    ]
    by_file = {}
    for name in sorted(reach, key=lambda name: tests[name]["seconds"]):
        by_file.setdefault(name.partition("::")[0], []).append(name)
    chosen, left = [], seconds
    for name in filter(None, itertools.chain(*itertools.zip_longest(*by_file.values()))):
        if tests[name]["seconds"] <= left or not chosen:
            chosen.append(name)
            left -= tests[name]["seconds"]
    return chosen, len(reach)


def pytest(copy, arguments, limit):
    """The exit code of pytest in a copy, negative if it took more than so many seconds; and the first failure."""
    env = {**os.environ, "PYTHONPATH": str(copy), "HYPOTHESIS_PROFILE": "ci"}
    if "--reached" in arguments:  # what it compiles serves every mutant
        env.pop("PYTHONDONTWRITEBYTECODE", None)
    else:
        env["PYTHONDONTWRITEBYTECODE"] = "1"
    command = [sys.executable, "-m", "pytest", *PYTEST, *arguments]
    limited = lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))  # noqa: E731
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    run = subprocess.Popen(command, cwd=copy, env=env, preexec_fn=limited, start_new_session=True, **pipes)
    try:
        said, _ = run.communicate(timeout=WALL + limit)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        return -signal.SIGKILL, ""
    lines = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return run.returncode, lines[0] if lines else said[-2000:]


def copied(folder):
    """A copy of the working tree, brought up to date."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    names = [name for name in listed.stdout.decode().splitlines() if (ROOT / name).is_file()]
    for name in names:
        target = folder / name
        if not target.exists() or target.read_bytes() != (ROOT / name).read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    for path in folder.rglob("*.py"):
        if path.relative_to(folder).as_posix() not in names:
            path.unlink()
    return folder


def main(arguments=None):
    """Print each mutant and what killed it, and the score; returns 1 if one survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", choices=list(ROOMS))
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=90, help="of tests that a mutant is run against at most")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "mutation", help="where what is found stays")
    chosen = parser.parse_args(arguments)
    room = Room(chosen.room, chosen.folder.resolve())
    taken, every = sample(room.copy, room.pattern, chosen.count, chosen.seed)
    tests, words = room.measure(), []
    for mutant in taken:
        row = room.known.get(identity(mutant)) or room.verdict(mutant, tests, chosen.seconds)
        equal = mutant.changed() in EQUIVALENT
        words.append("equal" if equal else "dead" if row["by"] else "SURVIVED")
        print(f"{words[-1]}  {row['told']}  {row['by'] or ''}  ({row['ran']} of {row['of']} tests)", flush=True)
    dead, equal = words.count("dead"), words.count("equal")
    print(f"{chosen.room}, seed {chosen.seed}: of {len(taken)} sampled mutants (there are {every}) {dead} died,")
    print(f"{equal} compute the same: {dead / max(1, len(taken) - equal):.0%}.")
    return int("SURVIVED" in words)


if __name__ == "__main__":
    sys.exit(main())
