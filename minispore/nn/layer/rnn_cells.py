"""Recurrent cells: one step of an LSTM, a GRU, a plain RNN."""

from __future__ import annotations

import math
from typing import Any

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.kernel_table import has_kernel
from minispore.core.running import running
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.initial_values.distributions import Uniform
from minispore.nn.layer._parameters import new_parameter
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.autocast import Autocast
from minispore.ops.operations.linalg.matmul import BiasAdd, MatMul
from minispore.ops.operations.nn.rnn_composed import gru_gates, lstm_gates
from minispore.ops.operations.nn.rnn_step import GRUStep, LSTMStep, RNNStep

__all__ = ["GRUCell", "LSTMCell", "RNNCell"]


def _casts_operations():
    """True at the level "auto", where each operation of a step has its own type."""
    return type(running.cast) is Autocast


class RNNCellBase(Cell):
    """Base of recurrent cells: two matrix products, each with ``num_chunks`` gates of ``hidden_size`` rows.

    Parameters: ``weight_ih`` (num_chunks * hidden, input), ``weight_hh`` (num_chunks * hidden, hidden), ``bias_ih``,
    ``bias_hh``, all from ``U(-b, b)`` with ``b = 1 / sqrt(hidden_size)``; the biases are None without ``has_bias``.

    Raises:
        TypeError: If a size is not an int, or ``has_bias`` not a bool.
        ValueError: If a size is not above 0.
    """

    def __init__(self, input_size, hidden_size, has_bias, num_chunks) -> None:
        super().__init__()
        name = type(self).__name__
        self.input_size = check_positive_int(name, "input_size", input_size)
        self.hidden_size = check_positive_int(name, "hidden_size", hidden_size)
        self.has_bias = check_bool(name, "has_bias", has_bias)
        init = Uniform(1 / math.sqrt(hidden_size))
        rows = check_positive_int(name, "num_chunks", num_chunks) * hidden_size
        self.weight_ih = new_parameter(name, "weight", init, (rows, input_size), float32)
        self.weight_hh = new_parameter(name, "weight", init, (rows, hidden_size), float32)
        self.bias_ih = self.bias_hh = None
        if has_bias:
            self.bias_ih = new_parameter(name, "bias", init, (rows,), float32)
            self.bias_hh = new_parameter(name, "bias", init, (rows,), float32)
        self.matmul = MatMul(transpose_b=True)

    def weights(self) -> Any:
        """The weights, then the biases, if any, in the order of a step's inputs."""
        own = self._params  # every step asks: an attribute would be looked up in vain first
        weights = own["weight_ih"], own["weight_hh"]
        return (*weights, own["bias_ih"], own["bias_hh"]) if self.has_bias else weights

    def check_inputs(self, x, h) -> None:
        """Raise unless x and h fit the cell and one another; a fused step sees it too, in words of its own."""
        self._check("x", x, "N", self.input_size)
        self._check("hx", h, x.shape[0], self.hidden_size)

    def _check(self, argument, x, samples, width):
        if not isinstance(x, Tensor):
            raise type_error(type(self).__name__, f"the '{argument}' must be a Tensor", type(x).__name__)
        if x.ndim != 2 or x.shape[1] != width or samples not in ("N", x.shape[0]):
            expected = f"the '{argument}' must have the shape ({samples}, {width})"
            raise value_error(type(self).__name__, expected, x.shape)
        if not x.dtype.is_float:
            raise type_error(type(self).__name__, f"the '{argument}' must be a Tensor of floats", x.dtype)


class LSTMCell(RNNCellBase):
    """One step of a long short-term memory (Hochreiter and Schmidhuber, 1997).

    ``i, f, g, o = x @ W_ih.T + b_ih + h @ W_hh.T + b_hh``; ``c' = sigmoid(f) * c + sigmoid(i) * tanh(g)``;
    ``h' = sigmoid(o) * tanh(c')``.

    Args:
        input_size (int): Length of x's rows.
        hidden_size (int): Length of h's and c's rows.
        has_bias (bool): If True, biases are added. Default: True.

    Inputs:
        - **x** (Tensor) - Shape ``(N, input_size)``.
        - **hx** (tuple) - ``(h, c)``, each of shape ``(N, hidden_size)``.

    Outputs:
        tuple ``(h', c')``.

    Raises:
        TypeError: If an argument or ``hx`` is of a wrong kind.
        ValueError: If a size is not above 0, or a shape does not fit.

    Examples:
        >>> import minispore as ms
        >>> h, c = ms.nn.LSTMCell(2, 3)(ms.ops.ones((1, 2)), (ms.ops.zeros((1, 3)), ms.ops.zeros((1, 3))))
        >>> h.shape
        (1, 3)
        >>> print(
        ...     ms.nn.LSTMCell(2, 1, has_bias=False)(
        ...         ms.ops.zeros((1, 2)), (ms.ops.zeros((1, 1)), ms.ops.zeros((1, 1)))
        ...     )[0]
        ... )
        [[0.]]
    """

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True) -> None:
        super().__init__(input_size, hidden_size, has_bias, num_chunks=4)
        self.step = LSTMStep()

    def construct(self, x: Tensor, hx: tuple[Any, ...]) -> tuple[Tensor, Tensor]:
        """One step."""
        if not isinstance(hx, tuple) or len(hx) != 2:
            raise type_error("LSTMCell", "the 'hx' must be a tuple (h, c)", type(hx).__name__)
        h, c = hx
        if _casts_operations():
            self.check_inputs(x, h)
            z = self.matmul(x, self.weight_ih) + self.matmul(h, self.weight_hh)
            return lstm_gates(z + self.bias_ih + self.bias_hh if self.has_bias else z, c)
        return self.step(x, h, c, *self.weights())[:2]

    def _check_fit(self, x, hx):
        if isinstance(hx, tuple) and len(hx) == 2:
            self.check_inputs(x, hx[0])


class GRUCell(RNNCellBase):
    """One step of a gated recurrent unit (Cho et al., 2014).

    ``r, z, n`` from the rows of ``i = x @ W_ih.T + b_ih`` and ``j = h @ W_hh.T + b_hh``: ``r = sigmoid(i_r + j_r)``,
    ``z = sigmoid(i_z + j_z)``, ``n = tanh(i_n + r * j_n)``; ``h' = n + z * (h - n)``.

    Arguments and errors as in :class:`LSTMCell`; the inputs are ``x`` and ``h``, the output is ``h'``.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.GRUCell(2, 3)(ms.ops.ones((4, 2)), ms.ops.zeros((4, 3))).shape
        (4, 3)
        >>> print(ms.nn.GRUCell(2, 1, has_bias=False)(ms.ops.zeros((1, 2)), ms.Tensor([[0.0]])))
        [[0.]]
    """

    def __init__(self, input_size, hidden_size, has_bias: bool = True) -> None:
        super().__init__(input_size, hidden_size, has_bias, num_chunks=3)
        self.step = GRUStep()

    def construct(self, x, hx) -> Tensor:
        """One step."""
        if _casts_operations():
            self.check_inputs(x, hx)
            z, j = self.matmul(x, self.weight_ih), self.matmul(hx, self.weight_hh)
            return gru_gates(z + self.bias_ih, j + self.bias_hh, hx) if self.has_bias else gru_gates(z, j, hx)
        return self.step(x, hx, *self.weights())[0]

    def _check_fit(self, x, hx):
        self.check_inputs(x, hx)


class RNNCell(RNNCellBase):
    """One step of a plain recurrent network: ``h' = tanh(x @ W_ih.T + b_ih + h @ W_hh.T + b_hh)``, or relu for tanh.

    Arguments and errors as in :class:`LSTMCell`, and ``nonlinearity``, "tanh" or "relu"; the inputs are ``x`` and
    ``h``, the output is ``h'``.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.RNNCell(2, 3)(ms.ops.ones((4, 2)), ms.ops.zeros((4, 3))).shape
        (4, 3)
        >>> print(ms.nn.RNNCell(2, 1, has_bias=False)(ms.ops.zeros((1, 2)), ms.ops.zeros((1, 1))))
        [[0.]]
    """

    def __init__(self, input_size, hidden_size, has_bias: bool = True, nonlinearity="tanh") -> None:
        super().__init__(input_size, hidden_size, has_bias, num_chunks=1)
        if not isinstance(nonlinearity, str):
            raise type_error("RNNCell", "the 'nonlinearity' must be a str", shown(nonlinearity))
        if nonlinearity not in ("tanh", "relu"):
            raise value_error("RNNCell", "the 'nonlinearity' must be 'tanh' or 'relu'", shown(nonlinearity))
        self.nonlinearity = nonlinearity
        self.bias_add, self.step = BiasAdd(), RNNStep(nonlinearity)

    def construct(self, x, hx) -> Tensor:
        """One step."""
        self.check_inputs(x, hx)
        if has_kernel(RNNStep) and not _casts_operations():  # one launch; elsewhere what every level knows
            return self.step(x, hx, *self.weights())[0]
        by_input, by_state = self.matmul(x, self.weight_ih), self.matmul(hx, self.weight_hh)
        if self.has_bias:
            by_input, by_state = self.bias_add(by_input, self.bias_ih), self.bias_add(by_state, self.bias_hh)
        out = by_input + by_state
        return F.tanh(out) if self.nonlinearity == "tanh" else F.relu(out)
