"""Reached: which of an optimizer's Parameters a network's output depends on.

An optimizer that is given other Parameters than the network's trains nothing, and looks as if it did.
"""

import logging

from minispore.autograd import flatten
from minispore.errors import value_error

__all__ = []

_NAMED = 8  # names that a message gives before it counts the others


def check_reached(operation, trace):
    """Raise ValueError if a run met none of the Parameters that it was traced for; warn of those that it did not meet.

    Raises:
        ValueError: If the output depends on none of them, so that a step would change nothing.
    """
    met = {id(x) for _, inputs, _ in trace.records for x in inputs} | {id(y) for y in flatten(trace.out)}
    missed = [w.name for w in trace.weights if id(w) not in met and not hasattr(w, "_since")]
    if missed and len(missed) == len(trace.weights):
        expected = "the optimizer must hold Parameters that the network's output depends on"
        raise value_error(operation, expected, f"{_listed(missed)}, on none of which it does")
    if missed:
        message = (
            "The network's output does not depend on these Parameters of the optimizer, which get no gradient: %s."
        )
        logging.getLogger("minispore").warning(message, _listed(missed))


def _listed(names):
    more = len(names) - _NAMED
    return ", ".join(f"'{name}'" for name in names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
