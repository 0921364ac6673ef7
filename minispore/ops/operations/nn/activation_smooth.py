"""Further activations without kinks in their slope, beside ``activation.py``: Mish, Softplus and their kin."""

from minispore.ops.operations.nn.activation import Sigmoid, Smooth, Tanh

__all__ = ["FastGeLU", "LogSigmoid", "Mish", "Softplus", "Softsign"]


def _softplus(xp, x):
    return xp.maximum(x, 0) + xp.log1p(xp.exp(-xp.abs(x)))


class FastGeLU(Smooth):
    """Gaussian error linear unit, logistic form: ``out = x / (1 + e ** (-1.702 * x))``."""

    def forward(self, xp, x):
        return x / (1 + xp.exp(-1.702 * x))

    def bprop(self, x, out, dout):
        s = _sigmoid(x * 1.702)
        return dout * (s + x * s * (1 - s) * 1.702)


class LogSigmoid(Smooth):
    """Logarithm of the logistic function: ``out = -ln(1 + e ** -x)``, without overflow and to all digits."""

    def forward(self, xp, x):
        return -_softplus(xp, -x)

    def bprop(self, x, out, dout):
        return dout * _sigmoid(-x)


class Mish(Smooth):
    """``out = x * tanh(ln(1 + e ** x))``. Source: Misra, Mish: a self regularized activation function, 2019."""

    def forward(self, xp, x):
        return x * xp.tanh(_softplus(xp, x))

    def bprop(self, x, out, dout):
        t = _tanh(_softplus_of(x))
        return dout * (t + x * _sigmoid(x) * (1 - t * t))


class Softplus(Smooth):
    """``out = ln(1 + e ** x)``, without overflow."""

    def forward(self, xp, x):
        return _softplus(xp, x)

    def bprop(self, x, out, dout):
        return dout * _sigmoid(x)


class Softsign(Smooth):
    """``out = x / (1 + |x|)``."""

    def forward(self, xp, x):
        return x / (1 + xp.abs(x))

    def bprop(self, x, out, dout):
        return dout / (x.abs() + 1).square()


_sigmoid, _tanh, _softplus_of = Sigmoid(), Tanh(), Softplus()
