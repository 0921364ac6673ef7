"""Distributions of real numbers with light tails: normal, uniform, exponential and their kin."""

import math

from minispore.core.dtype import float32
from minispore.core.errors import value_error
from minispore.dropin.probability.distribution.distribution import Distribution
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = ["Exponential", "HalfNormal", "Laplace", "LogNormal", "Normal", "Uniform"]

_LOG_ROOT = math.log(2 * math.pi) / 2


def _log_density(value, mean, sd):
    """The logarithm of the normal distribution's density."""
    return -F.square((value - mean) / sd) / 2 - _LOG_ROOT - F.log(sd)


def _below(z):
    """The probability of a standard normal number below z."""
    return F.erfc(-z / math.sqrt(2)) / 2


class _MeanAndDeviation(Distribution):
    """Base of distributions with a mean (a location) and a positive deviation (a scale)."""

    _floating = True
    _arguments, _other, _printed = ("mean", "sd"), ("mean_b", "sd_b"), ("mean", "standard deviation")

    def _check_parameters(self):
        self._check_all("sd", "above 0", lambda sd: sd > 0)


class Normal(_MeanAndDeviation):
    """The normal distribution: ``prob(x) = exp(-((x - mean) / sd) ** 2 / 2) / (sd * sqrt(2 * pi))``.

    Args:
        mean (Union[int, float, list, numpy.ndarray, Tensor]): The mean. Default: None, given in each call.
        sd (Union[int, float, list, numpy.ndarray, Tensor]): The standard deviation. Default: None, given in each call.
        seed (int): The seed of draws. Default: None.
        dtype (mindspore.dtype): A floating dtype. Default: float32.
        name (str): Default: "Normal".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a deviation is not above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore.nn.probability.distribution import Normal
        >>> print(Normal(0.0, 1.0).cdf(ms.Tensor([0.0])))
        [0.5]
    """

    def __init__(self, mean=None, sd=None, seed=None, dtype=float32, name="Normal"):
        super().__init__(seed, dtype, name, dict(locals()))

    def _log_prob(self, value, mean, sd):
        return _log_density(value, mean, sd)

    def _cdf(self, value, mean, sd):
        return _below((value - mean) / sd)

    def _survival_function(self, value, mean, sd):
        return _below((mean - value) / sd)

    def _mean(self, mean, sd):
        return mean + F.zeros_like(sd)

    def _mode(self, mean, sd):
        return mean + F.zeros_like(sd)

    def _sd(self, mean, sd):
        return sd + F.zeros_like(mean)

    def _entropy(self, mean, sd):
        return _LOG_ROOT + 0.5 + F.log(sd) + F.zeros_like(mean)

    def _kl_loss(self, mean_b, sd_b, mean, sd):
        return F.log(sd_b / sd) + (F.square(sd) + F.square(mean - mean_b)) / (2 * F.square(sd_b)) - 0.5

    def _sample(self, shape, mean, sd):
        return mean + sd * self._normal(shape)


class LogNormal(Distribution):
    """The distribution of ``exp(x)`` for x of ``Normal(loc, scale)``.

    Args:
        loc (Union[int, float, list, numpy.ndarray, Tensor]): The mean of the logarithm. Default: None.
        scale (Union[int, float, list, numpy.ndarray, Tensor]): The deviation of the logarithm. Default: None.
        seed (int): The seed of draws. Default: 0.
        dtype (mindspore.dtype): A floating dtype. Default: float32.
        name (str): Default: "LogNormal".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a scale is not above 0.
    """

    _floating = True
    _arguments, _other, _printed = ("loc", "scale"), ("loc_b", "scale_b"), ("loc", "scale")

    def __init__(self, loc=None, scale=None, seed=0, dtype=float32, name="LogNormal"):
        super().__init__(seed, dtype, name, dict(locals()))

    def _check_parameters(self):
        self._check_all("scale", "above 0", lambda scale: scale > 0)

    @property
    def loc(self):
        """The mean of the logarithm."""
        return self._given_loc

    @property
    def scale(self):
        """The deviation of the logarithm."""
        return self._given_scale

    def _log_prob(self, value, loc, scale):
        above = value > F.zeros_like(value + loc + scale)
        log = F.log(F.select(above, value + F.zeros_like(loc + scale), F.ones_like(value + loc + scale)))
        return F.select(above, _log_density(log, loc, scale) - log, F.full_like(log, -math.inf))

    def _cdf(self, value, loc, scale):
        return _below((F.log(F.maximum(value, 0.0)) - loc) / scale)

    def _survival_function(self, value, loc, scale):
        return _below((loc - F.log(F.maximum(value, 0.0))) / scale)

    def _mean(self, loc, scale):
        return F.exp(loc + F.square(scale) / 2)

    def _mode(self, loc, scale):
        return F.exp(loc - F.square(scale))

    def _var(self, loc, scale):
        return F.expm1(F.square(scale)) * F.exp(2 * loc + F.square(scale))

    def _entropy(self, loc, scale):
        return loc + 0.5 + _LOG_ROOT + F.log(scale)

    _kl_loss = Normal._kl_loss

    def _sample(self, shape, loc, scale):
        return F.exp(loc + scale * self._normal(shape))


class HalfNormal(_MeanAndDeviation):
    """The right half of the normal distribution: ``prob(x) = 2 * Normal(mean, sd).prob(x)``.

    As in MindSpore the density is 0 below 0, not below the mean, and there is no other method.
    """

    def __init__(self, mean=None, sd=None, seed=None, dtype=float32, name="HalfNormal"):
        super().__init__(seed, dtype, name, dict(locals()))

    def _log_prob(self, value, mean, sd):
        log = _log_density(value, mean, sd) + math.log(2)
        return F.select(value + F.zeros_like(log) >= F.zeros_like(log), log, F.full_like(log, -math.inf))


class Laplace(_MeanAndDeviation):
    """The Laplace distribution: ``prob(x) = exp(-abs(x - mean) / sd) / (2 * sd)``; MindSpore has no other method."""

    def __init__(self, mean=None, sd=None, seed=None, dtype=float32, name="Laplace"):
        super().__init__(seed, dtype, name, dict(locals()))

    def _log_prob(self, value, mean, sd):
        return -F.abs(value - mean) / sd - math.log(2) - F.log(sd)


class Uniform(Distribution):
    """The uniform distribution over [low, high]: ``prob(x) = 1 / (high - low)`` inside, 0 outside.

    Args:
        low (Union[int, float, list, numpy.ndarray, Tensor]): The least number. Default: None, given in each call.
        high (Union[int, float, list, numpy.ndarray, Tensor]): The largest. Default: None, given in each call.
        seed (int): The seed of draws. Default: None.
        dtype (mindspore.dtype): A floating dtype. Default: float32.
        name (str): Default: "Uniform".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``low`` is not below ``high``.
    """

    _floating = True
    _arguments, _other, _printed = ("low", "high"), ("low_b", "high_b"), ("low", "high")

    def __init__(self, low=None, high=None, seed=None, dtype=float32, name="Uniform"):
        super().__init__(seed, dtype, name, dict(locals()))

    def _check_parameters(self):
        low, high = self._given()
        if low is not None and high is not None and not (low.asnumpy() < high.asnumpy()).all():
            raise value_error("Uniform", "the 'low' must be below the 'high'", f"{low} and {high}")

    @property
    def low(self):
        """The least number."""
        return self._given_low

    @property
    def high(self):
        """The largest number."""
        return self._given_high

    def _prob(self, value, low, high):
        inside = F.logical_and(value >= low, value <= high)
        return F.select(inside, 1 / (high - low) + F.zeros_like(value), F.zeros_like(value + low))

    def _cdf(self, value, low, high):
        return F.minimum(F.maximum((value - low) / (high - low), 0.0), 1.0)

    def _mean(self, low, high):
        return (low + high) / 2

    def _var(self, low, high):
        return F.square(high - low) / 12

    def _entropy(self, low, high):
        return F.log(high - low)

    def _kl_loss(self, low_b, high_b, low, high):
        covered = F.logical_and(low_b <= low, high <= high_b)
        divergence = F.log((high_b - low_b) / (high - low))
        return F.select(covered, divergence, F.full_like(divergence, math.inf))

    def _sample(self, shape, low, high):
        return low + (high - low) * self._uniform(shape)


class Exponential(Distribution):
    """The exponential distribution: ``prob(x) = rate * exp(-rate * x)`` for x of at least 0.

    Args:
        rate (Union[int, float, list, numpy.ndarray, Tensor]): The rate. Default: None, given in each call.
        seed (int): The seed of draws. Default: None.
        dtype (mindspore.dtype): A floating dtype. Default: float32.
        name (str): Default: "Exponential".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a rate is not above 0.
    """

    _floating = True
    _arguments, _other, _printed = ("rate",), ("rate_b",), ("rate",)

    def __init__(self, rate=None, seed=None, dtype=float32, name="Exponential"):
        super().__init__(seed, dtype, name, dict(locals()))

    def _check_parameters(self):
        self._check_all("rate", "above 0", lambda rate: rate > 0)

    @property
    def rate(self):
        """The rate."""
        return self._given_rate

    def _log_prob(self, value, rate):
        log = F.log(rate) - rate * value
        return F.select(value >= F.zeros_like(log), log, F.full_like(log, -math.inf))

    def _cdf(self, value, rate):
        return -F.expm1(-rate * F.maximum(value, 0.0))

    def _survival_function(self, value, rate):
        return F.exp(-rate * F.maximum(value, 0.0))

    def _log_survival(self, value, rate):
        return -rate * F.maximum(value, 0.0)

    def _mean(self, rate):
        return 1 / rate

    def _sd(self, rate):
        return 1 / rate

    def _mode(self, rate):
        return F.zeros_like(rate)

    def _entropy(self, rate):
        return 1 - F.log(rate)

    def _kl_loss(self, rate_b, rate):
        return F.log(rate / rate_b) + rate_b / rate - 1

    def _sample(self, shape, rate):
        return -F.log1p(-self._uniform(shape)) / rate
