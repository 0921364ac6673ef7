"""Plan: a recording without repeated computations, and the last use of each value: then its memory is reused."""

from typing import NamedTuple

import numpy as np

from minispore.graph.facts import computes_into, owns_memory
from minispore.graph.outputs import shape_of
from minispore.graph.recorder import Guard, Value

_REUSABLE = (np.dtype(np.float32), np.dtype(np.float64))


class Plan(NamedTuple):
    """The steps of a replay, and the lifetimes of their values."""

    steps: list
    returned: list
    writes: list
    gone: dict  # step -> numbers of the values that are used there for the last time
    into: dict  # step -> number of a value; the result takes over its memory


def plan_of(first, second, passes=()):
    """The Plan of two equal recordings.

    Each of ``passes`` is given the steps, the Values that are returned or written, and ``second``. It returns steps
    that compute the same in a way that suits a device.
    """
    steps, returned, writes, repeated = _without_repetition(second)
    kept = {y for y in returned if isinstance(y, Value)} | {v for _, v in writes}
    for changed in passes:
        steps = changed(steps, kept, second)
    plan = Plan(steps, returned, writes, _gone(steps, returned, writes), {})
    plan.into.update(_reuses(plan, repeated, first, second))
    return plan


def _without_repetition(recording):
    """Common subexpressions removed, such as the repeated cast of a weight: ``(steps, returned, writes, shared)``.

    ``shared`` holds the numbers of the values that replace others.
    """
    same, seen, steps = {}, {}, []

    def canonical(x):
        return same.get(x, x) if isinstance(x, Value) else x

    for step in recording.steps:
        if isinstance(step, Guard):
            steps.append(step._replace(value=canonical(step.value)))
            continue
        step = step._replace(arguments=tuple(map(canonical, step.arguments)))
        # Not computed once for two: a draw, a write, and a user's primitive: it may have invisible effects.
        again = step.primitive.random or step.primitive.writes or not step.primitive.ours
        earlier = None if again else _earlier(seen, step)
        if earlier is None:
            steps.append(step)
        else:
            same.update(zip(step.results, earlier.results, strict=True))
    writes = [(t, canonical(v)) for t, v in recording.writes]
    return steps, [canonical(y) for y in recording.returned], writes, {v.number for v in same.values()}


def _earlier(seen, step):
    """The equal earlier step; otherwise None, and this step is entered for later ones."""
    key = step.primitive, step.arguments
    try:
        earlier = seen.setdefault(key, step)
    except TypeError:  # an argument that is not hashable, such as a slice
        return None
    alike = earlier is not step and all(map(_same_kind, earlier.arguments, step.arguments))
    return earlier if alike else None


def _same_kind(a, b):
    return shape_of(a) == shape_of(b)  # 1, 1.0 and True are equal keys, 0.0 and -0.0 too


def _gone(steps, returned, writes):
    kept = {y for y in returned if isinstance(y, Value)} | {v for _, v in writes}
    last = {}
    for i, step in enumerate(steps):
        values = (step.value,) if isinstance(step, Guard) else (*step.arguments, *step.results)
        last.update((v, i) for v in values if isinstance(v, Value) and v not in kept)
    gone = {}
    for v, i in last.items():
        gone.setdefault(i, []).append(v.number)
    return gone


def _reuses(plan, repeated, first, second):
    """Pairs of a step and an argument: the result can take over the memory, since this is the memory's last use.

    An earlier step made and owns that memory. So it never belongs to an input, an outside Tensor or a Parameter, and is
    no view of one. Values that replace others are excluded: views of the replaced values have become views of them.
    """
    holders = _holders(plan.steps, second.memories)
    dead, owned = set(), set()
    for i, step in enumerate(plan.steps):
        dying = plan.gone.get(i, ())
        dead.update(dying)
        if not isinstance(step, Guard):
            owned.update(_owned(step, second.memories) - repeated)
            n = _reusable(step, owned.intersection(dying), dead, holders, first, second)
            if n is not None:
                yield i, n


def _owned(step, memories):
    """The numbers of the results that own their memory; only for a primitive that declares this of all its results.

    A user's primitive declares nothing: it may keep its result.
    """
    if not owns_memory(step.primitive):
        return set()
    return {v.number for v in step.results if memories[v.number].owner == v.number}


def _reusable(step, dying, dead, holders, first, second):
    """The number of an argument whose memory the step's result can take: one of ``dying``, or None."""
    if not computes_into(step.primitive):
        return None
    out = second.memories[step.results[0].number]
    for n in {a.number: None for a in step.arguments if isinstance(a, Value) and a.number in dying}:
        memory = second.memories[n]
        alone = holders[n] - {step.results[0].number} <= dead
        fits = (memory.shape, memory.dtype, memory.strides) == (out.shape, out.dtype, out.strides)
        if alone and fits and memory.whole and memory.dtype in _REUSABLE and not _is_kept(n, first, second):
            return n
    return None


def _is_kept(n, first, second):
    """True if both runs got the very same array: then the primitive keeps it."""
    array = first.memories[n].array()
    return array is not None and array is second.memories[n].array()


def _holders(steps, memories):
    """Map the owner of each piece of memory to the numbers of all values that lie, or may lie, in it."""
    holders, pieces = {}, {}
    for n, memory in enumerate(memories):
        holders.setdefault(memory.owner, set()).add(n)
        pieces[n] = {memory.owner}
    for step in steps:
        if isinstance(step, Guard) or owns_memory(step.primitive):
            continue
        taken = [pieces[a.number] for a in step.arguments if isinstance(a, Value)]
        for v in step.results:
            pieces[v.number] = pieces[v.number].union(*taken)
            for owner in pieces[v.number]:
                holders[owner].add(v.number)
    return holders
