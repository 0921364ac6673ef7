"""Distributions of probability: their density, their moments, how far they are from one another, and draws.

Reading order: ``distribution``, ``continuous``, ``heavy_tailed``, ``of_gamma_functions``, ``discrete``.
"""

from minispore.core._exports import public as _public
from minispore.dropin.probability.distribution.continuous import *
from minispore.dropin.probability.distribution.discrete import *
from minispore.dropin.probability.distribution.distribution import *
from minispore.dropin.probability.distribution.heavy_tailed import *
from minispore.dropin.probability.distribution.of_gamma_functions import *

__all__ = _public(globals())
