"""The rule of a dynamic loss scale: one launch, or a part of the one that looks for overflow."""

import functools

import numpy as np

from minispore.devices.cuda.launch import elementwise
from minispore.devices.cuda.multi_tensor import UNSCALE, UNSCALE_ONLY, unscaled

__all__ = []

# ``overflow`` is a bool, ``wide`` the scale in float64, ``step`` and ``last`` ints, ``factor``, ``window``, ``largest``
_RULE = """
    int now = {step} + 1;
    bool grows = !overflow && now - {last} >= window;
    {new_step} = now;
    {new_last} = overflow || grows ? now : {last};
    if (overflow) wide = fmax(fmin(wide, largest) / factor, 1.0);
    else if (grows && wide * factor <= largest) wide *= factor;
"""
_LARGEST = float(np.finfo(np.float32).max)
_ALONE = (
    "advance_loss_scale",
    "T scale, raw int32 step, raw int32 last, raw bool told, float64 factor, int64 window, float64 largest",
    "T new_scale, int32 new_step, int32 new_last",
    "double wide = scale; bool overflow = told[0];"
    + _RULE.format(step="step[0]", last="last[0]", new_step="new_step", new_last="new_last")
    + "new_scale = T(wide);",
)


def _fits(scale, step, last):
    """True if the state is as the update cell keeps it."""
    return scale.dtype == np.float32 and {step.dtype, last.dtype} == {np.dtype(np.int32)}


def advanced(xp, scale, step, last, overflow, factor, window):
    """(scale, step, last) after a step; None unless they are as the update cell keeps them, and overflow a bool."""
    if not hasattr(xp, "RawKernel") or not _fits(scale, step, last) or overflow.dtype != bool:
        return None
    new, count, change = elementwise(xp, *_ALONE)(scale, step, last, overflow, factor, window, _LARGEST)
    return new, count.reshape(step.shape), change.reshape(last.shape)


def unscaled_and_advanced(xp, scale, step, last, arrays, factor, window):
    """Results of ``multi_tensor.unscaled``, and (scale, step, last) after such a step; None likewise."""
    if not _fits(scale, step, last):
        return None
    news = [xp.empty(x.shape, x.dtype) for x in (scale, step, last)]
    found = unscaled(xp, scale, arrays, with_rule(float(factor), window), (step, last), news)
    return None if found is None else (*found, *news)


def rule_of(xp, unscale, scale, state):
    """The rule of an ``Unscale``, or of an ``UnscaleAndAdvance`` with its ``state``, and its 0-d results.

    None unless the state is as the update cell keeps it.
    """
    overflow = xp.empty((), bool)
    if not state:
        return (UNSCALE_ONLY, (overflow,)) if scale.dtype == np.float32 else None
    if not _fits(scale, *state):
        return None
    news = [xp.empty(x.shape, x.dtype) for x in (scale, *state)]
    return with_rule(float(unscale.factor), unscale.window), (overflow, *news)


@functools.cache
def with_rule(factor, window):
    """The rule of unscaling with this one at its end."""
    names = {"step": "*step_", "last": "*last_", "new_step": "*new_step", "new_last": "*new_last"}
    numbers = f"double wide = *scale_, factor = {factor!r}, largest = {_LARGEST!r}; long long window = {window};"
    return UNSCALE._replace(
        name="unscale_and_advance",
        numbers=(*UNSCALE.numbers, "step", "last"),
        results=(*UNSCALE.results, "new_scale", "new_step", "new_last"),
        last=UNSCALE.last.format(more=f"{numbers}{_RULE.format(**names)}    *new_scale = float(wide);"),
    )
