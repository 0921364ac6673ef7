"""Runs laws on a target: counts cases, shrinks what fails, and knows the known deviations."""

import re
import time
from dataclasses import dataclass, field
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase

from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.program import pasted
from minispore.tools.testing.targets import TargetError, offers, why_not

__all__ = ["PROFILES", "Drawing", "Failure", "Result", "results", "tried"]

PROFILES = {"ci": 1, "deep": 12}  # factors of the number of cases


@dataclass
class Failure:
    """A group that breaks a law: the smallest case's label, a program that shows it, the law in words.

    ``said`` is the case in the target's own API, if the kit knows that API; it is empty otherwise.
    """

    group: str
    label: str
    program: str
    words: str
    size: int = 1  # the number of calls of the case
    said: str = ""


@dataclass(frozen=True)
class Drawing:
    """The way of drawing cases: by a seed, or anew each time. A folder keeps the failed examples."""

    seed: int = 0
    database: str = None


DRAWING = Drawing()


@dataclass
class Result:
    """The result of a law: the number of cases, the failures, the deviations met, the reason why it was not tried.

    ``refused`` counts the cases that the target refused: it lacks a dtype, a form or an operation; ``refusal`` is its
    message for the first.
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
        """The failure whose program is shortest; None if there is no such case."""
        return min(self.failures, key=lambda failure: len(failure.program), default=None)


def results(target, names=None, profile="ci", deviations=(), only="*", drawing=DRAWING):
    """The :class:`Result` of each law, one after another.

    Args:
        target (Target): The implementation under test.
        names (Sequence[str]): Which laws. Default: None, all.
        profile (str): "ci" or "deep". Default: "ci".
        deviations (Sequence[Deviation]): The known ones. Default: ().
        only (str): A text that the groups' labels hold. Default: "*", any.
        drawing (Drawing): The seed and the database of examples. Default: the seed 0, and no database.
    """
    for name in names or LAWS:
        yield tried(LAWS[name], target, profile, deviations, only, drawing)


def tried(law, target, profile="ci", deviations=(), only="*", drawing=DRAWING):
    """The :class:`Result` of one law."""
    result, start = Result(law.name, law.sentence), time.perf_counter()
    lacking = [verb for verb in law.needs if not offers(target, verb)]
    if lacking:
        result.absent = f"not supported by the target: {why_not(target, lacking[0])}"
        return result
    for label, cases in law.groups(target, profile):
        if _fits(label, only):
            one = _One(law, target, label, deviations, result)
            try:
                one.try_all(cases, law.drawn * PROFILES[profile], drawing)
            except Exception:
                if one.failure is None:
                    raise
                result.failures.append(one.failure)
    result.seconds = time.perf_counter() - start
    result.absent = _none_of_it(result, target, only)
    return result


def _none_of_it(result, target, only):
    """The reason why nothing of a law was tried; empty where something was."""
    if not result.cases and only != "*":
        return f"not tried: no label of its groups holds '{only}'"
    if not result.cases:
        return f"not supported by the target: none of its cases can be told to {target.name}"
    if result.cases == result.refused:
        return f"not supported by the target: it refuses every case, the first with {result.refusal}"
    return ""


def _fits(label, only):
    return only == "*" or only in label


class _One:
    """Tries the cases of one group: counts them, and keeps the smallest failure."""

    def __init__(self, law, target, label, deviations, result):
        self.law, self.target, self.label, self.deviations, self.result = law, target, label, deviations, result
        self.failure = self.crash = None

    def try_all(self, cases, count, drawing):
        """Draw so many, or take each of a list; raise at a failure, after the smallest has been found."""
        if isinstance(cases, st.SearchStrategy):
            _drawn(self, cases, count, drawing, f"{self.target.name} {self.law.name} {self.label}")
        else:
            for case in cases:
                self(case)

    def __call__(self, case):
        if self.crash is not None:  # the process is not started anew, to end again, for each smaller case
            raise self.crash
        self.result.cases += 1
        try:
            self.law.check(self.target, case)
        except Exception as error:  # an exception of a target is a finding as well
            if self.law.refusable and _refuses(error, case, self.target):
                self.result.refused += 1
                self.result.refusal = self.result.refusal or _words(error).splitlines()[0][:80]
            else:
                self._failed(case, error)

    def _failed(self, case, error):
        known = next((d for d in self.deviations if d.fits(self.law.name, case.label)), None)
        if known is None:
            self.failure = self._shown(getattr(error, "case", None) or case, error)
            self.crash = error if getattr(error, "kind", "") == "Crash" else None
            raise error
        known.reached += 1
        self.result.reached += 1

    def _shown(self, case, error):
        program, said = pasted(self.law, self.target, case), _said(self.target, case)
        return Failure(self.label, case.label, program, _words(error), getattr(case, "size", 1), said)


def _said(target, case):
    """A case in the API of a target that the kit knows; empty for an own one, or a case that has no such program."""
    if target.name not in KNOWN or not hasattr(case, "said_in"):
        return ""
    return case.said_in(target.speaks).replace("mindspore", "minispore" if target.name == "minispore" else "mindspore")


KNOWN = ("minispore", "mindspore", "torch")


def _expression(case, target):
    """The expression of a case that a target is given, if it has one."""
    said = case.said_to(target) if hasattr(case, "said_to") else getattr(case, "said", "")
    return said if isinstance(said, str) else ""


def _refuses(error, case, target):
    """True if a target refuses a case by an exception, and its process lives; an expression's name may be missing."""
    missing = getattr(error, "name", None) if isinstance(error, (AttributeError, NameError)) else None
    if missing:
        return missing in re.findall(r"\w+", _expression(case, target))
    return isinstance(error, (TargetError, NotImplementedError)) and getattr(error, "kind", "") != "Crash"


def _words(error):
    kind = getattr(error, "kind", type(error).__name__)
    told = str(error)
    return told if kind == "Broken" or told.startswith(f"{kind}: ") else f"{kind}: {told}"


def _drawn(one, cases, count, drawing, name):
    """Try a strategy's cases; the last that fails is the smallest. ``name`` is their folder in the database."""
    folder = drawing.database and Path(drawing.database) / re.sub(r"\W+", "_", name)
    found = hypothesis.settings(
        max_examples=count,
        deadline=None,
        database=DirectoryBasedExampleDatabase(folder) if folder else None,
        report_multiple_bugs=False,
        print_blob=False,
        phases=(Phase.reuse, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    drawn = found(given(case=cases)(lambda case: one(case)))
    if not folder:  # by a seed, Hypothesis neither reads nor writes examples
        drawn = hypothesis.seed(drawing.seed)(drawn)
    drawn()
