"""Names by which scripts speak to MindSpore's compiler: flags, a Tensor's type and shape, ``F.print``, ``F.switch``."""

from typing import Any

import numpy as np

from minispore.core.tensor import Tensor
from minispore.ops.composite import add_flags
from minispore.ops.functional import print_

__all__ = []

print = print_  # the compiler takes ``F.print`` too


def switch(condition, first, second) -> Any:
    """``first`` where the condition is true, else ``second``: the compiler's own ``if``."""
    return first if condition else second


def tail(sequence) -> Any:
    """The tuple or list without its first element."""
    return sequence[1:]


def core(fn=None, **flags) -> Any:
    """Note of a function that it is at the core of a network, and further flags; without it the decorator.

    Raises:
        TypeError: If ``fn`` is not a function.
    """
    return add_flags(fn, core=True, **flags)


def MetaTensor(dtype, shape) -> Tensor:  # noqa: N802 - MindSpore's name
    """A Tensor of a type and shape, all zeros, for the ``input_signature`` of ``jit``."""
    return Tensor(np.zeros(shape), dtype)
