"""Distributions of real numbers around a location with heavier tails than the normal one's."""

import math

from minispore.core.dtype import float32
from minispore.core.errors import value_error
from minispore.dropin.probability.distribution.distribution import Distribution
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = ["Cauchy", "Gumbel", "Logistic", "StudentT"]

_GAMMA = 0.57721566490153286  # Euler's constant
_LEAST = 2.0**-25  # half the distance of uniform numbers, in the place of 0, whose logarithm is not finite


class _LocationAndScale(Distribution):
    """Base of distributions with a location and a positive scale."""

    _floating = True
    _arguments, _other, _printed = ("loc", "scale"), ("loc_b", "scale_b"), ("location", "scale")

    def _check_parameters(self):
        self._check_all("scale", "above 0", lambda scale: scale > 0)

    @property
    def loc(self):
        """The location."""
        return self._given_loc

    @property
    def scale(self):
        """The scale."""
        return self._given_scale

    def _mode(self, loc, scale):
        return loc + F.zeros_like(scale)

    def _open_uniform(self, shape):
        return F.maximum(self._uniform(shape), _LEAST)


class Cauchy(_LocationAndScale):
    """The Cauchy distribution: ``prob(x) = 1 / (pi * scale * (1 + ((x - loc) / scale) ** 2))``; it has no moments.

    Args:
        loc (Union[int, float, list, numpy.ndarray, Tensor]): The location. Default: None, given in each call.
        scale (Union[int, float, list, numpy.ndarray, Tensor]): The scale. Default: None, given in each call.
        seed (int): The seed of draws. Default: None.
        dtype (mindspore.dtype): A floating dtype. Default: float32.
        name (str): Default: "Cauchy".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a scale is not above 0, or a moment is asked for.
    """

    def __init__(self, loc=None, scale=None, seed=None, dtype=float32, name="Cauchy"):
        super().__init__(seed, dtype, name, dict(locals()))

    def _log_prob(self, value, loc, scale):
        return -F.log1p(F.square((value - loc) / scale)) - math.log(math.pi) - F.log(scale)

    def _cdf(self, value, loc, scale):
        return F.atan((value - loc) / scale) / math.pi + 0.5

    def _mean(self, loc, scale):
        raise value_error("Cauchy", "the mean is undefined")

    def _sd(self, loc, scale):
        raise value_error("Cauchy", "the standard deviation is undefined")

    def _var(self, loc, scale):
        raise value_error("Cauchy", "the variance is undefined")

    def _entropy(self, loc, scale):
        return math.log(4 * math.pi) + F.log(scale) + F.zeros_like(loc)

    def _kl_loss(self, loc_b, scale_b, loc, scale):
        return F.log((F.square(scale + scale_b) + F.square(loc - loc_b)) / (4 * scale * scale_b))

    def _sample(self, shape, loc, scale):
        return loc + scale * F.tan(math.pi * (self._uniform(shape) - 0.5))


class Logistic(_LocationAndScale):
    """The logistic distribution: ``cdf(x) = sigmoid((x - loc) / scale)``; arguments and errors as Cauchy's.

    As in MindSpore there is no ``kl_loss``.
    """

    def __init__(self, loc=None, scale=None, seed=None, dtype=float32, name="Logistic"):
        super().__init__(seed, dtype, name, dict(locals()))

    def _log_prob(self, value, loc, scale):
        z = F.abs((value - loc) / scale)  # the density is even, and this side of it does not overflow
        return -z - F.log(scale) - 2 * F.log1p(F.exp(-z))

    def _cdf(self, value, loc, scale):
        return F.sigmoid((value - loc) / scale)

    def _survival_function(self, value, loc, scale):
        return F.sigmoid((loc - value) / scale)

    def _mean(self, loc, scale):
        return loc + F.zeros_like(scale)

    def _sd(self, loc, scale):
        return scale * (math.pi / math.sqrt(3)) + F.zeros_like(loc)

    def _entropy(self, loc, scale):
        return F.log(scale) + 2 + F.zeros_like(loc)

    def _sample(self, shape, loc, scale):
        chance = self._open_uniform(shape)
        return loc + scale * (F.log(chance) - F.log1p(-chance))


class Gumbel(_LocationAndScale):
    """The Gumbel distribution: ``cdf(x) = exp(-exp(-(x - loc) / scale))``.

    Args:
        loc (Union[int, float, list, numpy.ndarray, Tensor]): The location.
        scale (Union[int, float, list, numpy.ndarray, Tensor]): The scale.
        seed (int): The seed of draws. Default: 0.
        dtype (mindspore.dtype): A floating dtype. Default: float32.
        name (str): Default: "Gumbel".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a scale is not above 0.
    """

    _printed = ("loc", "scale")

    def __init__(self, loc, scale, seed=0, dtype=float32, name="Gumbel"):
        super().__init__(seed, dtype, name, dict(locals()))

    def _log_prob(self, value, loc, scale):
        z = (value - loc) / scale
        return -z - F.exp(-z) - F.log(scale)

    def _cdf(self, value, loc, scale):
        return F.exp(-F.exp((loc - value) / scale))

    def _log_cdf(self, value, loc, scale):
        return -F.exp((loc - value) / scale)

    def _survival_function(self, value, loc, scale):
        return -F.expm1(-F.exp((loc - value) / scale))

    def _mean(self, loc, scale):
        return loc + scale * _GAMMA

    def _sd(self, loc, scale):
        return scale * (math.pi / math.sqrt(6)) + F.zeros_like(loc)

    def _entropy(self, loc, scale):
        return 1 + _GAMMA + F.log(scale) + F.zeros_like(loc)

    def _kl_loss(self, loc_b, scale_b, loc, scale):
        ratio, shift = scale / scale_b, (loc - loc_b) / scale_b
        return -F.log(ratio) + _GAMMA * (ratio - 1) + F.expm1(F.lgamma(ratio + 1) - shift) + shift

    def _sample(self, shape, loc, scale):
        return loc - scale * F.log(-F.log(self._open_uniform(shape)))


class StudentT(Distribution):
    """Student's t-distribution with ``df`` degrees of freedom, moved by ``mean`` and stretched by ``sd``.

    ``prob(x)`` goes with ``(1 + ((x - mean) / sd) ** 2 / df) ** (-(df + 1) / 2)``; MindSpore has no other method.
    """

    _floating = True
    _arguments = ("df", "mean", "sd")

    def __init__(self, df=None, mean=None, sd=None, seed=None, dtype=float32, name="StudentT"):
        super().__init__(seed, dtype, name, dict(locals()))

    def _check_parameters(self):
        for argument in ("df", "sd"):
            self._check_all(argument, "above 0", lambda value: value > 0)

    def _log_prob(self, value, df, mean, sd):
        tail = (df + 1) / 2 * F.log1p(F.square((value - mean) / sd) / df)
        factor = F.lgamma((df + 1) / 2) - F.lgamma(df / 2) - F.log(df * math.pi) / 2 - F.log(sd)
        return factor - tail
