"""Comparisons, logic and tests of numbers: operations whose result is bool, and which have no gradient."""

import numpy as np

from minispore.errors import type_error
from minispore.ops.common import broadcast, check_float, check_tensor, named, promoted
from minispore.ops.primitive import Primitive, Spec

__all__ = [
    "Equal",
    "Greater",
    "GreaterEqual",
    "IsFinite",
    "IsInf",
    "IsNan",
    "Less",
    "LessEqual",
    "LogicalAnd",
    "LogicalNot",
    "LogicalOr",
    "LogicalXor",
    "NotEqual",
]

_BOOL = np.dtype(np.bool_)


class _Comparison(Primitive):
    """Base of comparisons of two Tensors, with broadcasting and promotion."""

    differentiable = False
    adapt = promoted

    def infer(self, x, y):
        return Spec(broadcast(self, x, y).shape, _BOOL)

    def compute(self, xp, x, y):
        return getattr(xp, self.function)(x, y)


class Equal(_Comparison):
    """Elementwise ``x == y``."""

    function = "equal"


class NotEqual(_Comparison):
    """Elementwise ``x != y``."""

    function = "not_equal"


class Less(_Comparison):
    """Elementwise ``x < y``."""

    function = "less"


class LessEqual(_Comparison):
    """Elementwise ``x <= y``."""

    function = "less_equal"


class Greater(_Comparison):
    """Elementwise ``x > y``."""

    function = "greater"


class GreaterEqual(_Comparison):
    """Elementwise ``x >= y``."""

    function = "greater_equal"


class _Logic(_Comparison):
    """Base of logic on two Tensors of bools."""

    def infer(self, x, y):
        for name, spec in (("x", x), ("y", y)):
            if spec.dtype != _BOOL:
                raise type_error(self.name, f"the '{name}' must be a Tensor of bools", named(spec.dtype))
        return broadcast(self, x, y)


class LogicalAnd(_Logic):
    """Elementwise ``x and y``."""

    function = "logical_and"


class LogicalOr(_Logic):
    """Elementwise ``x or y``."""

    function = "logical_or"


class LogicalXor(_Logic):
    """Elementwise exclusive or."""

    function = "logical_xor"


class LogicalNot(Primitive):
    """Elementwise ``not x``."""

    differentiable = False

    def infer(self, x):
        check_tensor(self, "x", x)
        if x.dtype != _BOOL:
            raise type_error(self.name, "the 'x' must be a Tensor of bools", named(x.dtype))
        return x

    def compute(self, xp, x):
        return xp.logical_not(x)


class _Test(Primitive):
    """Base of tests of floating numbers."""

    differentiable = False
    lowers = False

    def infer(self, x):
        check_float(self, "x", x)
        return Spec(x.shape, _BOOL)

    def compute(self, xp, x):
        return getattr(xp, self.function)(x)


class IsFinite(_Test):
    """Elementwise: neither infinite nor nan."""

    function = "isfinite"


class IsInf(_Test):
    """Elementwise: infinite, of either sign."""

    function = "isinf"


class IsNan(_Test):
    """Elementwise: nan."""

    function = "isnan"
