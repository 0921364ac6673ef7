"""Assignment on any GPU: the host still knows a copied number."""

from minispore.core.kernel_table import kernel_of
from minispore.devices import device_numbers
from minispore.ops.operations.state import Assign

__all__ = []


@kernel_of(Assign, "gpu")
def _assign(op, xp, variable, value):
    """A copy; if the host knows the value's number, it knows the copy's."""
    return (device_numbers.copied(value),)
