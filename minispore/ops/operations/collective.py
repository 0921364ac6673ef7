"""Collective operations in one process: each is what it is in a group of one, the input itself, with all its checks.

They need no ``communication.init()``, since the size of the group is known without it.
"""

from minispore.checks import check_choice, check_int, is_int
from minispore.communication import GlobalComm, check_known_group
from minispore.dtype import as_dtype, from_numpy
from minispore.errors import shown, type_error, value_error
from minispore.ops.common import check_count, check_number, check_tensor
from minispore.ops.primitive import Primitive, Spec, prim_attr_register

__all__ = ["AllGather", "AllReduce", "AlltoAll", "Broadcast", "NeighborExchange", "ReduceOp", "ReduceScatter"]


class ReduceOp:
    """How the values of all processes become one: ``SUM``, ``MAX``, ``MIN`` or ``PROD``."""

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"


_KINDS = (ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PROD)


class _OfOne(Primitive):
    """Base of operations whose output is their input where the group has one member, and so is the gradient."""

    def __init__(self, group):
        check_known_group(self.name, group)

    def infer(self, x):
        check_number(self, "x", x)
        return x

    def compute(self, xp, x):
        return x.copy()

    def bprop(self, x, out, dout):
        return dout


class _OfOneInParts(_OfOne):
    """Base of those that share the axis 0 among the members."""

    def infer(self, x):
        check_tensor(self, "x", x)
        if not x.shape:
            raise value_error(self.name, "the 'x' must have at least one axis", f"shape {x.shape}")
        return x


class AllReduce(_OfOne):
    """The Tensors of all processes reduced elementwise; of one process, ``x`` itself.

    Args:
        op (str): "sum", "max", "min" or "prod". Default: ReduceOp.SUM.
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.
    """

    @prim_attr_register
    def __init__(self, op=ReduceOp.SUM, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(group)
        check_choice(self.name, "op", op, _KINDS)


class AllGather(_OfOneInParts):
    """The Tensors of all processes joined along axis 0; of one process, ``x`` itself.

    Args:
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.
    """

    @prim_attr_register
    def __init__(self, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(group)


class ReduceScatter(_OfOneInParts):
    """The Tensors of all processes reduced, and this process's part of axis 0; of one process, ``x`` itself.

    Args:
        op (str): "sum", "max", "min" or "prod". Default: ReduceOp.SUM.
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.
    """

    @prim_attr_register
    def __init__(self, op=ReduceOp.SUM, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(group)
        check_choice(self.name, "op", op, _KINDS)

    def infer(self, x):
        check_number(self, "x", x)
        return super().infer(x)


class AlltoAll(_OfOne):
    """``x`` cut along one axis, each part sent to another process, and what comes joined along another; itself here.

    Args:
        split_count (int): The size of the group, which is 1.
        split_dim (int): The axis that is cut.
        concat_dim (int): The axis that is joined.
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.
    """

    @prim_attr_register
    def __init__(self, split_count, split_dim, concat_dim, group=GlobalComm.WORLD_COMM_GROUP):
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


class _SeveralOfOne(Primitive):
    """Base of operations that hand a tuple of Tensors on, and so their gradients."""

    variadic = True

    def infer(self, *xs):
        return tuple(Spec(x.shape, x.dtype) for x in xs)

    def compute(self, xp, *xs):
        return tuple([x.copy() for x in xs])

    def bprop(self, *xs_out_dout):
        return xs_out_dout[-1]


class Broadcast(_SeveralOfOne):
    """A tuple of the Tensors that the process of a number has; of one process, its own.

    Args:
        root_rank (int): The number of the process, which is 0.
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.
    """

    @prim_attr_register
    def __init__(self, root_rank, group=GlobalComm.WORLD_COMM_GROUP):
        check_known_group(self.name, group)
        if check_int(self.name, "root_rank", root_rank) != 0:
            raise value_error(self.name, "the 'root_rank' must be 0, since there is one process", root_rank)


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


class NeighborExchange(_SeveralOfOne):
    """A tuple of the Tensors that other processes have sent to this one; of one process, what it sends to itself.

    Args:
        send_rank_ids (list[int]): To whom each Tensor goes: ``[0]``.
        recv_rank_ids (list[int]): From whom each comes: ``[0]``.
        recv_shapes (tuple[list[int]]): The shapes of those that come.
        send_shapes (tuple[list[int]]): The shapes of those that go, the same.
        recv_type (DType): The type of those that come.
        group (str): A world group or a created one. Default: GlobalComm.WORLD_COMM_GROUP.
    """

    @prim_attr_register
    def __init__(
        self, send_rank_ids, recv_rank_ids, recv_shapes, send_shapes, recv_type, group=GlobalComm.WORLD_COMM_GROUP
    ):
        check_known_group(self.name, group)
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
