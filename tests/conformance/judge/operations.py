"""How a case is judged: in units of the error that is allowed, against the answer in float64.

What is allowed is the policy of ``minispore.testing.judge``; what is no further from float64 than MindSpore is allowed
too. MindSpore's own distance is measured in the same units; where it is large, the two mean different things, or
MindSpore errs: that needs a reason in ``explained_differences.py``.
"""

from typing import NamedTuple

import numpy as np
from conformance.cases.operations.draw import Written
from conformance.record import observe

import minispore as ms
from minispore.tools.testing.judge import allowed, distance, is_floating, terms_of_parts

NOTHING = 1e-6  # an error that needs no reason, where the answer itself is 0
FAR = {"float16": 64, "float32": 100, "float64": 1e9}  # MindSpore computes some float64 in float32


def in_float64(inputs):
    """The same values, floats of them in float64."""
    return {name: _wider(value) for name, value in inputs.items()}


def _wider(value):
    if isinstance(value, Written):
        return Written(_wider(value.array))
    if isinstance(value, (list, tuple)):
        return type(value)(_wider(x) for x in value)
    floating = isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return value.astype(np.float64) if floating else value


def terms_of(row, expression, wide, grad, answer):
    """For each part of the answer in float64 what its terms come to."""

    def moved_answer(move):
        inputs = {name: Written(move(x.array)) if isinstance(x, Written) else move(x) for name, x in wide.items()}
        return observe.observe(ms, row, expression, inputs, np.float64, grad, tilt=move)

    return terms_of_parts({key: part for key, part in answer.items() if is_floating(part)}, moved_answer)


def count_of(inputs):
    """How many terms an answer may have at most: the elements of the largest input."""
    arrays = [x.array if isinstance(x, Written) else x for x in inputs.values()]
    return max([x.size for x in arrays if isinstance(x, np.ndarray)], default=1)


class Finding(NamedTuple):
    """Something that a case shows beside its errors: in which part of the answer, in words, and whose it is.

    ``fault`` findings say that minispore is not as it should be, the others that MindSpore's answer is another.
    """

    part: str
    words: str
    fault: bool


class Verdict:
    """What comes of a case: ``worst`` in units of what is allowed, ``theirs`` likewise, the findings.

    ``compared`` is False where MindSpore gives nothing to compare with.
    """

    def __init__(self, findings=(), compared=True):
        self.worst = self.theirs = 0.0
        self.findings, self.compared = list(findings), compared

    def add(self, part, words, fault=True):
        """One more finding."""
        self.findings.append(Finding(part, words, fault))


def verdicts(row, recorded, first, measure=False):
    """The verdict on every recorded case of a row."""
    return {case: judge(row, *case, first, theirs, measure) for case, theirs in recorded.items()}


def judge(row, expression, number, first, theirs, measure=False):
    """The verdict on a recorded case.

    Terms only widen what is allowed. So what is within the bounds of an answer without terms is not moved for them, and
    the verdict's ``worst`` is then an upper bound, unless ``measure`` asks for the error itself.
    """
    inputs, dtype = row.draw(number + first)
    grad = row.grad and row.kind(number) != "edges"
    weigh_as = np.float64 if dtype == "float64" else np.float32
    tensor = observe.Strided(ms) if number % 2 else None
    ours = observe.observe(ms, row, expression, inputs, weigh_as, grad, tensor)
    if "refused" in ours:
        return _refused(ours["refused"], theirs.get("refused", ""))
    if row.random:
        return _forms(ours, theirs)
    wide, count = in_float64(inputs), count_of(inputs)
    floating = any(map(is_floating, ours.values()))  # anything else is compared with MindSpore's alone
    answer = observe.observe(ms, row, expression, wide, np.float64, grad) if floating else {}
    verdict = _compared(ours, theirs, answer, {}, count)
    if measure or verdict.findings or not verdict.worst <= 1:
        verdict = _compared(ours, theirs, answer, terms_of(row, expression, wide, grad, answer), count)
    return verdict


def _compared(ours, theirs, answer, terms, count):
    """The verdict on all parts of an answer."""
    verdict = Verdict(compared="refused" not in theirs)
    for key, value in ours.items():
        if isinstance(value, np.ndarray):
            given = theirs.get(key) if verdict.compared else None
            _part(verdict, key, value, given, answer.get(key), terms.get(key, 0.0), count)
    for key, given in theirs.items():
        if isinstance(given, np.ndarray) and key not in ours and np.any(given):
            verdict.add(key, "minispore gives none")
    return verdict


def _refused(ours, theirs):
    verdict = Verdict(compared=not theirs)
    if not theirs:
        verdict.add("out0", f"refused with {ours}, where MindSpore computes")
    elif ours != theirs and theirs not in ("RuntimeError", "AttributeError", "Crash", "Empty"):
        verdict.add("out0", f"refused with {ours}, where MindSpore raises {theirs}")
    return verdict


def _forms(ours, theirs):
    verdict = Verdict(compared="refused" not in theirs)
    for key, given in theirs.items():
        if isinstance(given, np.ndarray) and _form(ours[key]) != _form(given):
            verdict.add(key, f"is {_form(ours[key])}, MindSpore's {_form(given)}")
    return verdict


def _form(array):
    return f"{array.dtype}{list(array.shape)}"


def _part(verdict, key, ours, given, answer, terms, count):
    """One array of an answer; ``given`` is MindSpore's, or None."""
    if given is not None and _form(ours) != _form(given):
        verdict.add(key, f"is {_form(ours)}, MindSpore's {_form(given)}")
    elif is_floating(ours) and is_floating(answer):
        _numbers(verdict, key, ours, given, answer, terms, count)
    elif given is not None and not _equal(ours, given):
        verdict.add(key, "differs")


def _equal(ours, given):
    if is_floating(ours):  # of whole numbers: both were computed in this dtype
        return np.allclose(ours.astype(np.float64), given.astype(np.float64), 1e-5, 1e-6, equal_nan=True)
    return np.array_equal(ours, given)


def _numbers(verdict, key, ours, given, answer, terms, count):
    unit = allowed(ours.dtype, answer, terms, count, key.startswith("grad"))
    mine = distance(ours, answer, unit)
    other = np.inf if given is None else distance(given, answer, unit)
    if given is None or not np.array_equal(ours, given, equal_nan=True):
        verdict.worst = max(verdict.worst, mine)
        if mine > 1 and not mine <= other < np.inf:
            verdict.add(key, f"is {mine:.3g} times the allowed error from float64, MindSpore's {other:.3g}")
    if given is not None and _is_far(given, answer, terms, count):
        verdict.add(key, f"MindSpore's is {other:.3g} times the allowed error from float64", fault=False)


def _is_far(given, answer, terms, count):
    """Whether MindSpore's array is another, beyond rounding errors of its largest values."""
    size = np.abs(answer).max(initial=0.0, where=np.isfinite(answer))
    unit = allowed(given.dtype, size, np.max(terms, initial=0.0), count)
    return distance(given, answer, unit + NOTHING / FAR[str(given.dtype)]) > FAR[str(given.dtype)]
