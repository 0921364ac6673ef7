"""The judgement of an answer: in units of the error that is allowed, against the exact answer in float64.

- float64: ``|error| <= 1e-13 (|exact| + terms)``; float32: ``1e-5 (|exact| + terms)``;
- float16: one unit in the last place of the exact answer rounded once, and ``count * 2**-24 * terms`` for the terms
  that float32 adds up; for a gradient, the unit of ``4 (|exact| + terms)``, since its rule rounds a few times;
- bfloat16: likewise, with its own unit.

``terms`` is the size of the answer's terms: for a sum, the sum of their absolute values. :func:`terms_by_moving` finds
it for any function. It moves every input by its own small share of itself, and divides the change of the answer by the
largest share. The result is at most the root of the sum of the squares of the terms, so never more than their sum.

This file needs NumPy alone.
"""

import numpy as np

__all__ = ["Verdict", "allowed", "distance", "is_floating", "judge", "terms_by_moving", "terms_of_parts"]

SHARE = 2.0**-30
MOVES = 4
ROUNDINGS = 4  # a narrow gradient's rule is a few operations that round, on outputs that are rounded
SHARES_OF_32, SHARES_OF_64 = 1e-5, 1e-13
BFLOAT16_UNIT = 2.0**-7


class Verdict:
    """Result of a comparison: ``within`` tolerance or not, and why.

    Attributes:
        name (str): Name of the compared quantity.
        worst (float): The largest error in units of the tolerance; inf where a form or a non-finite number differs.
        words (str): The sentence.

    Its truth is ``worst <= 1``.
    """

    def __init__(self, name, worst, words):
        self.name, self.worst, self.words = name, worst, words

    def __bool__(self):
        return bool(self.worst <= 1)

    def __str__(self):
        return f"{self.name} {self.words}"

    __repr__ = __str__


def judge(name, got, exact, terms=0.0, count=1, gradient=False, dtype=None, slack=0.0):
    """The :class:`Verdict` on an array beside its exact answer.

    Args:
        name (str): Its name, for the sentence.
        got (numpy.ndarray): The implementation's answer.
        exact (numpy.ndarray): The answer in float64; or integers or bools, which must be equal.
        terms (Union[float, numpy.ndarray]): The size of the answer's terms, shaped like ``exact``. Default: 0.
        count (int): How many terms are added up. Default: 1.
        gradient (bool): Whether it is a gradient. Default: False.
        dtype (str): The dtype that ``got`` must have. Default: None, any.
        slack (Union[float, numpy.ndarray]): An error that is allowed besides. Default: 0.

    Examples:
        >>> import numpy as np
        >>> from minispore.testing import judge
        >>> judge("the sum", np.float32([0.1 + 0.2]), np.array([0.3]))
        the sum is 0.00397 times the allowed error from the exact answer
        >>> judge("the sum", np.float32([0.3001]), np.array([0.3]))
        the sum is 33.3 times the allowed error from the exact answer: at [0] it is 0.3001, not 0.3 (allowed: 3e-06)
    """
    got, exact = np.asarray(got), np.asarray(exact)
    if dtype is not None and str(got.dtype) != dtype:
        return Verdict(name, np.inf, f"is {got.dtype}, not {dtype}")
    if got.shape != exact.shape:
        return Verdict(name, np.inf, f"has the shape {got.shape}, not {exact.shape}")
    if not is_floating(got):
        same = np.array_equal(got, exact)
        return Verdict(name, 0.0 if same else np.inf, "is equal" if same else f"is {_short(got)}, not {_short(exact)}")
    unit = allowed(got.dtype, exact.astype(np.float64), terms, count, gradient) + slack
    errors = _errors(got, exact.astype(np.float64), unit)
    worst = float(errors.max()) if errors.size else 0.0
    words = f"is {worst:.3g} times the allowed error from the exact answer"
    if not worst <= 1:
        at = np.unravel_index(int(errors.argmax()), errors.shape)
        place = [int(i) for i in at]
        here = np.broadcast_to(unit, errors.shape)[at]
        words += f": at {place} it is {float(got[at]):.7g}, not {float(exact[at]):.7g} (allowed: {here:.3g})"
    return Verdict(name, worst, words)


def _short(array):
    return np.array2string(array, threshold=6, edgeitems=3).replace("\n", "")


def is_floating(value):
    """True for an array of floats, bfloat16 among them."""
    return isinstance(value, np.ndarray) and (value.dtype.kind == "f" or value.dtype.name == "bfloat16")


def allowed(dtype, answer, terms, count, gradient=False):
    """The error that a dtype may have, element by element; ``count`` is the number of terms that are added up."""
    size = np.where(np.isfinite(answer), np.abs(answer), 0.0)
    name = np.dtype(dtype).name
    if name in ("float16", "bfloat16"):
        size = ROUNDINGS * (size + terms) if gradient else size
        return _unit(name, size) + count * 2.0**-24 * terms
    shares = SHARES_OF_32 if name == "float32" else SHARES_OF_64
    return shares * (size + terms) + np.finfo(dtype).tiny


def _unit(name, size):
    """The distance to the next number."""
    if name == "float16":
        return np.spacing(np.minimum(size, 32768).astype(np.float16)).astype(np.float64)
    exponent = np.frexp(np.maximum(size, 2.0**-126))[1] - 1
    return np.ldexp(BFLOAT16_UNIT, exponent)


def distance(found, answer, unit):
    """The largest error in units of the tolerance; infinite where one is finite and the other is not."""
    if found.shape != answer.shape:
        return np.inf
    errors = _errors(found, answer, unit)
    return float(errors.max()) if errors.size else 0.0


def _errors(found, answer, unit):
    """The errors in units of the tolerance, element by element."""
    with np.errstate(all="ignore"):
        rounded = answer.astype(found.dtype).astype(np.float64)
        wide = found.astype(np.float64)
        both = np.isfinite(wide) & np.isfinite(rounded)
        same = both | (np.isnan(wide) & np.isnan(rounded)) | (wide == rounded)
        errors = np.where(both, np.abs(wide - np.where(both, answer, 0.0)), 0.0) / unit
    return np.where(same, errors, np.inf)


def terms_by_moving(function, inputs, answer, seed=0):
    """The size of the terms of a function's answer, found by moving each float64 input by a share of itself.

    Args:
        function (Callable): From arrays to an array.
        inputs (Sequence): Arrays; those in float64 are moved; other values stay.
        answer (numpy.ndarray): The function's answer for the inputs.
        seed (int): Of the directions. Default: 0.
    """
    return terms_of_parts({"": answer}, lambda move: {"": np.asarray(function(*map(move, inputs)))}, seed)[""]


def terms_of_parts(answer, moved_answer, seed=0):
    """The same for an answer of several arrays by name; ``moved_answer(move)`` has its inputs moved by ``move``."""
    rng, terms = np.random.default_rng(seed), {name: np.zeros(np.shape(part)) for name, part in answer.items()}
    for _ in range(MOVES if answer else 0):
        with np.errstate(all="ignore"):
            found = moved_answer(lambda value: _moved(value, rng))
            for name in terms.keys() & found.keys():
                if np.shape(found[name]) == np.shape(answer[name]):
                    change = np.abs(found[name] - answer[name]) / SHARE
                    terms[name] = np.maximum(terms[name], np.where(np.isfinite(change), change, 0.0))
    return terms


def _moved(value, rng):
    """A nest whose float64 arrays are moved."""
    if isinstance(value, (list, tuple)):
        return type(value)(_moved(part, rng) for part in value)
    if not isinstance(value, np.ndarray) or value.dtype != np.float64:
        return value
    shares = rng.choice([-1.0, 1.0], value.shape) * rng.uniform(0.5, 1.0, value.shape)  # two that cancel move apart
    return np.asarray(value * (1 + SHARE * shares))
