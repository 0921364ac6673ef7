"""Pass over a recorded step: one launch unscales the gradients and updates the dynamic loss scale.

The step has two operations, ``Unscale`` and later ``AdvanceLossScale``. A device with one kernel for both replays
``UnscaleAndAdvance`` instead.
"""

from dataclasses import replace

from minispore.graph.recorder import Guard
from minispore.ops.casting import Cast
from minispore.ops.operations.array.reshaping import Reshape
from minispore.ops.operations.loss_scale import AdvanceLossScale, Unscale, UnscaleAndAdvance

__all__ = []


def with_scale_rules_merged(recording):
    """The recording, with each rule of a dynamic loss scale merged into the operation that finds the overflow.

    Two operations become one if both take the same scale, and the rule's state is known before the first of them.
    """
    made = {v: i for i, step in enumerate(recording.steps) if not isinstance(step, Guard) for v in step.results}
    steps = list(recording.steps)
    for i, rule in enumerate(recording.steps):
        at = _unscaling_of(recording, made, rule)
        if at is not None:
            steps[at], steps[i] = _merged(steps[at], rule), None
    return replace(recording, steps=[step for step in steps if step is not None])


def _unscaling_of(recording, made, rule):
    """The index of the step that a rule can be merged with, or None."""
    if isinstance(rule, Guard) or type(rule.primitive) is not AdvanceLossScale:
        return None
    *state, overflow = rule.arguments
    at = made.get(overflow)
    step = None if at is None else recording.steps[at]
    if step is None or type(step.primitive) is not Unscale or overflow != step.results[-1]:
        return None
    same = _origin(recording, made, step.arguments[0]) == _origin(recording, made, state[0])
    return at if same and all(made.get(v, -1) < at for v in state) else None


def _origin(recording, made, value):
    """The first value with the same numbers in the same type: behind reshapes and casts that change nothing."""
    while value in made:
        step = recording.steps[made[value]]
        before = step.arguments[0]
        if type(step.primitive) not in (Reshape, Cast) or _dtype(recording, before) != _dtype(recording, value):
            break
        value = before
    return value


def _dtype(recording, value):
    return recording.memories[value.number].dtype


def _merged(unscaling, rule):
    primitive = rule.primitive.cached_primitive(UnscaleAndAdvance, rule.primitive.factor, rule.primitive.window)
    arguments = *rule.arguments[:3], *unscaling.arguments[1:]
    results = *unscaling.results, *rule.results
    return unscaling._replace(primitive=primitive, arguments=arguments, results=results)
