"""Unreached Parameters: an optimizer has them, but the network's output does not depend on them.

An optimizer with the Parameters of another network would train nothing, without any sign of it.
"""

import logging

from minispore.core.errors import value_error
from minispore.core.tape import flatten

__all__ = []

_NAMED = 8  # the number of names that a message lists before it counts the rest


def check_reached(operation, trace):
    """Raise ValueError if a traced run reached none of its Parameters; warn of those it did not reach.

    Raises:
        ValueError: If the output depends on none of them, so that a step would change nothing.
    """
    met = {id(x) for _, inputs, _ in trace.records for x in inputs} | {id(y) for y in flatten(trace.out)}
    missed = [w.name for w in trace.weights if not any(id(x) in met for x in trace.named(w))]
    if missed and len(missed) == len(trace.weights):
        expected = "the optimizer must hold Parameters that the network's output depends on"
        raise value_error(operation, expected, f"{_listed(missed)}, which it does not use")
    if missed:
        message = (
            "The network's output does not depend on these Parameters of the optimizer, which get no gradient: %s."
        )
        logging.getLogger("minispore").warning(message, _listed(missed))


def _listed(names):
    more = len(names) - _NAMED
    return ", ".join(f"'{name}'" for name in names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
