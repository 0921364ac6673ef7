"""Recurrent gates, each one operation: what follows the two matrix products of a recurrent cell.

float16 is computed in float32 and every output is rounded once.
"""

from minispore.autograd import of_gradient
from minispore.errors import value_error
from minispore.ops.common import check_float, check_rank, check_same_type
from minispore.ops.kernels.cast import narrow, widen
from minispore.ops.primitive import Primitive, Spec
from minispore.ops.recurrent_steps import gru_gates, lstm_gates

__all__ = ["GRUGates", "GRUGatesGrad", "LSTMGates", "LSTMGatesGrad"]


def _sigmoid(xp, x):
    out = xp.tanh(0.5 * x)
    out *= 0.5
    out += 0.5
    return out


def _check_gates(op, state, gates, **parts):
    """Refuse what is no float of two axes, of one dtype, and as many gates wide as ``state``, which comes last."""
    for name, x in parts.items():
        check_float(op, name, x)
        check_rank(op, name, x, (2,))
    check_same_type(op, **parts)
    shape = parts[state].shape
    for name, x in parts.items():
        if name != state and x.shape != (shape[0], gates * shape[1]):
            expected = f"the '{name}' must have the shape {(shape[0], gates * shape[1])}, {gates} gates of {state}'s"
            raise value_error(op.name, expected, x.shape)


def _opened_lstm(xp, z):
    """The gates i, f, g, o from their pre-activations, side by side in ``z``."""
    width = z.shape[1] // 4
    both, tail = _sigmoid(xp, z[:, : 2 * width]), z[:, 2 * width : 3 * width]
    return both[:, :width], both[:, width:], xp.tanh(tail), _sigmoid(xp, z[:, 3 * width :])


class LSTMGates(Primitive):
    """``c' = sigmoid(f) * c + sigmoid(i) * tanh(g)``, ``h' = sigmoid(o) * tanh(c')``, with ``z = [i f g o]``.

    The outputs are ``(h', c')``.

    Shapes: ``z`` (N, 4H), ``c`` (N, H).
    """

    def infer(self, z, c):
        _check_gates(self, "c", 4, z=z, c=c)
        return c, c

    def compute(self, xp, z, c):
        i, f, g, o = _opened_lstm(xp, widen(xp, z))
        cell = f * widen(xp, c)
        cell += i * g
        return narrow(xp, o * xp.tanh(cell), c.dtype), narrow(xp, cell, c.dtype)

    def bprop(self, z, c, out, dout):
        return _lstm_grad(*dout, z, c)


class LSTMGatesGrad(Primitive):
    """The gradient of LSTMGates: ``(dz, dc)`` from ``(dh', dc', z, c)``."""

    def infer(self, dh, dc, z, c):
        check_same_type(self, dh=dh, dc=dc, z=z, c=c)
        return Spec(z.shape, z.dtype), Spec(c.shape, c.dtype)

    def compute(self, xp, dh, dc, z, c):
        wide_c, dh, dc = (widen(xp, x) for x in (c, dh, dc))
        i, f, g, o = _opened_lstm(xp, widen(xp, z))
        t = xp.tanh(f * wide_c + i * g)
        dc = dc + dh * o * (1 - t * t)
        dz = xp.concatenate(
            (dc * g * i * (1 - i), dc * wide_c * f * (1 - f), dc * i * (1 - g * g), dh * t * o * (1 - o)), axis=1
        )
        return narrow(xp, dz, z.dtype), narrow(xp, dc * f, c.dtype)

    def bprop(self, dh, dc, z, c, out, dout):
        return of_gradient(lstm_gates, (dh, dc), (z, c), dout)


_lstm_grad = LSTMGatesGrad()


def _opened_gru(xp, z, j):
    """The gates r, u, n from what comes by the input and by the state."""
    width = z.shape[1] // 3
    both = _sigmoid(xp, z[:, : 2 * width] + j[:, : 2 * width])
    r, u = both[:, :width], both[:, width:]
    new = r * j[:, 2 * width :]
    new += z[:, 2 * width :]
    return r, u, xp.tanh(new)


class GRUGates(Primitive):
    """``h' = n + u * (h - n)``, with ``z = [z_r z_u z_n]``, ``j = [j_r j_u j_n]``.

    ``r = sigmoid(z_r + j_r)``, ``u = sigmoid(z_u + j_u)``, ``n = tanh(z_n + r * j_n)``.

    Shapes: ``z`` and ``j`` (N, 3H), ``h`` and ``h'`` (N, H).
    """

    def infer(self, z, j, h):
        _check_gates(self, "h", 3, z=z, j=j, h=h)
        return h

    def compute(self, xp, z, j, h):
        _, u, n = _opened_gru(xp, widen(xp, z), widen(xp, j))
        out = widen(xp, h) - n
        out *= u
        out += n
        return narrow(xp, out, h.dtype)

    def bprop(self, z, j, h, out, dout):
        return _gru_grad(dout, z, j, h)


class GRUGatesGrad(Primitive):
    """The gradient of GRUGates: ``(dz, dj, dh)`` from ``(dh', z, j, h)``."""

    def infer(self, dout, z, j, h):
        check_same_type(self, dout=dout, z=z, j=j, h=h)
        return Spec(z.shape, z.dtype), Spec(j.shape, j.dtype), Spec(h.shape, h.dtype)

    def compute(self, xp, dout, z, j, h):
        dout, wide_j = widen(xp, dout), widen(xp, j)
        r, u, n = _opened_gru(xp, widen(xp, z), wide_j)
        dn = dout * (1 - u) * (1 - n * n)
        dr = dn * wide_j[:, 2 * h.shape[1] :] * r * (1 - r)
        du = dout * (widen(xp, h) - n) * u * (1 - u)
        by_input, by_state = xp.concatenate((dr, du, dn), axis=1), xp.concatenate((dr, du, dn * r), axis=1)
        return narrow(xp, by_input, z.dtype), narrow(xp, by_state, j.dtype), narrow(xp, dout * u, h.dtype)

    def bprop(self, dout, z, j, h, out, dgrads):
        return of_gradient(gru_gates, (dout,), (z, j, h), dgrads)


_gru_grad = GRUGatesGrad()
