"""Losses: ``loss`` has the base and the elementwise ones, ``cross_entropy`` the likelihoods."""

from minispore._exports import public as _public
from minispore.nn.loss.cross_entropy import *
from minispore.nn.loss.loss import *

__all__ = _public(globals())
