"""Primitives that give another's gradient: each against the derivative as the textbook writes it."""

import importlib

import numpy as np
import pytest

import minispore as ms
from minispore import ops
from minispore.dropin import gradient_primitives

G = importlib.import_module("minispore.ops.operations._grad_ops")
_draw = np.random.default_rng(3).uniform
X, DY = _draw(-0.9, 0.9, (2, 4)), _draw(-2, 2, (2, 4))
POSITIVE, SHARE, WIDE = _draw(1.2, 3.0, (2, 4)), _draw(0.1, 0.9, (2, 4)), _draw(-8.0, 8.0, (2, 4))
PLANE, OFFSETS = _draw(-1, 1, (1, 1, 3, 3)), _draw(0.1, 0.4, (1, 12, 2, 2))
OF_WINDOWS = _draw(-1, 1, (1, 1, 4, 4))
_WINDOWS = (1, 1, 1, 1), (0, 0, 0, 0), (2, 2)
LABELS, SLOPES = np.array([[1.0, 0, 1, 1], [0, 0, 1, 0]]), _draw(0.1, 0.4, 4)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _placed(dy):
    y = np.zeros((3, 4))
    y[1:, :] = dy
    return y


# Name -> arguments, inputs, what it must give
LINES = {
    "ACosGrad": ((), (X, DY), -DY / np.sqrt(1 - X**2)),
    "AbsGrad": ((), (X, DY), DY * np.sign(X)),
    "AcoshGrad": ((), (POSITIVE, DY), DY / np.sinh(POSITIVE)),
    "AsinGrad": ((), (X, DY), DY / np.sqrt(1 - X**2)),
    "AsinhGrad": ((), (X, DY), DY / np.cosh(X)),
    "AtanGrad": ((), (X, DY), DY / (1 + X**2)),
    "BiasAddGrad": (("NHWC",), (DY,), DY.sum(0)),
    "BinaryCrossEntropyGrad": (
        ("none",),
        (SHARE, LABELS, DY, POSITIVE),
        DY * POSITIVE * (SHARE - LABELS) / (SHARE * (1 - SHARE)),
    ),
    "DeformableOffsetsGrad": (_WINDOWS, (OF_WINDOWS, PLANE, OFFSETS), None),
    "EluGrad": ((), (DY, X), np.where(X < 0, DY * (X + 1), DY)),
    "FastGeLUGrad": ((), (DY, X), None),
    "HShrinkGrad": ((0.4,), (DY, X), np.where(abs(X) <= 0.4, 0, DY)),
    "HSigmoidGrad": ((), (DY, WIDE), np.where(abs(WIDE) < 3, DY / 6, 0)),
    "HSwishGrad": ((), (DY, WIDE), DY * np.where(WIDE < -3, 0, np.where(WIDE > 3, 1, WIDE / 3 + 0.5))),
    "InvGrad": ((), (X, DY), -DY * X**2),
    "KLDivLossGrad": (("none",), (DY, X, SHARE), -DY * SHARE),
    "L2NormalizeGrad": ((1,), (X, X, DY), None),
    "LRNGrad": ((), (DY.reshape(1, 2, 2, 2), X.reshape(1, 2, 2, 2), X.reshape(1, 2, 2, 2)), None),
    "LogSoftmaxGrad": ((0,), (X, DY), DY - np.exp(X) * DY.sum(0)),
    "LogitGrad": ((0.05,), (DY, SHARE), DY / (SHARE * (1 - SHARE))),
    "MaximumGrad": ((), (X, SHARE, DY), (np.where(X >= SHARE, DY, 0), np.where(X >= SHARE, 0, DY))),
    "MinimumGrad": ((), (X, SHARE, DY), (np.where(X <= SHARE, DY, 0), np.where(X <= SHARE, 0, DY))),
    "PReLUGrad": (
        (),
        (DY, X, SLOPES),
        (np.where(X > 0, DY, DY * SLOPES), np.where(X > 0, 0, DY * X).sum(0)),
    ),
    "ReLU6Grad": ((), (DY, WIDE), np.where((WIDE > 0) & (WIDE < 6), DY, 0)),
    "ReciprocalGrad": ((), (X, DY), -DY * X**2),
    "RsqrtGrad": ((), (POSITIVE, DY), -DY * POSITIVE**3 / 2),
    "SiLUGrad": ((), (DY, X), DY * _sigmoid(X) * (1 + X * (1 - _sigmoid(X)))),
    "SigmoidCrossEntropyWithLogitsGrad": ((), (X, LABELS, DY), DY * (_sigmoid(X) - LABELS)),
    "SigmoidGrad": ((), (SHARE, DY), DY * SHARE * (1 - SHARE)),
    "SliceGrad": ((), (DY, np.ones((3, 4)), (1, 0), (2, 4)), _placed(DY)),
    "SmoothL1LossGrad": ((0.5,), (X, SHARE, DY), DY * np.clip((X - SHARE) / 0.5, -1, 1)),
    "SoftShrinkGrad": ((0.4,), (DY, X), np.where(abs(X) <= 0.4, 0, DY)),
    "SoftplusGrad": ((), (DY, WIDE), DY * _sigmoid(WIDE)),
    "SqrtGrad": ((), (POSITIVE, DY), DY / (2 * POSITIVE)),
    "StridedSliceGrad": ((), (DY, (3, 4), (1, 0), (3, 4), (1, 1)), _placed(DY)),
    "TanhGrad": ((), (X, DY), DY * (1 - X**2)),
}
# Where the textbook's formula is long: the primitive itself, whose gradient others hold, its inputs, and dy
FORWARD = {
    "DeformableOffsetsGrad": (ops.operations.DeformableOffsets(*_WINDOWS), (PLANE, OFFSETS), OF_WINDOWS),
    "FastGeLUGrad": (ops.operations.FastGeLU(), (X,), DY),
    "L2NormalizeGrad": (ops.operations.L2Normalize(1), (X,), DY),
    "LRNGrad": (ops.operations.LRN(), (X.reshape(1, 2, 2, 2),), DY.reshape(1, 2, 2, 2)),
}


def _given(inputs):
    return [ms.Tensor(x) if isinstance(x, np.ndarray) else x for x in inputs]


def _arrays(y):
    return [x.asnumpy() for x in (y if isinstance(y, tuple) else (y,))]


def _expected(name):
    wished = LINES[name][2]
    if wished is not None:
        return list(wished) if isinstance(wished, tuple) else [wished]
    forward, xs, dy = FORWARD[name]
    return _arrays(ops.vjp(forward, *_given(xs))[1](ms.Tensor(dy)))


def test_every_gradient_primitive_has_a_line():
    assert set(gradient_primitives.__all__) == LINES.keys()


@pytest.mark.parametrize("name", LINES)
def test_it_is_the_derivative(name):
    arguments, inputs, _ = LINES[name]
    found = _arrays(getattr(G, name)(*arguments)(*_given(inputs)))
    for y, wished in zip(found, _expected(name), strict=True):
        np.testing.assert_allclose(y, wished, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["InvGrad", "TanhGrad", "AtanGrad", "StridedSliceGrad"])
def test_it_has_a_gradient_itself(name):
    arguments, inputs, _ = LINES[name]
    inputs, primitive = _given(inputs), getattr(G, name)(*arguments)
    at = 0 if name == "StridedSliceGrad" else 1
    by_dy = ms.grad(lambda dy: primitive(*inputs[:at], dy, *inputs[at + 1 :]), 0)(inputs[at])
    ones = primitive(*inputs[:at], ms.Tensor(np.ones((2, 4))), *inputs[at + 1 :])
    shown = ones[1:] if name == "StridedSliceGrad" else ones  # it is linear in ``dy``
    np.testing.assert_allclose(by_dy.asnumpy(), shown.asnumpy())


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.complex64])
def test_the_gradient_of_inv_takes_ints_and_complex_numbers(dtype):
    y = ms.Tensor(np.array([1, -2, 3]).astype(dtype))
    found = G.InvGrad()(y, ms.Tensor(np.array([1, 2, -1]).astype(dtype)))
    np.testing.assert_array_equal(found.asnumpy(), np.array([-1, -8, 9]).astype(dtype))
    assert found.dtype == y.dtype


def test_wrong_inputs_are_refused_by_name():
    x = ms.Tensor([1.0])
    with pytest.raises(TypeError, match=r"^For 'TanhGrad', the 'dy' must be a Tensor, but got float"):
        G.TanhGrad()(x, 2.0)
    with pytest.raises(TypeError, match=r"^For 'InvGrad', the inputs must have one dtype"):
        G.InvGrad()(x, ms.Tensor([1.0], ms.float16))
    with pytest.raises(ValueError, match=r"^For 'BiasAddGrad', the 'dout' must have 2 to 5 axes"):
        G.BiasAddGrad()(x)
    with pytest.raises(TypeError, match=r"^For 'AtanGrad', 2 inputs are taken, but got 1"):
        G.AtanGrad()(x)
