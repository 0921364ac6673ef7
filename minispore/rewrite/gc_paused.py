"""Pause the search for cyclic garbage while very many lasting objects are made, and while Python parses.

Each such search visits all objects made before, so that ten times as many nodes would take more than ten times as
long. Reference counting still frees objects, except cycles, which the next search finds.

Python 3.11 counts the depth of the syntax that it makes in one place for all threads. If a search runs code of a
finalizer's meanwhile, another thread may parse too. Then parsing fails by a SystemError. Without one no other thread
gets its turn.
"""

import ast
import functools
import gc
import threading

__all__ = ["parsed", "uncollected"]


class _Pause:
    """No collection while any thread is inside: the last one to leave resumes it, if the first one found it on."""

    def __init__(self):
        self._lock, self._inside, self._resumes = threading.RLock(), 0, False

    def __enter__(self):
        with self._lock:
            if not self._inside:
                self._resumes = gc.isenabled()
                gc.disable()
            self._inside += 1

    def __exit__(self, *error):
        with self._lock:
            self._inside -= 1
            if not self._inside and self._resumes:
                gc.enable()


_pause = _Pause()


def uncollected(function):
    """The function, with the cyclic garbage collector paused while it runs."""

    @functools.wraps(function)
    def inner(*args, **kwargs):
        with _pause:
            return function(*args, **kwargs)

    return inner


@uncollected
def parsed(text, mode="exec"):
    """``ast.parse(text, mode=mode)``, safe while other threads parse."""
    return ast.parse(text, mode=mode)
