"""Sums over the steps of a recurrent cell: the gradients of its weights, from the factors of every step at once."""

from minispore.core.primitive import Primitive, Spec
from minispore.ops.kernels.float16.cast import narrow, widen

__all__ = []


class _Sum(Primitive):
    """Base: from a type and 2-D arrays of all steps a sum of that type, taken in float32 for float16, rounded once."""

    differentiable = False


class SumOfProducts(_Sum):
    """``sum over k of a[k].T @ b[k]`` from ``(dtype, *a, *b)``."""

    def infer(self, dtype, *factors):
        return Spec((factors[0].shape[1], factors[-1].shape[1]), dtype)

    def compute(self, xp, dtype, *factors):
        half = len(factors) // 2
        a, b = (widen(xp, xp.concatenate(part)) for part in (factors[:half], factors[half:]))
        return narrow(xp, xp.matmul(a.T, b), dtype)


class SumOfColumns(_Sum):
    """``sum over k and rows of a[k]`` from ``(dtype, *a)``."""

    def infer(self, dtype, *a):
        return Spec(a[0].shape[1:], dtype)

    def compute(self, xp, dtype, *a):
        return narrow(xp, widen(xp, xp.concatenate(a)).sum(axis=0), dtype)


_products, _columns = SumOfProducts(), SumOfColumns()


def sum_of_products(dtype, *pairs):
    """``sum of a.T @ b`` over pairs of Tensors ``(a, b)``."""
    a, b = zip(*pairs, strict=True)
    return _products(dtype, *a, *b)


def sum_of_columns(dtype, *parts):
    """The sum over the rows of all of ``(a,)``."""
    return _columns(dtype, *[a for (a,) in parts])
