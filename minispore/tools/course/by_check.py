"""Grading by a comparison: a module of ``checks`` has cases, the smallest first, and a check of one case.

Such a module has ``NEEDS``, the names that the reader's file must define; ``cases()``, tuples of plain values; and
``check(mine, *case)``, which raises :class:`~minispore.tools.course.verdict.Wrong`.
"""

import importlib

from minispore.tools.course.reading import load, require
from minispore.tools.course.verdict import Verdict, Wrong, in_code, shown_error

__all__ = ["grade"]

ROOM = "minispore.tools.course.checks"


def grade(exercise, path):
    """The :class:`~minispore.tools.course.verdict.Verdict` on a file, by the first case that fails."""
    name = exercise.graded["check"]
    rule, mine, count = importlib.import_module(f"{ROOM}.{name}"), load(path), 0
    require(mine, rule.NEEDS)
    for count, case in enumerate(rule.cases(), 1):  # noqa: B007 - the last number is the count
        try:
            rule.check(mine, *case)
        except Wrong as error:
            return Verdict(False, str(error), _program(name, path, case))
        except Exception as error:  # the reader's own code raised it
            return Verdict(False, f"it ends in {shown_error(error, path)}", _program(name, path, case))
    return Verdict(True, f"{count} cases agree")


def _program(name, path, case):
    """A program that checks one case, and ends in the same words."""
    arguments = "".join(f", {in_code(each)}" for each in case)
    return (
        f"from {ROOM} import {name}\nfrom minispore.tools.course import load\n\n"
        f"{name}.check(load({str(path)!r}){arguments})"
    )
