"""Functional wrappers of the largest and smallest elements, and of their positions."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_int, check_switch, plain
from minispore.core.errors import value_error
from minispore.core.primitive_inputs import cast
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.operations.array import creation
from minispore.ops.operations.math.select import Select
from minispore.ops.operations.reduce import minmax

__all__ = ["amax", "amin", "aminmax", "argmax", "argmin", "max", "median", "min", "reduce_max", "reduce_min"]
METHODS = "amax amin argmin median"

_BOOL, _INT32, _INT64 = (np.dtype(kind) for kind in (np.bool_, np.int32, np.int64))


def reduce_max(x: Tensor, axis=None, keep_dims: bool = False) -> Tensor:
    """Largest over axes: ``ReduceMax(keep_dims)(x, axis)``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.reduce_max(ms.Tensor([[1.0, 5.0], [3.0, 4.0]]), 1))
        [5. 4.]
    """
    return make(minmax.ReduceMax, keep_dims)(x, () if axis is None else axis)


def reduce_min(x: Tensor, axis=None, keep_dims: bool = False) -> Tensor:
    """Smallest over axes: ``ReduceMin(keep_dims)(x, axis)``.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.reduce_min(ms.Tensor([[1.0, 5.0], [3.0, 4.0]]), 1))
        [1. 3.]
    """
    return make(minmax.ReduceMin, keep_dims)(x, () if axis is None else axis)


def _masked(name, input, initial, where):
    """The input, with ``initial`` where the mask ``where`` is False."""
    if where is None or (getattr(where, "shape", ()) == () and plain(where)):
        return input
    if initial is None:
        raise value_error(name, "an 'initial' must be given with 'where'", "None")
    return make(Select)(where, input, initial)


def amax(input: Tensor, axis=None, keepdims: bool = False, *, initial=None, where=None) -> Tensor:
    """Largest over axes of the elements that the mask ``where`` selects, and of ``initial``, if they are given.

    ``axis=None`` means all axes. Ints with a float ``initial`` give float32. ``where`` without ``initial`` is a
    ValueError.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 5.0], [3.0, 4.0]])
        >>> print(ops.amax(x, 0, initial=4.5))
        [4.5 5. ]
        >>> print(ops.amax(x, 0))
        [3. 5.]
    """
    out = reduce_max(_masked("amax", input, initial, where), axis, keepdims)
    return out if initial is None else out.maximum(initial)


def amin(input: Tensor, axis=None, keepdims: bool = False, *, initial=None, where=None) -> Tensor:
    """Smallest over axes of the elements that the mask ``where`` selects, and of ``initial``, if they are given.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``axis`` is not an int or a tuple of ints, ``keepdims`` is not a bool, or an input is neither a
            Tensor nor a number.
        ValueError: If ``axis`` is no axis of the input, ``input`` has no elements along the axes, or ``where`` is given
            without ``initial``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 5.0], [3.0, 4.0]])
        >>> print(ops.amin(x, 1, initial=9.0, where=x > 2))  # the smallest of those above 2
        [5. 3.]
        >>> print(ops.amin(x, 0))
        [1. 4.]
    """
    out = reduce_min(_masked("amin", input, initial, where), axis, keepdims)
    return out if initial is None else out.minimum(initial)


def aminmax(input: Tensor, *, axis=0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Smallest and largest along an axis, or of all for None: ``(amin, amax)``.

    Shapes: without the axis, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keepdims`` is not a
            bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.aminmax(ms.Tensor([[1.0, 5.0], [3.0, 4.0]]), axis=1))
        [1. 3.] [5. 4.]
    """
    return amin(input, axis, keepdims), amax(input, axis, keepdims)


def _with_index(name, kind, reduce, x, axis, keepdims):
    keepdims = check_switch(name, "keepdims", keepdims)
    if axis is None:
        return reduce(x), make(creation.Zeros)((), _INT32)
    check_int(name, "axis", axis)
    check_tensors(name, input=x)
    if x.ndim == 0:
        index, value = make(kind, axis, False)(x.reshape(1))
        return value, index
    index, value = make(kind, axis, keepdims)(x)
    return value, index


def max(input: Tensor, axis=None, keepdims: bool = False, *, initial=None, where=None) -> tuple[Tensor, Tensor]:
    """Largest along an axis and its first position: ``(value, index)``; of all elements, with index 0, for None.

    ``initial`` is a least value, which replaces the elements outside the mask ``where``.

    Shapes: without the axis, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``axis`` is not an int, or an input is neither a Tensor nor a number.
        ValueError: If ``axis`` is no axis of the input, or ``where`` is given without ``initial``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.max(ms.Tensor([[1.0, 5.0, 5.0], [3.0, 2.0, 0.0]]), 1))  # of two equal ones the first place
        [5. 3.] [1 0]
    """
    x = _masked("max", input, initial, where)
    value, index = _with_index("max", minmax.ArgMaxWithValue, reduce_max, x, axis, keepdims)
    return (value if initial is None or axis is None else value.maximum(initial)), index


def min(input: Tensor, axis=None, keepdims: bool = False, *, initial=None, where=None) -> tuple[Tensor, Tensor]:
    """Smallest along an axis and its first position: ``(value, index)``; of all elements, with index 0, for None.

    ``initial`` is a largest value, which replaces the elements outside the mask ``where``.

    Shapes: without the axis, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``axis`` is not an int, or an input is neither a Tensor nor a number.
        ValueError: If ``axis`` is no axis of the input, or ``where`` is given without ``initial``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.min(ms.Tensor([[1.0, 5.0, 1.0], [3.0, 2.0, 0.0]]), 1))  # of two equal ones the first place
        [1. 0.] [0 2]
    """
    x = _masked("min", input, initial, where)
    value, index = _with_index("min", minmax.ArgMinWithValue, reduce_min, x, axis, keepdims)
    return (value if initial is None or axis is None else value.minimum(initial)), index


def _position(kind, output_type, x, axis, keepdims):
    check_tensors(kind.__name__, input=x)
    keepdims = check_switch(kind.__name__, "keepdims", keepdims)
    if x.array.dtype == _BOOL:
        x = cast(x, _INT32)
    if axis is None or x.ndim == 0:
        return make(kind, -1, output_type)(x.reshape(-1))
    out = make(kind, axis, output_type)(x)
    return out.expand_dims(axis) if keepdims else out


def argmax(input: Tensor, dim=None, keepdim: bool = False) -> Tensor:
    """Position of the first largest element along an axis, or of all elements in a row for None, as int64.

    Shapes: without the axis, or with ``keepdim`` of length 1 there. Dtypes: floats, ints and bools; the answer is
    int64; TypeError for complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``dim`` is not an int.
        ValueError: If ``dim`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 5.0], [7.0, 7.0]])
        >>> print(ops.argmax(x))
        2
        >>> print(ops.argmax(x, dim=1))
        [1 0]
    """
    return _position(minmax.Argmax, _INT64, input, dim, keepdim)


def argmin(input: Tensor, axis=None, keepdims: bool = False) -> Tensor:
    """Position of the first smallest element along an axis, or of all elements in a row for None, as int32.

    Shapes: without the axis, or with ``keepdims`` of length 1 there. Dtypes: floats, ints and bools; the answer is
    int32; TypeError for complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 5.0], [7.0, 7.0]])
        >>> print(ops.argmin(x))
        0
        >>> print(ops.argmin(x, axis=1))
        [0 0]
    """
    return _position(minmax.Argmin, _INT32, input, axis, keepdims)


def median(input: Tensor, axis=-1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Middle element along an axis, the lower of two, and its position: ``Median(False, axis, keepdims)(input)``.

    Shapes: without the axis, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int, or ``keepdims`` is not a bool.
        ValueError: If ``input`` has no elements along the axis, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.median(ms.Tensor([4.0, 1.0, 3.0, 2.0])))
        2.0 3
    """
    return make(minmax.Median, False, axis, keepdims)(input)
