"""DynamicGRUV2: a GRU over a sequence, with all gates as outputs."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_choice, check_int
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.array.joining import Stack
from minispore.ops.operations.linalg.matmul import MatMul

__all__ = ["DynamicGRUV2"]

_matmul, _stack = MatMul(), Stack()


class DynamicGRUV2(Primitive):
    """``r, z = sigmoid(x @ w + b + h @ u + d)``; ``n = tanh(x @ w + b + r * (h @ u + d))``; ``h' = n + z * (h - n)``.

    Without ``reset_after`` r is multiplied with h before the product. The weights w of the inputs, u of the states, and
    their biases b and d hold the gates side by side, ordered by ``gate_order``. The outputs, each (T, N, H), are y
    (equal to h), h, z, r, n and the state's part of n, for every step.

    Args:
        direction (str): "UNIDIRECTIONAL". Default: "UNIDIRECTIONAL".
        cell_depth (int): 1. Default: 1.
        keep_prob (float): 1.0. Default: 1.0.
        cell_clip (float): Below 0, which clips nothing. Default: -1.0.
        num_proj (int): 0. Default: 0.
        time_major (bool): True. Default: True.
        activation (str): "tanh". Default: "tanh".
        gate_order (str): "rzh" or "zrh", the new value's gate being h. Default: "rzh".
        reset_after (bool): If True, r multiplies the product. Default: True.
        is_training (bool): It changes nothing here. Default: True.

    Inputs: ``x`` (T, N, I), ``weight_input`` (I, 3 H), ``weight_hidden`` (H, 3 H), ``bias_input`` and ``bias_hidden``
    (3 H,) or None, ``seq_length`` None, ``init_h`` (N, H), all of one floating dtype; MindSpore takes float16 weights.

    Raises:
        TypeError: If an argument or input is of a wrong kind, or dtypes differ.
        ValueError: If an argument has a value that is not listed, or shapes do not fit.

    Examples:
        >>> from minispore import ops
        >>> x, w, u, h = (ops.ones(shape) for shape in ((2, 1, 1), (1, 48), (16, 48), (1, 16)))
        >>> y, *_ = ops.DynamicGRUV2()(x, w, u, None, None, None, h * 0.1)
        >>> print(y[:, 0, 0])  # the first state of two steps
        [0.16127938 0.18396646]
    """

    def __init__(
        self,
        direction: str = "UNIDIRECTIONAL",
        cell_depth: int = 1,
        keep_prob: float = 1.0,
        cell_clip: float = -1.0,
        num_proj: int = 0,
        time_major: bool = True,
        activation: str = "tanh",
        gate_order: str = "rzh",
        reset_after: bool = True,
        is_training: bool = True,
    ) -> None:
        name = self.name
        check_choice(name, "direction", direction, ("UNIDIRECTIONAL",))
        check_choice(name, "cell_depth", check_int(name, "cell_depth", cell_depth), (1,))
        check_choice(name, "keep_prob", check_python_float(name, "keep_prob", keep_prob), (1.0,))
        if check_python_float(name, "cell_clip", cell_clip) >= 0:
            raise value_error(name, "the 'cell_clip' must be below 0, which clips nothing", cell_clip)
        check_choice(name, "num_proj", check_int(name, "num_proj", num_proj), (0,))
        check_choice(name, "time_major", check_bool(name, "time_major", time_major), (True,))
        check_choice(name, "activation", activation, ("tanh",))
        check_choice(name, "gate_order", gate_order, ("rzh", "zrh"))
        check_bool(name, "reset_after", reset_after)
        check_bool(name, "is_training", is_training)
        arguments = {key: value for key, value in locals().items() if key not in ("self", "name", "__class__")}
        for key, value in arguments.items():
            self.add_prim_attr(key, value)

    def __call__(self, x, weight_input, weight_hidden, bias_input=None, bias_hidden=None, seq_length=None, init_h=None):
        """The six outputs of all steps."""
        inputs = {"x": x, "weight_input": weight_input, "weight_hidden": weight_hidden, "init_h": init_h}
        inputs |= {k: b for k, b in (("bias_input", bias_input), ("bias_hidden", bias_hidden)) if b is not None}
        self._check_inputs(inputs, seq_length)
        steps, samples, inputs = x.shape
        by_input = _matmul(x.reshape((-1, inputs)), weight_input).reshape((steps, samples, -1))
        by_input = by_input if bias_input is None else by_input + bias_input
        h, found = init_h, []
        for t in range(steps):
            h, *gates = self._step(by_input[t], h, weight_hidden, bias_hidden)
            found.append((h, h, *gates))
        return tuple(_stack(each) for each in zip(*found, strict=True))

    def _step(self, z, h, w, b):
        width = h.shape[1]
        first, second, by_input = (z[:, k * width : (k + 1) * width] for k in range(3))
        state = _matmul(h, w) if b is None else _matmul(h, w) + b
        first = (first + state[:, :width]).sigmoid()
        second = (second + state[:, width : 2 * width]).sigmoid()
        reset, update = (first, second) if self.gate_order == "rzh" else (second, first)
        if self.reset_after:
            by_state = state[:, 2 * width :]
            new = (by_input + reset * by_state).tanh()
        else:
            by_state = _matmul(reset * h, w[:, 2 * width :])
            by_state = by_state if b is None else by_state + b[2 * width :]
            new = (by_input + by_state).tanh()
        return new + update * (h - new), update, reset, new, by_state

    def _check_inputs(self, inputs, seq_length):
        x, init_h = inputs["x"], inputs["init_h"]
        for name, value in inputs.items():
            if not isinstance(value, Tensor) or not value.is_floating_point() or value.dtype != x.dtype:
                got = f"Tensor[{value.dtype}]" if isinstance(value, Tensor) else type(value).__name__
                raise type_error(self.name, f"the '{name}' must be a floating Tensor of the dtype of 'x'", got)
        if seq_length is not None:
            raise value_error(self.name, "the 'seq_length' must be None", type(seq_length).__name__)
        if x.ndim != 3 or not x.shape[0]:
            raise value_error(self.name, "the 'x' must have the shape (T, N, I) with T above 0", x.shape)
        width = init_h.shape[-1] if init_h.ndim == 2 else "H"
        three = 3 * width if init_h.ndim == 2 else "3 H"
        shapes = {"init_h": (x.shape[1], width), "weight_input": (x.shape[2], three), "weight_hidden": (width, three)}
        shapes |= {"bias_input": (three,), "bias_hidden": (three,)}
        for name, value in inputs.items():
            if name != "x" and value.shape != shapes[name]:
                raise value_error(self.name, f"the '{name}' must have the shape {shapes[name]}", value.shape)
