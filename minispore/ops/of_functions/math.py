"""Primitives of elementwise functions: sinc, logit, the gamma function of several variables."""

from __future__ import annotations

from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_python_float
from minispore.ops.of_functions.base import OfFunction

__all__ = ["Logit", "Mvlgamma", "Sinc"]


class Sinc(OfFunction):
    """Elementwise normalized sine: ``ops.sinc``.

    Shapes: any, kept. Dtypes: floats and complex, kept; ints and bools give float32.

    Raises:
        TypeError: If the input is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Sinc()(ms.Tensor([0.0, 0.25, 0.5])))
        [1.         0.9003163  0.63661975]
    """

    function = staticmethod(F.sinc)


class Logit(OfFunction):
    """Elementwise inverse of the sigmoid: ``ops.logit``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        eps (float): From 0 on, the input is held in [eps, 1 - eps]. Default: -1.0, it is not.

    Raises:
        TypeError: If ``eps`` is not a number, or the input is not a Tensor.
        ValueError: If ``eps`` is not finite.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Logit(0.01)(ms.Tensor([0.0, 0.5, 0.9])))
        [-4.59512    0.         2.1972244]
    """

    def __init__(self, eps: float = -1.0) -> None:
        self._keep(eps=check_python_float(self.name, "eps", eps))

    def run(self, x) -> Tensor:
        """The logarithm of the odds."""
        return F.logit(x, None if self.eps < 0 else self.eps)


class Mvlgamma(OfFunction):
    """Logarithm of the gamma function of ``p`` variables: ``ops.mvlgamma``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        p (int): The number of variables, at least 1.

    Raises:
        TypeError: If ``p`` is not an int, or the input is not a Tensor.
        ValueError: If the input is not above (p - 1) / 2.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Mvlgamma(2)(ms.Tensor([2.0, 3.0])))
        [0.45158267 1.550195  ]
    """

    function = staticmethod(F.mvlgamma)

    def __init__(self, p: int) -> None:
        self._keep(p=p)
