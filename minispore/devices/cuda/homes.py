"""Homes: fixed places in a GPU's memory, where captured graphs read and write the Tensors that outlive a step.

A graph knows addresses, not Tensors. So a Tensor that a graph uses gets a home, one for all graphs. It holds the home's
array, into which a graph's launch writes the Tensor's new values. To everything else arrays are values: what holds a
home's array, besides the Tensor itself, must not see it change. Where reference counts tell that something does, the
graph waits.
"""

import weakref
from sys import getrefcount

from minispore.core import backend
from minispore.core.writes import settle
from minispore.devices import cuda, device_numbers

__all__ = []

_homes = {}  # id of a Tensor -> its Home
moves = 0  # the number of times that a home got another place: graphs captured before know the old one


class Home:
    """The place of a Tensor: ``array``, and ``narrow``, its cast to float16 or bfloat16, or None."""

    __slots__ = ("array", "narrow", "tensor")

    def __init__(self, tensor):
        key = id(tensor)
        self.tensor = weakref.ref(tensor, lambda _: _homes.pop(key, None))
        self._settle(tensor.array, cuda.shadows.narrow_of(tensor.array))

    def _settle(self, array, narrow):
        """Take a place for arrays like these, without their values."""
        self.array = backend.xp.empty(array.shape, array.dtype)
        device_numbers.leave_out(self.array)
        self.narrow = None if narrow is None else backend.xp.empty(narrow.shape, narrow.dtype)
        if narrow is not None:
            cuda.shadows.remember(self.array, self.narrow)

    def move(self):
        """Take another place."""
        global moves
        self._settle(self.array, self.narrow)
        moves += 1


def home_of(tensor):
    """The home of a Tensor, made when it is first asked for."""
    found = _homes.get(id(tensor))
    if found is None or found.tensor() is not tensor:
        found = _homes[id(tensor)] = Home(tensor)
    return found


def is_at_home(tensor):
    """True if a Tensor holds the array of its home, into which graphs write."""
    found = _homes.get(id(tensor))
    return found is not None and found.array is tensor.array


def references(home):
    """The number of references to a home's arrays, those of the shadows' table and of this call included."""
    return getrefcount(home.array), getrefcount(home.narrow)


def _references_of_itself():
    """The result of :func:`references` for a home whose array no Tensor holds, and nothing else holds."""
    home = object.__new__(Home)
    home.array, home.narrow = object(), object()
    return references(home)


_ALONE = _references_of_itself()


def is_shared(home, held_by_tensor):
    """True if anything but the home, and its Tensor where ``held_by_tensor``, holds an array of the home."""
    if getrefcount(home.array) > _ALONE[0] + held_by_tensor:
        return True
    return home.narrow is not None and getrefcount(home.narrow) > _ALONE[1] + 1  # the shadows' table holds it too


def bring_home(xp, strays):
    """Copy the values of Tensors, pairs with their homes, into the homes; the Tensors hold the homes' arrays then."""
    cuda.copies.copy_all(xp, [(home.array, t.array) for t, home in strays])
    for t, home in strays:
        settle(t, home.array)
    cast = [(home.narrow, home.array) for _, home in strays if home.narrow is not None]
    if cast:
        cuda.copies.cast_all(xp, cast)
