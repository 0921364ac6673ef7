"""Linear algebra: matrix products. float16 is accumulated in float32 and rounded once."""

from __future__ import annotations

import math
from functools import partial

from minispore.core.dtype import NARROW_FLOATS
from minispore.core.errors import value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.ops.broadcasting import broadcast_shape, sum_to
from minispore.ops.kernels.broadcast import spread
from minispore.ops.kernels.float16.cast import narrow
from minispore.ops.kernels.float16.elementwise import by_float32
from minispore.ops.kernels.matmul import factors, product
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_number, check_same_type, check_tensor

__all__ = ["BatchMatMul", "BiasAdd", "MatMul"]


class MatMul(Primitive):
    """Matrix product: ``out = x1 @ x2``, each optionally transposed; both of two axes and one dtype.

    Shapes: (N, M) and (M, K) give (N, K). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``transpose_a`` or ``transpose_b`` is not a bool, ``x1`` or ``x2`` is not a Tensor, or ``x2`` and
            ``x1`` differ in dtype.
        ValueError: If ``x1`` or ``x2`` does not have 2 axes, or ``x1`` has more or fewer columns than ``x2`` has rows.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ops.MatMul(transpose_b=True)(x, x))
        [[ 5. 11.]
         [11. 25.]]
        >>> print(ops.MatMul()(x, x))
        [[ 7. 10.]
         [15. 22.]]
    """

    complex_numbers = "analytic"
    ranks = (2,)

    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None:
        self.add_prim_attr("transpose_a", transpose_a)
        self.add_prim_attr("transpose_b", transpose_b)

    def infer(self, x1, x2):
        for name, x in (("x1", x1), ("x2", x2)):
            check_number(self, name, x)
            if self.ranks:
                check_rank(self, name, x, self.ranks)
            elif len(x.shape) < 2:
                raise value_error(self.name, f"the '{name}' must have at least 2 axes", f"shape {x.shape}")
        check_same_type(self, x1=x1, x2=x2)
        (m, k), (rows, n) = self._matrix(x1, self.transpose_a), self._matrix(x2, self.transpose_b)
        if k != rows:
            transposed = f"transpose_a={self.transpose_a}, transpose_b={self.transpose_b}"
            got = f"{k} and {rows} for shapes {x1.shape} and {x2.shape} ({transposed})"
            raise value_error(self.name, "the columns of 'x1' must be the rows of 'x2'", got)
        return Spec((*broadcast_shape(self, x1.shape[:-2], x2.shape[:-2], ("x1", "x2")), m, n), x1.dtype)

    @staticmethod
    def _matrix(x, transposed):
        return x.shape[:-3:-1] if transposed else x.shape[-2:]

    def compute(self, xp, x1, x2):
        a, b = factors(xp, x1, x2, self.transpose_a, self.transpose_b)
        out = product(xp, a, b)
        return narrow(xp, out, x1.dtype)

    def bprop(self, x1, x2, out, dout):
        ta, tb = self.transpose_a, self.transpose_b
        d1 = d2 = None
        if needs_grad(x1):
            d1 = self._product(tb, True)(x2, dout) if ta else self._product(False, not tb)(dout, x2)
            d1 = sum_to(d1, x1.array.shape)
        if needs_grad(x2):
            d2 = self._product(True, ta)(dout, x1) if tb else self._product(not ta, False)(x1, dout)
            d2 = sum_to(d2, x2.array.shape)
        return d1, d2

    def _product(self, transpose_a, transpose_b):
        return self.cached_primitive(type(self), transpose_a, transpose_b)


class BatchMatMul(MatMul):
    """Matrix products over leading axes, which broadcast: ``out[..] = x1[..] @ x2[..]``.

    Shapes: (..., N, M) and (..., M, K) give (..., N, K). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``transpose_a`` or ``transpose_b`` is not a bool, ``x1`` or ``x2`` is not a Tensor, or ``x2`` and
            ``x1`` differ in dtype.
        ValueError: If ``x1`` or ``x2`` has fewer than 2 axes, or ``x1`` has more or fewer columns than ``x2`` has rows.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.BatchMatMul()(ms.Tensor([[[1.0, 2.0]]]), ms.Tensor([[[3.0], [4.0]]])))
        [[[11.]]]
    """

    ranks = None


class BiasAdd(Primitive):
    """A bias for each channel, added.

    ``out = x + b`` with ``b`` of one axis laid along axis 1 of x (or the last, with data_format "NHWC").

    Shapes: (N, C, *) and (C,) give (N, C, *). Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``data_format`` is not a str, ``x`` or ``b`` is not a Tensor, or ``b`` and ``x`` differ in dtype.
        ValueError: If ``x`` does not have 2 to 5 axes, or ``b`` does not have the length of x's channels. Also if ``b``
            does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.BiasAdd()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([10.0, 20.0])))
        [[11. 22.]
         [13. 24.]]
    """

    def __init__(self, data_format="NCHW") -> None:
        self.add_prim_attr("data_format", data_format)

    def _shape(self, rank, length):
        axis = rank - 1 if self.data_format == "NHWC" else 1
        return tuple(length if i == axis else 1 for i in range(rank))

    def infer(self, x, b):
        check_number(self, "x", x)
        check_tensor(self, "b", b)
        check_same_type(self, x=x, b=b)
        check_rank(self, "b", b, (1,))
        check_rank(self, "x", x, (2, 3, 4, 5))
        channels = x.shape[-1] if self.data_format == "NHWC" else x.shape[1]
        if b.shape[0] != channels:
            raise value_error(self.name, f"the 'b' must have the length of x's channels, {channels}", b.shape)
        return x

    def compute(self, xp, x, b):
        if x.dtype in NARROW_FLOATS:
            return by_float32(xp, partial(self.compute_into, xp, None), x, b)
        return self.compute_into(xp, None, x, b)

    def compute_into(self, xp, out, x, b):
        """Compute into the memory of ``out``, for float32 and float64."""
        if self.data_format == "NCHW" and x.ndim > 2:
            planes = x.reshape(*x.shape[:2], math.prod(x.shape[2:]))
            out = None if out is None else out.reshape(planes.shape)
            return xp.add(planes, spread(xp, b, planes), out=out).reshape(x.shape)
        return xp.add(x, b.reshape(self._shape(x.ndim, b.size)), out=out)

    def bprop(self, x, b, out, dout):
        rank = dout.ndim
        channel = rank - 1 if self.data_format == "NHWC" else 1
        return dout, (dout.sum(tuple(i for i in range(rank) if i != channel)) if needs_grad(b) else None)
