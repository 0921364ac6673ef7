"""LSTM: stacked layers over a sequence, in one direction or two, with all weights in one Tensor."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops.number_checks import check_real
from minispore.ops.operations.array.joining import Concat, Stack
from minispore.ops.operations.linalg.matmul import MatMul
from minispore.ops.operations.nn.rnn_sequence import LSTMSequence
from minispore.ops.operations.random.dropout import Dropout

__all__ = ["LSTM"]

_by_rows, _beside, _stack = MatMul(transpose_b=True), Concat(-1), Stack()


class LSTM(Primitive):
    """Layers of ``i, f, g, o = w_ih @ x + w_hh @ h + b``; ``c' = f * c + i * g``; ``h' = o * tanh(c')`` at each step.

    The weights lie in one Tensor one behind another: ``w_ih`` (4 H, inputs) of every layer and direction, then ``w_hh``
    (4 H, H), then with ``has_bias`` ``b`` (4 H,). As on MindSpore's CPU, b is the sum of both biases. A second layer's
    inputs are the outputs of the first, of both directions side by side.

    Args:
        input_size (int): The length of x's last axis.
        hidden_size (int): H.
        num_layers (int): The number of layers.
        has_bias (bool): True if there is a bias.
        bidirectional (bool): If True, each layer also runs from the end, with weights of its own.
        dropout (float): The share of zeros put into the outputs of every layer but the last, in [0, 1].

    Inputs: ``x`` (T, N, input_size), ``h`` and ``c`` (layers * directions, N, H), ``w`` (all weights, 1, 1), all of one
    floating dtype. The outputs are y (T, N, directions * H), the last h and c, and two zeros of shape (1, 1). In the
    zeros' place MindSpore keeps values for its gradient.

    Raises:
        TypeError: If an argument or input is of a wrong kind.
        ValueError: If an argument has a value that is not listed, or shapes do not fit.

    Examples:
        >>> from minispore import ops
        >>> x, h, w = ops.ones((2, 1, 1)), ops.zeros((1, 1, 1)), ops.ones((8, 1, 1))
        >>> y, *_ = ops.LSTM(1, 1, 1, has_bias=False, bidirectional=False, dropout=0.0)(x, h, h, w)
        >>> print(y.ravel())  # two steps
        [0.36960638 0.6505352 ]
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int, has_bias: bool, bidirectional: bool, dropout: float
    ) -> None:
        name = self.name
        for argument, value in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
            self.add_prim_attr(argument, check_positive_int(name, argument, value))
        self.add_prim_attr("has_bias", check_bool(name, "has_bias", has_bias))
        self.add_prim_attr("bidirectional", check_bool(name, "bidirectional", bidirectional))
        self.add_prim_attr("dropout", check_real(name, "dropout", dropout, 0, 1, kinds=(float,)))
        self.num_directions = 2 if bidirectional else 1

    def __call__(self, x, h, c, w):
        """The outputs, the last states, and two zeros."""
        self._check_inputs(x, h, c, w)
        parts, last = self._parts(w), []
        for layer in range(self.num_layers):
            if layer and self.dropout:
                x, _ = Dropout(1 - self.dropout)(x) if self.dropout < 1 else (x * 0, None)
            rows = range(layer * self.num_directions, (layer + 1) * self.num_directions)
            found = [self._direction(x, h[k], c[k], [part[k] for part in parts], bool(i)) for i, k in enumerate(rows)]
            x = _beside(tuple(y for y, *_ in found)) if self.bidirectional else found[0][0]
            last += [states for _, *states in found]
        kept = x.new_zeros((1, 1))
        return x, _stack(tuple(h for h, _ in last)), _stack(tuple(c for _, c in last)), kept, kept.new_zeros((1, 1))

    def _direction(self, x, h, c, weights, reverse):
        """The outputs and the last states of one layer in one direction."""
        w_ih, w_hh, *b = weights
        steps, samples, width = x.shape
        z = _by_rows(x.reshape((steps * samples, width)), w_ih)
        z = (z + b[0] if b else z).reshape((steps, samples, -1))
        return self.cached_primitive(LSTMSequence, reverse)(z, h, c, w_hh, None)[:3]

    def _shapes(self):
        """The shapes of all weights by kind, for each layer and direction."""
        rows, width = 4 * self.hidden_size, self.hidden_size * self.num_directions
        layers = [k // self.num_directions for k in range(self.num_layers * self.num_directions)]
        of_inputs = [(rows, width if layer else self.input_size) for layer in layers]
        of_states, biases = [(rows, self.hidden_size)] * len(layers), [(rows,)] * len(layers)
        return [of_inputs, of_states, biases] if self.has_bias else [of_inputs, of_states]

    def _parts(self, w):
        row, start, parts = w.reshape((-1,)), 0, []
        for shapes in self._shapes():
            parts.append([])
            for shape in shapes:
                count = shape[0] * (shape[1] if len(shape) > 1 else 1)
                parts[-1].append(row[start : start + count].reshape(shape))
                start += count
        return parts

    def _check_inputs(self, x, h, c, w):
        for name, value in (("x", x), ("h", h), ("c", c), ("w", w)):
            if not isinstance(value, Tensor) or not value.is_floating_point() or value.dtype != x.dtype:
                got = f"Tensor[{value.dtype}]" if isinstance(value, Tensor) else type(value).__name__
                raise type_error(self.name, f"the '{name}' must be a floating Tensor of the dtype of 'x'", got)
        if x.ndim != 3 or not x.shape[0] or x.shape[2] != self.input_size:
            raise value_error(self.name, f"the 'x' must have the shape (T, N, {self.input_size})", x.shape)
        state = (self.num_layers * self.num_directions, x.shape[1], self.hidden_size)
        count = sum(shape[0] * (shape[1] if len(shape) > 1 else 1) for shapes in self._shapes() for shape in shapes)
        for name, value, shape in (("h", h, state), ("c", c, state), ("w", w, (count, 1, 1))):
            if value.shape != shape:
                raise value_error(self.name, f"the '{name}' must have the shape {shape}", value.shape)
