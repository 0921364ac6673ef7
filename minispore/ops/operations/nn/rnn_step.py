"""One step of a recurrent cell, each one operation: its products, its gates, its new state.

float16 is computed in float32, and every output is rounded once. The open gates stay in float32 for the gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from minispore.core.checks import check_choice
from minispore.core.dtype import NARROW_FLOATS
from minispore.core.errors import type_error
from minispore.core.kernel_table import has_kernel
from minispore.core.primitive import Primitive, Spec
from minispore.core.running import running
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.kernels import rnn_step as kernels
from minispore.ops.kernels.float16.cast import cached_cast, narrow
from minispore.ops.lazy_sum import Late, Sums
from minispore.ops.operations.linalg.matmul import MatMul
from minispore.ops.operations.nn.rnn_composed import gru_cell, lstm_cell, relu_cell, tanh_cell
from minispore.ops.operations.nn.sums_over_steps import sums_over_steps
from minispore.ops.second_derivatives import of_gradient
from minispore.ops.shape_checks import check_rank, check_shape
from minispore.ops.type_checks import check_float, check_same_type

__all__ = ["GRUStep", "GRUStepGrad", "LSTMStep", "LSTMStepGrad", "RNNStep", "RNNStepGrad"]

_product = MatMul()


class _Step(Primitive):
    """Base: from ``(x, *states, w_ih, w_hh, b_ih, b_hh)``, the biases both or none, ``(*new states, saved)``.

    ``saved`` holds the gradient's inputs, ``kept`` numbers for each unit.
    """

    def infer(self, x=None, *others):
        if len(others) - len(self.states) not in (2, 4):
            expected = "the inputs must be x, the states, 'w_ih', 'w_hh', and 'b_ih' and 'b_hh' or neither"
            raise type_error(self.name, expected, f"{1 + len(others)} inputs")
        check_float(self, "x", x)
        check_rank(self, "x", x, (2,))
        check_rank(self, "h", others[0], (2,))
        (samples, length), width = x.shape, others[0].shape[1]
        rows = self.gates * width
        shapes = {"w_ih": (rows, length), "w_hh": (rows, width), "b_ih": (rows,), "b_hh": (rows,)}
        for name, y in zip((*self.states, *shapes), others, strict=False):
            check_same_type(self, x=x, **{name: y})
            check_shape(self, name, y, shapes.get(name, (samples, width)))
        state, wide = Spec((samples, width), x.dtype), np.promote_types(x.dtype, np.float32)
        return *[state] * len(self.states), Spec((samples, self.kept * width), wide)

    def compute(self, xp, x, *others):
        if x.dtype not in NARROW_FLOATS:
            return self.forward(xp, x, *others)
        *states, saved = self.forward(xp, cached_cast(xp, x), *[cached_cast(xp, y) for y in others])
        return *[narrow(xp, y, x.dtype) for y in states], saved

    def bprop(self, *args):
        *inputs, out, dout = args
        if running.tape is None and (has_kernel(self.slopes) or out[0].array.dtype not in NARROW_FLOATS):
            return self._late_grads(inputs, dout[:-1], out[-1])
        needed = tuple(i for i, x in enumerate(inputs) if needs_grad(x))
        gradient = self.cached_primitive(self.gradient, needed, *self.attrs.values())
        grads = iter(gradient(*dout[:-1], *inputs, out[-1]) if needed else ())
        return tuple([next(grads) if i in needed else None for i in range(len(inputs))])

    def _late_grads(self, inputs, seeds, saved):
        """The same: the gradients of weights wait for those of the other steps."""
        x, h, *_ = inputs
        first, by_device = 1 + len(self.states), self._by_slopes if has_kernel(self.slopes) else self._by_backward
        grads, slopes = by_device(inputs, seeds, saved)
        needed = tuple([i for i, w in enumerate(inputs[first:]) if w._tape is not None])
        sums = Sums(sums_over_steps(needed), ((x, h, *slopes),), x.array.dtype)
        late = [None] * (len(inputs) - first)
        for place, i in enumerate(needed):
            late[i] = Late(sums, place)
        return *grads, *late

    def _by_backward(self, inputs, seeds, saved):
        """The gradients of x and of the states, and the slopes: the gradients of the gates' pre-activations."""
        x, states, w_ih, w_hh = self._split(inputs)
        backward = self.cached_primitive(self.backward, *self.attrs.values())
        w_hh, w_ih = w_hh if needs_grad(states[0]) else None, w_ih if needs_grad(x) else None
        found = list(backward(*seeds, *states, saved, w_hh, w_ih))
        of_x = None if w_ih is None else found.pop()
        of_h = None if w_hh is None else found.pop()
        paths = len(backward.gates)
        return (of_x, of_h, *found[paths:]), found[:paths]

    def _split(self, inputs):
        """``(x, states, w_ih, w_hh)``."""
        first = 1 + len(self.states)
        return inputs[0], inputs[1:first], inputs[first], inputs[first + 1]

    def _by_slopes(self, inputs, seeds, saved):
        """The same on a device that computes the slopes by themselves."""
        x, states, w_ih, w_hh = self._split(inputs)
        slopes = self.cached_primitive(self.slopes, *self.attrs.values())
        by_input, by_state, direct, *of_others = slopes.by_path(slopes(*seeds, *states, saved))
        of_h = _product(by_state, w_hh) if needs_grad(states[0]) else None
        if direct is not None and of_h is not None:
            of_h = of_h + direct
        of_x = _product(by_input, w_ih) if needs_grad(x) else None
        return (of_x, of_h, *of_others), (by_input,) if by_state is by_input else (by_input, by_state)


class _StepGrad(Primitive):
    """Base: from ``(*dstates, *inputs, saved)`` the gradients of the ``needed`` inputs, by their positions.

    ``saved`` is the step's last output.
    """

    def __init__(self, needed) -> None:
        self.add_prim_attr("needed", tuple(needed))

    def _parts(self, args):
        """The seeds, and the step's inputs."""
        states = len(self.forward_kind.states)
        return args[:states], args[states:-1]

    def infer(self, *args):
        states = len(self.forward_kind.states)
        if len(args) - 2 * states not in (4, 6):
            raise type_error(self.name, "the inputs must be the states' gradients and the step's inputs", len(args))
        seeds, inputs = self._parts(args)
        check_same_type(self, x=inputs[0], dh=seeds[0])
        check_shape(self, "dh", seeds[0], inputs[1].shape)
        return tuple([Spec(inputs[i].shape, inputs[i].dtype) for i in self.needed])

    def compute(self, xp, *args):
        seeds, inputs = self._parts([cached_cast(xp, y) for y in args])
        local_grads = self.local_grads(xp, *seeds, inputs[len(seeds)], args[-1])
        grads = kernels.gradients(xp, local_grads, self.needed, inputs, len(seeds))
        return tuple([narrow(xp, y, args[0].dtype) for y in grads])

    def bprop(self, *args):
        *args, _, dout = args
        seeds, inputs = self._parts(args)
        return *of_gradient(self.composed, seeds, inputs, dout, self.needed), None


class _Slopes(Primitive):
    """Base: from ``(*dstates, *states, saved)`` the gradients of the gates' pre-activations and of the old states."""

    differentiable = False

    def infer(self, dh, *others):
        samples, width = dh.shape
        return tuple([Spec((samples, count * width), dh.dtype) for count in self.widths])

    def compute(self, xp, *args):
        seeds, state = args[: (len(args) - 1) // 2], args[-2]
        wide = [cached_cast(xp, y) for y in (*seeds, state, args[-1])]
        by_input, by_state, *others = self.local_grads(xp, *wide)
        found = by_input, *([] if by_state is by_input else [by_state]), *[y for y in others if y is not None]
        return tuple([xp.ascontiguousarray(narrow(xp, y, args[0].dtype)) for y in found])


class LSTMStepSlopes(_Slopes):
    """``(dz, dc)`` from ``(dh', dc', h, c, saved)``."""

    widths = 4, 1
    local_grads = staticmethod(kernels.lstm_step_grad)

    @staticmethod
    def by_path(found):
        """By the input, by the state, then the direct gradients of h and of c."""
        dz, dc = found
        return dz, dz, None, dc


class GRUStepSlopes(_Slopes):
    """The gradients of the input's and the state's pre-activations, and of h beside them, from ``(dh', h, saved)``."""

    widths = 3, 3, 1
    local_grads = staticmethod(kernels.gru_step_grad)

    @staticmethod
    def by_path(found):
        """By the input, by the state, and the direct gradient of h."""
        return found


class _Backward(Primitive):
    """Base: one step back, from ``(*dstates, *states, saved, w_hh, w_ih)``.

    The slopes of the ``gates`` by the input, in float32 for float16, and by the state those of the last gates, where
    they differ. Then the gradients of the states beside h; of h, and of x, unless the weight is None.
    """

    differentiable = False

    def infer(self, dh, *others):
        *_, w_hh, w_ih = others
        (samples, width), wide = dh.shape, np.promote_types(dh.dtype, np.float32)
        found = [Spec((samples, count * width), wide) for count in self.gates] + [dh] * (self.states - 1)
        return tuple(found + [Spec((dh.shape[0], w.shape[1]), dh.dtype) for w in (w_hh, w_ih) if w is not None])

    def compute(self, xp, *args):
        dtype = args[0].dtype
        if dtype in NARROW_FLOATS:
            args = [None if y is None else cached_cast(xp, y) for y in args]
        *seeds, state, saved, w_hh, w_ih = args[: self.states] + args[-4:]
        by_input, by_state, direct, *grads = self.local_grads(xp, *seeds, state, saved)
        if w_hh is not None:
            grads.append(kernels.through(xp, w_hh, by_state, direct))
        if w_ih is not None:
            grads.append(kernels.through(xp, w_ih, by_input))
        last = [by_state.T[-count * state.shape[1] :].copy().T for count in self.gates[1:]]  # it keeps no others alive
        return by_input, *last, *[narrow(xp, y, dtype) for y in grads]


class LSTMStepBackward(_Backward):
    """``(dz, dc)``, and the gradients of h and x, from ``(dh', dc', h, c, saved, w_hh, w_ih)``."""

    gates, states = (4,), 2
    local_grads = staticmethod(kernels.lstm_step_grad)


class GRUStepBackward(_Backward):
    """The slopes by input and by state, and the gradients of h and x, from ``(dh', h, saved, w_hh, w_ih)``."""

    gates, states = (3, 1), 1
    local_grads = staticmethod(kernels.gru_step_grad)


class RNNStepBackward(_Backward):
    """``(dz,)``, and the gradients of h and x, from ``(dh', h, saved, w_hh, w_ih)``."""

    gates, states = (1,), 1

    def __init__(self, nonlinearity="tanh"):
        self.add_prim_attr("nonlinearity", nonlinearity)
        self.local_grads = partial(kernels.rnn_step_grad, relu=nonlinearity == "relu")


class LSTMStepGrad(_StepGrad):
    """The gradients of LSTMStep's inputs from ``(dh', dc', *inputs, saved)``.

    A gradient calls it, with what the forward pass kept.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, h, w, b = ops.ones((1, 1)), ops.zeros((1, 1)), ops.ones((4, 1)), ops.zeros((4,))
        >>> print(ms.grad(lambda x: ops.LSTMStep()(x, h, h, w, w, b, b)[0].sum())(x))
        [[0.34797093]]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    local_grads = staticmethod(kernels.lstm_step_grad)
    composed = staticmethod(lstm_cell)


class LSTMStep(_Step):
    r"""A step of an LSTM: ``c' = sigmoid(f) * c + sigmoid(i) * tanh(g)``, ``h' = sigmoid(o) * tanh(c')``.

    ``z = x @ w_ih.T + b_ih + h @ w_hh.T + b_hh``. The outputs are ``(h', c')``, and for the gradient the open gates
    and ``tanh(c')``.

    Shapes: ``x`` (N, I), ``h`` and ``c`` (N, H), ``w_ih`` (4H, I), ``w_hh`` (4H, H), ``b_ih`` and ``b_hh`` (4H,), both
    or none.

    The gates are ``i, f, g, o = z``.

    The inputs have one dtype of floats, which is kept.

    Raises:
        TypeError: If an input is not a Tensor of floats, or has another dtype than ``x``.
        ValueError: If ``x`` or ``h`` does not have 2 axes, or another input has a shape that does not fit.

    Examples:
        >>> from minispore import ops
        >>> x, h, w, b = ops.ones((1, 1)), ops.zeros((1, 1)), ops.ones((4, 1)), ops.zeros((4,))
        >>> h_next, c_next = ops.LSTMStep()(x, h, h, w, w, b, b)[:2]
        >>> print(h_next, c_next, sep="\n")
        [[0.36960638]]
        [[0.55676997]]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    gates, states, kept = 4, ("h", "c"), 5
    forward = staticmethod(kernels.lstm_step)
    gradient, slopes, backward = LSTMStepGrad, LSTMStepSlopes, LSTMStepBackward


class GRUStepGrad(_StepGrad):
    """The gradients of GRUStep's inputs from ``(dh', *inputs, saved)``.

    A gradient calls it, with what the forward pass kept.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, h, w, b = ops.ones((1, 1)), ops.zeros((1, 1)), ops.ones((3, 1)), ops.zeros((3,))
        >>> print(ms.grad(lambda x: ops.GRUStep()(x, h, w, w, b, b)[0].sum())(x))
        [[-0.03679002]]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    local_grads = staticmethod(kernels.gru_step_grad)
    composed = staticmethod(gru_cell)


class GRUStep(_Step):
    """A step of a GRU: ``h' = n + u * (h - n)``, with ``r = sigmoid(z_r + j_r)`` and ``u = sigmoid(z_u + j_u)``.

    ``z = x @ w_ih.T + b_ih``, ``j = h @ w_hh.T + b_hh``. The outputs are h', and for the gradient r, u, n and j_n.

    Shapes: ``x`` (N, I), ``h`` (N, H), ``w_ih`` (3H, I), ``w_hh`` (3H, H), ``b_ih`` and ``b_hh`` (3H,), both or none.

    The new part is ``n = tanh(z_n + r * j_n)``.

    The inputs have one dtype of floats, which is kept.

    Raises:
        TypeError: If ``x`` or ``others`` is not a Tensor, an input is complex, or ``others`` and ``x`` differ in dtype.
        ValueError: If ``x`` or ``others`` does not have 2 axes, or ``others`` has a shape that does not fit.

    Examples:
        >>> from minispore import ops
        >>> x, h, w, b = ops.ones((1, 1)), ops.zeros((1, 1)), ops.ones((3, 1)), ops.zeros((3,))
        >>> print(ops.GRUStep()(x, h, w, w, b, b)[0])
        [[0.20482421]]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    gates, states, kept = 3, ("h",), 4
    forward = staticmethod(kernels.gru_step)
    gradient, slopes, backward = GRUStepGrad, GRUStepSlopes, GRUStepBackward


class RNNStepSlopes(_Slopes):
    """``(dz,)`` from ``(dh', h, saved)``."""

    widths = (1,)

    def __init__(self, nonlinearity="tanh"):
        self.add_prim_attr("nonlinearity", check_choice(self.name, "nonlinearity", nonlinearity, ("tanh", "relu")))
        self.local_grads = partial(kernels.rnn_step_grad, relu=nonlinearity == "relu")

    @staticmethod
    def by_path(found):
        """By the input, by the state, and None: h has no direct gradient."""
        (dz,) = found
        return dz, dz, None


class RNNStepGrad(_StepGrad):
    """The gradients of RNNStep's inputs from ``(dh', *inputs, saved)``.

    A gradient calls it, with what the forward pass kept.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> one, b = ops.ones((1, 1)), ops.zeros((1,))
        >>> print(ms.grad(lambda x: ops.RNNStep()(x, one, one, one, b, b)[0].sum())(one))
        [[0.07065082]]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, needed, nonlinearity="tanh") -> None:
        super().__init__(needed)
        self.add_prim_attr("nonlinearity", check_choice(self.name, "nonlinearity", nonlinearity, ("tanh", "relu")))
        self.local_grads = partial(kernels.rnn_step_grad, relu=nonlinearity == "relu")
        self.composed = relu_cell if nonlinearity == "relu" else tanh_cell


class RNNStep(_Step):
    """A step of a plain recurrent network: ``h' = tanh(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh)``, or relu for tanh.

    The outputs are h', and the same for the gradient, before it is rounded.

    Shapes: ``x`` (N, I), ``h`` (N, H), ``w_ih`` (H, I), ``w_hh`` (H, H), ``b_ih`` and ``b_hh`` (H,), both or none.

    The inputs have one dtype of floats, which is kept.

    Raises:
        TypeError: If ``nonlinearity`` is not a str, ``x`` or ``others`` is not a Tensor, or an input is complex. Also
            if ``others`` and ``x`` differ in dtype.
        ValueError: If ``nonlinearity`` is unknown, ``x`` or ``others`` does not have 2 axes, or ``others`` has a shape
            that does not fit.

    Examples:
        >>> from minispore import ops
        >>> one, b = ops.ones((1, 1)), ops.zeros((1,))
        >>> print(ops.RNNStep()(one, one, one, one, b, b)[0])  # tanh 2
        [[0.9640276]]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    gates, states, kept = 1, ("h",), 1
    gradient, slopes, backward = RNNStepGrad, RNNStepSlopes, RNNStepBackward

    def __init__(self, nonlinearity="tanh") -> None:
        self.add_prim_attr("nonlinearity", check_choice(self.name, "nonlinearity", nonlinearity, ("tanh", "relu")))
        self.forward = partial(kernels.rnn_step, relu=nonlinearity == "relu")


for _kind in (LSTMStep, GRUStep, RNNStep):
    _kind.gradient.forward_kind = _kind
