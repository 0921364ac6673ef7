"""Axes and other integer arguments: ints are read and checked, and axes counted from the front."""

import operator

from minispore.core.errors import shown, type_error, value_error


def _name_of(op):
    return op if isinstance(op, str) else op.name


def as_int(op, argument, value):
    """An int from an int or an integer Tensor of one element; ``op`` is a primitive, or an operation's name."""
    try:
        value = operator.index(value)
    except TypeError:
        raise type_error(_name_of(op), f"the '{argument}' must be an int", shown(value)) from None
    if -(2**63) <= value < 2**63:
        return value
    raise value_error(_name_of(op), f"the '{argument}' must be an int of at most 64 bits", shown(value))


def as_axis(op, value, rank, argument="axis"):
    """An axis counted from the front; ``op`` is a primitive, or an operation's name."""
    axis = as_int(op, argument, value)
    if not -rank <= axis < rank:
        raise value_error(_name_of(op), f"the '{argument}' must be in [-{rank}, {rank})", axis)
    return axis % rank


def as_axes(op, value, rank, argument="axis", repeated=False):
    """Axes counted from the front, in order: all for None or (); ``op`` is a primitive, or an operation's name.

    An axis may be named twice if ``repeated``; it counts once.
    """
    if value is None or (isinstance(value, tuple) and not value):
        return tuple(range(rank))
    values = value if isinstance(value, (tuple, list)) else (value,)
    axes = tuple(sorted({as_axis(op, v, rank, argument) for v in values}))
    if len(values) != len(axes) and not repeated:
        raise value_error(_name_of(op), f"the '{argument}' must name each axis once", value)
    return axes
