"""Primitives of elementwise functions: sinc, logit, the gamma function of several variables."""

from __future__ import annotations

from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_python_float
from minispore.ops.of_functions.base import OfFunction

__all__ = ["Logit", "Mvlgamma", "Sinc"]


class Sinc(OfFunction):
    """Elementwise normalized sine: ``ops.sinc``."""

    function = staticmethod(F.sinc)


class Logit(OfFunction):
    """Elementwise inverse of the sigmoid: ``ops.logit``.

    Args:
        eps (float): From 0 on, the input is held in [eps, 1 - eps]. Default: -1.0, it is not.
    """

    def __init__(self, eps: float = -1.0) -> None:
        self._keep(eps=check_python_float(self.name, "eps", eps))

    def run(self, x) -> Tensor:
        """The logarithm of the odds."""
        return F.logit(x, None if self.eps < 0 else self.eps)


class Mvlgamma(OfFunction):
    """Logarithm of the gamma function of ``p`` variables: ``ops.mvlgamma``.

    Args:
        p (int): The number of variables, at least 1.
    """

    function = staticmethod(F.mvlgamma)

    def __init__(self, p: int) -> None:
        self._keep(p=p)
