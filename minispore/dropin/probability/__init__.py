"""Probability: distributions as cells, and bijectors, which change them."""

from minispore.dropin.probability import bijector, distribution

__all__ = ["bijector", "distribution"]
