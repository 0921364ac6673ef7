"""The bottom, below all layers of a thread: each operation and each cell outside of a ``silent`` block falls silent.

What runs in a silent block needs no bottom.
"""

import numpy as np

from minispore.core import backend, layers
from minispore.core.layers import BOTTOM, LOUD, composed
from minispore.core.running import running
from minispore.core.silence import silent

__all__ = []


def _compute(primitive, args, arrays):
    if running.silent:
        return primitive._computed(backend.xp, *arrays)
    if not layers.everywhere:  # an operation outside of all cells needs no fields of its own
        with np.errstate(all="ignore"):
            return primitive._computed(backend.xp, *arrays)
    with silent():
        around = composed(layers.everywhere, True)["around_compute"]  # the thread's own are above this bottom
        return (around or _compute)(primitive, args, arrays)


def _cell(cell, args, kwargs):
    if running.silent:
        return cell._run(*args, **kwargs)
    with silent():
        around = running.around_region
        return cell._run(*args, **kwargs) if around is None else around(cell._run, args, kwargs)


_BOTTOM = {"around_compute": _compute, "around_cell": _cell}
BOTTOM.update(_BOTTOM)
LOUD.update(_BOTTOM)
running.begin(LOUD)
