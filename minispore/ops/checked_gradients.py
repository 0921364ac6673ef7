"""Checks of what a user's ``bprop`` returns: one gradient for each input, of its shape."""

from minispore.core.context import settings
from minispore.core.errors import type_error, value_error
from minispore.core.nest import leaves
from minispore.core.primitive import Primitive
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor

__all__ = []


def checked_gradients(name, gradients, inputs):
    """The result of a user's ``bprop`` as a tuple: for each of ``inputs`` a Tensor of its shape, or None.

    Gradients that nobody asked for may be left out at the end, unless ``check_bprop`` is set in the context.

    Raises:
        ValueError: If a gradient that is asked for is left out, if there are more gradients than inputs, or one has
            another shape than its input.
        TypeError: If a gradient that is asked for is neither a Tensor nor None, or with ``check_bprop`` of another
            dtype than its input.
    """
    gradients = tuple(gradients) if isinstance(gradients, (tuple, list)) else (gradients,)
    left_out = inputs[len(gradients) :]
    too_few = len(left_out) > 0 if settings["check_bprop"] else any(needs_grad(x) for x in left_out)
    if too_few or len(gradients) > len(inputs):
        raise value_error(name, f"the 'bprop' must return {len(inputs)} gradients, one for each input", len(gradients))
    gradients = (*gradients, *[None] * len(left_out))
    return tuple([_checked_gradient(name, i, x, g) for i, (x, g) in enumerate(zip(inputs, gradients, strict=True))])


def checked_nests(name, gradients, inputs):
    """:func:`checked_gradients` of inputs that may be nests, with gradients like them: one for each Tensor in them."""
    gradients = tuple(gradients) if isinstance(gradients, (tuple, list)) else (gradients,)
    each = [g for i, pair in enumerate(zip(inputs, gradients, strict=False)) for g in _laid_out(name, i, *pair)]
    checked = checked_gradients(name, [*each, *gradients[len(inputs) :]], leaves(inputs))
    return tuple([g for x, g in zip(leaves(inputs), checked, strict=True) if isinstance(x, Tensor)])


def _laid_out(name, i, x, g):
    """The gradients of an input's leaves, one for each."""
    count = len(leaves(x))
    found = [None] * count if g is None else leaves(g)
    if len(found) != count:
        expected = f"the 'bprop' must return a gradient for input {i} that is nested as the input is"
        raise value_error(name, expected, f"{len(found)} gradients for {count} Tensors")
    return found


def _checked_gradient(name, i, x, g):
    if not isinstance(x, Tensor) or g is None:
        return None
    if not isinstance(g, Tensor):
        if needs_grad(x) or settings["check_bprop"]:
            raise type_error(name, f"the 'bprop' must return a Tensor or None for input {i}", type(g).__name__)
        return None
    if x.shape != g.shape:
        raise value_error(name, f"the 'bprop' must return a gradient of shape {x.shape} for input {i}", g.shape)
    if settings["check_bprop"] and x.dtype != g.dtype:
        raise type_error(name, f"the 'bprop' must return a gradient of dtype {x.dtype} for input {i}", g.dtype)
    return g


def _checked_bprop(self, *inputs_out_dout):
    """``bprop`` of a primitive from outside the package, checked."""
    return checked_gradients(self.name, self.bprop(*inputs_out_dout), inputs_out_dout[:-2])


Primitive._checked_bprop = _checked_bprop
