"""Arrays stretched or repeated along their axes."""

from __future__ import annotations

import numpy as np

from minispore.core.errors import value_error
from minispore.core.primitive import Primitive, Spec
from minispore.ops.broadcasting import sum_to
from minispore.ops.operations.array.reshaping import as_shape
from minispore.ops.type_checks import check_tensor

__all__ = ["BroadcastTo", "Tile"]


class BroadcastTo(Primitive):
    """``x`` stretched to ``shape``; a length of -1 keeps the length of x.

    Shapes: ``shape``. Dtypes: any, kept.

    Raises:
        TypeError: If ``shape`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``x`` does not broadcast to the shape.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.BroadcastTo((2, -1))(ms.Tensor([1, 2, 3])))
        [[1 2 3]
         [1 2 3]]
    """

    complex_numbers = "as written"

    def __init__(self, shape) -> None:
        self.add_prim_attr("shape", as_shape(self, shape))

    def target(self, have):
        """The shape in full, for an input of shape ``have``."""
        lead = len(self.shape) - len(have)
        return tuple(have[i - lead] if n == -1 and i >= lead else n for i, n in enumerate(self.shape))

    def infer(self, x):
        check_tensor(self, "x", x)
        target = self.target(x.shape)
        try:
            fits = np.broadcast_shapes(x.shape, target) == target
        except ValueError:
            fits = False
        if not fits:
            raise value_error(self.name, f"the 'x' must broadcast to {target}", f"shape {x.shape}")
        return Spec(target, x.dtype)

    def compute(self, xp, x):
        return xp.broadcast_to(x, self.target(x.shape))

    def bprop(self, x, out, dout):
        return sum_to(dout, x.array.shape)


class Tile(Primitive):
    """``x`` repeated ``multiples[i]`` times along axis i.

    x first gets leading axes of length 1, until it has one for each multiple. Fewer multiples than axes are a
    ValueError.

    Shapes: each length times its multiple. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``multiples`` is not an int.
        ValueError: If ``multiples`` does not hold an int above 0 for each axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Tile()(ms.Tensor([[1, 2]]), (2, 2)))
        [[1 2 1 2]
         [1 2 1 2]]
    """

    complex_numbers = "as written"

    def adapt(self, x, multiples):
        """Read the multiples as a tuple of ints."""
        return x, as_shape(self, multiples, "multiples")

    def infer(self, x, multiples):
        check_tensor(self, "x", x)
        if len(multiples) < len(x.shape) or any(n < 1 for n in multiples):
            expected = f"the 'multiples' must be at least {len(x.shape)} ints above 0"
            raise value_error(self.name, expected, multiples)
        shape = (1,) * (len(multiples) - len(x.shape)) + x.shape
        return Spec(tuple(n * m for n, m in zip(shape, multiples, strict=False)), x.dtype)

    def compute(self, xp, x, multiples):
        return xp.tile(x, multiples)

    def bprop(self, x, multiples, out, dout):
        lengths = (1,) * (len(multiples) - x.ndim) + x.shape
        pairs = tuple(n for pair in zip(multiples, lengths, strict=False) for n in pair)
        return dout.reshape(pairs).sum(tuple(range(0, len(pairs), 2))).reshape(x.shape), None
