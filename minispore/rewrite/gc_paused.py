"""The garbage collector, paused while a function makes very many objects that stay.

Each such search walks over all that was made before, so that ten times as many nodes would take more than ten times as
long. What the function drops is freed as ever, but for cycles, which the next search finds.
"""

import functools
import gc

__all__ = ["uncollected"]


def uncollected(function):
    """The function, with the collector of cyclic garbage paused while it runs."""

    @functools.wraps(function)
    def inner(*args, **kwargs):
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            if was_enabled:
                gc.enable()

    return inner
