"""Collective operations of the processes of a group on their Tensors; in a group of one, the input itself.

Over MPI the arrays travel through the host's memory, over NCCL from GPU to GPU. All processes must make the same calls
in the same order, backward too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from minispore.core.checks import check_choice, check_int, is_int
from minispore.core.dtype import NARROW_FLOATS, DType, as_dtype, from_numpy
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.decorators import prim_attr_register
from minispore.ops.shape_checks import check_count
from minispore.ops.type_checks import check_number, check_tensor
from minispore.parallel.communication import GlobalComm, world
from minispore.parallel.communication.world import check_known_group

__all__ = [
    "AllGather",
    "AllReduce",
    "AlltoAll",
    "Barrier",
    "Broadcast",
    "NeighborExchange",
    "ReduceOp",
    "ReduceScatter",
]


class ReduceOp:
    """Ways to make one value of those of all processes: ``SUM``, ``MAX``, ``MIN`` or ``PROD``.

    Examples:
        >>> from minispore import ops
        >>> ops.ReduceOp.SUM
        'sum'
    """

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"


_KINDS = (ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PROD)


class _Collective(Primitive):
    """Base of the operations that a group of processes does together; alone, a process copies its input."""

    def __init__(self, group) -> None:
        check_known_group(self.name, group)

    @property
    def communicates(self):
        """True if a call waits for other processes."""
        return self._members().size > 1

    def _members(self):
        return world.group_of(self.name, self.group)

    def infer(self, x):
        check_number(self, "x", x)
        return x

    def compute(self, xp, x):
        members = self._members()
        return x.copy() if members.size == 1 else xp.asarray(self._together(members, members.taken(x)))

    def _together(self, members, x):
        """The output of several processes, from this one's array."""
        raise NotImplementedError(
            f"For '{self.name}', a group of {members.size} processes is not supported: use AllReduce, AllGather, "
            "ReduceScatter or Broadcast."
        )

    def bprop(self, x, out, dout):
        return dout


class _InParts(_Collective):
    """Base of those that share the axis 0 among the members."""

    def infer(self, x):
        check_tensor(self, "x", x)
        if not x.shape:
            raise value_error(self.name, "the 'x' must have at least one axis", f"shape {x.shape}")
        return x


class AllReduce(_Collective):
    """The Tensors of all processes combined elementwise; narrow floats are summed in float32 and rounded once.

    The gradient is that of the sum of all processes' losses. For "sum" it is the sum of theirs, for "max" and "min"
    that sum where ``x`` is the result, for "prod" that sum times the product of the others.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        op (str): "sum", "max", "min" or "prod". Default: ReduceOp.SUM.
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.

    Raises:
        TypeError: If ``op`` or ``group`` is not a str, or ``x`` is not a Tensor.
        ValueError: If ``op`` or ``group`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AllReduce("sum")(ms.Tensor([1.0, 2.0])))  # one process alone
        [1. 2.]
    """

    @prim_attr_register
    def __init__(self, op: str = ReduceOp.SUM, group: str = GlobalComm.WORLD_COMM_GROUP) -> None:
        super().__init__(group)
        check_choice(self.name, "op", op, _KINDS)

    def _together(self, members, x):
        return members.all_reduce(self.name, x, self.op)

    def bprop(self, x, out, dout):
        if not self.communicates:
            return dout
        total = self.cached_primitive(AllReduce, ReduceOp.SUM, self.group)(dout)
        if self.op == ReduceOp.SUM:
            return total
        if self.op == ReduceOp.PROD:
            return total * self.cached_primitive(_ProductOfOthers, self.group)(x)
        return total * (x == out).astype(dout.dtype)


class _ProductOfOthers(_Collective):
    """The product of the Tensors of all processes but this one."""

    differentiable = False

    @prim_attr_register
    def __init__(self, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(group)

    def _together(self, members, x):
        everyones = members.all_gather(self.name, x)
        others = everyones[[i for i in range(members.size) if i != members.rank]]
        return others.prod(axis=0, dtype=np.float32 if x.dtype in NARROW_FLOATS else None).astype(x.dtype)


class AllGather(_InParts):
    """The Tensors of all processes joined along axis 0, in the order of their numbers.

    The gradient is this process's part of the sum of all processes' gradients.

    Shapes: (N, ...) gives (N times the number of processes, ...). Dtypes: floats, ints and bools, kept; TypeError for
    complex.

    Args:
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.

    Raises:
        TypeError: If ``group`` is not a str, or ``x`` is not a Tensor.
        ValueError: If ``group`` is unknown, or ``x`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AllGather()(ms.Tensor([1.0, 2.0])))  # one process alone
        [1. 2.]
    """

    @prim_attr_register
    def __init__(self, group: str = GlobalComm.WORLD_COMM_GROUP) -> None:
        super().__init__(group)

    def infer(self, x):
        x = super().infer(x)
        return Spec((x.shape[0] * self._members().size, *x.shape[1:]), x.dtype)

    def _together(self, members, x):
        return members.all_gather(self.name, x).reshape(-1, *x.shape[1:])

    def bprop(self, x, out, dout):
        if not self.communicates:
            return dout
        return self.cached_primitive(ReduceScatter, ReduceOp.SUM, self.group)(dout)


class ReduceScatter(_InParts):
    """The Tensors of all processes combined as by :class:`AllReduce`, of which each gets its part along axis 0.

    The gradient of "sum" is those of all processes joined along axis 0.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        op (str): "sum", "max", "min" or "prod". Default: ReduceOp.SUM.
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.

    Raises:
        TypeError: If ``op`` or ``group`` is not a str, or ``x`` is not a Tensor.
        ValueError: If ``op`` or ``group`` is unknown, or ``x`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ReduceScatter("sum")(ms.Tensor([1.0, 2.0])))  # one process alone
        [1. 2.]
    """

    @prim_attr_register
    def __init__(self, op: str = ReduceOp.SUM, group: str = GlobalComm.WORLD_COMM_GROUP) -> None:
        super().__init__(group)
        check_choice(self.name, "op", op, _KINDS)

    def infer(self, x):
        check_number(self, "x", x)
        x = super().infer(x)
        return Spec((self._part(x.shape, self._members()), *x.shape[1:]), x.dtype)

    def _part(self, shape, members):
        """The length of axis 0 of a process's part."""
        length, rest = divmod(shape[0], members.size)
        if rest:
            expected = f"the length of the axis 0 of 'x' must be divisible by the {members.size} processes"
            raise value_error(self.name, expected, shape[0])
        return length

    def _together(self, members, x):
        self._part(x.shape, members)  # the primitive may have been called in another group of this name before
        return members.reduce_scatter(self.name, x, self.op)

    def bprop(self, x, out, dout):
        if not self.communicates:
            return dout
        if self.op != ReduceOp.SUM:
            raise NotImplementedError(
                f"For 'ReduceScatter', the gradient of '{self.op}' is not defined: use AllReduce."
            )
        return self.cached_primitive(AllGather, self.group)(dout)


class AlltoAll(_Collective):
    """``x`` cut along one axis, each part sent to another process, and what comes joined along another; itself here.

    Shapes: as ``x``; ``split_dim`` is divided by ``split_count``, ``concat_dim`` multiplied. Dtypes: floats, ints and
    bools, kept; TypeError for complex.

    Args:
        split_count (int): The size of the group, which is 1.
        split_dim (int): The axis that is cut.
        concat_dim (int): The axis that is joined.
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.

    Raises:
        TypeError: If ``split_count``, ``split_dim`` or ``concat_dim`` is not an int, ``group`` is not a str, or ``x``
            is not a Tensor.
        ValueError: If ``split_count`` is not 1, the size of the group, ``group`` is unknown, or ``split_dim`` is no
            axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AlltoAll(split_count=1, split_dim=0, concat_dim=0)(ms.Tensor([1.0, 2.0])))  # one process alone
        [1. 2.]
    """

    @prim_attr_register
    def __init__(
        self, split_count: int, split_dim: int, concat_dim: int, group: str = GlobalComm.WORLD_COMM_GROUP
    ) -> None:
        super().__init__(group)
        if check_int(self.name, "split_count", split_count) != 1:
            raise value_error(self.name, "the 'split_count' must be 1, the size of the group", split_count)
        check_int(self.name, "split_dim", split_dim)
        check_int(self.name, "concat_dim", concat_dim)

    def infer(self, x):
        check_tensor(self, "x", x)
        for name in ("split_dim", "concat_dim"):
            axis, rank = getattr(self, name), len(x.shape)
            if not -rank <= axis < rank:
                raise value_error(self.name, f"the '{name}' must be in [-{rank}, {rank})", axis)
        return x


class Barrier(_Collective):
    """Wait until all processes of the group have called it; the output is their number, an int32.

    Args:
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.

    Raises:
        TypeError: If ``group`` is not a str.
        ValueError: If ``group`` is unknown.

    Examples:
        >>> from minispore import ops
        >>> print(ops.Barrier()())  # one process alone
        1
    """

    differentiable = False

    @prim_attr_register
    def __init__(self, group: str = GlobalComm.WORLD_COMM_GROUP) -> None:
        super().__init__(group)

    def infer(self):
        return Spec((), np.dtype(np.int32))

    def compute(self, xp):
        members = self._members()
        if members.size > 1:
            members.barrier(self.name)
        return xp.asarray(members.size, np.int32)


class _Several(_Collective):
    """Base of operations that hand a tuple of Tensors on, and so their gradients."""

    variadic = True

    def infer(self, *xs):
        return tuple(Spec(x.shape, x.dtype) for x in xs)

    def compute(self, xp, *xs):
        members = self._members()
        if members.size == 1:
            return tuple([x.copy() for x in xs])
        return tuple([xp.asarray(y) for y in self._together(members, [members.taken(x) for x in xs])])

    def bprop(self, *xs_out_dout):
        return xs_out_dout[-1]


class Broadcast(_Several):
    """A tuple of the Tensors that the process of a number in the group has.

    The gradient is the sum of all processes' gradients in that process, and 0 in the others.

    Dtypes: floats, ints and bools, kept; TypeError for complex.

    Args:
        root_rank (int): The number of the process.
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.

    Raises:
        TypeError: If ``root_rank`` is not an int, ``group`` is not a str, or an element of the input is not a Tensor.
        ValueError: If ``root_rank`` is out of range, or ``group`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Broadcast(0)((ms.Tensor([1.0, 2.0]),)))  # one process alone
        [1. 2.]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    @prim_attr_register
    def __init__(self, root_rank: int, group: str = GlobalComm.WORLD_COMM_GROUP) -> None:
        super().__init__(group)
        members = self._members()
        if not 0 <= check_int(self.name, "root_rank", root_rank) < members.size:
            expected = f"the 'root_rank' must be in [0, {members.size}), the numbers of the group's processes"
            raise value_error(self.name, expected, root_rank)

    def _together(self, members, xs):
        return members.broadcast(self.name, xs, self.root_rank)

    def bprop(self, *xs_out_dout):
        gradients, members = xs_out_dout[-1], self._members()
        if members.size == 1:
            return gradients
        total = self.cached_primitive(AllReduce, ReduceOp.SUM, self.group)
        return tuple([total(g) * float(members.rank == self.root_rank) for g in gradients])


def _check_ranks(operation, argument, ranks):
    """Raise an error unless ``ranks`` is a list of process numbers: zeros, since there is one process."""
    if not isinstance(ranks, (list, tuple)) or not all(map(is_int, ranks)):
        raise type_error(operation, f"the '{argument}' must be a list of ints", shown(ranks))
    if list(ranks) != [0]:
        raise value_error(operation, f"the '{argument}' must be [0], since there is one process", shown(ranks))


def _check_shapes(operation, argument, shapes):
    """``shapes``, as a list of one tuple."""
    lists = isinstance(shapes, (list, tuple)) and all(isinstance(shape, (list, tuple)) for shape in shapes)
    if not lists or not all(is_int(n) for shape in shapes for n in shape):
        raise type_error(operation, f"the '{argument}' must be a tuple of lists of ints", shown(shapes))
    if len(shapes) != 1:
        raise value_error(operation, f"the '{argument}' must have one shape, that of the one process", shown(shapes))
    return [tuple(shape) for shape in shapes]


class NeighborExchange(_Several):
    """A tuple of the Tensors that other processes have sent to this one; one process alone sends to itself.

    Dtypes: float32, kept; TypeError for float16, float64, ints, bools and complex.

    Args:
        send_rank_ids (list[int]): To whom each Tensor goes: ``[0]``.
        recv_rank_ids (list[int]): From whom each comes: ``[0]``.
        recv_shapes (tuple[list[int]]): The shapes of those that come.
        send_shapes (tuple[list[int]]): The shapes of those that go, the same.
        recv_type (DType): The type of those that come.
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.

    Raises:
        TypeError: If ``send_rank_ids`` or ``recv_rank_ids`` is not a list of ints, or ``recv_shapes`` or
            ``send_shapes`` is not a tuple of lists of ints. Also if ``recv_type`` is not a dtype, or ``group`` is not a
            str.
        ValueError: If ``send_rank_ids`` or ``recv_rank_ids`` is not [0], since there is one process. Also if
            ``recv_shapes`` or ``send_shapes`` does not have one shape, that of the one process, or ``group`` is
            unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> exchange = ops.NeighborExchange([0], [0], [(2,)], [(2,)], ms.float32)
        >>> print(*exchange((ms.Tensor([1.0, 2.0]),)))  # one process alone
        [1. 2.]
    """

    @prim_attr_register
    def __init__(
        self,
        send_rank_ids: Sequence[int],
        recv_rank_ids: Sequence[int],
        recv_shapes: tuple[Sequence[int], ...],
        send_shapes: tuple[Sequence[int], ...],
        recv_type: DType,
        group: str = GlobalComm.WORLD_COMM_GROUP,
    ) -> None:
        super().__init__(group)
        _check_ranks(self.name, "send_rank_ids", send_rank_ids)
        _check_ranks(self.name, "recv_rank_ids", recv_rank_ids)
        sent = _check_shapes(self.name, "send_shapes", send_shapes)
        if _check_shapes(self.name, "recv_shapes", recv_shapes) != sent:
            raise value_error(self.name, "the 'recv_shapes' must be the 'send_shapes'", shown(recv_shapes))
        self._shapes, self._type = sent, as_dtype(recv_type, self.name, "recv_type").np

    def infer(self, *xs):
        check_count(self, xs, len(self._shapes))
        for i, (x, shape) in enumerate(zip(xs, self._shapes, strict=True)):
            if x.shape != shape:
                raise value_error(self.name, f"the element {i} of the input must have the shape {shape}", x.shape)
            if x.dtype != self._type:
                raise type_error(self.name, f"the element {i} must be of {from_numpy(self._type)}", from_numpy(x.dtype))
        return super().infer(*xs)
