"""Tensors made from a few numbers or rows: ranges, grids, triangles and diagonals."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from minispore.core.dtype import FLOATS, as_dtype
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_int
from minispore.ops.kernels.float16.cast import narrow
from minispore.ops.kernels.select import select
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_float, check_same_type, check_tensor, named

__all__ = ["Diag", "DiagPart", "LinSpace", "Meshgrid", "Range", "Tril", "Triu"]


def _number(value):
    """A Python number as an array of the dtype that a Tensor of it would have."""
    if not isinstance(value, (int, float)):
        raise type_error("Range", "the 'start', 'limit' and 'delta' must be numbers or Tensors", shown(value))
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise value_error("Range", "the 'start', 'limit' and 'delta' must be of at most 64 bits", shown(value))
    return np.asarray(value, as_dtype(type(value)).np)


class Range(Primitive):
    """``start, start + delta, ...`` as far as it stays before ``limit``: numbers, or 0-d Tensors of one dtype.

    Shapes: () three times gives (length,). Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        maxlen (int): The most elements that there may be. Default: 1000000.

    Raises:
        TypeError: If ``maxlen`` is not an int, or ``start``, ``limit`` and ``delta`` are not numbers or Tensors. Also
            if ``start``, ``limit`` and ``delta`` are not of one type.
        ValueError: If ``delta`` does not lead from ``start`` towards ``limit``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Range()(ms.Tensor(0), ms.Tensor(10), ms.Tensor(3)))
        [0 3 6 9]
    """

    differentiable = False

    def __init__(self, maxlen: int = 1000000) -> None:
        self.add_prim_attr("maxlen", maxlen)

    def adapt(self, start, limit, delta):
        """Read the numbers, Tensors among which the device is waited for; their dtype is the last argument."""
        values = [v.array if isinstance(v, Tensor) else _number(v) for v in (start, limit, delta)]
        kinds = {v.dtype for v in values}
        if len(kinds) > 1:
            got = ", ".join(named(v.dtype) for v in values)
            raise type_error(self.name, "the 'start', 'limit' and 'delta' must be of one type", got)
        return *(v.item() for v in values), kinds.pop()

    def infer(self, start, limit, delta, dtype):
        if dtype.kind not in "iu" and dtype not in FLOATS:
            raise type_error(self.name, "the 'start' must be a number", named(dtype))
        if delta == 0 or (limit - start) * delta < 0:
            expected = "the 'delta' must lead from 'start' towards 'limit'"
            raise value_error(self.name, expected, f"{start}, {limit} and {delta}")
        count = max(0, math.ceil((limit - start) / delta))
        if count > self.maxlen:
            raise value_error(self.name, f"there must be at most {self.maxlen} elements", count)
        return Spec((count,), dtype)

    def compute(self, xp, start, limit, delta, dtype):
        count = max(0, math.ceil((limit - start) / delta))
        return (start + xp.arange(count) * delta).astype(dtype)


class LinSpace(Primitive):
    """``num`` numbers at equal distances from ``start`` to ``stop``, both included; these are 0-d or longer Tensors.

    Shapes: () and () give (num,). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``start`` or ``stop`` is not a Tensor, ``stop`` and ``start`` differ in dtype, or ``num`` is not
            an int.
        ValueError: If ``start`` and ``stop`` do not have one shape, or ``num`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.LinSpace()(ms.Tensor(0.0), ms.Tensor(1.0), 5))
        [0.   0.25 0.5  0.75 1.  ]
    """

    differentiable = False

    def adapt(self, start, stop, num):
        """Read the number as an int."""
        return start, stop, as_int(self, "num", num)

    def infer(self, start, stop, num):
        check_float(self, "start", start)
        check_same_type(self, start=start, stop=stop)
        if stop.shape != start.shape:
            raise value_error(self.name, "the 'start' and 'stop' must have one shape", f"{start.shape}, {stop.shape}")
        if num < 1:
            raise value_error(self.name, "the 'num' must be above 0", num)
        return Spec((*start.shape, num), start.dtype)

    def compute(self, xp, start, stop, num):
        parts = xp.arange(num) / max(num - 1, 1)
        first, last = start.astype(np.float64)[..., None], stop.astype(np.float64)[..., None]
        return narrow(xp, first * (1 - parts) + last * parts, start.dtype)


class Meshgrid(Primitive):
    r"""The coordinates of a grid over rows: ``out[i][j0, j1, ...] = x[i][ji]``, for "xy" with the first two swapped.

    Dtypes: floats, ints and bools, kept; TypeError for complex.

    Args:
        indexing (str): "xy" or "ij". Default: "xy".

    Raises:
        TypeError: If ``indexing`` is not a str, or an element of the input is not a Tensor.
        ValueError: If ``indexing`` is not "xy" or "ij", or the input does not hold at least two Tensors.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Meshgrid("ij")((ms.Tensor([1, 2]), ms.Tensor([10, 20]))), sep="\n")
        [[1 1]
         [2 2]]
        [[10 20]
         [10 20]]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    variadic = True

    def __init__(self, indexing: str = "xy") -> None:
        if indexing not in ("xy", "ij"):
            raise value_error(self.name, "the 'indexing' must be 'xy' or 'ij'", shown(indexing))
        self.add_prim_attr("indexing", indexing)

    def order(self, count):
        """The axis of the grid that each row runs along."""
        axes = list(range(count))
        return [1, 0, *axes[2:]] if self.indexing == "xy" else axes

    def infer(self, *xs):
        if len(xs) < 2:
            raise value_error(self.name, "the input must hold at least two Tensors", len(xs))
        check_same_type(self, **{f"x[{i}]": x for i, x in enumerate(xs)})
        for i, x in enumerate(xs):
            check_rank(self, f"x[{i}]", x, (1,))
        shape = tuple(xs[i].shape[0] for i in self.order(len(xs)))
        return (Spec(shape, xs[0].dtype),) * len(xs)

    def compute(self, xp, *xs):
        order = self.order(len(xs))
        shape = tuple(len(xs[i]) for i in order)
        along = [tuple(-1 if i == axis else 1 for i in range(len(xs))) for axis in order]
        return tuple(xp.broadcast_to(x.reshape(way), shape) for x, way in zip(xs, along, strict=True))

    def bprop(self, *xs_out_dout):
        *xs, _, dout = xs_out_dout
        axes = self.order(len(xs))
        return tuple(g.sum(tuple(i for i in range(len(xs)) if i != axis)) for g, axis in zip(dout, axes, strict=True))


class _Triangle(Primitive):
    """Base of the two triangles of the last two axes.

    Args:
        diagonal (int): The last diagonal of the triangle, 0 for the main one, above it for more. Default: 0.
    """

    def __init__(self, diagonal: int = 0) -> None:
        self.add_prim_attr("diagonal", diagonal)

    def infer(self, x):
        check_tensor(self, "x", x)
        if len(x.shape) < 2:
            raise value_error(self.name, "the 'x' must have at least 2 axes", f"shape {x.shape}")
        return x

    def bprop(self, x, out, dout):
        return self(dout)


def _lower(xp, x, diagonal):
    """Mask of ``column - row <= diagonal``, for the last two axes of x."""
    rows, columns = x.shape[-2:]
    within = max(-rows - 1, min(diagonal, columns + 1))  # a larger int would fit into no array
    return xp.tri(rows, columns, within, dtype=np.bool_)


class Tril(_Triangle):
    """The lower triangle of the last two axes: x where ``column - row <= diagonal``, else 0.

    Shapes: (..., M, N), kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``diagonal`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``x`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Tril(-1)(ms.Tensor([[1, 2], [3, 4]])))
        [[0 0]
         [3 0]]
    """

    def compute(self, xp, x):
        return select(xp, _lower(xp, x, self.diagonal), x, x.dtype.type(0))


class Triu(_Triangle):
    """The upper triangle of the last two axes: x where ``column - row >= diagonal``, else 0.

    Shapes: (..., M, N), kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``diagonal`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``x`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Triu()(ms.Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
    """

    def compute(self, xp, x):
        return select(xp, _lower(xp, x, self.diagonal - 1), x.dtype.type(0), x)


class Diag(Primitive):
    """``x`` on the diagonal of a Tensor of shape ``x.shape + x.shape``, zeros beside it.

    Shapes: ``x.shape + x.shape``. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor.
        ValueError: If ``x`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Diag()(ms.Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """

    complex_numbers = "as written"

    def infer(self, x):
        check_tensor(self, "input_x", x)
        if not x.shape:
            raise value_error(self.name, "the 'input_x' must have at least one axis", f"shape {x.shape}")
        return Spec(x.shape + x.shape, x.dtype)

    def compute(self, xp, x):
        return xp.diag(x.ravel()).reshape(x.shape + x.shape)

    def bprop(self, x, out, dout):
        return self.cached_primitive(DiagPart)(dout)


class DiagPart(Primitive):
    """The diagonal of a Tensor of shape ``s + s``, of shape ``s``.

    Shapes: ``s + s`` gives ``s``. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor.
        ValueError: If ``x`` has a shape that is not one shape twice.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.DiagPart()(ms.Tensor([[1, 2], [3, 4]])))
        [1 4]
    """

    complex_numbers = "as written"

    def infer(self, x):
        check_tensor(self, "input_x", x)
        half = len(x.shape) // 2
        if not half or x.shape[:half] != x.shape[half:]:
            raise value_error(self.name, "the 'input_x' must have a shape twice the same", x.shape)
        return Spec(x.shape[:half], x.dtype)

    def compute(self, xp, x):
        shape = x.shape[: x.ndim // 2]
        size = math.prod(shape)
        return xp.diagonal(x.reshape(size, size)).reshape(shape)

    def bprop(self, x, out, dout):
        return self.cached_primitive(Diag)(dout)
