"""Sums over the steps of a recurrent cell: the gradients of its weights, from the factors of every step at once."""

from functools import cache

from minispore.core.kernel_table import has_kernel
from minispore.core.primitive import Primitive, Spec
from minispore.ops.kernels import rnn_step as kernels
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


class SumsOverSteps(_Sum):
    """The gradients of the weights at the positions ``needed`` of (w_ih, w_hh, b_ih, b_hh).

    From ``(dtype, *x, *h, *by_input, *by_state)``, each of all steps: a step's inputs, and the gradients of its
    pre-activations by the input and by the state. The last are of the gates alone where both differ, and missing where
    none does.
    """

    def __init__(self, needed, paths):
        self.add_prim_attr("needed", needed)
        self.add_prim_attr("paths", paths)

    def _columns(self, factors):
        """``(x, h, by_input, by_state)``, each of all steps."""
        steps = len(factors) // (2 + self.paths)
        return [factors[k * steps : (k + 1) * steps] for k in range(4)]

    def infer(self, dtype, *factors):
        x, h, by_input, _ = self._columns(factors)
        rows = by_input[0].shape[1]
        shapes = (rows, x[0].shape[1]), (rows, h[0].shape[1]), (rows,), (rows,)
        return tuple([Spec(shapes[i], dtype) for i in self.needed])

    def compute(self, xp, dtype, *factors):
        sums = kernels.sums_over_steps(xp, *self._columns(factors), self.needed)
        return tuple([narrow(xp, y, dtype) for y in sums])


_products, _columns = SumOfProducts(), SumOfColumns()


@cache
def sums_over_steps(needed):
    """The function ``(dtype, *terms)`` of the gradients of the weights at the positions ``needed``.

    A term holds Tensors of one step: ``(x, h, by_input, by_state)``, or three where the last two are the same.
    """
    at_once = [SumsOverSteps(needed, paths) for paths in (1, 2)]

    def totals(dtype, *terms):
        x, h, *slopes = zip(*terms, strict=True)
        if not has_kernel(SumOfProducts):
            return at_once[len(slopes) - 1](dtype, *x, *h, *[y for part in slopes for y in part])
        pairs = (slopes[0], x), (slopes[-1], h)
        return tuple(
            [
                _products(dtype, *pairs[i][0], *pairs[i][1]) if i < 2 else _columns(dtype, *pairs[i - 2][0])
                for i in needed
            ]
        )

    return totals
