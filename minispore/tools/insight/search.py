"""The search for cells that must compute in float32: as few as halving finds, in the order of their calls.

A cell that exceeds the range hands its large numbers on to the next. So often a whole stretch of cells is needed. Its
end is found by doubling and halving: the runs grow with the logarithm of the number of cells.
"""

from functools import partial

from minispore.amp.policy.cast_cells import _OutputTo16

__all__ = []

_ROUNDS = 3  # stretches to look for, before all cells are taken
_PRUNED = 8  # at most so many runs try to leave cells out again


def cells_in_float32(reruns):
    """``(cells, scale)``: the step is finite with the cells in float32, at this scale unless it is None.

    None if no cells help.
    """
    every, lowest = reruns.cells_in_order(), None if reruns.scale is None else min(1.0, reruns.scale)
    known = {}

    def helps(cells):
        """True if the step is finite with the cells in float32, at the lowest scale."""
        key = frozenset(map(id, cells))
        if key not in known:
            known[key] = reruns.is_finite(lowest, cells=cells)
        return known[key]

    if not every or not helps(every):
        return None
    kept = _without_idle(_stretches(reruns, every, lowest, helps), helps)
    return kept, None if reruns.is_finite(cells=kept) else reruns.greatest_scale(kept, works=True)


def _stretches(reruns, every, lowest, helps):
    """Cells that help: stretches that begin at the source of the first non-finite number, or all cells."""
    kept = []
    for _ in range(_ROUNDS):
        origin = reruns.origin(kept, lowest)
        first = reruns.leader.chosen(partial(_innermost, origin, kept, every), every)
        if first is None:
            break
        kept.append(first)
        if helps(kept):
            return kept
        following = [cell for cell in every[every.index(first) + 1 :] if cell not in kept]
        length = _shortest(kept, following, helps)
        kept = kept + following[: length or 0]
        if length:
            return kept
    plain = [cell for cell in every if not isinstance(cell, _OutputTo16)]
    return plain if helps(plain) else every


def _innermost(origin, but, every):
    """The innermost cell around the origin, except the cells in ``but``."""
    cells = [cell for cell, _ in origin.event.site.cells] if origin is not None and origin.event else []
    return next((cell for cell in reversed(cells) if cell not in but and cell in every), None)


def _shortest(kept, following, helps):
    """The shortest run of the following cells that helps beside ``kept``, as a count; None if even all do not help."""
    length = 1
    while length < len(following) and not helps(kept + following[:length]):
        length *= 2
    low, high = length // 2, min(length, len(following))
    if not following or (high == len(following) and not helps(kept + following)):
        return None
    while high - low > 1:  # they help at high, but not at low
        middle = (low + high) // 2
        low, high = (low, middle) if helps(kept + following[:middle]) else (middle, high)
    return high


def _without_idle(kept, helps):
    """The cells without idle ones: one half is left out, then halves of the rest."""
    parts, runs = [kept], 0
    while parts and len(kept) > 1 and runs < _PRUNED:
        part = parts.pop(0)
        fewer = [cell for cell in kept if cell not in part]
        runs += bool(fewer)
        if fewer and helps(fewer):
            kept = fewer
        elif len(part) > 1:
            parts += [part[len(part) // 2 :], part[: len(part) // 2]]
    return kept
