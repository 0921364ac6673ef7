"""Recurrent layers over whole sequences: LSTM, GRU, RNN, stacked and in both directions."""

from __future__ import annotations

import math
from typing import Any

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.errors import shown, value_error
from minispore.core.parameter import Parameter
from minispore.nn.cell import Cell
from minispore.nn.initial_values.distributions import Uniform
from minispore.nn.initializer import initializer
from minispore.nn.layer.basic import Dropout
from minispore.nn.layer.rnn_checks import check_dropout, check_layers, check_length, check_sequence, checked_states
from minispore.nn.layer.rnn_direction import _DynamicGRUCPUGPU, _DynamicLSTMCPUGPU, _DynamicRNNRelu, _DynamicRNNTanh
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = ["GRU", "LSTM", "RNN"]


class _RecurrentLayers(Cell):
    """Base of layers over sequences: Parameters, checks, and the run through layers and directions.

    Parameters, for each layer k and, where bidirectional, with ``_reverse`` after it: ``weight_ih_l{k}`` (gates *
    hidden, input), ``weight_hh_l{k}`` (gates * hidden, hidden), ``bias_ih_l{k}``, ``bias_hh_l{k}``, all from ``U(-b,
    b)`` with ``b = 1 / sqrt(hidden_size)``, all weights of x first. After a ``to_float`` each operation computes in
    that type, a whole sequence as one operation; the outputs have x's own dtype.
    """

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout=0.0,
        bidirectional: bool = False,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        self.input_size = check_positive_int(name, "input_size", input_size)
        self.hidden_size = check_positive_int(name, "hidden_size", hidden_size)
        self.num_layers = check_layers(name, "num_layers", check_positive_int(name, "num_layers", num_layers))
        self.has_bias = check_bool(name, "has_bias", has_bias)
        self.batch_first = check_bool(name, "batch_first", batch_first)
        self.bidirectional = check_bool(name, "bidirectional", bidirectional)
        self.dropout = check_dropout(name, dropout, kinds=(float,))
        self.num_directions = 2 if bidirectional else 1
        self.rnn = self.new_direction()
        self.dropout_op = Dropout(p=dropout)
        self._make_parameters(self.rnn.gates * hidden_size)

    def _make_parameters(self, rows):
        widths = [self.input_size, *[self.hidden_size * self.num_directions] * (self.num_layers - 1)]
        self.w_ih_list = self._tuple("weight_ih", lambda layer: (rows, widths[layer]))
        self.w_hh_list = self._tuple("weight_hh", lambda layer: (rows, self.hidden_size))
        if self.has_bias:
            self.b_ih_list = self._tuple("bias_ih", lambda layer: (rows,))
            self.b_hh_list = self._tuple("bias_hh", lambda layer: (rows,))

    def _tuple(self, name, shape):
        """The Parameters of one kind, in the order of layers and directions."""
        init, ends = Uniform(1 / math.sqrt(self.hidden_size)), ("", "_reverse")[: self.num_directions]
        names = [(layer, f"{name}_l{layer}{end}") for layer in range(self.num_layers) for end in ends]
        return ParameterTuple(Parameter(initializer(init, shape(layer)), name=text) for layer, text in names)

    def construct(self, x, hx=None, seq_length=None) -> Any:
        """Run all layers; returns the last layer's outputs, and the last states of all."""
        name = type(self).__name__
        samples = check_sequence(name, x, self.input_size, self.batch_first)
        shape = (self.num_layers * self.num_directions, samples, self.hidden_size)
        states = checked_states(name, x, hx, self.rnn.states, shape)
        check_length(name, seq_length, samples)
        y, last = self._over_layers(F.transpose(x, (1, 0, 2)) if self.batch_first else x, states, seq_length)
        if self.batch_first:
            y = F.transpose(y, (1, 0, 2))
        return self._arranged(y, last, x.dtype)

    def _over_layers(self, y, states, seq_length):
        """The outputs of the last layer, and for each layer and direction its last states."""
        last = []
        for layer in range(self.num_layers):
            outputs = []
            for reverse in (False, True)[: self.num_directions]:
                index = len(last)
                begin = [self._first(y)] * self.rnn.states if states is None else [s[index] for s in states]
                out, end = self.rnn(y, begin, seq_length, self._weights(index, y.dtype), reverse)
                outputs.append(out)
                last.append(end)
            y = F.concat(outputs, 2) if self.bidirectional else outputs[0]
            # Between layers only: dropping states within a layer would cut its memory.
            if self.dropout and layer + 1 < self.num_layers:
                y = self.dropout_op(y)
        return y, last

    def _first(self, x):
        return F.zeros((x.shape[1], self.hidden_size), x.dtype)

    def _weights(self, index, kind):
        """The weights and biases of a layer and direction in the inputs' dtype."""
        lists = (self.w_ih_list, self.w_hh_list, *((self.b_ih_list, self.b_hh_list) if self.has_bias else ()))
        return [p[index] if p[index].dtype == kind else F.cast(p[index], kind) for p in lists]

    def _arranged(self, y, last, kind):
        """The result as MindSpore nests it, in the dtype of x."""
        states = tuple(F.cast(F.stack(each), kind) for each in zip(*last, strict=True))
        return F.cast(y, kind), states if self.rnn.states > 1 else states[0]


class LSTM(_RecurrentLayers):
    """Long short-term memory over sequences (Hochreiter and Schmidhuber, 1997): :class:`LSTMCell` at each step.

    Args:
        input_size (int): Length of x's last axis.
        hidden_size (int): Length of the states' last axis, H.
        num_layers (int): How many layers L, each reading the outputs of the one before. Default: 1.
        has_bias (bool): If True, biases are added. Default: True.
        batch_first (bool): If True, x and y are (N, T, ...), not (T, N, ...). Default: False.
        dropout (float): The probability, in [0, 1), of zero for outputs of all layers but the last, in training.
            Default: 0.0.
        bidirectional (bool): If True, each layer also reads from the last step to the first: D = 2, else 1. Default:
            False.

    Inputs:
        - **x** (Tensor) - Shape (T, N, input_size), of floats.
        - **hx** (tuple) - The first ``(h, c)``, each (D * L, N, H) of x's dtype. Default: None, which is zeros.
        - **seq_length** (Tensor) - Shape (N,), int32 or int64: the length of each sample. Steps beyond it give zeros,
          and leave the states as they are. Default: None, which is T for all.

    Outputs:
        ``(y, (h, c))``: y (T, N, D * H), the last states (D * L, N, H), in x's dtype.

    Raises:
        TypeError: If an argument or input is of a wrong kind.
        ValueError: If a size is not above 0, ``dropout`` is not in [0, 1), or a shape does not fit.

    Examples:
        >>> import minispore as ms
        >>> y, (h, c) = ms.nn.LSTM(2, 3, bidirectional=True)(ms.ops.ones((5, 4, 2)))
        >>> y.shape, h.shape
        ((5, 4, 6), (2, 4, 3))
        >>> print(ms.nn.LSTM(2, 1, has_bias=False)(ms.ops.zeros((1, 1, 2)))[0])
        [[[0.]]]
    """

    new_direction = _DynamicLSTMCPUGPU


class GRU(_RecurrentLayers):
    """Gated recurrent units over sequences (Cho et al., 2014): :class:`GRUCell` at each step.

    Arguments, inputs and errors as in :class:`LSTM`, but ``hx`` is the first h alone, and the outputs are ``(y, h)``.

    Examples:
        >>> import minispore as ms
        >>> y, h = ms.nn.GRU(2, 3, num_layers=2)(ms.ops.ones((5, 4, 2)))
        >>> y.shape, h.shape
        ((5, 4, 3), (2, 4, 3))
        >>> print(ms.nn.GRU(2, 1, has_bias=False)(ms.ops.zeros((1, 1, 2)))[0])
        [[[0.]]]
    """

    new_direction = _DynamicGRUCPUGPU


class RNN(_RecurrentLayers):
    """Plain recurrent networks over sequences: :class:`RNNCell` at each step.

    Arguments, inputs and errors as in :class:`LSTM`, and by keyword ``nonlinearity``, "tanh" (the default) or "relu";
    ``hx`` is the first h alone, and the outputs are ``(y, h)``.

    Examples:
        >>> import minispore as ms
        >>> y, h = ms.nn.RNN(2, 3, batch_first=True, nonlinearity="relu")(ms.ops.ones((4, 5, 2)))
        >>> y.shape, h.shape
        ((4, 5, 3), (1, 4, 3))
        >>> print(ms.nn.RNN(2, 1, has_bias=False)(ms.ops.zeros((1, 1, 2)))[0])
        [[[0.]]]
    """

    def __init__(self, *args, nonlinearity="tanh", **kwargs) -> None:
        if not isinstance(nonlinearity, str) or nonlinearity not in ("tanh", "relu"):
            raise value_error("RNN", "the 'nonlinearity' must be 'tanh' or 'relu'", shown(nonlinearity))
        self.__dict__["new_direction"] = _DynamicRNNTanh if nonlinearity == "tanh" else _DynamicRNNRelu
        super().__init__(*args, **kwargs)
