"""How many small wrongs in a room its tests notice: mutants of its source, sampled by a seed, and which of them die.

    python benchmarks/mutation.py amp --count 40 --seed 1

A mutant is one change: a comparison, an operator, a number or a truth value is another, a condition is negated, a
result is None. The tests of the room run on a copy of the working tree; a mutant that they pass has survived: read it,
and write the test that it lacks; one that computes the same is EQUIVALENT, with the reason. A mutant is dead too when
the tests take too long.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
# Room -> its files, and the tests that hold it, those that fail soonest first
ROOMS = {
    "amp": (
        "minispore/amp/**/*.py",
        ["tests/amp/loss_scale", "tests/amp/policy", "tests/amp", "tests/conformance/test_amp.py"],
    ),
    "autograd": (
        "minispore/autograd.py",
        ["tests/test_autograd.py", "tests/ops/test_derivatives.py", "tests/ops/test_transforms.py", "tests/nn"],
    ),
    "rewrite/edit": ("minispore/rewrite/edit/*.py", ["tests/rewrite/edit", "tests/rewrite"]),
}
COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
    ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
OPERATORS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*", ast.Pow: "*"}

# Mutants that compute the same: file, the line as it would be, and why
EQUIVALENT = {}


class Mutant(NamedTuple):
    """A file with one change: the text from ``start`` to ``end`` is ``new``."""

    path: Path
    line: int
    start: int
    end: int
    new: str

    def text(self):
        """The file's text with the change."""
        text = self.path.read_text()
        return text[: self.start] + self.new + text[self.end :]

    def told(self):
        """The change in a line."""
        text = self.path.read_text()
        where = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        return f"{where}:{self.line}: {text[self.start : self.end]!r} -> {self.new!r}"

    def reason(self):
        """Why it computes the same; None if it does not."""
        line = self.text().splitlines()[self.line - 1].strip()
        return EQUIVALENT.get((self.path.relative_to(ROOT).as_posix(), line))


def mutants(path):
    """Every mutant of a file, in the order of its text."""
    text = path.read_text()
    begins = [0]
    for line in text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))

    def place(line, column):
        return begins[line - 1] + len(text[begins[line - 1] :].encode()[:column].decode())

    found = []
    for node in ast.walk(ast.parse(text)):
        for first, last, new in _changes(node):
            start, end = place(*first), place(*last)
            if not callable(new) or text[start:end]:
                made = new(text[start:end]) if callable(new) else new
                found.append(Mutant(path, first[0], start, end, made))
    return sorted(found, key=lambda mutant: mutant.start)


def _ends(node):
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _changes(node):
    """The changes of a node: the places of what is replaced, and by what."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield _ends(node.left)[1], _ends(node.comparators[0])[0], _operator(COMPARISONS[type(node.ops[0])])
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not _is_text(node):
        yield _ends(node.left)[1], _ends(node.right)[0], _operator(OPERATORS[type(node.op)])
    elif isinstance(node, ast.BoolOp):
        other = "or" if isinstance(node.op, ast.And) else "and"
        yield _ends(node.values[0])[1], _ends(node.values[1])[0], _operator(other)
    elif isinstance(node, ast.Constant) and type(node.value) in (bool, int, float):
        yield *_ends(node), repr(not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield *_ends(node.test), lambda text: f"(not ({text}))"
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield *_ends(node.value), "None"


def _operator(new):
    """Replaces an operator, and keeps the brackets around it."""

    def made(text):
        before, after = text[: len(text) - len(text.lstrip(") \n"))], text[len(text.rstrip("( \n")) :]
        return f"{before or ' '}{new}{after or ' '}"

    return made


def _is_text(node):
    return any(isinstance(x, (ast.JoinedStr, ast.Constant)) and not isinstance(getattr(x, "value", ""), (int, float))
               for x in (node.left, node.right))  # fmt: skip


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def sample(room, count, seed):
    """So many mutants of a room, chosen by a seed."""
    every = [mutant for path in sorted(ROOT.glob(ROOMS[room][0])) for mutant in mutants(path)]
    return random.Random(seed).sample(every, min(count, len(every))), len(every)


def dies(mutant, copy, tests, limit):
    """Which test notices a mutant; None where none does."""
    place = copy / mutant.path.relative_to(ROOT)
    sound = place.read_text()
    place.write_text(mutant.text())
    try:
        return _failed(copy, tests, limit)
    finally:
        place.write_text(sound)


def _failed(copy, tests, limit):
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=no", *tests]
    env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return f"more than {limit} s"
    if done.returncode == 0:
        return None
    return next((line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))), "no test runs")


def copied(folder):
    """A copy of the working tree."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    for name in listed.stdout.decode().splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def main(arguments=None):
    """Print each mutant and what killed it, and the score; returns 1 if one survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", choices=list(ROOMS))
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=900, help="seconds of a run of the tests")
    chosen = parser.parse_args(arguments)
    taken, every = sample(chosen.room, chosen.count, chosen.seed)
    alive = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        for mutant in taken:
            by = mutant.reason() or dies(mutant, copy, ROOMS[chosen.room][1], chosen.limit)
            alive += by is None
            word = "SURVIVED" if by is None else "equal" if mutant.reason() else "dead"
            print(f"{word}  {mutant.told()}  {by or ''}", flush=True)
    told = f"{chosen.room}: {len(taken) - alive} of {len(taken)} sampled mutants died or compute the same"
    print(f"{told}; there are {every}.")
    return int(alive > 0)


if __name__ == "__main__":
    sys.exit(main())
