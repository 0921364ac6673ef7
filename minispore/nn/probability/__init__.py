"""Probability: distributions as cells."""

from minispore.nn.probability import distribution

__all__ = ["distribution"]
