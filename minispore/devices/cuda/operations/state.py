"""Assignment on any GPU: the host keeps what it knows of a number."""

from minispore.core.kernel_table import kernel_of
from minispore.devices import device_numbers
from minispore.ops.operations.state import Assign

__all__ = []


@kernel_of(Assign, "gpu")
def _assign(op, xp, variable, value):
    """A copy, of whose number the host knows what it knows of the value's."""
    return (device_numbers.copied(value),)
