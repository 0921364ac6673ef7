"""The mark of a conversion on a network: the level that it has been converted to, and the receipt."""

from minispore.amp.policy.site_types import marks_receipt
from minispore.core.dtype import float16
from minispore.core.errors import type_error, value_error
from minispore.nn.cell import Cell
from minispore.rewrite.call_sites import call_sites

__all__ = []


def check_network(operation, network):
    """Raise TypeError unless ``network`` is a Cell."""
    if not isinstance(network, Cell):
        raise type_error(operation, "the 'network' must be a Cell", type(network).__name__)


def conversion_name(level, dtype, usual=float16):
    """The name of a conversion: the level's name, and the type if it is not the usual one."""
    return level if dtype == usual else f"{level} in {dtype.np.name}"


def noted(level, receipt, *networks):
    """Set level and receipt on the result, and on a network changed in place; returns the result."""
    for cell in networks:
        # Past the cell's own __setattr__: a wrapper's would hand the receipt on to the cell inside.
        object.__setattr__(cell, "_amp_level", level)
        object.__setattr__(cell, "amp_report", receipt)
    return networks[0]


def is_repeated(operation, network, level):
    """True if the network is at the level already; ValueError if it is at another one."""
    before = network.__dict__.get("_amp_level")
    if before is not None and before != level:
        expected = "the 'network' must not have been converted before: build it anew and load its parameters"
        raise value_error(operation, expected, f"a network at {before}")
    return before is not None


def unconverted_receipt(network):
    """The receipt of a network whose cells compute as they are."""
    return marks_receipt(network, "O0", call_sites(network, types := set()), (), types)
