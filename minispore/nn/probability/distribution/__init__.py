"""Distributions of probability: their density, their moments, how far they are from one another, and draws.

Reading order: ``distribution``, ``continuous``, ``heavy_tailed``, ``discrete``.
"""

from minispore._exports import public as _public
from minispore.nn.probability.distribution.continuous import *
from minispore.nn.probability.distribution.discrete import *
from minispore.nn.probability.distribution.distribution import *
from minispore.nn.probability.distribution.heavy_tailed import *

__all__ = _public(globals())
