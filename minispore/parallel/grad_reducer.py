"""``DistributedGradReducer``: the gradients of all processes, summed or averaged."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import numpy as np

from minispore.core import backend
from minispore.core.checks import check_bool, check_positive_int, check_text, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.nest import leaves, map_leaves, replace_leaves, select
from minispore.core.parameter import Parameter
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.parallel.communication import GlobalComm, world
from minispore.parallel.overlapped_reduction import REDUCER, OverlappedReduction, travelling_type
from minispore.parallel.settings import get_auto_parallel_context

__all__ = ["DistributedGradReducer"]

_log = logging.getLogger("minispore.log")

# Bytes of gradients that travel together. Sums of 8 MiB took two processes 2.8 ms at once, 3.9 ms in buckets of 1 MiB
# and 5.5 ms in buckets of 128 KiB; larger buckets begin later in the backward pass.
_BUCKET = 1 << 20


def _fusion():
    """The bucket settings: ``(bytes, numbers of the last gradients of each bucket)``."""
    ends, fusion = get_auto_parallel_context("all_reduce_fusion_config"), get_auto_parallel_context("comm_fusion")
    rule = fusion.get("allreduce", {})
    if ends or not fusion.get("openstate", True) or rule.get("mode", "auto") == "auto":
        return _BUCKET, ends
    config = rule.get("config")
    if rule["mode"] == "size" and is_int(config) and config > 0:
        return config << 20, []
    if rule["mode"] == "index" and isinstance(config, list) and all(map(is_int, config)):
        return _BUCKET, config
    expected = (
        "the 'allreduce' of 'comm_fusion' must have the mode 'auto', 'size' with MiB, or 'index' with a list of ints"
    )
    raise value_error("set_auto_parallel_context", expected, shown(rule))


class _ReduceBuckets(Primitive):
    """The sums of Tensors over the processes of a group times ``factor``; those of a bucket travel as one array."""

    differentiable = False
    variadic = True
    communicates = True
    autocast = False

    def __init__(self, members_name, factor, fusion):
        super().__init__(REDUCER)
        self.members_name, self.factor, self.fusion = members_name, factor, fusion

    def infer(self, *xs):
        return xs

    def compute(self, xp, *xs):
        members = world.group_of(REDUCER, self.members_name)
        arrays = [members.taken(x) for x in xs]
        buckets = buckets_of(arrays, *self.fusion)
        reduced = members.reduce_flat(REDUCER, [[arrays[i] for i in bucket] for bucket in buckets], self.factor)
        out = [None] * len(arrays)
        for bucket, found in zip(buckets, reduced, strict=True):
            for i, array in zip(bucket, found, strict=True):
                out[i] = xp.asarray(array)
        return tuple(out)


def buckets_of(arrays, limit, ends=()):
    """The numbers of the arrays that travel together, the last ones first.

    They are neighbours that are summed in one type: as many as make ``limit`` bytes, or those up to one of ``ends``.
    """
    buckets, size, ends = [], 0, frozenset(ends)
    for i in reversed(range(len(arrays))):
        full = i in ends if ends else size >= limit
        if not buckets or full or travelling_type(arrays[i]) != travelling_type(arrays[buckets[-1][-1]]):
            buckets.append([])
            size = 0
        buckets[-1].append(i)
        size += arrays[i].nbytes
    return buckets


class DistributedGradReducer(Cell):
    """The sum of the gradients over the processes, or their mean: in one process the gradients themselves.

    Several gradients travel as one array, those of the last Parameters first: as many as make 1 MiB.
    :func:`set_auto_parallel_context` sets other groups by ``comm_fusion``, or by ``all_reduce_fusion_config``, the
    numbers of the last gradients of each array. Narrow floats are summed and divided in float32, and rounded once.
    Gradients of Parameters that are ``layerwise_parallel`` stay. Outside of training cells, which give all processes
    the same Parameters, the log warns if these differ: the same seed, or ``ops.Broadcast``, makes them equal.

    Args:
        parameters (list[Parameter]): The Parameters that the gradients are of.
        mean (bool): Whether to divide by ``degree``. Default: None, the setting ``gradients_mean``.
        degree (int): The number of processes. Default: None, the size of the group.
        fusion_type (int): Accepted as in MindSpore. Default: 1.
        group (str): The group of processes. Default: the world group.

    Inputs:
        - **grads** (Union[Tensor, tuple[Tensor], list[Tensor]]) - The gradients.

    Raises:
        TypeError: If an argument or a gradient is of a wrong kind.
        ValueError: If ``degree`` is not positive, there is no such group, or in several processes the numbers of
            gradients and Parameters differ.
        RuntimeError: If the processes have gradients of other shapes or dtypes, or one does not come in time.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(1, 1)
        >>> reducer = ms.nn.DistributedGradReducer(net.trainable_params())
        >>> print(*reducer((ms.Tensor(2.0), ms.Tensor(4.0))))
        2.0 4.0
    """

    def __init__(
        self,
        parameters: Sequence[Parameter],
        mean: bool | None = None,
        degree: int | None = None,
        fusion_type: int = 1,
        group: str = GlobalComm.WORLD_COMM_GROUP,
    ) -> None:
        super().__init__(auto_prefix=False)
        if not isinstance(parameters, (list, tuple)) or not all(isinstance(p, Parameter) for p in parameters):
            expected = "the 'parameters' must be a list or tuple of Parameters"
            raise type_error(REDUCER, expected, shown(parameters))
        check_positive_int(REDUCER, "fusion_type", fusion_type)
        check_text(REDUCER, "group", group)
        if mean is not None:
            check_bool(REDUCER, "mean", mean)
        members = world.group_of(REDUCER, group).size
        self.mean = get_auto_parallel_context("gradients_mean") if mean is None else mean
        self.degree = members if degree is None else check_positive_int(REDUCER, "degree", degree)
        self._several, self._stay = members > 1, [p.layerwise_parallel for p in parameters]
        self._group, self._fusion = group, _fusion()
        object.__setattr__(self, "_travelling", [p for p in parameters if not p.layerwise_parallel])  # not its own
        self._compared = False
        self._reduce = _ReduceBuckets(group, self._factor(), self._fusion)

    def _factor(self):
        return 1.0 / self.degree if self.mean else 1.0

    def during_backward(self, weights: tuple[Parameter, ...], prepare: Callable[..., Any] | None = None) -> Any:
        """The reduction of the gradients of ``weights`` in a backward pass, to which ``Trace.gradients`` gives them.

        Args:
            weights (tuple[Parameter]): The Parameters.
            prepare (Callable): What is made of a tuple of gradients before they travel. Default: None, nothing.
        """
        travelling = [i for i, weight in enumerate(weights) if not weight.layerwise_parallel]
        buckets = buckets_of([weights[i].array for i in travelling], *self._fusion)
        buckets = [[travelling[k] for k in bucket] for bucket in buckets]
        members = world.group_of(REDUCER, self._group)
        return OverlappedReduction(members, weights, buckets, self._factor(), prepare)

    def construct(self, grads: Tensor | tuple[Tensor, ...] | Sequence[Tensor]) -> Any:
        for grad in leaves(grads) if isinstance(grads, (tuple, list)) else [grads]:
            if not isinstance(grad, Tensor):
                expected = "the 'grads' must be a Tensor, or a tuple or list of Tensors"
                raise type_error(REDUCER, expected, shown(grad))
        if self._several:
            return self._reduced(grads)
        return grads if self._factor() == 1.0 else map_leaves(lambda grad: grad * self._factor(), grads)

    def _warn_of_other_values(self):
        """Warn, at the first call, of Parameters that differ between processes: training cells make them equal.

        Gradients by other values do not belong together.
        """
        if self._compared:
            return
        members, mine = world.group_of(REDUCER, self._group), [p for p in self._travelling if not hasattr(p, "_common")]
        members.agree(REDUCER, f"the first gradients by {len(mine)} Parameters that no step has shared")
        checksums = [f"{crc32(np.ascontiguousarray(backend.to_host(p.array)).view(np.uint8))}" for p in mine]
        rows = zip(*[text.split() for text in members.exchange_texts(REDUCER, " ".join(checksums))], strict=True)
        # Only now: in all processes or in none. It bypasses `note_change`, since nothing computed depends on it.
        self.__dict__["_compared"] = True
        other = [p.name for p, row in zip(mine, rows, strict=True) if len(set(row)) > 1]
        if other and members.rank == 0:
            _log.warning("The processes reduce gradients by Parameters of which they have other values: %s.", other)

    def _reduced(self, grads):
        self._warn_of_other_values()
        found = select(Tensor, grads)
        if len(found) != len(self._stay):
            expected = f"the 'grads' must be {len(self._stay)}, one for each Parameter"
            raise value_error(REDUCER, expected, len(found))
        travelling = [g for g, stays in zip(found, self._stay, strict=True) if not stays]
        reduced = iter(self._reduce(*travelling) if travelling else ())
        out = [g if stays else next(reduced) for g, stays in zip(found, self._stay, strict=True)]
        return replace_leaves(Tensor, grads, out)
