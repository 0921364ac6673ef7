"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['Cast', 'Primitive', 'PrimitiveWithCheck', 'PrimitiveWithInfer', 'Spec', 'constexpr', 'prim_attr_register']

from minispore.ops import Cast as Cast
from minispore.ops import Primitive as Primitive
from minispore.ops import Primitive as PrimitiveWithCheck
from minispore.ops import Primitive as PrimitiveWithInfer
from minispore.ops import Spec as Spec
from minispore.ops import constexpr as constexpr
from minispore.ops import prim_attr_register as prim_attr_register
