"""Recurrent networks over a whole sequence in one direction, each one operation: see ``kernels/rnn_sequence.py``.

The products with the inputs are computed beforehand, for all steps at once. float16 is computed in float32, the state
from step to step included, and every output is rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from minispore.core.checks import check_choice
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.kernels import rnn_sequence as kernels
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.operations.nn.rnn_composed import gru_step, lstm_step, over_steps, relu_step, tanh_step
from minispore.ops.second_derivatives import of_gradient
from minispore.ops.shape_checks import check_count, check_rank, check_shape
from minispore.ops.type_checks import check_float, check_same_type, named

__all__ = ["GRUSequence", "GRUSequenceGrad", "LSTMSequence", "LSTMSequenceGrad", "RNNSequence", "RNNSequenceGrad"]


def _wide(dtype):
    return np.dtype(np.float32) if dtype.itemsize == 2 else dtype


def _alive(xp, z, seq_length):
    """(T, N, 1): whether a sample has not ended at a step; None where none ends early."""
    return None if seq_length is None else (xp.arange(len(z))[:, None] < seq_length)[:, :, None]


def _rounded(xp, results, likes):
    return tuple([narrow(xp, y, like.dtype) for y, like in zip(results, likes, strict=True)])


class _Sequence(Primitive):
    """Base: from ``(z, *states, *weights, seq_length)`` the outputs ``(y, *last states, *values for the gradient)``."""

    gates, states, weights = 1, ("h",), ("w",)

    def __init__(self, reverse: bool = False) -> None:
        self.add_prim_attr("reverse", reverse)

    def infer(self, z, *others):
        check_count(self, (z, *others), 2 + len(self.states) + len(self.weights))
        *others, seq_length = others
        check_float(self, "z", z)
        check_rank(self, "z", z, (3,))
        steps, samples, rows = z.shape
        width = rows // self.gates
        if not steps or rows % self.gates:
            expected = f"the 'z' must have the shape (T, N, {self.gates} * H) with at least one step"
            raise value_error(self.name, expected, z.shape)
        shapes = {"w": (rows, width), "b": (rows,)}
        for name, x in zip((*self.states, *self.weights), others, strict=True):
            check_same_type(self, z=z, **{name: x})
            check_shape(self, name, x, shapes.get(name, (samples, width)))
        self._check_length(seq_length, samples)
        y, state, wide = Spec((steps, samples, width), z.dtype), Spec((samples, width), z.dtype), _wide(z.dtype)
        return y, *[state] * len(self.states), *[Spec((steps, samples, n * width), wide) for n in self.saved]

    def _check_length(self, seq_length, samples):
        if seq_length is None:
            return
        check_rank(self, "seq_length", seq_length, (1,))
        if seq_length.dtype not in (np.int32, np.int64):
            got = named(seq_length.dtype)
            raise type_error(self.name, "the 'seq_length' must be a Tensor of int32 or int64", got)
        check_shape(self, "seq_length", seq_length, (samples,))

    def compute(self, xp, z, *others):
        *others, seq_length = others
        wide = [widen(xp, x) for x in (z, *others)]
        out = self.sequence_kernel(xp, *wide, _alive(xp, z, seq_length), self.reverse)
        kept = 1 + len(self.states)
        return _rounded(xp, out[:kept], [z] * kept) + tuple(out[kept:])

    def bprop(self, z, *rest):
        *others, seq_length, out, dout = rest
        kept = 1 + len(self.states)
        gradient = self.cached_primitive(self.gradient, *self.attrs.values())
        return *gradient(*dout[:kept], z, *others, out[0], *out[kept:], seq_length), None


class _SequenceGrad(Primitive):
    """Base: from ``(dy, *dstates, z, *states, *weights, y, *saved, seq_length)`` the gradients of the second row."""

    def __init__(self, reverse: bool = False) -> None:
        self.add_prim_attr("reverse", reverse)

    def parts(self, args):
        """The seeds, the inputs, and the outputs that were kept."""
        kept = 1 + len(self.forward_kind.states)
        last = kept + kept + len(self.forward_kind.weights)
        return args[:kept], args[kept:last], args[last:]

    def infer(self, *args):
        check_count(
            self,
            args,
            2 * (1 + len(self.forward_kind.states)) + len(self.forward_kind.weights) + 2 + len(self.forward_kind.saved),
        )
        seeds, inputs, (y, *_) = self.parts(args)
        check_same_type(self, z=inputs[0], dy=seeds[0], y=y)
        check_shape(self, "dy", seeds[0], y.shape)
        return tuple([Spec(x.shape, x.dtype) for x in inputs])

    def compute(self, xp, *args):
        seeds, inputs, (*kept, seq_length) = self.parts(args)
        wide = [widen(xp, x) for x in (*seeds, *inputs[1:], *kept)]
        out = self.sequence_kernel(xp, *wide, _alive(xp, inputs[0], seq_length), self.reverse)
        return _rounded(xp, out, inputs)

    def bprop(self, *args):
        *args, _, dout = args
        seeds, inputs, kept = self.parts(args)

        def composed(z, *others):
            states, weights = others[: len(self.forward_kind.states)], others[len(self.forward_kind.states) :]
            return over_steps(self.step, z, states, weights, kept[-1], self.reverse)

        return *of_gradient(composed, seeds, inputs, dout), *[None] * len(kept)


class LSTMSequenceGrad(_SequenceGrad):
    """The gradient of LSTMSequence: ``(dz, dh, dc, dw)``.

    A gradient calls it, with what the forward pass kept.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> z, h, w = ops.ones((2, 1, 4)), ops.zeros((1, 1)), ops.zeros((4, 1))
        >>> print(ms.grad(lambda z: ops.LSTMSequence()(z, h, h, w, None)[0].sum())(z)[1])
        [[0.04855242 0.03549466 0.09955253 0.14666615]]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    cell = "Lstm"
    sequence_kernel = staticmethod(kernels.lstm_grad)
    step = staticmethod(lstm_step)


class LSTMSequence(_Sequence):
    """An LSTM in one direction: ``h, c = gates(z[t] + h @ w.T, c)``, ``y[t] = h``, for each t.

    The outputs are y, the last h, the last c, and for the gradient the open gates and every step's c.

    Shapes: ``z`` (T, N, 4H), ``h`` and ``c`` (N, H), ``w`` (4H, H), ``seq_length`` (N,) or None; ``y`` (T, N, H).

    The inputs have one dtype of floats, which is kept.

    Raises:
        TypeError: If ``reverse`` is not a bool, ``z`` or ``others`` is not a Tensor, or an input is complex. Also if
            ``others`` and ``z`` differ in dtype.
        ValueError: If ``z`` does not have 3 axes, or ``z`` or ``others`` has a shape that does not fit.

    Examples:
        >>> from minispore import ops
        >>> z, h, w = ops.ones((2, 1, 4)), ops.zeros((1, 1)), ops.zeros((4, 1))
        >>> print(ops.LSTMSequence()(z, h, h, w, None)[0].ravel())  # y of two steps
        [0.36960638 0.5453461 ]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    gates, states, saved = 4, ("h", "c"), (4, 1)
    cell = "Lstm"
    sequence_kernel = staticmethod(kernels.lstm)
    gradient = LSTMSequenceGrad


class GRUSequenceGrad(_SequenceGrad):
    """The gradient of GRUSequence: ``(dz, dh, dw, db)``.

    A gradient calls it, with what the forward pass kept.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> z, h, w, b = ops.ones((2, 1, 3)), ops.zeros((1, 1)), ops.zeros((3, 1)), ops.zeros((3,))
        >>> print(ms.grad(lambda z: ops.GRUSequence()(z, h, w, b, None)[0].sum())(z)[1])
        [[ 0.         -0.10946762  0.11294848]]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    cell = "Gru"
    sequence_kernel = staticmethod(kernels.gru_grad)
    step = staticmethod(gru_step)


class GRUSequence(_Sequence):
    """A GRU in one direction: ``h = gates(z[t], h @ w.T + b, h)``, ``y[t] = h``, for each t.

    The outputs are y, the last h, and for the gradient the open gates and the part of n that comes by the state.

    Shapes: ``z`` (T, N, 3H), ``h`` (N, H), ``w`` (3H, H), ``b`` (3H,), ``seq_length`` (N,) or None; ``y`` (T, N, H).

    The inputs have one dtype of floats, which is kept.

    Raises:
        TypeError: If ``reverse`` is not a bool, ``z`` or ``others`` is not a Tensor, or an input is complex. Also if
            ``others`` and ``z`` differ in dtype.
        ValueError: If ``z`` does not have 3 axes, or ``z`` or ``others`` has a shape that does not fit.

    Examples:
        >>> from minispore import ops
        >>> z, h, w, b = ops.ones((2, 1, 3)), ops.zeros((1, 1)), ops.zeros((3, 1)), ops.zeros((3,))
        >>> print(ops.GRUSequence()(z, h, w, b, None)[0].ravel())  # y of two steps
        [0.20482421 0.3545627 ]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    gates, weights, saved = 3, ("w", "b"), (3, 1)
    cell = "Gru"
    sequence_kernel = staticmethod(kernels.gru)
    gradient = GRUSequenceGrad


class RNNSequenceGrad(_SequenceGrad):
    """The gradient of RNNSequence: ``(dz, dh, dw)``.

    A gradient calls it, with what the forward pass kept.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> z, h, w = ops.ones((2, 1, 1)), ops.zeros((1, 1)), ops.ones((1, 1))
        >>> print(ms.grad(lambda z: ops.RNNSequence()(z, h, w, None)[0].sum())(z).ravel())
        [0.46673968 0.11135298]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, reverse: bool = False, nonlinearity="tanh") -> None:
        super().__init__(reverse)
        self.add_prim_attr("nonlinearity", check_choice(self.name, "nonlinearity", nonlinearity, ("tanh", "relu")))
        self.cell = nonlinearity.capitalize()
        self.sequence_kernel = partial(kernels.rnn_grad, relu=nonlinearity == "relu")
        self.step = relu_step if nonlinearity == "relu" else tanh_step


class RNNSequence(_Sequence):
    """A plain recurrent network in one direction: ``h = tanh(z[t] + h @ w.T)``, or relu for tanh, ``y[t] = h``.

    The outputs are y and the last h.

    Shapes: ``z`` (T, N, H), ``h`` (N, H), ``w`` (H, H), ``seq_length`` (N,) or None; ``y`` (T, N, H).

    The inputs have one dtype of floats, which is kept.

    Raises:
        TypeError: If ``reverse`` is not a bool, ``nonlinearity`` is not a str, or ``z`` or ``others`` is not a Tensor.
            Also if an input is complex.
        ValueError: If ``nonlinearity`` is unknown, ``z`` does not have 3 axes, or ``others`` or ``z`` has a shape that
            does not fit.

    Examples:
        >>> from minispore import ops
        >>> z, h, w = ops.ones((2, 1, 1)), ops.zeros((1, 1)), ops.ones((1, 1))
        >>> print(ops.RNNSequence()(z, h, w, None)[0].ravel())  # tanh 1, tanh(1 + tanh 1)
        [0.7615942 0.9426808]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    saved = ()
    gradient = RNNSequenceGrad

    def __init__(self, reverse: bool = False, nonlinearity="tanh") -> None:
        super().__init__(reverse)
        self.add_prim_attr("nonlinearity", check_choice(self.name, "nonlinearity", nonlinearity, ("tanh", "relu")))
        self.cell = nonlinearity.capitalize()
        self.sequence_kernel = partial(kernels.rnn, relu=nonlinearity == "relu")


for _kind in (LSTMSequence, GRUSequence, RNNSequence):
    _kind.gradient.forward_kind = _kind
