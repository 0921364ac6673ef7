"""Losses: ``loss`` has the base, ``cross_entropy`` and ``likelihood`` likelihoods, ``margin`` margin losses."""

from minispore.core._exports import public as _public
from minispore.nn.loss.cross_entropy import *
from minispore.nn.loss.ctc import *
from minispore.nn.loss.likelihood import *
from minispore.nn.loss.loss import *
from minispore.nn.loss.margin import *
from minispore.nn.loss.softmax_cross_entropy import *

__all__ = _public(globals())
