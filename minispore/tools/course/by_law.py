"""Grading by a law of the conformance kit: the reader's file is a target, whose ``target()`` the kit asks.

A law that holds is tried again without the function that was to be mended. It must fail then: otherwise the adapter
asks something else.
"""

import contextlib
import io

from minispore.tools.course.reading import load, require
from minispore.tools.course.verdict import Verdict
from minispore.tools.testing import targets
from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.runner import tried

__all__ = ["grade"]


def grade(exercise, path):
    """The :class:`~minispore.tools.course.verdict.Verdict` on a file, by the law's smallest counterexample."""
    target, asked = targets.load(str(path)), exercise.graded
    for name, value in asked.get("keeps", {}).items():
        if getattr(target, name, None) != value:
            return Verdict(False, f"the target's '{name}' must stay as it was given: {value}")
    cases = 0
    for law in asked["laws"]:
        result = tried(LAWS[law], target)
        if result.absent:
            return Verdict(False, f"the law {law} could not be tried: {_reason(result, target)}")
        if result.failures:
            return Verdict(False, f"{result.smallest.words} (law {law})", result.smallest.program)
        if result.refused:
            return Verdict(False, f"the target refuses {result.refused} cases, the first with {result.refusal}")
        cases += result.cases
    if cases < asked["least"]:
        return Verdict(False, f"the target lets {cases} cases be tried, and {asked['least']} are needed")
    if _holds_without(asked["mends"], asked["laws"][0], path):
        return Verdict(
            False, f"the law holds without '{asked['mends']}' as well: the adapter must ask it, as it was given"
        )
    return Verdict(True, f"{cases} cases of {' and '.join(asked['laws'])} hold")


def _holds_without(name, law, path):
    """True if a law holds of a file whose function of a name only raises."""
    with contextlib.redirect_stdout(io.StringIO()):  # it has printed already
        mine = load(path)
    require(mine, [name])
    setattr(mine, name, _taken_away)
    try:
        result = tried(LAWS[law], mine.target())
    except TakenAway:
        return False
    return not (result.failures or result.refused or result.absent)


class TakenAway(Exception):  # noqa: N818 - what is to happen
    """The function that was to be mended is not there."""


def _taken_away(*_, **__):
    raise TakenAway


def _reason(result, target):
    return " ".join([result.absent, *targets.misspelt(target)])
