"""Further activations without kinks in their slope, beside ``activation.py``: Mish, Softplus and their kin."""

from minispore.ops.operations.nn.activation import Sigmoid, Smooth, Tanh

__all__ = ["FastGeLU", "LogSigmoid", "Mish", "Softplus", "Softsign"]


def _softplus(xp, x):
    return xp.maximum(x, 0) + xp.log1p(xp.exp(-xp.abs(x)))


class FastGeLU(Smooth):
    """Gaussian error linear unit, logistic form: ``out = x / (1 + e ** (-1.702 * x))``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.fast_gelu(ms.Tensor([-1.0, 0.0, 1.0])))
        [-0.15420423  0.          0.8457958 ]
    """

    def forward(self, xp, x):
        return x / (1 + xp.exp(-1.702 * x))

    def bprop(self, x, out, dout):
        s = _sigmoid(x * 1.702)
        return dout * (s + x * s * (1 - s) * 1.702)


class LogSigmoid(Smooth):
    """Logarithm of the logistic function: ``out = -ln(1 + e ** -x)``, without overflow and to all digits.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.logsigmoid(ms.Tensor([-1000.0, 0.0])))  # ln(sigmoid(-1000)) alone would be -inf
        [-1.000000e+03 -6.931472e-01]
    """

    def forward(self, xp, x):
        return -_softplus(xp, -x)

    def bprop(self, x, out, dout):
        return dout * _sigmoid(-x)


class Mish(Smooth):
    """Mish, a smooth form of ReLU: ``out = x * tanh(ln(1 + e ** x))``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.mish(ms.Tensor([-1.0, 0.0, 1.0])))
        [-0.3034014  0.         0.8650984]
    """

    def forward(self, xp, x):
        return x * xp.tanh(_softplus(xp, x))

    def bprop(self, x, out, dout):
        t = _tanh(_softplus_of(x))
        return dout * (t + x * _sigmoid(x) * (1 - t * t))


class Softplus(Smooth):
    """Smooth form of ReLU: ``out = ln(1 + e ** x)``, without overflow.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Softplus()(ms.Tensor([-1.0, 0.0, 1000.0])))
        [3.1326163e-01 6.9314718e-01 1.0000000e+03]
    """

    def forward(self, xp, x):
        return _softplus(xp, x)

    def bprop(self, x, out, dout):
        return dout * _sigmoid(x)


class Softsign(Smooth):
    """Number brought into (-1, 1): ``out = x / (1 + |x|)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.softsign(ms.Tensor([-3.0, 0.0, 1.0])))
        [-0.75  0.    0.5 ]
    """

    def forward(self, xp, x):
        return x / (1 + xp.abs(x))

    def bprop(self, x, out, dout):
        return dout / (x.abs() + 1).square()


_sigmoid, _tanh, _softplus_of = Sigmoid(), Tanh(), Softplus()
