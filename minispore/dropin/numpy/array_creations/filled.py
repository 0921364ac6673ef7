"""Tensors from data, filled with one value, and drawn at random."""

from __future__ import annotations

import numpy as np

from minispore import ops
from minispore.core.checks import check_int, check_switch, is_int
from minispore.core.dtype import float32, int32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import as_kind, as_shape, converted, operand

__all__ = [
    "array",
    "asarray",
    "asfarray",
    "copy",
    "empty",
    "empty_like",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "rand",
    "randint",
    "randn",
    "zeros",
    "zeros_like",
]


def asarray(a, dtype=None) -> Tensor:
    """``a`` as a Tensor; of plain data ints become int32 and floats float32, where no ``dtype`` is given.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore.numpy as mnp
        >>> mnp.asarray([1, 2]).dtype, mnp.asarray([1.0]).dtype
        (minispore.int32, minispore.float32)
        >>> print(mnp.asarray([1, 2]))
        [1 2]
    """
    return converted("asarray", operand("asarray", a, "a"), dtype)


def array(obj, dtype=None, copy: bool = True, ndmin=0) -> Tensor:
    """``obj`` as a Tensor of at least ``ndmin`` axes, new ones first; a Tensor is copied unless ``copy`` is False.

    Raises:
        TypeError: If ``obj`` holds no numbers, ``ndmin`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``ndmin`` is out of range.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.array([1, 2], ndmin=2))
        [[1 2]]
    """
    copy = check_switch("array", "copy", copy)
    out = converted("array", operand("array", obj, "obj"), dtype)
    missing = check_int("array", "ndmin", ndmin, 0, 33) - out.ndim
    if missing > 0:
        return out.reshape((1,) * missing + out.shape)
    return ops.identity_copy(out) if copy and out is obj else out


def copy(a) -> Tensor:
    """A new Tensor of the numbers of ``a``.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` holds no numbers.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.copy(ms.Tensor([1, 2])))
        [1 2]
    """
    return ops.identity_copy(operand("copy", a, "a"))


def asfarray(a, dtype=float32) -> Tensor:
    """``a`` as a Tensor of floats: of ``dtype`` if that is a float type, else float32.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.asfarray([1, 2]))
        [1. 2.]
    """
    kind = as_kind("asfarray", dtype)
    return converted("asfarray", operand("asfarray", a, "a"), kind if kind.is_float else float32)


# One value


def _filled(name, shape, value, dtype):
    return ops.full(as_shape(name, shape), value, dtype=as_kind(name, dtype))


def zeros(shape, dtype=float32) -> Tensor:
    """Zeros of a shape: an int, or a tuple or list of ints.

    Raises:
        TypeError: If ``shape`` is not an int, or a tuple or list of ints, or ``dtype`` is not a dtype.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.zeros((2, 2)))
        [[0. 0.]
         [0. 0.]]
    """
    return _filled("zeros", shape, 0, dtype)


def ones(shape, dtype=float32) -> Tensor:
    """Ones of a shape: an int, or a tuple or list of ints.

    Raises:
        TypeError: If ``shape`` is not an int, or a tuple or list of ints, or ``dtype`` is not a dtype.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.ones(2, ms.int32))
        [1 1]
    """
    return _filled("ones", shape, 1, dtype)


def empty(shape, dtype=float32) -> Tensor:
    """A Tensor of a shape, whose values are those of :func:`zeros`: no memory is left as it was found.

    Raises:
        TypeError: If ``shape`` is not an int, or a tuple or list of ints, or ``dtype`` is not a dtype.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.empty(2))
        [0. 0.]
    """
    return _filled("empty", shape, 0, dtype)


def full(shape, fill_value, dtype=None) -> Tensor:
    """``fill_value``, a number or what broadcasts to ``shape``, in that shape.

    Raises:
        TypeError: If ``shape`` is not an int, or a tuple or list of ints, or ``fill_value`` holds no numbers. Also if
            ``dtype`` is not a dtype.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore.numpy as mnp
        >>> print(mnp.full((2, 2), 7))
        [[7 7]
         [7 7]]
    """
    value = operand("full", fill_value, "fill_value")
    return ops.broadcast_to(converted("full", value, dtype), _broadcast("full", value.shape, as_shape("full", shape)))


def _broadcast(name, own, shape):
    """``shape``, which a Tensor of the shape ``own`` must broadcast to."""
    if len(own) > len(shape) or any(n not in (1, m) for n, m in zip(own[::-1], shape[::-1], strict=False)):
        raise value_error(name, f"the 'fill_value' must broadcast to {shape}", f"shape {own}")
    return shape


def _like(name, prototype, dtype, shape):
    like = operand(name, prototype, "prototype")
    return like.shape if shape is None else as_shape(name, shape), like.dtype if dtype is None else dtype


def zeros_like(a, dtype=None, shape=None) -> Tensor:
    """Zeros in the shape and dtype of ``a``, where no others are given.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``dtype`` is not a dtype. Also if ``shape`` is not an int, or a tuple
            or list of ints.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.zeros_like(ms.Tensor([1.5, 2.5])))
        [0. 0.]
    """
    return _filled("zeros_like", *_around(_like("zeros_like", a, dtype, shape), 0))


def ones_like(a, dtype=None, shape=None) -> Tensor:
    """Ones in the shape and dtype of ``a``, where no others are given.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``dtype`` is not a dtype. Also if ``shape`` is not an int, or a tuple
            or list of ints.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.ones_like(ms.Tensor([1.5, 2.5])))
        [1. 1.]
    """
    return _filled("ones_like", *_around(_like("ones_like", a, dtype, shape), 1))


def empty_like(prototype, dtype=None, shape=None) -> Tensor:
    """:func:`empty` in the shape and dtype of ``prototype``, where no others are given.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``prototype`` holds no numbers, or ``dtype`` is not a dtype. Also if ``shape`` is not an int, or a
            tuple or list of ints.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.empty_like(ms.Tensor([1.5, 2.5])))
        [0. 0.]
    """
    return _filled("empty_like", *_around(_like("empty_like", prototype, dtype, shape), 0))


def _around(like, value):
    shape, dtype = like
    return shape, value, dtype


def full_like(a, fill_value, dtype=None, shape=None) -> Tensor:
    """``fill_value`` in the shape and dtype of ``a``, where no others are given.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``a`` or ``fill_value`` holds no numbers, or ``dtype`` is not a dtype. Also if ``shape`` is not an
            int, or a tuple or list of ints.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.full_like(ms.Tensor([1.5, 2.5]), 7))
        [7. 7.]
    """
    shape, dtype = _like("full_like", a, dtype, shape)
    return full(shape, fill_value, dtype)


# Random draws


def _float_kind(name, dtype):
    kind = as_kind(name, dtype)
    if not kind.is_float:
        raise value_error(name, "the 'dtype' must be a float type", kind)
    return kind


def rand(*shape, dtype=float32) -> Tensor:
    """Uniform numbers in [0, 1) of a shape, (1,) by default.

    Raises:
        TypeError: If ``shape`` is not an int, or a tuple or list of ints, or ``dtype`` is not a dtype.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> ms.set_seed(1)
        >>> print(mnp.rand(3))
        [0.2136935  0.07515115 0.28593677]
    """
    return ops.rand(*_drawn("rand", shape), dtype=_float_kind("rand", dtype))


def randn(*shape, dtype=float32) -> Tensor:
    """Numbers of the normal distribution with mean 0 and deviation 1, of a shape, (1,) by default.

    Raises:
        TypeError: If ``shape`` is not an int, or a tuple or list of ints, or ``dtype`` is not a dtype.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> ms.set_seed(1)
        >>> print(mnp.randn(3))
        [-1.4384645  2.1393204  1.6202765]
    """
    return ops.randn(*_drawn("randn", shape), dtype=_float_kind("randn", dtype))


def _drawn(name, shape):
    """The shape that ``*shape`` spells: ints, or one tuple or list of them."""
    one = len(shape) == 1 and isinstance(shape[0], (tuple, list))
    return as_shape(name, (shape[0] if one else shape) or (1,))


def randint(minval, maxval=None, shape=None, dtype=int32) -> Tensor:
    """Uniform ints in [minval, maxval), or in [0, minval) without ``maxval``, of a shape, (1,) by default.

    Raises:
        TypeError: If ``minval`` or ``maxval`` is not an int, or ``shape`` is not an int, or a tuple or list of ints.
            Also if ``dtype`` is not a dtype.
        ValueError: If ``minval`` is not below ``maxval``, or ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> ms.set_seed(1)
        >>> print(mnp.randint(1, 7, 5))  # a die
        [1 6 6 5 6]
    """
    low, high = (0, minval) if maxval is None else (minval, maxval)
    for argument, value in (("minval", low), ("maxval", high)):
        if not is_int(value):
            raise type_error("randint", f"the '{argument}' must be an int", shown(value))
    if low >= high:
        raise value_error("randint", "the 'minval' must be below the 'maxval'", f"{low} and {high}")
    kind = as_kind("randint", dtype)
    if kind.np.kind not in "iu":
        raise value_error("randint", "the 'dtype' must be an integer type", kind)
    limits = np.iinfo(kind.np)
    if low < limits.min or high - 1 > limits.max:
        raise value_error("randint", f"the bounds must fit into {kind}", f"{low} and {high}")
    drawn = ops.randint(low, high, _drawn("randint", (1,) if shape is None else (shape,)))
    return ops.cast(drawn, kind.np)
