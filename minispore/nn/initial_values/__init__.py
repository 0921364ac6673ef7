"""Initializers: distributions for a new Parameter's values. Each is a value with one method, ``draw(stream, shape)``.

The seed and the number of the draw name the stream, so that a given seed gives the same network on every machine.
Reading order: ``weights``, ``base``, ``distributions``, ``fans``, ``he``, ``variance_scaling``,
``matrices``, ``names``.
"""

from minispore.core._exports import public as _public
from minispore.nn.initial_values.base import *
from minispore.nn.initial_values.distributions import *
from minispore.nn.initial_values.he import *
from minispore.nn.initial_values.matrices import *
from minispore.nn.initial_values.variance_scaling import *

__all__ = _public(globals())
