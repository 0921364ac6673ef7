"""Pass over a plan: what depends on no input and no Tensor from outside is computed once, before the first replay."""

import math

from minispore.core import backend
from minispore.core.silence import silent
from minispore.graph import facts
from minispore.graph.recorder import Guard, Value

__all__ = []

_LARGEST = 1 << 20  # bytes of a result that is kept


def with_constants_computed(steps, kept, recording):
    """The steps that depend on anything; the others' results are constants of theirs.

    Args:
        steps (list): The steps of a plan.
        kept (set): The Values that are returned or written: they are new in each replay.
        recording (Recording): The record of the run.
    """
    kept = kept | {step.value for step in steps if isinstance(step, Guard)}
    known, left = {}, []
    for step in steps:
        if not isinstance(step, Guard):
            arguments = tuple([known.get(x, x) if isinstance(x, Value) else x for x in step.arguments])
            step = step._replace(arguments=arguments)
            if _is_constant(step, kept, recording.memories):
                known.update(zip(step.results, _computed(step), strict=True))
                continue
        left.append(step)
    return left


def _is_constant(step, kept, memories):
    """True if a step has no argument that may change, and results that are small and stay inside."""
    primitive, made = step.primitive, [memories[v.number] for v in step.results]
    if primitive.random or primitive.writes or not primitive.ours or facts.runs_python(primitive):
        return False
    if any(isinstance(x, Value) for x in step.arguments) or not made or not kept.isdisjoint(step.results):
        return False
    return all(math.prod(x.shape) * x.dtype.itemsize <= _LARGEST for x in made)


def _computed(step):
    with silent():
        made = step.primitive._computed(backend.xp, *step.arguments)
    made = backend.as_arrays(step.primitive.name, made)
    return (made,) if step.single else made
