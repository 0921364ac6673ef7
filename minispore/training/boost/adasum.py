"""AdaSum: a sum of two processes' steps. It is their mean if they agree, and their sum if they are orthogonal."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from minispore.core import backend
from minispore.core.checks import check_int, check_positive_int
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.parallel.communication import world

__all__ = ["AdaSum", "adasum"]


def adasum(a, b):
    """``(1 - a.b / (2 |a|^2)) a + (1 - a.b / (2 |b|^2)) b``, summed in float32; a zero Tensor changes nothing.

    Source: Maleki et al., Scaling distributed training with adaptive summation, 2021.

    Args:
        a (Tensor): One process's step of a Parameter, or its gradient.
        b (Tensor): Another's, of the same shape and dtype.

    Raises:
        TypeError: If one is not a Tensor, or the dtypes differ.
        ValueError: If the shapes differ.

    Examples:
        >>> import minispore as ms
        >>> from minispore.boost.adasum import adasum
        >>> print(adasum(ms.Tensor([2.0, 0.0]), ms.Tensor([2.0, 0.0])))
        [2. 0.]
        >>> print(adasum(ms.Tensor([2.0, 0.0]), ms.Tensor([0.0, 3.0])))
        [2. 3.]
    """
    if not isinstance(a, Tensor) or not isinstance(b, Tensor) or a.dtype != b.dtype:
        expected = "'a' and 'b' must be Tensors of one dtype"
        raise type_error("adasum", expected, tuple(getattr(x, "dtype", type(x).__name__) for x in (a, b)))
    if a.shape != b.shape:
        raise value_error("adasum", "'a' and 'b' must have the same shape", (a.shape, b.shape))
    wide_a, wide_b = a.astype(float32), b.astype(float32)
    product = (wide_a * wide_b).sum()
    return (_share(wide_a, product) * wide_a + _share(wide_b, product) * wide_b).astype(a.dtype)


def _share(x, product):
    """``1 - product / (2 |x|^2)``, and 1 for a zero ``x``, which multiplies zeros only."""
    square = (x * x).sum()
    return 1 - product / F.select(square > 0, 2 * square, F.ones_like(square))


class AdaSum(Cell):
    """Set ``parameters = old_parameters - combined``: the steps of the groups of processes, combined by :func:`adasum`.

    The groups are combined in pairs, Parameter by Parameter: 0 with 1, 2 with 3, and so on, then the pairs, until all
    are one. Each process computes a part of it. At each pair it halves its own part, and at the end the parts are put
    together. A group of one process has one step, which is the combined one.

    Args:
        rank (int): The number of the process: group ``rank // device_number``, in which all have the same step.
        device_number (int): How many processes are in a group.
        group_number (int): How many groups there are, a power of two; together they are all processes.
        parameter_tuple (Union[tuple, list]): The Parameters.

    Inputs:
        - **delta_weights** (tuple[Tensor]) - The process's step for each Parameter: old values minus new.
        - **parameters** (tuple[Parameter]) - The Parameters, which are set.
        - **old_parameters** (tuple[Tensor]) - The values before the step.

    Outputs:
        The Parameters.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the number of groups is no power of two, or there are not as many processes.

    Examples:
        >>> import minispore as ms
        >>> w, old = ms.Parameter([0.0], name="w"), ms.Tensor([3.0])
        >>> _ = ms.boost.AdaSum(0, 1, 1, (w,))((ms.Tensor([1.0]),), (w,), (old,))
        >>> print(w.asnumpy())
        [2.]
    """

    recordable = False  # it waits for other processes

    def __init__(
        self, rank: int, device_number: int, group_number: int, parameter_tuple: tuple[Any, ...] | list[Any]
    ) -> None:
        super().__init__(auto_prefix=False)
        name = "AdaSum"
        devices = check_positive_int(name, "device_number", device_number)
        groups = check_positive_int(name, "group_number", group_number)
        if groups & (groups - 1):
            raise value_error(name, "the 'group_number' must be a power of two", groups)
        self.rank = check_int(name, "rank", rank, 0, devices * groups)
        if not isinstance(parameter_tuple, (tuple, list)) or not all(isinstance(p, Parameter) for p in parameter_tuple):
            raise type_error(name, "the 'parameter_tuple' must be a tuple of Parameters", shown(parameter_tuple))
        self.parameter_tuple = ParameterTuple(parameter_tuple)
        everyone = world.world()
        if groups > 1 and (everyone.size, everyone.rank) != (devices * groups, self.rank):
            expected = f"the 'rank' must be the process's own of {devices * groups}"
            raise value_error(name, expected, f"{self.rank}, in process {everyone.rank} of {everyone.size}")
        self._combine = _CombineSteps(_levels(everyone, devices, groups)) if groups > 1 else None

    def construct(
        self, delta_weights: tuple[Tensor, ...], parameters: tuple[Parameter, ...], old_parameters: tuple[Tensor, ...]
    ) -> Any:
        """Combine the steps, and take them from the old values."""
        combined = self._combine(*delta_weights) if self._combine else delta_weights
        for delta, parameter, old in zip(combined, parameters, old_parameters, strict=True):
            F.assign(parameter, old - delta)
        return parameters


def _levels(everyone, devices, groups):
    """For each level of pairs: the group of this process and its partner, and the group of all met so far."""
    levels, span = [], 1
    while span < groups:
        pairs = [[i, i + span] for i in range(groups) if not i & span]
        met = [list(range(i, i + 2 * span)) for i in range(0, groups, 2 * span)]
        levels.append((_own(everyone, devices, pairs), _own(everyone, devices, met)))
        span *= 2
    return levels


def _own(everyone, devices, parts):
    """The group of the processes that have this process's place in the groups of their parts."""
    found = None
    for part in parts:
        for place in range(devices):
            ranks = [group * devices + place for group in part]
            found = everyone.split("AdaSum", f"AdaSum {ranks}", ranks) or found
    return found


class _CombineSteps(Primitive):
    """The steps of all groups of processes, one Tensor for each Parameter, combined by :func:`adasum`."""

    differentiable = False
    variadic = True
    communicates = True
    autocast = False

    def __init__(self, levels):
        self.levels = levels

    def infer(self, *steps):
        return steps

    def compute(self, xp, *steps):
        arrays = [backend.to_host(step) for step in steps]
        flat = np.concatenate([np.asarray(array, np.float32).reshape(-1) for array in arrays])
        ends = np.cumsum([array.size for array in arrays])
        parts = np.split(combined(flat, ends, self.levels), ends[:-1])
        return tuple(xp.asarray(p.reshape(a.shape).astype(a.dtype)) for p, a in zip(parts, arrays, strict=True))


def combined(flat, ends, levels):
    """The processes' flat arrays combined by :func:`adasum`, array by array: recursive halving, then doubling.

    Args:
        flat (array): This process's arrays, one after the other, in float32.
        ends (array): Where each of them ends.
        levels (list): For each level a group of two processes, and the group of all whose arrays these two hold.
    """
    padded = np.zeros(-(-flat.size >> len(levels)) << len(levels), np.float32)
    padded[: flat.size] = flat
    held, start = padded, 0
    for pair, met in levels:
        half = held.size // 2
        first, second = _exchanged(pair, held[:half], held[half:])
        start += half * pair.rank
        held = _combined_part(met, first, second, _sections(start, half, ends))
    for pair, _ in reversed(levels):
        held = pair.all_gather("AdaSum", held).reshape(-1)
    return held[: flat.size]


def _exchanged(pair, low, high):
    """The half of both processes that this one keeps: the first process's, the second's.

    Each process sends the other half to its partner, and zeros to itself. So the sum at each is its partner's half.
    """
    kept, given = (low, high) if pair.rank == 0 else (high, low)
    parts = np.zeros((2, kept.size), np.float32)
    parts[1 - pair.rank] = given
    got = pair.reduce_scatter("AdaSum", parts)[0]
    return (kept, got) if pair.rank == 0 else (got, kept)


def _sections(start, length, ends):
    """The slice of each array in a part of the flat one, which may be empty."""
    bounds = np.clip(np.concatenate([[0], ends]) - start, 0, length)
    return [slice(low, high) for low, high in itertools.pairwise(bounds)]


def _combined_part(met, first, second, sections):
    """A part of ``adasum(first, second)``. Its products are summed over all processes with parts."""
    mine = [_products(first[part].astype(np.float64), second[part].astype(np.float64)) for part in sections]
    out = np.zeros_like(first)
    for part, (both, a, b) in zip(sections, met.all_reduce("AdaSum", np.array(mine)), strict=True):
        shares = (1 - both / (2 * square) if square else 1.0 for square in (a, b))
        out[part] = sum(np.float32(share) * x[part] for share, x in zip(shares, (first, second), strict=True))
    return out


def _products(a, b):
    return a @ b, a @ a, b @ b
