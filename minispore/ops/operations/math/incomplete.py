"""The incomplete gamma functions' shares and the zeta function of Hurwitz, elementwise, in float64 rounded once."""

import numpy as np

from minispore.core.primitive import Primitive
from minispore.core.tape import needs_grad
from minispore.ops.elementwise_pairs import Arithmetic
from minispore.ops.kernels import special
from minispore.ops.kernels.float16.cast import narrow
from minispore.ops.kernels.incomplete_gamma import incomplete_gamma
from minispore.ops.operations.math.exponential import Exp, Log
from minispore.ops.operations.math.special import Lgamma
from minispore.ops.type_checks import check_float

__all__ = ["Igamma", "Igammac", "Zeta"]

_exp, _log, _lgamma = Exp(), Log(), Lgamma()


class _OfOneInput(Arithmetic):
    """Base of functions of two floating Tensors with a gradient for the second; one for the first is refused."""

    def infer(self, x, y):
        check_float(self, "x", x)
        check_float(self, "y", y)
        return super().infer(x, y)

    def compute(self, xp, x, y):
        x, y = xp.broadcast_arrays(x, y)
        return narrow(xp, self.forward(xp, x.astype(np.float64), y.astype(np.float64)), x.dtype)

    def local_grads(self, x, y, out, dout):
        if needs_grad(x):
            Primitive.bprop(self, x, y, out, dout)  # it refuses
        return None, self.slope(x, y) * dout


class Igamma(_OfOneInput):
    """Elementwise share of the gamma integral below x: ``integral of t ** (a - 1) * exp(-t) from 0 to x / gamma(a)``.

    nan where a is not above 0 or x is below 0. A gradient passes to x; one that is asked for ``a`` is an error.

    Shapes: any that broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.igamma(ms.Tensor([1.0, 1.0]), ms.Tensor([0.0, 1.0])))  # 0, and 1 - 1 / e
        [0.         0.63212055]
    """

    def forward(self, xp, a, x):
        return incomplete_gamma(xp, a, x)[0]

    def slope(self, a, x):
        """The derivative by x."""
        return _exp((a - 1) * _log(x) - x - _lgamma(a))


class Igammac(_OfOneInput):
    """Elementwise share of the gamma integral above x: ``out = 1 - Igamma()(a, x)``, exact in its tail too.

    nan where a is not above 0 or x is below 0. A gradient passes to x; one that is asked for ``a`` is an error.

    Shapes: any that broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.igammac(ms.Tensor([1.0, 1.0]), ms.Tensor([0.0, 1.0])))  # 1, and 1 / e
        [1.         0.36787945]
    """

    def forward(self, xp, a, x):
        return incomplete_gamma(xp, a, x)[1]

    def slope(self, a, x):
        """The derivative by x."""
        return -_exp((a - 1) * _log(x) - x - _lgamma(a))


class Zeta(_OfOneInput):
    """Elementwise zeta function of Hurwitz: ``out = sum of (q + k) ** -x`` over the k from 0 on.

    inf where x is 1; nan where x is below 1, and where q is below 0 and no whole number. A gradient passes to q; one
    that is asked for ``x`` is an error.

    Shapes: any that broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Zeta()(ms.Tensor([2.0, 1.0]), ms.Tensor([1.0, 1.0])))  # pi ** 2 / 6, and infinity
        [1.644934      inf]
    """

    def forward(self, xp, x, q):
        return special.zeta(xp, x, q)

    def slope(self, x, q):
        """The derivative by q."""
        return -x * self(x + 1, q)
