"""A random choice among the places where a mask holds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Spec
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_int
from minispore.ops.operations.random.distributions import Draw
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_tensor, named

__all__ = ["RandomChoiceWithMask"]


class RandomChoiceWithMask(Draw):
    r"""``count`` of the places where a mask of 1 to 5 axes holds, in random order: ``(places, chosen)``.

    The places are rows of int32, one for each axis. If there are fewer, rows of zeros fill up; their ``chosen`` is
    False.

    Shapes: any of D axes gives (count, D) and (count,). Dtypes: bools give int32; TypeError for floats, ints and
    complex.

    Args:
        count (int): How many are chosen. Default: 256.
        seed (int): A seed of its own, with ``seed2``; 0 and 0 for none. Default: 0.
        seed2 (int): The seed's second part. Default: 0.

    Raises:
        TypeError: If ``count``, ``seed`` or ``seed2`` is not an int, or ``input_x`` is not a Tensor.
        ValueError: If ``count`` is below 1, or ``seed`` or ``seed2`` is not at least 0 and below 2 ** 63. Also if
            ``input_x`` does not have 1 to 5 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(*ops.RandomChoiceWithMask(2)(ms.Tensor([True, False, True, True])), sep="\n")
        [[0]
         [3]]
        [ True  True]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def __init__(self, count: int = 256, seed: int = 0, seed2: int = 0) -> None:
        super().__init__(seed, seed2)
        if as_int(self, "count", count) < 1:
            raise value_error(self.name, "the 'count' must be at least 1", count)
        self.add_prim_attr("count", count)

    def infer(self, input_x):
        check_tensor(self, "input_x", input_x)
        if input_x.dtype != np.bool_:
            raise type_error(self.name, "the 'input_x' must be a Tensor of bools", named(input_x.dtype))
        check_rank(self, "input_x", input_x, (1, 2, 3, 4, 5))
        return Spec((self.count, len(input_x.shape)), np.dtype(np.int32)), Spec((self.count,), np.dtype(np.bool_))

    def compute(self, xp, input_x):
        places = xp.argwhere(input_x)
        order = xp.argsort(self.stream(xp).uniform((len(places),)))[: self.count]
        found = xp.zeros((self.count, input_x.ndim), np.int32)
        found[: len(order)] = places[order]
        return found, xp.arange(self.count) < len(order)
