"""Laws of operations: their formula, their gradients to second order, and what ``infer`` promises."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minispore.core import dtype
from minispore.tools.testing.dialects import expression
from minispore.tools.testing.judge import judge, terms_by_moving
from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.strategies.calls import Call, calls, in_mindspore, in_torch, lines
from minispore.tools.testing.targets import has

__all__ = [
    "assert_gradient",
    "assert_quotient",
    "computes_its_formula",
    "gradient",
    "infer_tells_the_truth",
    "second_gradient",
]

_REFUSING = (
    "RandomShuffle",
    "Unique",
    *[f"Scatter{how}" for how in ["Add", "Div", "Mul", "NdAdd", "NdDiv", "NdMax", "NdMin", "NdMul", "NdSub", "Sub"]],
)
STEP = 1e-5
WIDE_STEP = 1e-4  # of a quotient of quotients
SHARE, SHARE_ELSEWHERE = 1e-6, 1e-5  # share of the size of a derivative's terms


def assert_quotient(name, value, quotient, scale, share=SHARE):
    """Raise unless a derivative is the difference quotient, to a share of the size of its terms."""
    if not (np.isfinite(value) and abs(value - quotient) <= share * (1 + scale)):
        raise Broken(f"{name}: the derivative is {value:.9g}, the difference quotient {quotient:.9g}")


def _can_answer(target, call):
    """True if a target can be asked for a call."""
    said = call.said_to(target)
    if said is call:
        return True
    return not call.line.primitive.random and has(target, said)


def _of_lines(select, kinds):
    def groups(target, profile):
        for label, line in lines(select):
            for kind in kinds:
                if _can_answer(target, Call(line, 0, kind)):
                    yield f"{label} {np.dtype(kind).name}", calls(line, kind)

    return groups


def _has_formula(line):
    return line.oracle and line.primitive.name != "Eps"  # the formula of Eps is float64's


@law("formula", "compute", _of_lines(_has_formula, (np.float32, np.float16)), drawn=3, refusable=True)
def computes_its_formula(target, call):
    """An operation computes its formula, within the error that its dtype allows."""
    wide = [x.astype(np.float64) if isinstance(x, np.ndarray) and x.dtype.kind == "f" else x for x in call.inputs]
    with np.errstate(all="ignore"):
        exact = call.line.oracle(*wide)
    found = target.compute(call.said_to(target), call.inputs)
    several = exact if type(exact) is tuple else (exact,)
    count = max((x.size for x in call.inputs if isinstance(x, np.ndarray)), default=1)
    for i, (got, wished) in enumerate(zip(found, map(np.asarray, several), strict=True)):
        name = f"output {i} of {call.label}"
        verdict = judge(name, got, wished, 0.0, count)
        if not verdict and got.dtype.kind == "f":  # terms only widen the tolerance
            terms = terms_by_moving(lambda *xs, i=i: _part(call.line.oracle(*xs), i), wide, wished)
            verdict = judge(name, got, wished, terms, count, slack=_slack(call, wide, got.dtype))
        if not verdict:
            raise Broken(str(verdict))


def _part(answer, i):
    return np.asarray(answer[i] if type(answer) is tuple else answer, np.float64)


def _slack(call, wide, kind):
    """The error beside one unit that the line allows float16."""
    if kind != np.float16:
        return 0.0
    return call.line.slack(call.line, wide) if callable(call.line.slack) else call.line.slack


@dataclass(frozen=True)
class LongSum:
    """A number that is added up so many times in float16, between a large number and its negative.

    ``said`` is the sum as an expression. Beside the large number float16 loses digits of the others. They stay lost
    when the large number is subtracted.
    """

    said: str
    length: int
    value: float
    beside: float = 0.0

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.said} {self.length} {self.value:g} {self.beside:g}"

    @property
    def inputs(self):
        """The numbers as a row, and a column of ones."""
        between = [self.value] * self.length
        row = [self.beside, *between, -self.beside] if self.beside else between
        return [np.array([row], np.float16), np.ones((len(row), 1), np.float16)]

    def said_in(self, speaks):
        """The sum as a program of an API."""
        return (in_torch if speaks == "torch" else in_mindspore)(self.inputs, self.said)


SUMS = {
    "ReduceSum": {"mindspore": "ops.ReduceSum()(x0)", "torch": "torch.sum(x0)"},
    "ReduceMean": {"mindspore": "ops.ReduceMean()(x0)", "torch": "torch.mean(x0)"},
    "MatMul": {"mindspore": "ops.MatMul()(x0, x1)", "torch": "torch.matmul(x0, x1)"},
}


def _sums(target, profile):
    numbers, large = st.sampled_from([1.0, 0.5, 0.25, 3.0]), st.sampled_from([0.0, 2048.0, 16384.0])
    for name, spoken in SUMS.items():
        said = expression(target, name, spoken)
        if has(target, said):
            yield name, st.builds(LongSum, st.just(said), st.integers(1, 5000), numbers, large)


@law("long_sums", "compute", _sums, refusable=True)
def long_sums(target, case):
    """A sum of many float16 numbers is added up in float32, and rounded once."""
    (found,) = target.compute(case.said, case.inputs)
    row = case.inputs[0].astype(np.float64)
    shares = row.size if "ean" in case.said else 1
    exact, terms = row.sum() / shares, np.abs(row).sum() / shares
    verdict = judge(case.label, found.reshape(()), exact, 0.0, slack=row.size * 2.0**-24 * terms)
    if not verdict:
        raise Broken(str(verdict))


def differentiable(line):
    """True if a line claims a gradient."""
    return line.primitive.differentiable and not refuses(line.primitive)


def refuses(primitive):
    """True if a gradient through the primitive is an error: it is recorded, but has no rule."""
    return primitive.name in _REFUSING


def _passed(line, outs):
    """For each output whether gradients pass through it."""
    return [np.asarray(y).dtype.kind == "f" and (not line.through or i in line.through) for i, y in enumerate(outs)]


def _weights(target, call, rng):
    outs = target.compute(call.said_to(target), call.inputs)
    passed = _passed(call.line, outs)
    return [rng.standard_normal(np.shape(y)) if on else None for y, on in zip(outs, passed, strict=True)]


def _weighed(outs, weights):
    """The sum of weights times the outputs that gradients pass through."""
    return sum(float((y * w).sum()) for y, w in zip(outs, weights, strict=True) if w is not None)


def _by_formula(target, call):
    """True if quotients are taken of the formula: a target elsewhere may compute float64 in float32."""
    return call.line.oracle is not None and call.said_to(target) is not call


def _outputs(target, call, inputs):
    """The outputs to take a quotient of."""
    if not _by_formula(target, call):
        return target.compute(call.said_to(target), inputs)
    with np.errstate(all="ignore"):
        answer = call.line.oracle(*inputs)
    return list(map(np.asarray, answer if type(answer) is tuple else (answer,)))


def along(function, arrays, directions, step):
    """``function`` of the arrays moved by ``step`` along the directions; None stands still."""
    return function([x if d is None else np.asarray(x + step * d) for x, d in zip(arrays, directions, strict=True)])


def quotient(function, arrays, directions, step=STEP):
    """The difference quotient of a function along directions."""
    above, below = (along(function, arrays, directions, sign * step) for sign in (1, -1))
    return (above - below) / (2 * step)


def _inner(gradients, directions):
    return sum(float((g * d).sum()) for g, d in zip(gradients, directions, strict=True))


def assert_gradient(name, function, inputs, gradients, seed=1, step=1e-6):
    """Raise unless the gradients of a function of float64 arrays to a number are its difference quotient.

    Args:
        name (str): What it is, for the sentence.
        function (Callable): From arrays to a number.
        inputs (Sequence[numpy.ndarray]): Where; complex ones too.
        gradients (Sequence[numpy.ndarray]): By each input; None: no gradient, and it is not moved.
        seed (int): Of the direction along which the inputs are moved. Default: 1.
        step (float): How far. Default: 1e-6.
    """
    rng = np.random.default_rng(seed)
    ways = [None if g is None else _direction(g, rng) for g in gradients]
    above, below = (along(lambda xs: function(*xs), inputs, ways, s) for s in (step, -step))
    slopes = [(np.conj(g) * d).real for g, d in zip(gradients, ways, strict=True) if d is not None]
    scale = sum(float(np.abs(slope).sum()) for slope in slopes)
    assert_quotient(name, sum(float(slope.sum()) for slope in slopes), (above - below) / (2 * step), scale)


def _direction(gradient, rng):
    way = rng.standard_normal(gradient.shape)
    return way + 1j * rng.standard_normal(gradient.shape) if np.iscomplexobj(gradient) else way


def _moving(target, call):
    """The positions, seeds and directions of a quotient."""
    rng = np.random.default_rng(call.seed + 1)
    weights = _weights(target, call, rng)
    directions = [rng.standard_normal(x.shape) if i in call.moving else None for i, x in enumerate(call.inputs)]
    return weights, directions


def _has_gradient(line):
    return differentiable(line)


@law("gradient", "gradient compute", _of_lines(_has_gradient, (np.float64,)), drawn=3, refusable=True)
def gradient(target, call):
    """A gradient is the difference quotient."""
    if not call.moving:
        return
    weights, directions = _moving(target, call)
    ways = [directions[i] for i in call.moving]
    found = target.gradient(call.said_to(target), call.inputs, call.moving, weights)
    expected = quotient(lambda xs: _weighed(_outputs(target, call, xs), weights), call.inputs, directions)
    scale = _inner(map(np.abs, found), map(np.abs, ways))
    share = SHARE_ELSEWHERE if _by_formula(target, call) else SHARE
    assert_quotient(call.label, _inner(found, ways), expected, scale, share)


@law("second_gradient", "second gradient", _of_lines(_has_gradient, (np.float64,)), drawn=3, refusable=True)
def second_gradient(target, call):
    """A gradient of a derivative is the difference quotient of the derivative."""
    if not call.moving:
        return
    weights, directions = _moving(target, call)
    rng = np.random.default_rng(call.seed + 2)
    given = [i for i, w in enumerate(weights) if w is not None]
    directions = [*directions, *(rng.standard_normal(weights[i].shape) for i in given)]
    ways = [rng.standard_normal(call.inputs[i].shape) for i in call.moving]
    every = [*call.inputs, *(weights[i] for i in given)]
    found = target.second(call.said_to(target), call.inputs, call.moving, weights, ways)
    by_formula = _by_formula(target, call)
    step, share = (WIDE_STEP, SHARE_ELSEWHERE) if by_formula else (STEP, SHARE)
    expected = quotient(lambda xs: _slope(target, call, xs, given, len(weights), ways), every, directions, step)
    ways_2 = [d for d in directions if d is not None]
    scale = _inner(map(np.abs, found), map(np.abs, ways_2))
    assert_quotient(call.label, _inner(found, ways_2), expected, scale, share)


def _slope(target, call, every, given, outputs, ways):
    """The derivative along ``ways`` at inputs with the weights of the outputs ``given`` after them."""
    inputs, held = every[: len(call.inputs)], [None] * outputs
    for i, w in zip(given, every[len(call.inputs) :], strict=True):
        held[i] = w
    if not _by_formula(target, call):
        return _inner(target.gradient(call.said_to(target), inputs, call.moving, held), ways)
    directions = [None] * len(inputs)
    for i, way in zip(call.moving, ways, strict=True):
        directions[i] = way
    return quotient(lambda xs: _weighed(_outputs(target, call, xs), held), inputs, directions, WIDE_STEP)


def _every_dtype(target, profile):
    for label, line in lines():
        kinds = dtype.ALL if line.primitive.complex_numbers else dtype.REAL
        yield label, [Call(line, seed, kind.np) for kind in kinds for seed in range(3)]


def _conforms(array, shape, kind):
    lengths = shape is None or (
        len(shape) == array.ndim and all(n in (None, m) for n, m in zip(shape, array.shape, strict=True))
    )
    return lengths and array.dtype == kind


@law("infer", "infer", _every_dtype)
def infer_tells_the_truth(target, call):
    """``infer`` says the true shapes and dtypes, or it refuses the dtype by name."""
    try:
        said, arrays = target.infer(call, call.inputs)
    except TypeError as error:
        if not str(error).startswith("For '") or call.label.endswith("float32"):
            raise Broken(f"{call.label}: refused with {error}") from error
        return
    if len(said) != len(arrays):
        raise Broken(f"{call.label}: {len(said)} outputs are promised and {len(arrays)} given")
    for array, (shape, kind) in zip(arrays, said, strict=True):
        if not _conforms(array, shape, kind):
            raise Broken(f"{call.label}: {kind} of {shape} is promised, and {array.dtype} of {array.shape} given")
