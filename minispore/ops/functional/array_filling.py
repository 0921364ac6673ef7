"""Functional wrappers that fill Tensors: zeros, ones, one value, ones on a diagonal or at indices, a row of numbers."""

from __future__ import annotations

import numpy as np

from minispore.core.dtype import as_dtype, bool_, float32, int64
from minispore.core.errors import memory_error, type_error, value_error
from minispore.core.primitive_inputs import cast
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import make
from minispore.ops.number_checks import check_real
from minispore.ops.operations.array import creation

__all__ = ["arange", "eye", "full", "one_hot", "ones", "ones_like", "zeros", "zeros_like"]

_zeros_like, _ones_like = creation.ZerosLike(), creation.OnesLike()
_zeros_like.autocast = _ones_like.autocast = False  # as in MindSpore, where a mark lowers the primitives alone


def zeros_like(input: Tensor, *, dtype=None) -> Tensor:
    """Zeros in the shape of ``input``, and in its dtype where none is given: ``ZerosLike()(input)``.

    Shapes: that of ``input``. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.zeros_like(ms.Tensor([[1.0, 2.0]])))
        [[0. 0.]]
    """
    out = _zeros_like(input)
    return out if dtype is None else cast(out, dtype)


def ones_like(input: Tensor, *, dtype=None) -> Tensor:
    """Ones in the shape of ``input``, and in its dtype where none is given: ``OnesLike()(input)``.

    Shapes: that of ``input``. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ones_like(ms.Tensor([[1, 2]])))
        [[1 1]]
    """
    out = _ones_like(input)
    return out if dtype is None else cast(out, dtype)


def one_hot(indices: Tensor, depth, on_value=1, off_value=0, axis=-1) -> Tensor:
    """``on_value`` at each index along a new axis: ``OneHot(axis)(indices, depth, on_value, off_value)``.

    Shapes: that of ``indices`` with a new axis of length ``depth``. Dtypes: floats, ints and bools, kept; TypeError for
    complex.

    Raises:
        TypeError: If ``indices`` is not a Tensor, ``depth`` or ``axis`` is not an int, or ``on_value`` or ``off_value``
            is neither a Tensor nor a number. Also if ``off_value`` and ``on_value`` differ in dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.one_hot(ms.Tensor([0, 2, 5]), 3, ms.Tensor(1.0), ms.Tensor(0.0)))  # 5 is outside
        [[1. 0. 0.]
         [0. 0. 1.]
         [0. 0. 0.]]
    """
    return make(creation.OneHot, axis)(indices, depth, on_value, off_value)


def zeros(size, dtype=None) -> Tensor:
    """A Tensor of zeros, float32 where no dtype is given.

    Shapes: ``size``, an int or a tuple.

    Raises:
        TypeError: If ``size`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``size`` has a negative length.

    Examples:
        >>> from minispore import ops
        >>> print(ops.zeros((2, 3)))
        [[0. 0. 0.]
         [0. 0. 0.]]
    """
    return make(creation.Zeros)(size, float32 if dtype is None else dtype)


def ones(shape, dtype=None) -> Tensor:
    """A Tensor of ones, float32 where no dtype is given.

    Shapes: ``shape``, an int or a tuple.

    Raises:
        TypeError: If ``shape`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ones((2, 2), ms.int32))
        [[1 1]
         [1 1]]
    """
    return make(creation.Ones)(shape, float32 if dtype is None else dtype)


def full(size, fill_value, *, dtype=None) -> Tensor:
    """A Tensor of one value; where no dtype is given, of the value's own: int64 for ints and bools, else float32.

    Shapes: ``size``, a tuple.

    Raises:
        TypeError: If ``size`` is not a tuple or list of ints, or ``fill_value`` or ``dtype`` is not a dtype.
        ValueError: If ``size`` has a negative length.

    Examples:
        >>> from minispore import ops
        >>> print(ops.full((2, 2), 1.5))
        [[1.5 1.5]
         [1.5 1.5]]
    """
    if not isinstance(size, (tuple, list)):
        raise type_error("full", "the 'size' must be a tuple or list of ints", type(size).__name__)
    if dtype is None:
        own = fill_value.dtype if isinstance(fill_value, Tensor) else as_dtype(type(fill_value), "full", "fill_value")
        dtype = int64 if own == bool_ else own
    return make(creation.Fill)(dtype, size, fill_value)


def eye(n, m=None, dtype=None) -> Tensor:
    """Ones on the diagonal of n rows and m columns, float32 where no dtype is given.

    Shapes: (n, m).

    Raises:
        TypeError: If ``n`` or ``m`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``n`` and ``m`` are not at least 0.

    Examples:
        >>> from minispore import ops
        >>> print(ops.eye(2, 3))
        [[1. 0. 0.]
         [0. 1. 0.]]
    """
    return make(creation.Eye)(n, n if m is None else m, float32 if dtype is None else dtype)


def arange(start=0, end=None, step=1, *, dtype=None) -> Tensor:
    """Numbers at equal distances, the end left out.

    ``start, start + step, ...`` below ``end``; ints give int64, floats float32.

    Raises:
        TypeError: If ``start``, ``end`` or ``step`` is not a number, or ``dtype`` is not a dtype.
        ValueError: If ``step`` is not finite.

    Examples:
        >>> from minispore import ops
        >>> print(ops.arange(5))
        [0 1 2 3 4]
        >>> print(ops.arange(0, 1, 0.25))
        [0.   0.25 0.5  0.75]
    """
    start, end = (0, start) if end is None else (start, end)
    for name, value in (("start", start), ("end", end), ("step", step)):
        check_real("arange", name, value.item() if isinstance(value, (Tensor, np.generic)) else value)
    if step == 0 or abs((end - start) / step) > 2**60:
        raise value_error("arange", "the numbers must be at most 2 ** 60", f"{start}, {end} and {step}")
    try:
        values = np.arange(start, end, step)
        default = np.float32 if values.dtype.kind == "f" else np.int64
        return Tensor(values.astype(default) if dtype is None else values, dtype)
    except MemoryError as error:
        raise memory_error("arange", error) from error
