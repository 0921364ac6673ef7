"""Elementwise maximum and minimum of two Tensors."""

from minispore.core.tape import needs_grad
from minispore.ops.elementwise_pairs import Arithmetic

__all__ = ["Maximum", "Minimum"]


class _Choice(Arithmetic):
    """Base of Maximum and Minimum: the gradient goes to the chosen operand, half to each where they are equal."""

    def local_grads(self, x, y, out, dout):
        tie = (x == y).astype(dout.dtype) * 0.5
        return (
            dout * (self._first(x, y).astype(dout.dtype) + tie) if needs_grad(x) else None,
            dout * (self._first(y, x).astype(dout.dtype) + tie) if needs_grad(y) else None,
        )


class Maximum(_Choice):
    """Elementwise larger of two Tensors: ``out = max(x, y)``; nan where either is nan.

    Shapes: any that broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.maximum(ms.Tensor([1.0, 5.0, np.nan]), ms.Tensor([2.0, 2.0, 2.0])))
        [ 2.  5. nan]
    """

    _first = staticmethod(lambda x, y: x > y)

    ufunc = "maximum"


class Minimum(_Choice):
    """Elementwise smaller of two Tensors: ``out = min(x, y)``; nan where either is nan.

    Shapes: any that broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.minimum(ms.Tensor([1.0, 5.0, np.nan]), ms.Tensor([2.0, 2.0, 2.0])))
        [ 1.  2. nan]
    """

    _first = staticmethod(lambda x, y: x < y)

    ufunc = "minimum"
