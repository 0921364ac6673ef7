"""Layers over one axis: Unflatten splits it, TimeDistributed applies a layer to each place along it."""

from __future__ import annotations

from collections.abc import Sequence

from minispore.core.checks import check_int, is_int
from minispore.core.errors import shown, type_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.axes import as_axis

__all__ = ["TimeDistributed", "Unflatten"]


class Unflatten(Cell):
    """One axis as several: ``Unflatten(1, (2, 5))`` makes ``(N, 2, 5)`` of ``(N, 10)``.

    Dtypes: any, kept.

    Args:
        axis (int): The axis.
        unflattened_size (Union[tuple[int], list[int]]): The lengths; one may be -1, and is what is left.

    Raises:
        TypeError: If the axis is not an int, or the size not ints.
        ValueError: If there is no such axis, or its length is another.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Unflatten(0, (2, -1))(ms.Tensor([1, 2, 3, 4])))
        [[1 2]
         [3 4]]
    """

    def __init__(self, axis: int, unflattened_size: Sequence[int]) -> None:
        super().__init__()
        self.axis = check_int("Unflatten", "axis", axis)
        if not isinstance(unflattened_size, (tuple, list)) or not all(map(is_int, unflattened_size)):
            raise type_error("Unflatten", "the 'unflattened_size' must be a tuple of ints", shown(unflattened_size))
        self.unflattened_size = tuple(unflattened_size)

    def construct(self, x) -> Tensor:
        """Reshape."""
        axis = as_axis("Unflatten", self.axis, x.ndim)
        return F.reshape(x, (*x.shape[:axis], *self.unflattened_size, *x.shape[axis + 1 :]))


class TimeDistributed(Cell):
    """A layer applied to each place along an axis of x, with the results side by side along the same axis.

    Dtypes: those that ``layer`` takes.

    Args:
        layer (Union[Cell, Primitive]): The layer.
        time_axis (int): The axis.
        reshape_with_axis (int): If given, the layer is called once: the two axes are then one for it, as more samples.
            Default: None, it is called for each place.

    Raises:
        TypeError: If the layer is neither a Cell nor a Primitive, or an axis not an int.
        ValueError: If there is no such axis.

    Examples:
        >>> import minispore as ms
        >>> layer = ms.nn.TimeDistributed(ms.nn.Dense(3, 2), time_axis=1, reshape_with_axis=0)
        >>> print(layer(ms.ops.ones((4, 5, 3))).shape)
        (4, 5, 2)
        >>> layer = ms.nn.TimeDistributed(
        ...     ms.nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), time_axis=1, reshape_with_axis=0
        ... )
        >>> print(layer(ms.Tensor([[[1.0], [2.0]]])))
        [[[1.]
          [2.]]]
    """

    def __init__(self, layer, time_axis: int, reshape_with_axis: int | None = None) -> None:
        super().__init__()
        if not isinstance(layer, (Cell, Primitive)):
            raise type_error("TimeDistributed", "the 'layer' must be a Cell or a Primitive", shown(layer))
        self.layer = layer
        self.time_axis = check_int("TimeDistributed", "time_axis", time_axis)
        if reshape_with_axis is not None:
            check_int("TimeDistributed", "reshape_with_axis", reshape_with_axis)
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs) -> Tensor:
        """Call the layer."""
        time = as_axis("TimeDistributed", self.time_axis, inputs.ndim, "time_axis")
        if self.reshape_with_axis is None:
            return F.stack([self.layer(x) for x in F.unbind(inputs, time)], time)
        other = as_axis("TimeDistributed", self.reshape_with_axis, inputs.ndim, "reshape_with_axis")
        samples = other - (time < other)  # the other axis's place without the time
        moved = F.moveaxis(inputs, time, samples)
        lengths = moved.shape[samples : samples + 2]
        out = self.layer(F.reshape(moved, (*moved.shape[:samples], -1, *moved.shape[samples + 2 :])))
        out = F.reshape(out, (*out.shape[:samples], *lengths, *out.shape[samples + 1 :]))
        return F.moveaxis(out, samples, time)
