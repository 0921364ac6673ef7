"""Reductions over axes: sums and means, extremes, norms, running totals, segments."""

from minispore.core._exports import public as _public
from minispore.ops.operations.reduce.cumulative import *
from minispore.ops.operations.reduce.minmax import *
from minispore.ops.operations.reduce.norm import *
from minispore.ops.operations.reduce.product import *
from minispore.ops.operations.reduce.quantifiers import *
from minispore.ops.operations.reduce.reduction import *
from minispore.ops.operations.reduce.segment import *

__all__ = _public(globals())
