"""Silence: what computes has NumPy's warnings off, since inf and nan are results here.

Outside of a ``silent`` block each cell falls silent by itself, at the bottom, below all layers of its thread; so does
an operation outside of all cells (``lone_operations.py``). What runs in a silent block needs no bottom.
"""

import numpy as np

from minispore.core import layers
from minispore.core.layers import BOTTOM, LOUD, SILENT, composed, leave, switch
from minispore.core.running import running

__all__ = []


class silent:  # noqa: N801 - it reads as a function, in `with silent()`
    """Compute without NumPy's warnings during a ``with`` block, under the layers that are in force everywhere."""

    def __enter__(self):
        before = running.fields
        if before["silent"]:
            self._switched = None
            return
        self._errors = np.errstate(all="ignore")
        self._errors.__enter__()
        try:
            self._ours = layers.everywhere
            found = self._ours + before["layers"]
            self._switched = before, composed(found, True) if found else SILENT
            switch(*self._switched)
        except BaseException:
            self._errors.__exit__(None, None, None)
            raise

    def __exit__(self, *error):
        if self._switched is None:
            return
        try:
            leave(*self._switched, self._ours)
        finally:
            self._errors.__exit__(*error)


# The bottom of a cell, below all layers


def _cell(cell, args, kwargs):
    if running.silent:
        return cell._run(*args, **kwargs)
    with silent():
        around = running.around_region
        return cell._run(*args, **kwargs) if around is None else around(cell._run, args, kwargs)


BOTTOM["around_cell"] = LOUD["around_cell"] = _cell
