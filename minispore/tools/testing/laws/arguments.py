"""Laws of operations at their corners: drawn arguments, large numbers, negative indices, zeros, ties of a rounding."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.dialects import expression
from minispore.tools.testing.judge import judge, terms_by_moving
from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.laws.operations import SHARE_ELSEWHERE, assert_quotient, quotient
from minispore.tools.testing.strategies.arguments import ARGUED, argued
from minispore.tools.testing.strategies.calls import in_mindspore, in_torch
from minispore.tools.testing.targets import has

__all__ = ["Dropped", "Rounded", "drawn_arguments", "drawn_gradient", "dropout_draws", "rounds_to_nearest"]


def _operations(target, profile):
    for name, operation in ARGUED.items():
        if has(target, expression(target, name, operation.said)):
            yield name, argued(name)


ROUNDINGS = 32  # share of the inner sum: exponentials and logarithms may be approximations


@law("drawn_arguments", "compute", _operations, drawn=15, refusable=True)
def drawn_arguments(target, case):
    """An operation computes its formula for any arguments, large numbers, negative indices and ties too."""
    wide = [x.astype(np.float64) if x.dtype.kind == "f" else x for x in case.inputs]
    exact = np.asarray(case.formula(*wide))
    (found,) = target.compute(case.said_to(target), case.inputs)
    found = found.reshape(()) if exact.shape == () else found
    terms, count = terms_by_moving(case.formula, wide, exact), max(x.size for x in case.inputs)
    slack = ROUNDINGS * ARGUED[case.name].inside * np.finfo(found.dtype).eps if found.dtype.kind == "f" else 0.0
    kind = exact.dtype.name if exact.dtype.kind in "iu" else None
    verdict = judge(case.label, found, exact, terms, count, dtype=kind, slack=slack)
    if not verdict:
        raise Broken(str(verdict))


def _smooth(target, profile):
    kinds = st.just(np.float64)
    return [(name, argued(name, kinds)) for name, _ in _operations(target, profile) if ARGUED[name].smooth]


@law("drawn_gradient", "gradient", _smooth, drawn=15, refusable=True)
def drawn_gradient(target, case):
    """An operation's gradient is the difference quotient for any arguments, where factors are zero too."""
    moving = [i for i, x in enumerate(case.inputs) if x.dtype == np.float64]
    rng = np.random.default_rng(case.inputs[0].size)
    ways = [rng.standard_normal(x.shape) if i in moving else None for i, x in enumerate(case.inputs)]
    weights = rng.standard_normal(np.shape(case.formula(*case.inputs)))
    found = target.gradient(case.said_to(target), case.inputs, moving, [weights])
    products = [g * ways[i] for i, g in zip(moving, found, strict=True)]
    expected = quotient(lambda xs: float((case.formula(*xs) * weights).sum()), case.inputs, ways)
    scale = sum(float(np.abs(product).sum()) for product in products)
    total = sum(float(product.sum()) for product in products)
    assert_quotient(case.label, total, expected, scale, SHARE_ELSEWHERE)


@dataclass(frozen=True)
class Dropped:
    """Two calls of a dropout that keeps the share ``KEPT``, of so many ones."""

    name: str
    said: str
    length: int
    size = 2

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.name} of {self.length} ones"

    @property
    def inputs(self):
        """The ones."""
        return [np.ones(self.length, np.float32)]

    def said_in(self, speaks):
        """The calls as a program of an API."""
        return (in_torch if speaks == "torch" else in_mindspore)(self.inputs, self.said)


KEPT = 0.75
SIGMAS = 7  # of the share that is kept: a right one is further off once in 10**11 cases
DROPPING = {
    "Dropout": {
        "mindspore": f"(ops.Dropout({KEPT})(x0)[0], ops.Dropout({KEPT})(x0)[0])",
        "torch": "(torch.nn.functional.dropout(x0, 0.25), torch.nn.functional.dropout(x0, 0.25))",
    },
    "nn.Dropout": {
        "mindspore": "(nn.Dropout(p=0.25).set_train()(x0), nn.Dropout(p=0.25).set_train()(x0))",
        "torch": "(torch.nn.Dropout(0.25)(x0), torch.nn.Dropout(0.25)(x0))",
    },
}


def _droppings(target, profile):
    for name, spoken in DROPPING.items():
        said = expression(target, name, spoken)
        if has(target, said):
            yield name, st.builds(Dropped, st.just(name), st.just(said), st.integers(200, 4000))


@law("dropout_draws", "compute", _droppings, drawn=5, refusable=True)
def dropout_draws(target, case):
    """Dropout keeps its share, scales the kept elements to keep the mean, and drops others at each call."""
    one, other = target.compute(case.said, case.inputs)
    values = np.unique([one, other])
    if not np.isclose(values[:, None], [0, 1 / KEPT]).any(1).all():
        raise Broken(f"{case.label}: it gives {values[:4]}, not 0 and {1 / KEPT:.4g}")
    if np.array_equal(one, other):
        raise Broken(f"{case.label}: two calls drop the same elements")
    share, allowed = np.mean([one != 0, other != 0]), SIGMAS * np.sqrt(KEPT * (1 - KEPT) / (2 * case.length))
    if not abs(share - KEPT) <= allowed:
        raise Broken(f"{case.label}: it keeps the share {share:.4g}, not {KEPT}")


@dataclass(frozen=True)
class Rounded:
    """An operation whose exact answer is rounded once, and its inputs."""

    name: str
    said: str
    inputs: list
    size = 1

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.name} {self.inputs[0].dtype.name}"

    def said_in(self, speaks):
        """The call as a program of an API."""
        return (in_torch if speaks == "torch" else in_mindspore)(self.inputs, self.said)


# Name -> the exact answer in float64, how many inputs, and how each API says it
ROUNDED = {
    "Add": (np.add, 2, {"mindspore": "ops.Add()(x0, x1)", "torch": "torch.add(x0, x1)"}),
    "Sub": (np.subtract, 2, {"mindspore": "ops.Sub()(x0, x1)", "torch": "torch.sub(x0, x1)"}),
    "Mul": (np.multiply, 2, {"mindspore": "ops.Mul()(x0, x1)", "torch": "torch.mul(x0, x1)"}),
    "RealDiv": (np.divide, 2, {"mindspore": "ops.RealDiv()(x0, x1)", "torch": "torch.div(x0, x1)"}),
    "Sqrt": (np.sqrt, 1, {"mindspore": "ops.Sqrt()(x0)", "torch": "torch.sqrt(x0)"}),
    "Round": (np.round, 1, {"mindspore": "ops.Round()(x0)", "torch": "torch.round(x0)"}),
    "Cast": (np.positive, 1, {"mindspore": "ops.Cast()(x0, ms.float16)", "torch": "x0.to(torch.float16)"}),
}


def _numbers(kind, count, bits):
    """Numbers of so many bits, from 2**-3 on, whose sums and products fall between two of float16."""
    number = st.builds(lambda n, e: n * 2.0**e, st.integers(1, 2**bits - 1), st.integers(-3, 3))
    return st.lists(number, min_size=count, max_size=count).map(lambda found: np.array(found, kind))


@st.composite
def _rounded(draw, name, said):
    _, inputs, _ = ROUNDED[name]
    count = draw(st.integers(1, 2))
    kind, bits = (np.float32, 13) if name == "Cast" else (np.float16, 11)
    return Rounded(name, said, [draw(_numbers(kind, count, bits)) for _ in range(inputs)])


def _roundings(target, profile):
    for name, (_, _, spoken) in ROUNDED.items():
        said = expression(target, name, spoken)
        if has(target, said):
            yield name, _rounded(name, said)


@law("rounds_to_nearest", "compute", _roundings, refusable=True)
def rounds_to_nearest(target, case):
    """An elementary operation in float16, and a cast to it, rounds the exact answer to the nearest, ties to even."""
    (found,) = target.compute(case.said, case.inputs)
    with np.errstate(all="ignore"):
        exact = ROUNDED[case.name][0](*(x.astype(np.float64) for x in case.inputs))
        nearest = exact.astype(np.float16)
    if found.dtype != np.float16:
        raise Broken(f"{case.label} gives {found.dtype}, not float16")
    if not np.array_equal(found, nearest):
        at = int((found != nearest).argmax())
        told = f"the exact {float(exact[at])!r} is rounded to {float(found[at])!r}, not {float(nearest[at])!r}"
        raise Broken(f"{case.label}: {told}")
