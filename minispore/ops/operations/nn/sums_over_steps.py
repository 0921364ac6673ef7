"""Sums over the steps of a recurrent cell: the gradients of its weights, from the factors of every step at once."""

import functools

from minispore.ops.kernels import cuda
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.primitive import Primitive, Spec

__all__ = []


class _Sum(Primitive):
    """Base: from 2-D arrays of all steps a sum of ``dtype``, taken in float32 for float16, and rounded once."""

    differentiable = False

    def __init__(self, dtype):
        self.add_prim_attr("dtype", dtype)


class SumOfProducts(_Sum):
    """``sum over k of a[k].T @ b[k]`` from ``(*a, *b)``."""

    def infer(self, *factors):
        return Spec((factors[0].shape[1], factors[-1].shape[1]), self.dtype)

    def compute(self, xp, *factors):
        half = len(factors) // 2
        a, b = (widen(xp, xp.concatenate(part)) for part in (factors[:half], factors[half:]))
        return narrow(xp, xp.matmul(a.T, b), self.dtype)

    def compute_fused(self, xp, *factors):
        half = len(factors) // 2
        return cuda.recurrent.sum_of_products(xp, factors[:half], factors[half:], self.dtype)


class SumOfColumns(_Sum):
    """``sum over k and rows of a[k]`` from ``a``."""

    def infer(self, *a):
        return Spec(a[0].shape[1:], self.dtype)

    def compute(self, xp, *a):
        return narrow(xp, widen(xp, xp.concatenate(a)).sum(axis=0), self.dtype)

    def compute_fused(self, xp, *a):
        return cuda.recurrent.sum_of_columns(xp, a, self.dtype)


@functools.cache
def _made(kind, dtype):
    return kind(dtype)


def sum_of_products(dtype, *pairs):
    """``sum of a.T @ b`` over pairs of Tensors ``(a, b)``."""
    a, b = zip(*pairs, strict=True)
    return _made(SumOfProducts, dtype)(*a, *b)


def sum_of_columns(dtype, *parts):
    """The sum over the rows of all of ``(a,)``."""
    return _made(SumOfColumns, dtype)(*[a for (a,) in parts])
