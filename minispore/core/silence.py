"""Silence: what computes has NumPy's warnings off, since inf and nan are results here."""

import numpy as np

from minispore.core import layers
from minispore.core.layers import SILENT, composed, leave, switch
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
