"""Distributions whose density has gamma functions: Gamma, Beta and Poisson."""

import math

from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error
from minispore.dropin.probability.distribution.distribution import Distribution
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = ["Beta", "Gamma", "Poisson"]


class _OfPositive(Distribution):
    """Base of distributions of which all parameters are above 0, and given in lists, as MindSpore asks."""

    def _taken(self, argument, value):
        if isinstance(value, (int, float)):
            raise type_error(type(self).__name__, f"the '{argument}' must be a list or a Tensor", shown(value))
        return super()._taken(argument, value)

    def _check_parameters(self):
        for argument in self._arguments:
            self._check_all(argument, "above 0", lambda value: value > 0)

    def _gamma_draws(self, shape, concentration):
        """Draws of Gamma with rate 1, of a whole shape."""
        return F.random_gamma((), concentration.broadcast_to(shape), self._seed or None)


def _where(condition, x, other):
    """``x`` where a condition holds, else a number."""
    return F.select(condition, x, F.full_like(x, other))


def _log_beta(a, b):
    """The logarithm of the beta function."""
    return F.lgamma(a) + F.lgamma(b) - F.lgamma(a + b)


class Gamma(_OfPositive):
    """The gamma distribution: ``prob(x)`` goes with ``x ** (concentration - 1) * exp(-rate * x)``.

    Args:
        concentration (Union[list, numpy.ndarray, Tensor]): The exponent. Default: None, given in each call.
        rate (Union[list, numpy.ndarray, Tensor]): The rate. Default: None, given in each call.
        seed (int): The seed of draws. Default: None.
        dtype (mindspore.dtype): A floating dtype. Default: float32.
        name (str): Default: "Gamma".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a parameter is not above 0.
    """

    _floating = True
    _arguments, _other = ("concentration", "rate"), ("concentration_b", "rate_b")
    _printed = _arguments

    def __init__(self, concentration=None, rate=None, seed=None, dtype=float32, name="Gamma"):
        super().__init__(seed, dtype, name, dict(locals()))

    @property
    def concentration(self):
        """The exponent."""
        return self._given_concentration

    @property
    def rate(self):
        """The rate."""
        return self._given_rate

    def _log_prob(self, value, a, rate):
        return a * F.log(rate) + (a - 1) * F.log(value) - rate * value - F.lgamma(a)

    def _cdf(self, value, a, rate):
        return F.igamma(a, rate * value)

    def _survival_function(self, value, a, rate):
        return F.igammac(a, rate * value)

    def _mean(self, a, rate):
        return a / rate

    def _var(self, a, rate):
        return a / F.square(rate)

    def _mode(self, a, rate):
        mode = (a - 1) / rate
        return _where(mode > 0, mode, math.nan)

    def _entropy(self, a, rate):
        return a - F.log(rate) + F.lgamma(a) + (1 - a) * F.digamma(a)

    def _kl_loss(self, a_b, rate_b, a, rate):
        of_a = (a - a_b) * F.digamma(a) - F.lgamma(a) + F.lgamma(a_b)
        return of_a + a_b * (F.log(rate) - F.log(rate_b)) + a * (rate_b / rate - 1)

    def _sample(self, shape, a, rate):
        return self._gamma_draws(shape, a) / rate


class Beta(_OfPositive):
    """The beta distribution: ``prob(x)`` goes with ``x ** (concentration1 - 1) * (1 - x) ** (concentration0 - 1)``.

    As in MindSpore there is no ``cdf``.

    Args:
        concentration1 (Union[list, numpy.ndarray, Tensor]): The exponent of x. Default: None, given in each call.
        concentration0 (Union[list, numpy.ndarray, Tensor]): The exponent of 1 - x. Default: None, given in each call.
        seed (int): The seed of draws. Default: None.
        dtype (mindspore.dtype): A floating dtype. Default: float32.
        name (str): Default: "Beta".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a parameter is not above 0.
    """

    _floating = True
    _arguments, _other = ("concentration1", "concentration0"), ("concentration1_b", "concentration0_b")
    _printed = _arguments

    def __init__(self, concentration1=None, concentration0=None, seed=None, dtype=float32, name="Beta"):
        super().__init__(seed, dtype, name, dict(locals()))

    @property
    def concentration1(self):
        """The exponent of x."""
        return self._given_concentration1

    @property
    def concentration0(self):
        """The exponent of 1 - x."""
        return self._given_concentration0

    def _log_prob(self, value, a, b):
        return (a - 1) * F.log(value) + (b - 1) * F.log1p(-value) - _log_beta(a, b)

    def _mean(self, a, b):
        return a / (a + b)

    def _var(self, a, b):
        return a * b / (F.square(a + b) * (a + b + 1))

    def _mode(self, a, b):
        return _where(F.logical_and(a > 1, b > 1), (a - 1) / (a + b - 2), math.nan)

    def _entropy(self, a, b):
        of_each = (a - 1) * F.digamma(a) + (b - 1) * F.digamma(b)
        return _log_beta(a, b) - of_each + (a + b - 2) * F.digamma(a + b)

    def _kl_loss(self, a_b, b_b, a, b):
        of_each = (a - a_b) * F.digamma(a) + (b - b_b) * F.digamma(b)
        return _log_beta(a_b, b_b) - _log_beta(a, b) + of_each + (a_b - a + b_b - b) * F.digamma(a + b)

    def _sample(self, shape, a, b):
        first, second = self._gamma_draws(shape, a), self._gamma_draws(shape, b)
        return first / (first + second)


class Poisson(_OfPositive):
    """Counts of what happens at a rate: ``prob(k) = rate ** k * exp(-rate) / k!``.

    As in MindSpore, between whole numbers k! is ``gamma(k + 1)``, ``cdf`` is smooth, and there are no ``entropy`` and
    ``kl_loss``.

    Args:
        rate (Union[list, numpy.ndarray, Tensor]): The rate. Default: None, given in each call.
        seed (int): The seed of draws. Default: None.
        dtype (mindspore.dtype): A dtype of numbers. Default: float32.
        name (str): Default: "Poisson".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a rate is not above 0.
    """

    _arguments, _printed = ("rate",), ("rate",)

    def __init__(self, rate=None, seed=None, dtype=float32, name="Poisson"):
        super().__init__(seed, dtype, name, dict(locals()))

    @property
    def rate(self):
        """The rate."""
        return self._given_rate

    def _log_prob(self, value, rate):
        log = value * F.log(rate) - rate - F.lgamma(F.maximum(value, 0.0) + 1)
        return _where(F.logical_and(value >= 0, rate > 0), log, -math.inf)

    def _cdf(self, value, rate):
        below = F.igammac(F.maximum(value, 0.0) + 1, rate)
        return _where(F.logical_and(value >= 0, rate > 0), below, 0.0)

    def _mean(self, rate):
        return rate

    def _var(self, rate):
        return rate

    def _mode(self, rate):
        return F.floor(rate)

    def _sample(self, shape, rate):
        return F.random_poisson((), rate.broadcast_to(shape), self._seed or None)
