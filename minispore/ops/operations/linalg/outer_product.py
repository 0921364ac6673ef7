"""The outer product of two vectors."""

from __future__ import annotations

from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.operations.linalg.matmul import MatMul
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_float, check_same_type

__all__ = ["Ger"]


class Ger(Primitive):
    """Outer product of two vectors: ``out[i, j] = x1[i] * x2[j]``.

    Shapes: (N,) and (M,) give (N, M). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` is not a Tensor, or ``x2`` and ``x1`` differ in dtype.
        ValueError: If ``x1`` or ``x2`` does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ger(ms.Tensor([1.0, 2.0]), ms.Tensor([10.0, 20.0, 30.0])))
        [[10. 20. 30.]
         [20. 40. 60.]]
    """

    def infer(self, x1, x2):
        for name, x in (("x1", x1), ("x2", x2)):
            check_float(self, name, x)
            check_rank(self, name, x, (1,))
        check_same_type(self, x1=x1, x2=x2)
        return Spec((x1.shape[0], x2.shape[0]), x1.dtype)

    def compute(self, xp, x1, x2):
        return narrow(xp, xp.multiply(widen(xp, x1)[:, None], widen(xp, x2)[None, :]), x1.dtype)

    def bprop(self, x1, x2, out, dout):
        return (
            _matmul(dout, x2.reshape(-1, 1)).reshape(-1) if needs_grad(x1) else None,
            _matmul(x1.reshape(1, -1), dout).reshape(-1) if needs_grad(x2) else None,
        )


_matmul = MatMul()
