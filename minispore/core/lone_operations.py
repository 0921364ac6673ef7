"""Operations outside of all cells: each falls silent by itself, at the bottom, below all layers of its thread."""

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


BOTTOM["around_compute"] = LOUD["around_compute"] = _compute
running.begin(LOUD)
