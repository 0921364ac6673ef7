"""One line for each collective primitive, which one process computes alone; none without that room."""

from minispore import ops
from minispore.tools.testing.primitives.case import line, reals

__all__ = []

_THERE = hasattr(ops, "AllReduce")
LINES = [
    line(ops.AllReduce(), reals(2, 3), oracle=lambda x: x),
    line(ops.AllReduce("max", "nccl_world_group"), reals(2, 3), oracle=lambda x: x),
    line(ops.AllGather(), reals(2, 3), oracle=lambda x: x),
    line(ops.ReduceScatter(), reals(2, 3), oracle=lambda x: x),
    line(ops.AlltoAll(1, 0, 1), reals(2, 3), oracle=lambda x: x),
    line(ops.Barrier(), oracle=lambda: 1),
    line(ops.Broadcast(0), reals(2, 3), oracle=lambda x: (x,)),
    line(ops.Broadcast(0), reals(2, 3), reals(), oracle=lambda x, y: (x, y)),
] if _THERE else []  # fmt: skip
