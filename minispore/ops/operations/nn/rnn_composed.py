"""One step of each recurrent network written with elementary operations, and a sequence of such steps.

The fused primitives of ``rnn_step.py`` and ``rnn_sequence.py`` compute the same; here it is in the textbook's order.
Their tests compare with it, and their second derivatives go through it.
"""

from minispore.ops.kernels.rnn_sequence import order
from minispore.ops.operations.array.joining import Stack
from minispore.ops.operations.linalg.matmul import MatMul
from minispore.ops.operations.math.select import Select
from minispore.ops.operations.nn.activation import ReLU

__all__ = []

_by_rows = MatMul(transpose_b=True)
_relu, _select, _stack = ReLU(), Select(), Stack()


def _split(x, count):
    width = x.shape[1] // count
    return (x[:, k * width : (k + 1) * width] for k in range(count))


def lstm_gates(z, c):
    """``(h', c')`` from the pre-activations of the gates i, f, g, o, side by side in z."""
    i, f, g, o = _split(z, 4)
    cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * cell.tanh(), cell


def gru_gates(z, j, h):
    """``h'`` from the parts of r, u, n that come by the input (z) and by the state (j)."""
    z_r, z_u, z_n = _split(z, 3)
    j_r, j_u, j_n = _split(j, 3)
    new = (z_n + (z_r + j_r).sigmoid() * j_n).tanh()
    return new + (z_u + j_u).sigmoid() * (h - new)


def lstm_step(z, h, c, w):
    """``(h', c')`` of an LSTM."""
    return lstm_gates(z + _by_rows(h, w), c)


def gru_step(z, h, w, b):
    """``(h',)`` of a GRU."""
    return (gru_gates(z, _by_rows(h, w) + b, h),)


def tanh_step(z, h, w):
    """``(h',)`` of a plain recurrent network."""
    return ((z + _by_rows(h, w)).tanh(),)


def relu_step(z, h, w):
    """``(h',)`` of a plain recurrent network with relu for tanh."""
    return (_relu(z + _by_rows(h, w)),)


def _laid(x, w, b):
    """``x @ w.T + b``; b is an empty list where there is no bias."""
    return _by_rows(x, w) + b[0] if b else _by_rows(x, w)


def lstm_cell(x, h, c, w_ih, w_hh, *b):
    """``(h', c')`` of an LSTM, products with x included."""
    return lstm_gates(_laid(x, w_ih, b[:1]) + _laid(h, w_hh, b[1:]), c)


def gru_cell(x, h, w_ih, w_hh, *b):
    """``(h',)`` of a GRU, products with x included."""
    return (gru_gates(_laid(x, w_ih, b[:1]), _laid(h, w_hh, b[1:]), h),)


def tanh_cell(x, h, w_ih, w_hh, *b):
    """``(h',)`` of a plain recurrent network, products with x included."""
    return ((_laid(x, w_ih, b[:1]) + _laid(h, w_hh, b[1:])).tanh(),)


def relu_cell(x, h, w_ih, w_hh, *b):
    """The same with relu for tanh."""
    return (_relu(_laid(x, w_ih, b[:1]) + _laid(h, w_hh, b[1:])),)


def over_steps(step, z, states, weights, seq_length, reverse):
    """``(y, *last states)``: the step from each time to the next, standing still where a sample has ended."""
    y = [None] * z.shape[0]
    for t in order(len(y), reverse):
        new = step(z[t], *states, *weights)
        if seq_length is None:
            states, y[t] = new, new[0]
        else:
            alive = (seq_length > t).reshape(-1, 1)
            states = tuple(_select(alive, n, s) for n, s in zip(new, states, strict=True))
            y[t] = _select(alive, new[0], 0)
    return _stack(tuple(y)), *states
