"""Grading by a law of the conformance kit: the reader's file is a target, whose ``target()`` the kit asks."""

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
    return Verdict(True, f"{cases} cases of {' and '.join(asked['laws'])} hold")


def _reason(result, target):
    return " ".join([result.absent, *targets.misspelt(target)])
