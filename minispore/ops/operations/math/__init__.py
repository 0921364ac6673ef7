"""Elementwise operations: arithmetic, comparison, bits, functions of one, two and three Tensors."""

from minispore.core._exports import public as _public
from minispore.ops.operations.math.add_n import *
from minispore.ops.operations.math.arithmetic import *
from minispore.ops.operations.math.bessel import *
from minispore.ops.operations.math.binary import *
from minispore.ops.operations.math.bitwise import *
from minispore.ops.operations.math.comparison import *
from minispore.ops.operations.math.complex_numbers import *
from minispore.ops.operations.math.division import *
from minispore.ops.operations.math.exponential import *
from minispore.ops.operations.math.extremes import *
from minispore.ops.operations.math.incomplete import *
from minispore.ops.operations.math.power import *
from minispore.ops.operations.math.roots import *
from minispore.ops.operations.math.rounding import *
from minispore.ops.operations.math.select import *
from minispore.ops.operations.math.special import *
from minispore.ops.operations.math.ternary import *
from minispore.ops.operations.math.trigonometry import *
from minispore.ops.operations.math.unary import *

__all__ = _public(globals())
