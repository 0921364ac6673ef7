"""Unpacked float16: between its operations a replay keeps float16 values as float32 arrays, rounded to float16 numbers.

An operation on float16 computes in float32 and rounds once. NumPy has no fast conversion to 16 bits and back. If every
producer and reader of a value computes that way, it need not be packed. Rounding in place is half the work, and gives
the same numbers bit for bit. On other devices float16 itself is the fastest.
"""

import math

import numpy as np

from minispore.graph.facts import float16_form
from minispore.graph.recorder import Guard, Value
from minispore.ops.casting import Cast
from minispore.ops.kernels.float16.cast import narrow
from minispore.ops.kernels.float16.round_in_float32 import on_half_grid

_HALF, _SINGLE, _BOOL = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.bool_)
_CASTS = (_HALF, _SINGLE), (_SINGLE, _HALF), (_BOOL, _HALF)
_SMALL = 1 << 10  # fewer elements gain nothing


def wide_values(plan, memories):
    """The numbers of the float16 values that can stay in float32 arrays."""
    kept = {y.number for y in plan.returned if isinstance(y, Value)} | {v.number for _, v in plan.writes}
    made, used_otherwise = set(), set()
    for step in plan.steps:
        if not isinstance(step, Guard) and _computes_wide(step, memories):
            made |= {v.number for v in step.results if _is_large_half(memories[v.number])}
        else:
            used_otherwise |= set(_numbers(step))
    return made - kept - used_otherwise


def wide_steps(plan, memories, wide):
    """Substitutes for ``compute`` in the steps that read or make an unpacked value: a dict by step index."""
    return {i: _form(step, memories, wide) for i, step in enumerate(plan.steps) if _meets(step, wide)}


def _meets(step, wide):
    """True if the step reads or makes an unpacked value."""
    return not isinstance(step, Guard) and not wide.isdisjoint((*_numbers(step), *(v.number for v in step.results)))


def to_widen(step, memories, wide):
    """The numbers of a step's packed float16 arguments to unpack, since it has unpacked values, too."""
    if not _meets(step, wide) or isinstance(step.primitive, Cast):
        return set()
    return {n for n in _numbers(step) if memories[n].dtype == _HALF} - wide


def handed_on(plan, forms):
    """The numbers of the float32 values that share an unpacked value's memory: their Cast to float32 does nothing."""
    return {plan.steps[i].results[0].number for i, form in forms.items() if form is _as_it_is}


def _numbers(step):
    return (
        [step.value.number] if isinstance(step, Guard) else [a.number for a in step.arguments if isinstance(a, Value)]
    )


def _computes_wide(step, memories):
    if isinstance(step.primitive, Cast):
        (x,), (out,) = _numbers(step), step.results
        return (memories[x].dtype, memories[out.number].dtype) in _CASTS
    return float16_form(step.primitive) is not None


def _is_large_half(memory):
    return memory.dtype == _HALF and math.prod(memory.shape) >= _SMALL


def _form(step, memories, wide):
    if isinstance(step.primitive, Cast):
        return _rounded_copy if step.results[0].number in wide else _as_it_is
    exact, compute = float16_form(step.primitive) == "exact", step.primitive.compute_in_float32
    halves = [memories[v.number].dtype == _HALF for v in step.results]
    stays = [v.number in wide for v in step.results]

    def finished(xp, y, half, stay):
        if not half or (stay and exact):
            return y
        return on_half_grid(xp, y) if stay else narrow(xp, np.asarray(y), _HALF)

    def run(xp, *arrays):
        made = compute(xp, *arrays)
        made = made if type(made) is tuple else (made,)
        made = tuple([finished(xp, *each) for each in zip(made, halves, stays, strict=True)])
        return made[0] if step.single else made

    return run


def _rounded_copy(xp, x, dtype):
    return x.astype(_SINGLE) if x.dtype == _BOOL else on_half_grid(xp, x, xp.empty(x.shape, _SINGLE))


def _as_it_is(xp, x, dtype):
    return x
