"""Recurrent gates, each one operation: what follows the two matrix products of a recurrent cell."""

from minispore.autograd import vjp
from minispore.errors import value_error
from minispore.ops.common import check_float, check_rank, check_same_type
from minispore.ops.kernels.cast import narrow, widen
from minispore.ops.primitive import Primitive, Spec

__all__ = ["LSTMGates", "LSTMGatesGrad"]


def _sigmoid(xp, x):
    return 0.5 * xp.tanh(0.5 * x) + 0.5


def _opened(xp, z):
    """The gates i, f, g, o from their pre-activations, side by side in ``z``."""
    i, f, g, o = (z[:, k * z.shape[1] // 4 : (k + 1) * z.shape[1] // 4] for k in range(4))
    return _sigmoid(xp, i), _sigmoid(xp, f), xp.tanh(g), _sigmoid(xp, o)


class LSTMGates(Primitive):
    """``c' = sigmoid(f) * c + sigmoid(i) * tanh(g)``, ``h' = sigmoid(o) * tanh(c')``, with ``z = [i f g o]``.

    The outputs are ``(h', c')``.

    Shapes: ``z`` (N, 4H), ``c`` (N, H).
    """

    def infer(self, z, c):
        for name, x in (("z", z), ("c", c)):
            check_float(self, name, x)
            check_rank(self, name, x, (2,))
        check_same_type(self, z=z, c=c)
        if z.shape != (c.shape[0], 4 * c.shape[1]):
            expected = f"the 'z' must have the shape {(c.shape[0], 4 * c.shape[1])}, four gates of c's"
            raise value_error(self.name, expected, z.shape)
        return c, c

    def compute(self, xp, z, c):
        i, f, g, o = _opened(xp, widen(xp, z))
        cell = f * widen(xp, c) + i * g
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
        i, f, g, o = _opened(xp, widen(xp, z))
        t = xp.tanh(f * wide_c + i * g)
        dc = dc + dh * o * (1 - t * t)
        dz = xp.concatenate(
            (dc * g * i * (1 - i), dc * wide_c * f * (1 - f), dc * i * (1 - g * g), dh * t * o * (1 - o)), axis=1
        )
        return narrow(xp, dz, z.dtype), narrow(xp, dc * f, c.dtype)

    def bprop(self, dh, dc, z, c, out, dout):
        return vjp(_composed_grad, dh, dc, z, c)[1](*dout)


_lstm_grad = LSTMGatesGrad()


def _composed_gates(z, c):
    """The gates written with elementary operations, whose derivatives of any order are known."""
    width = c.shape[1]
    i, f, g, o = (z[:, k * width : (k + 1) * width] for k in range(4))
    cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * cell.tanh(), cell


def _composed_grad(dh, dc, z, c):
    return vjp(_composed_gates, z, c)[1](dh, dc)
