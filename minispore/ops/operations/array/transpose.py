"""The order of axes. The result may be a view, since arrays are values."""

from __future__ import annotations

import numpy as np

from minispore.core.errors import value_error
from minispore.core.primitive import Primitive, Spec
from minispore.ops.axes import as_axis
from minispore.ops.operations.array.reshaping import as_shape
from minispore.ops.type_checks import check_tensor

__all__ = ["Transpose"]


class Transpose(Primitive):
    """The axes in another order: ``out.shape[i] = x.shape[perm[i]]``.

    Shapes: ``out.shape[i] = x.shape[perm[i]]``. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``perm`` is not an int.
        ValueError: If ``perm`` does not name each axis once, or ``perm`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Transpose()(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (1, 0)))
        [[1 4]
         [2 5]
         [3 6]]
    """

    complex_numbers = "as written"

    def adapt(self, x, perm):
        """Read the permutation as a tuple of ints."""
        return x, as_shape(self, perm, "input_perm")

    def infer(self, x, perm):
        check_tensor(self, "x", x)
        rank = len(x.shape)
        axes = [as_axis(self, p, rank, "input_perm") for p in perm] if len(perm) == rank else None
        if axes is None or sorted(axes) != list(range(rank)):
            raise value_error(self.name, f"the 'input_perm' must name each of the {rank} axes once", perm)
        return Spec(tuple(x.shape[a] for a in axes), x.dtype)

    def compute(self, xp, x, perm):
        return x.transpose(perm)

    def bprop(self, x, perm, out, dout):
        return dout.transpose(tuple(int(a) for a in np.argsort([p % x.ndim for p in perm]))), None
