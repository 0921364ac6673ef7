"""Primitives under other names: those that they had in MindSpore 1, each of which says its new one once, in the log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache

from minispore.core.tensor import Tensor
from minispore.ops.operations.array.gather import Gather
from minispore.ops.operations.array.joining import Stack
from minispore.ops.operations.array.slicing import Unstack
from minispore.ops.operations.math.arithmetic import Add
from minispore.ops.operations.nn.activation import GeLU

__all__ = ["GatherV2", "Gelu", "Pack", "SparseGatherV2", "TensorAdd", "Unpack"]


@cache
def _warn_once(old, new):
    logging.getLogger("minispore").warning("'%s' is the old name of '%s'.", old, new)


class TensorAdd(Add):
    """``Add`` under its old name.

    Shapes: any that broadcast. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.TensorAdd()(ms.Tensor([1.0]), ms.Tensor([2.0])))
        [3.]
    """

    def __init__(self) -> None:
        _warn_once("TensorAdd", "Add")


class GatherV2(Gather):
    """``Gather`` under its old name.

    Shapes: the axis of ``x`` gives way to the axes of the indices. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` or ``indices`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``indices`` is out of range, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.GatherV2()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([2, 0]), 0))
        [3. 1.]
    """

    def __init__(self) -> None:
        super().__init__()
        _warn_once("GatherV2", "Gather")


class SparseGatherV2(Gather):
    """``Gather`` under the name by which MindSpore is asked for a sparse gradient; here it is dense, of equal numbers.

    Shapes: the axis of ``x`` gives way to the axes of the indices. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` or ``indices`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``indices`` is out of range, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SparseGatherV2()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([2, 0]), 0))
        [3. 1.]
    """


class Pack(Stack):
    """``Stack`` under its old name.

    Shapes: N Tensors of one shape give it with an axis of length N more. Dtypes: any, kept.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints. Also if an element of the input is not a
            Tensor.
        ValueError: If the input holds no Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Pack()((ms.Tensor([1, 2]), ms.Tensor([3, 4]))))
        [[1 2]
         [3 4]]
    """

    def __init__(self, axis=0) -> None:
        super().__init__(axis)
        _warn_once("Pack", "Stack")


class Unpack(Unstack):
    """``Unstack`` under its old name.

    Shapes: without the axis. Dtypes: any, kept.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Unpack()(ms.Tensor([[1, 2], [3, 4]])))
        [1 2] [3 4]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, axis=0) -> None:
        super().__init__(axis)
        _warn_once("Unpack", "Unstack")


class Gelu(GeLU):
    """``GeLU`` under its old name.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Gelu()(ms.Tensor([-1.0, 0.0, 1.0])))
        [-0.158808  0.        0.841192]
    """

    def __init__(self) -> None:
        _warn_once("Gelu", "GeLU")
