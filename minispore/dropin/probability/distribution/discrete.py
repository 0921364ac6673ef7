"""Distributions of integers: Bernoulli, geometric, categorical."""

import math

import numpy as np

from minispore.core.dtype import int32
from minispore.core.errors import value_error
from minispore.dropin.probability.distribution.distribution import Distribution
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = ["Bernoulli", "Categorical", "Geometric"]


class _OfChances(Distribution):
    """Base of distributions with a parameter of probabilities: ``probs`` in the constructor."""

    _arguments, _other, _printed = ("probs1",), ("probs1_b",), ("probs",)

    def __init__(self, probs=None, seed=None, dtype=int32, name=None):
        super().__init__(
            seed,
            dtype,
            type(self).__name__ if name is None else name,
            {"probs": probs, "seed": seed, "dtype": dtype, "name": name},
        )

    def _arguments_at_first(self):
        return ("probs",)

    def _check_parameters(self):
        self._check_all("probs", "in (0, 1)", lambda probs: (probs > 0) & (probs < 1))

    @property
    def probs(self):
        """The probabilities."""
        return self._given_probs


class Bernoulli(_OfChances):
    """The Bernoulli distribution: ``prob(1) = probs``, ``prob(0) = 1 - probs``.

    Args:
        probs (Union[int, float, list, numpy.ndarray, Tensor]): The probability of 1. Default: None, given in each call
            as ``probs1``.
        seed (int): The seed of draws. Default: None.
        dtype (mindspore.dtype): The dtype of draws. Default: int32.
        name (str): Default: "Bernoulli".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a probability is not in (0, 1).
    """

    def __init__(self, probs=None, seed=None, dtype=int32, name="Bernoulli"):
        super().__init__(probs, seed, dtype, name)

    def _log_prob(self, value, p):
        return value * F.log(p) + (1 - value) * F.log1p(-p)

    def _cdf(self, value, p):
        below = F.select(value >= F.zeros_like(p + value), 1 - p + F.zeros_like(value), F.zeros_like(p + value))
        return F.select(value >= F.ones_like(below), F.ones_like(below), below)

    def _mean(self, p):
        return p

    def _var(self, p):
        return p * (1 - p)

    def _mode(self, p):
        return p > 0.5

    def _entropy(self, p):
        return -F.xlogy(p, p) - F.xlogy(1 - p, 1 - p)

    def _kl_loss(self, p_b, p):
        return F.xlogy(p, p / p_b) + F.xlogy(1 - p, (1 - p) / (1 - p_b))

    def _sample(self, shape, p):
        return self._uniform(shape) < p


class Geometric(_OfChances):
    """The number of failures before the first success: ``prob(k) = (1 - probs) ** k * probs``.

    Args:
        probs (Union[int, float, list, numpy.ndarray, Tensor]): The probability of success. Default: None, given in each
            call as ``probs1``.
        seed (int): The seed of draws. Default: None.
        dtype (mindspore.dtype): The dtype of draws. Default: int32.
        name (str): Default: "Geometric".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a probability is not in (0, 1).
    """

    def __init__(self, probs=None, seed=None, dtype=int32, name="Geometric"):
        super().__init__(probs, seed, dtype, name)

    def _log_prob(self, value, p):
        log = F.floor(value) * F.log1p(-p) + F.log(p)
        return F.select(value >= F.zeros_like(log), log, F.full_like(log, -math.inf))

    def _log_survival(self, value, p):
        return F.maximum(F.floor(value) + 1, 0.0) * F.log1p(-p)

    def _survival_function(self, value, p):
        return F.exp(self._log_survival(value, p))

    def _cdf(self, value, p):
        return -F.expm1(self._log_survival(value, p))

    def _mean(self, p):
        return (1 - p) / p

    def _var(self, p):
        return (1 - p) / F.square(p)

    def _mode(self, p):
        return F.zeros_like(p)

    def _entropy(self, p):
        return -F.log(p) - (1 - p) / p * F.log1p(-p)

    def _kl_loss(self, p_b, p):
        return F.log(p / p_b) + (1 - p) / p * F.log((1 - p) / (1 - p_b))

    def _sample(self, shape, p):
        return F.floor(F.log1p(-self._uniform(shape)) / F.log1p(-p))


class Categorical(_OfChances):
    """The distribution of class numbers: ``prob(k) = probs[..., k]``.

    Args:
        probs (Union[list, numpy.ndarray, Tensor]): The probabilities of the classes along the last axis, with the
            sum 1. Default: None, given in each call.
        seed (int): The seed of draws. Default: None.
        dtype (mindspore.dtype): The dtype of draws. Default: int32.
        name (str): Default: "Categorical".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a probability is not above 0, or their sum is not 1.

    Examples:
        >>> import minispore as ms
        >>> from minispore.nn.probability.distribution import Categorical
        >>> print(Categorical([0.25, 0.75]).prob(ms.Tensor([1])))
        [0.75]
    """

    _arguments, _other = ("probs",), ("probs_b",)
    _vector = 1

    def __init__(self, probs=None, seed=None, dtype=int32, name="Categorical"):
        super().__init__(probs, seed, dtype, name)

    def _check_parameters(self):
        expected = "above 0, with the sum 1 along the last axis"
        self._check_all(
            "probs", expected, lambda p: (p > 0) & (np.abs(np.atleast_1d(p).sum(-1, keepdims=True) - 1) < 1e-4)
        )
        if self.probs is not None and not self.probs.ndim:
            raise value_error("Categorical", "the 'probs' must have an axis of classes", "a number")

    def _classes(self, probs):
        return F.arange(probs.shape[-1]).astype(probs.dtype)

    def _prob(self, value, probs):
        chosen = F.equal(F.floor(value).expand_dims(-1), self._classes(probs))
        return F.cast(chosen, probs.dtype).mul(probs).sum(-1)

    def _cdf(self, value, probs):
        below = F.greater_equal(F.floor(value).expand_dims(-1), self._classes(probs))
        return F.minimum(F.cast(below, probs.dtype).mul(probs).sum(-1), 1.0)

    def _mean(self, probs):
        return (probs * self._classes(probs)).sum(-1, keepdims=True)

    def _var(self, probs):
        away = F.square(self._classes(probs) - (probs * self._classes(probs)).sum(-1, keepdims=True))
        return (probs * away).sum(-1, keepdims=True)

    def _mode(self, probs):
        return F.argmax(probs, -1)

    def _entropy(self, probs):
        return -F.xlogy(probs, probs).sum(-1)

    def _kl_loss(self, probs_b, probs):
        return F.xlogy(probs, probs / probs_b).sum(-1)

    def _sample(self, shape, probs):
        ends = probs.cumsum(-1)[..., :-1]
        return F.cast(F.greater_equal(self._uniform(shape).expand_dims(-1), ends), int32).sum(-1)
