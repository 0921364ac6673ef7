"""Device numbers: the number in a Tensor of one element; one that a GPU gave lately is not waited for again.

The loss scale and the overflow of a step are asked for several times. Each answer of a GPU waits for all that it was
told to compute before.
"""

import weakref

import numpy as np

from minispore.context import running
from minispore.parameter import Parameter

__all__ = []

WRITERS = []  # functions of a Tensor, true if something else than a write, such as a captured graph, fills its array
_MOST = 32
_known = []  # pairs, of a weak reference to an array of one number on a GPU and the number: those last read or stored


def number_of(x, asked=False):
    """The number in a Tensor of one element; on a GPU, one that was lately read or stored is not waited for again.

    A write gives a Tensor another array, so that the number of an array stays what it is. But a captured graph writes
    into the arrays of Parameters that are at home: what is read of those is not kept, and of others if it is ``asked``
    for in every step.
    """
    if isinstance(x.array, np.ndarray) or running.recorder is not None:
        return x.item()  # which tells the recorder that the host reads it
    known = _known_number(x.array)
    if known is not None:
        return known
    number = x.item()
    if not isinstance(x, Parameter) or (asked and not any(fills(x) for fills in WRITERS)):
        remember(x, number)
    return number


def is_known(x):
    """True if the number in a Tensor of one element on a GPU was lately read or stored."""
    return _known_number(x.array) is not None


def remember(x, number):
    """Keep the number that a Tensor of one element has just got; on the CPU it is read anew at no cost."""
    global _known
    if not isinstance(x.array, np.ndarray):
        _known = [(weakref.ref(x.array), number), *[pair for pair in _known[: _MOST - 1] if pair[0]() is not None]]


def _known_number(array):
    return next((number for known, number in _known if known() is array), None)
