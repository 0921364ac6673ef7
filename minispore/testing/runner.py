"""Runs laws on a target: counts cases, shrinks what fails, and knows the known deviations."""

import time
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from minispore.testing.laws import LAWS
from minispore.testing.targets import TargetError, offers, why_not

__all__ = ["PROFILES", "Failure", "Result", "results", "tried"]

PROFILES = {"ci": 1, "deep": 12}  # how many times as many cases are drawn


@dataclass
class Failure:
    """A group of which a law does not hold: the smallest case's label, its program, and what it says."""

    group: str
    label: str
    program: str
    words: str
    size: int = 1  # how many calls the case has


@dataclass
class Result:
    """What came of a law: how many cases, the failures, the deviations that were reached, why it was not tried.

    ``refused`` counts the cases that the target refused: a dtype, a form or an operation that it does not have;
    ``refusal`` is what it said of the first.
    """

    law: str
    sentence: str
    cases: int = 0
    failures: list = field(default_factory=list)
    reached: int = 0
    refused: int = 0
    refusal: str = ""
    absent: str = ""
    seconds: float = 0.0

    @property
    def smallest(self):
        """The failure whose program is shortest; None where there is none."""
        return min(self.failures, key=lambda failure: len(failure.program), default=None)


def results(target, names=None, profile="ci", deviations=(), only="*"):
    """The :class:`Result` of each law, one after another.

    Args:
        target (Target): What they are aimed at.
        names (Sequence[str]): Which laws. Default: None, all.
        profile (str): "ci" or "deep". Default: "ci".
        deviations (Sequence[Deviation]): The known ones. Default: ().
        only (str): A pattern of the groups' labels. Default: "*".
    """
    for name in names or LAWS:
        yield tried(LAWS[name], target, profile, deviations, only)


def tried(law, target, profile="ci", deviations=(), only="*"):
    """The :class:`Result` of one law."""
    result, start = Result(law.name, law.sentence), time.perf_counter()
    lacking = [verb for verb in law.needs if not offers(target, verb)]
    if lacking:
        result.absent = f"not supported by the target: {why_not(target, lacking[0])}"
        return result
    for label, cases in law.groups(target, profile):
        if _fits(label, only):
            failure = _group(law, target, label, cases, profile, deviations, result)
            result.failures += [failure] if failure else []
    result.seconds = time.perf_counter() - start
    result.absent = _none_of_it(result, target)
    return result


def _none_of_it(result, target):
    """Why nothing of a law was tried; empty where something was."""
    if not result.cases:
        return f"not supported by the target: none of its cases can be told to {target.name}"
    if result.cases == result.refused:
        return f"not supported by the target: it refuses every case, the first with {result.refusal}"
    return ""


def _fits(label, only):
    return only == "*" or only in label


def _group(law, target, label, cases, profile, deviations, result):
    """The failure of a group, or None."""
    last = {}

    def one(case):
        if "crash" in last:  # the process is not started anew, to end again, for each smaller case
            raise last["crash"]
        result.cases += 1
        try:
            law.check(target, case)
        except Exception as error:  # what a target raises is a finding as well
            if law.refusable and _refuses(error):
                result.refused += 1
                result.refusal = result.refusal or _words(error).splitlines()[0][:80]
                return
            known = next((d for d in deviations if d.fits(law.name, case.label)), None)
            if known is None:
                shown = getattr(error, "case", None) or case
                last["failure"] = Failure(label, shown.label, shown.program(), _words(error), getattr(shown, "size", 1))
                last.update({"crash": error} if getattr(error, "kind", "") == "Crash" else {})
                raise
            known.reached += 1
            result.reached += 1

    try:
        _drawn(one, cases, law.drawn * PROFILES[profile]) if isinstance(cases, st.SearchStrategy) else [
            one(case) for case in cases
        ]
    except Exception:
        if "failure" not in last:
            raise
        return last["failure"]
    return None


def _refuses(error):
    """Whether a target elsewhere refuses a case: it raises, and its process lives."""
    return isinstance(error, TargetError) and error.kind != "Crash"


def _words(error):
    kind = getattr(error, "kind", type(error).__name__)
    told = str(error)
    return told if kind == "Broken" or told.startswith(f"{kind}: ") else f"{kind}: {told}"


def _drawn(one, cases, count):
    """Try a strategy's cases; the last that fails is the smallest."""
    found = settings(
        max_examples=count,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        print_blob=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    seed(0)(found(given(case=cases)(lambda case: one(case))))()
