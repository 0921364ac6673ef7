"""Tensors joined, and raised to more axes."""

from __future__ import annotations

from typing import Any

from minispore import ops
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import as_axis, common, operand

__all__ = [
    "append",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "column_stack",
    "concatenate",
    "dstack",
    "hstack",
    "stack",
    "vstack",
]


def _several(name, tensors, argument):
    """The Tensors of a tuple or list, or along the first axis of a Tensor."""
    if isinstance(tensors, Tensor):
        if not tensors.ndim:
            raise value_error(name, f"the '{argument}' must have an axis", "a 0-d Tensor")
        tensors = list(tensors)
    if not isinstance(tensors, (tuple, list)):
        raise type_error(name, f"the '{argument}' must be a Tensor, or a tuple or list of Tensors", shown(tensors))
    if not tensors:
        raise value_error(name, f"the '{argument}' must hold at least one Tensor", shown(tensors))
    return [operand(name, x, argument) for x in tensors]


def _joined(name, tensors, axis):
    """Tensors of one rank and type, joined along an axis."""
    tensors = common(name, tensors)
    first = tensors[0].shape
    axis = as_axis(name, axis, len(first))
    for x in tensors[1:]:
        if len(x.shape) != len(first) or any(
            n != m for i, (n, m) in enumerate(zip(x.shape, first, strict=True)) if i != axis
        ):
            raise value_error(name, f"the shapes must be alike in all but the axis {axis}", f"{first} and {x.shape}")
    return ops.concat(tensors, axis)


def concatenate(arrays, axis=0) -> Tensor:
    """Tensors joined along an axis; all in a row for None. Their types promote to one.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``arrays`` is not a Tensor, or a tuple or list of Tensors, or ``arrays`` holds no numbers. Also if
            ``axis`` is not an int.
        ValueError: If ``arrays`` holds no Tensor, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.concatenate((ms.Tensor([[1, 2]]), ms.Tensor([[3, 4]]))))
        [[1 2]
         [3 4]]
    """
    tensors = _several("concatenate", arrays, "arrays")
    if axis is None:
        return _joined("concatenate", [x.reshape(-1) for x in tensors], 0)
    return _joined("concatenate", tensors, axis)


def append(arr, values, axis=None) -> Tensor:
    """``values`` after ``arr`` along an axis; both in a row for None.

    Shapes: (N,) after both in a row, or as ``arr`` but longer along ``axis``. Dtypes: any, kept.

    Raises:
        TypeError: If ``arr`` or ``values`` holds no numbers, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.append(ms.Tensor([1, 2]), ms.Tensor([3])))
        [1 2 3]
    """
    arr, values = operand("append", arr, "arr"), operand("append", values, "values")
    if axis is None:
        arr, values, axis = arr.reshape(-1), values.reshape(-1), 0
    if arr.ndim != values.ndim:
        raise value_error(
            "append", "the 'arr' and 'values' must have equally many axes", f"{arr.shape}, {values.shape}"
        )
    return _joined("append", [arr, values], axis)


def stack(arrays, axis=0) -> Tensor:
    """Tensors of one shape joined along a new axis. Their types promote to one.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``arrays`` is not a Tensor, or a tuple or list of Tensors, or ``arrays`` holds no numbers. Also if
            ``axis`` is not an int.
        ValueError: If ``arrays`` holds no Tensor, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.stack((ms.Tensor([1, 2]), ms.Tensor([3, 4])), axis=1))
        [[1 3]
         [2 4]]
    """
    tensors = _several("stack", arrays, "arrays")
    axis = as_axis("stack", axis, tensors[0].ndim + 1)
    if len({x.shape for x in tensors}) > 1:
        raise value_error("stack", "the Tensors must have one shape", shown([x.shape for x in tensors]))
    return ops.stack(common("stack", tensors), axis)


def vstack(tup) -> Tensor:
    """Tensors joined along the first axis; rows become matrices of one row first; a Tensor is its own answer.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``tup`` is not a Tensor, or a tuple or list of Tensors, or ``tup`` holds no numbers.
        ValueError: If ``tup`` holds no Tensor.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.vstack((ms.Tensor([1, 2]), ms.Tensor([3, 4]))))
        [[1 2]
         [3 4]]
    """
    if isinstance(tup, Tensor):
        return tup
    return _joined("vstack", [_raised_2d(x) for x in _several("vstack", tup, "tup")], 0)


def hstack(tup) -> Tensor:
    """Tensors joined along the second axis, or rows along their only one; a Tensor is its own answer.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``tup`` is not a Tensor, or a tuple or list of Tensors, or ``tup`` holds no numbers.
        ValueError: If ``tup`` holds no Tensor.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.hstack((ms.Tensor([1, 2]), ms.Tensor([3]))))
        [1 2 3]
    """
    if isinstance(tup, Tensor):
        return tup
    tensors = [_raised_1d(x) for x in _several("hstack", tup, "tup")]
    return _joined("hstack", tensors, 0 if tensors[0].ndim == 1 else 1)


def dstack(tup) -> Tensor:
    """Tensors joined along the third axis, which rows and matrices get first; a Tensor is its own answer.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``tup`` is not a Tensor, or a tuple or list of Tensors, or ``tup`` holds no numbers.
        ValueError: If ``tup`` holds no Tensor.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.dstack((ms.Tensor([1, 2]), ms.Tensor([3, 4]))))
        [[[1 3]
          [2 4]]]
    """
    if isinstance(tup, Tensor):
        return tup
    return _joined("dstack", [_raised_3d(x) for x in _several("dstack", tup, "tup")], 2)


def column_stack(tup) -> Tensor:
    """Rows as columns of a matrix, and matrices, joined along the second axis; a Tensor is its own answer.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``tup`` is not a Tensor, or a tuple or list of Tensors, or ``tup`` holds no numbers.
        ValueError: If ``tup`` holds no Tensor.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.column_stack((ms.Tensor([1, 2]), ms.Tensor([3, 4]))))
        [[1 3]
         [2 4]]
    """
    if isinstance(tup, Tensor):
        return tup
    tensors = _several("column_stack", tup, "tup")
    return _joined("column_stack", [x if x.ndim > 1 else x.reshape((-1, 1)) for x in tensors], 1)


# More axes


def _raised_1d(x):
    return x if x.ndim else x.reshape(1)


def _raised_2d(x):
    return x if x.ndim > 1 else x.reshape((1, -1))


def _raised_3d(x):
    return x if x.ndim > 2 else x.reshape((1, -1, 1) if x.ndim < 2 else (*x.shape, 1))


def _each(name, arrays, raised):
    """``raised`` of one Tensor, or the list of it of several."""
    out = [raised(operand(name, x, "arys")) for x in arrays]
    return out[0] if len(out) == 1 else out


def atleast_1d(*arys) -> Any:
    """Tensors with at least one axis: one Tensor, or a list of several.

    Shapes: () gives (1,); others are kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``arys`` holds no numbers.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.atleast_1d(ms.Tensor(3)))
        [3]
    """
    return _each("atleast_1d", arys, _raised_1d)


def atleast_2d(*arys) -> Any:
    """Tensors with at least two axes, new ones in front: one Tensor, or a list of several.

    Shapes: () gives (1, 1), (N,) gives (1, N); others are kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``arys`` holds no numbers.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.atleast_2d(ms.Tensor([1, 2])))
        [[1 2]]
    """
    return _each("atleast_2d", arys, _raised_2d)


def atleast_3d(*arys) -> Any:
    """Tensors with at least three axes, ``(N,)`` becoming (1, N, 1) and ``(M, N)`` (M, N, 1).

    Dtypes: any, kept.

    Raises:
        TypeError: If ``arys`` holds no numbers.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.atleast_3d(ms.Tensor([1, 2])))
        [[[1]
          [2]]]
    """
    return _each("atleast_3d", arys, _raised_3d)
