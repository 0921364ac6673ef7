"""DynamicRNN: an LSTM over a sequence by one matrix for inputs and states, with all gates as outputs."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_choice, check_int
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.array.joining import Stack
from minispore.ops.operations.linalg.matmul import MatMul

__all__ = ["DynamicRNN"]

_matmul, _stack = MatMul(), Stack()


class DynamicRNN(Primitive):
    """``i, j, f, o = [x, h] @ w + b``; ``c' = sigmoid(f + forget_bias) * c + sigmoid(i) * tanh(j)``.

    ``h' = sigmoid(o) * tanh(c')``. The outputs, each (T, N, H), are y (equal to h), h, c, the open gates i, j, f, o,
    and tanh(c), for every step. The gates stand in w side by side in the order i, j, f, o.

    Args:
        cell_type (str): "LSTM". Default: "LSTM".
        direction (str): "UNIDIRECTIONAL". Default: "UNIDIRECTIONAL".
        cell_depth (int): 1. Default: 1.
        use_peephole (bool): False. Default: False.
        keep_prob (float): 1.0. Default: 1.0.
        cell_clip (float): Below 0, which clips nothing. Default: -1.0.
        num_proj (int): 0. Default: 0.
        time_major (bool): True. Default: True.
        activation (str): "tanh". Default: "tanh".
        forget_bias (float): The number added to the forget gate. Default: 0.0.
        is_training (bool): It changes nothing here. Default: True.

    Inputs: ``x`` (T, N, I), ``w`` (I + H, 4 H), ``b`` (4 H,), ``seq_length`` None, ``init_h`` and ``init_c`` (1, N, H),
    all of one floating dtype; MindSpore takes float16 alone.

    Raises:
        TypeError: If an argument or input is of a wrong kind, or dtypes differ.
        ValueError: If an argument has a value that is not listed, or shapes do not fit.

    Examples:
        >>> from minispore import ops
        >>> x, w, b, h = ops.ones((2, 1, 1)), ops.ones((2, 4)), ops.zeros((4,)), ops.zeros((1, 1, 1))
        >>> y, *_ = ops.DynamicRNN()(x, w, b, None, h, h)
        >>> print(y.ravel())  # two steps
        [0.36960638 0.6505352 ]
    """

    def __init__(
        self,
        cell_type: str = "LSTM",
        direction: str = "UNIDIRECTIONAL",
        cell_depth: int = 1,
        use_peephole: bool = False,
        keep_prob: float = 1.0,
        cell_clip: float = -1.0,
        num_proj: int = 0,
        time_major: bool = True,
        activation: str = "tanh",
        forget_bias: float = 0.0,
        is_training: bool = True,
    ) -> None:
        name = self.name
        check_choice(name, "cell_type", cell_type, ("LSTM",))
        check_choice(name, "direction", direction, ("UNIDIRECTIONAL",))
        check_choice(name, "cell_depth", check_int(name, "cell_depth", cell_depth), (1,))
        check_choice(name, "use_peephole", check_bool(name, "use_peephole", use_peephole), (False,))
        check_choice(name, "keep_prob", check_python_float(name, "keep_prob", keep_prob), (1.0,))
        if check_python_float(name, "cell_clip", cell_clip) >= 0:
            raise value_error(name, "the 'cell_clip' must be below 0, which clips nothing", cell_clip)
        check_choice(name, "num_proj", check_int(name, "num_proj", num_proj), (0,))
        check_choice(name, "time_major", check_bool(name, "time_major", time_major), (True,))
        check_choice(name, "activation", activation, ("tanh",))
        check_python_float(name, "forget_bias", forget_bias)
        check_bool(name, "is_training", is_training)
        arguments = {key: value for key, value in locals().items() if key not in ("self", "name", "__class__")}
        for key, value in arguments.items():
            self.add_prim_attr(key, value)

    def __call__(self, x, w, b, seq_length, init_h, init_c):
        """The eight outputs of all steps."""
        self._check({"x": x, "w": w, "b": b, "init_h": init_h, "init_c": init_c}, seq_length)
        steps, samples, inputs = x.shape
        by_input = _matmul(x.reshape((-1, inputs)), w[:inputs]).reshape((steps, samples, -1)) + b
        h, c, by_state = init_h[0], init_c[0], w[inputs:]
        found = []
        for t in range(steps):
            h, c, *others = self._step(by_input[t] + _matmul(h, by_state), c)
            found.append((h, h, c, *others))
        return tuple(_stack(each) for each in zip(*found, strict=True))

    def _step(self, z, c):
        width = z.shape[1] // 4
        i, j, f, o = (z[:, k * width : (k + 1) * width] for k in range(4))
        i, j, f, o = i.sigmoid(), j.tanh(), (f + self.forget_bias).sigmoid(), o.sigmoid()
        c = f * c + i * j
        tanh_c = c.tanh()
        return o * tanh_c, c, i, j, f, o, tanh_c

    def _check(self, inputs, seq_length):
        x, init_h = inputs["x"], inputs["init_h"]
        for name, value in inputs.items():
            if not isinstance(value, Tensor) or not value.dtype.is_float:
                got = f"Tensor[{value.dtype}]" if isinstance(value, Tensor) else type(value).__name__
                raise type_error(self.name, f"the '{name}' must be a Tensor of floats", got)
            if value.dtype != x.dtype:
                raise type_error(self.name, f"the '{name}' must have the dtype of 'x', {x.dtype}", value.dtype)
        if seq_length is not None:
            raise value_error(self.name, "the 'seq_length' must be None", type(seq_length).__name__)
        if x.ndim != 3 or not x.shape[0]:
            raise value_error(self.name, "the 'x' must have the shape (T, N, I) with T above 0", x.shape)
        width = init_h.shape[-1] if init_h.ndim == 3 else "H"
        self._check_shape("init_h", init_h, (1, x.shape[1], width))
        shapes = {"init_c": (1, x.shape[1], width), "w": (x.shape[2] + width, 4 * width), "b": (4 * width,)}
        for name, shape in shapes.items():
            self._check_shape(name, inputs[name], shape)

    def _check_shape(self, name, x, shape):
        if x.shape != shape:
            raise value_error(self.name, f"the '{name}' must have the shape {shape}", x.shape)
