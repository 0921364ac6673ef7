"""``ms.numpy``: NumPy's functions on Tensors, made of operations, so that gradients flow and graph mode records them.

Numbers, lists and tuples are read as MindSpore reads them here: ints as int32, floats as float32.
"""

import math as _math

from minispore.core import dtype as _dtype
from minispore.core._exports import public as _public
from minispore.dropin.numpy.array_creations import *
from minispore.dropin.numpy.array_ops import *
from minispore.dropin.numpy.logic_ops import *
from minispore.dropin.numpy.math_ops import *

bool_, float16, float32, float64 = _dtype.bool_, _dtype.float16, _dtype.float32, _dtype.float64
int8, int16, int32, int64 = _dtype.int8, _dtype.int16, _dtype.int32, _dtype.int64
uint8, uint16, uint32, uint64 = _dtype.uint8, _dtype.uint16, _dtype.uint32, _dtype.uint64
int_, uint, float_ = int32, uint32, float32
pi, inf, nan, PINF, NINF = _math.pi, _math.inf, _math.nan, _math.inf, -_math.inf

__all__ = _public(globals())
