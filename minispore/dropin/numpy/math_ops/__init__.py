"""Arithmetic, reductions, products, polynomials, differences, counts and the promotion of types."""

from minispore.core._exports import public as _public
from minispore.dropin.numpy.math_ops.binary import *
from minispore.dropin.numpy.math_ops.differences import *
from minispore.dropin.numpy.math_ops.histograms import *
from minispore.dropin.numpy.math_ops.places import *
from minispore.dropin.numpy.math_ops.polynomials import *
from minispore.dropin.numpy.math_ops.products import *
from minispore.dropin.numpy.math_ops.promotion import *
from minispore.dropin.numpy.math_ops.reductions import *
from minispore.dropin.numpy.math_ops.statistics import *
from minispore.dropin.numpy.math_ops.trigonometry import *
from minispore.dropin.numpy.math_ops.unary import *

__all__ = _public(globals())
