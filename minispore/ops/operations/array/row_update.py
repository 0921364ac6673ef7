"""A copy of a Tensor with rows replaced, or combined with others; an attribute of the operation names the rows.

As in MindSpore, no gradient passes through them.
"""

from __future__ import annotations

from minispore.core.checks import check_int, is_int
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_number, check_same_type

__all__ = ["InplaceAdd", "InplaceSub", "InplaceUpdate"]


class _RowUpdate(Primitive):
    """Base: ``indices`` are the rows, an int or a tuple of them; ``input_v`` has one row for each."""

    differentiable = False

    def __init__(self, indices) -> None:
        if not is_int(indices) and not isinstance(indices, tuple):
            raise type_error(self.name, "the 'indices' must be an int or a tuple of ints", type(indices).__name__)
        indices = (indices,) if is_int(indices) else indices
        self.add_prim_attr("indices", tuple(check_int(self.name, "indices", i) for i in indices))

    def infer(self, x, input_v):
        check_number(self, "x", x)
        check_same_type(self, x=x, input_v=input_v)
        if not x.shape:
            raise value_error(self.name, "the 'x' must have at least 1 axis", f"shape {x.shape}")
        check_shape(self, "input_v", input_v, (len(self.indices), *x.shape[1:]))
        if any(not 0 <= i < x.shape[0] for i in self.indices):
            raise value_error(self.name, f"the 'indices' must be in [0, {x.shape[0]})", self.indices)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x, input_v):
        out = widen(xp, x).copy()
        for i, row in zip(self.indices, widen(xp, input_v), strict=True):
            self.write(out, i, row)
        return narrow(xp, out, x.dtype)


class InplaceAdd(_RowUpdate):
    """A copy of ``x`` with rows added to the rows ``indices``: ``out[indices[i]] += input_v[i]``.

    Shapes: that of x; ``input_v`` is as long as ``indices``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``indices`` is not an int or a tuple of ints, or ``x`` or ``input_v`` is not a Tensor. Also if
            ``input_v`` and ``x`` differ in dtype.
        ValueError: If ``input_v`` has a shape that does not fit, ``x`` has no axis, or ``indices`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.InplaceAdd((1,))(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[10.0, 10.0]])))
        [[ 1.  2.]
         [13. 14.]]
    """

    def write(self, out, i, row):
        """Add one row."""
        out[i] += row


class InplaceSub(_RowUpdate):
    """A copy of ``x`` with rows subtracted from the rows ``indices``: ``out[indices[i]] -= input_v[i]``.

    Shapes: that of x; ``input_v`` is as long as ``indices``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``indices`` is not an int or a tuple of ints, or ``x`` or ``input_v`` is not a Tensor. Also if
            ``input_v`` and ``x`` differ in dtype.
        ValueError: If ``input_v`` has a shape that does not fit, ``x`` has no axis, or ``indices`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.InplaceSub((1,))(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[10.0, 10.0]])))
        [[ 1.  2.]
         [-7. -6.]]
    """

    def write(self, out, i, row):
        """Subtract one row."""
        out[i] -= row


class InplaceUpdate(_RowUpdate):
    """A copy of ``x`` with other rows at ``indices``: ``out[indices[i]] = input_v[i]``; of equal indices the last.

    Shapes: that of x; ``input_v`` is as long as ``indices``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``indices`` is not an int or a tuple of ints, or ``x`` or ``input_v`` is not a Tensor. Also if
            ``input_v`` and ``x`` differ in dtype.
        ValueError: If ``input_v`` has a shape that does not fit, ``x`` has no axis, or ``indices`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.InplaceUpdate((1,))(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[10.0, 10.0]])))
        [[ 1.  2.]
         [10. 10.]]
    """

    def write(self, out, i, row):
        """Replace one row."""
        out[i] = row
