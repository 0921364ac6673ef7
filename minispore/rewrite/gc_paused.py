"""Pauses the search for cyclic garbage while a function makes very many objects that stay.

Each such search visits all objects made before, so that ten times as many nodes would take more than ten times as
long. Reference counting still frees objects, except cycles, which the next search finds.
"""

import functools
import gc

__all__ = ["uncollected"]


def uncollected(function):
    """The function, with the cyclic garbage collector paused while it runs."""

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
