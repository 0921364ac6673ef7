"""Pass over a plan: sums to one axis, such as the gradients of biases, are put off and taken together.

Nothing may read one of them before. What is to be summed stays in memory until then, up to a limit.
"""

import math

from minispore.core.primitive import Primitive
from minispore.graph.recorder import Guard, Step, values_of
from minispore.ops.operations.reduce.reduction import ReduceSum

__all__ = []

_KEPT = 64 << 20  # bytes that may wait for the sums after them


class Sums(Primitive):
    """Several sums as one operation: inputs are the arrays.

    Args:
        sums (tuple): Pairs of a ``ReduceSum`` and its axes.
    """

    differentiable = False
    autocast = False

    def __init__(self, sums):
        self.sums = sums

    def infer(self, *xs):
        return tuple([primitive.infer(x, axes) for (primitive, axes), x in zip(self.sums, xs, strict=True)])

    def compute(self, xp, *xs):
        return tuple([primitive._computed(xp, x, axes) for (primitive, axes), x in zip(self.sums, xs, strict=True)])


def kept_axis(primitive, axes, rank):
    """The only axis of an array that a ``ReduceSum`` does not sum over; None if there is none or another."""
    axes = axes if isinstance(axes, (tuple, list)) else (axes,)
    if primitive.keep_dims or rank < 2 or not all(isinstance(i, int) for i in axes):
        return None
    left = set(range(rank)) - {i % rank for i in axes}
    return left.pop() if len(left) == 1 else None


def with_sums_together(steps, kept, recording):
    """The steps, with such sums merged.

    Args:
        steps (list): The steps of a plan.
        kept (set): The Values that are returned or written.
        recording (Recording): The record of the run.
    """
    groups, waiting, made, size = [], [], set(), 0
    for i, step in enumerate(steps):
        if not made.isdisjoint(values_of(step)) or size > _KEPT:
            groups.append(waiting)
            waiting, made, size = [], set(), 0
        if _is_to_one_axis(step, recording.memories):
            x = recording.memories[step.arguments[0].number]
            waiting.append(i)
            made.update(step.results)
            size += math.prod(x.shape) * x.dtype.itemsize
    merged = list(steps)
    for group in [group for group in (*groups, waiting) if len(group) > 1]:
        for i in group:
            merged[i] = None
        merged[group[-1]] = _merged([steps[i] for i in group])
    return [step for step in merged if step is not None]


def _is_to_one_axis(step, memories):
    if isinstance(step, Guard) or type(step.primitive) is not ReduceSum or len(values_of(step)) != 1:
        return False
    x, axes = step.arguments
    return kept_axis(step.primitive, axes, len(memories[x.number].shape)) is not None


def _merged(sums):
    primitive = Sums(tuple([(step.primitive, step.arguments[1]) for step in sums]))
    results = tuple([step.results[0] for step in sums])
    return Step(
        primitive, tuple([step.arguments[0] for step in sums]), results, False, any(step.scalar for step in sums)
    )
