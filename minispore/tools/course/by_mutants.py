"""Grading of a law that the reader writes: it holds of the right implementation, and of none of the wrong ones.

The folder of the exercise has the right implementation in ``right.txt``. Each wrong one is an edit of it: a row of
``mutants.toml`` with what it does (``says``), the text to replace (``old``) and the new text (``new``).
"""

import linecache
import sys
import types

import tomllib

from minispore.tools.course.exercise import exercise_of
from minispore.tools.course.reading import load, require
from minispore.tools.course.verdict import Verdict, shown_error, told

__all__ = ["grade", "mutant", "mutants_of"]

NEEDS = ("law",)


def mutants_of(exercise):
    """The rows of an exercise's wrong implementations."""
    return tomllib.loads((exercise.folder / "mutants.toml").read_text(encoding="utf-8"))["mutant"]


def mutant(number, which):
    """An implementation that a law is asked about: the right one, or a wrong one.

    Args:
        number (str): The number of the exercise, such as "7.3".
        which (int): 0 for the right one; wrong ones count from 1.

    Raises:
        ValueError: If there is no such exercise.
    """
    exercise = exercise_of(number)
    text = (exercise.folder / "right.txt").read_text(encoding="utf-8")
    if which:
        row = mutants_of(exercise)[which - 1]
        if row["old"] not in text:
            raise LookupError(row["old"])
        text = text.replace(row["old"], row["new"])
    return getattr(_module(f"{exercise.folder.name}_{which}", text), exercise.graded["gives"])


def _module(name, text):
    """The module of a text; tracebacks find its lines."""
    name = f"implementation_{name}"
    module = sys.modules[name] = types.ModuleType(name)
    linecache.cache[f"<{name}>"] = (len(text), None, text.splitlines(keepends=True), f"<{name}>")
    exec(compile(text, f"<{name}>", "exec"), vars(module))
    return module


def grade(exercise, path):
    """The :class:`~minispore.tools.course.verdict.Verdict` on a file with a ``law``; the right one is asked often."""
    mine, rows = load(path), mutants_of(exercise)
    require(mine, NEEDS)
    for which, row in enumerate(rows, 1):
        wrong = _of_right(exercise, mine, path) or _of_wrong(exercise, mine, path, which, row["says"])
        if wrong:
            return wrong
    return _of_right(exercise, mine, path) or Verdict(True, f"it kills all {len(rows)} wrong implementations")


def _of_right(exercise, mine, path):
    """The verdict if the law fails on the right implementation, else None."""
    try:
        mine.law(mutant(exercise.number, 0))
    except Exception as error:  # the reader's own code raised it
        program = _program(exercise, path, 0, "the right implementation")
        return Verdict(False, f"it fails on the right implementation: {shown_error(error, path)}", program)
    return None


def _of_wrong(exercise, mine, path, which, says):
    """The verdict if the law does not end in an assertion on a wrong implementation, else None."""
    program = _program(exercise, path, which, says)
    try:
        mine.law(mutant(exercise.number, which))
    except AssertionError:
        return None
    except Exception as error:  # the reader's own code raised it
        return Verdict(False, f"an 'assert' must fail on the one that {says}, but it ends in {told(error)}", program)
    return Verdict(False, f"it lets a wrong implementation pass: one that {says}", program)


def _program(exercise, path, which, says):
    return (
        f"from minispore.tools.course import load, mutant\n\n"
        f"mine = load({str(path)!r})\nmine.law(mutant({exercise.number!r}, {which}))  # {says}"
    )
