"""A trace whose values are fixed: a pull-back may be called later, when Parameters have other values."""

from minispore.core.nest import map_leaves
from minispore.core.records import renamed
from minispore.core.tape import flatten, pass_through, record_outputs
from minispore.core.tensor import Tensor
from minispore.core.writes import stand_in

__all__ = []


def freeze(trace):
    """Fix the present values of the records' Tensors that no record made: Parameters, and Tensors from outside.

    An alias stands in for a Tensor that an outer derivative follows, so that the derivative reaches the Tensor.
    """
    made = {y for _, _, out in trace.records for y in (out if type(out) is tuple else (out,))}
    made = made.union(flatten(trace.inputs)).difference(trace.stand_ins)
    with trace._followed():
        named = {y for _, inputs, _ in trace.records for y in inputs if isinstance(y, Tensor)}
        fixed = {y: stand_in(y) for y in named if y not in made}
    for y, frozen in fixed.items():
        record_outputs(pass_through, (y,), frozen)
        trace.stand_ins.setdefault(y, []).append(frozen)
    for x, stand_ins in trace.stand_ins.items():
        trace.stand_ins[x] = [fixed.get(y, y) for y in stand_ins]
    trace.records = [renamed(record, fixed) for record in trace.records]
    trace.out = map_leaves(lambda y: fixed.get(y, y) if isinstance(y, Tensor) else y, trace.out)
