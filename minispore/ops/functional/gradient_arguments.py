"""Arguments of ``grad``, ``value_and_grad``, ``vjp`` and ``jvp``, checked and in one form."""

import inspect
import numbers
from collections.abc import Iterable
from typing import Any, TypeAlias

from minispore.core.checks import check_64_bits, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.nest import select
from minispore.core.tape import flatten, ones_like
from minispore.core.tensor import Tensor

__all__ = []

Positions: TypeAlias = int | tuple[int, ...] | None  # of the inputs to differentiate by
Weights: TypeAlias = Iterable[Any] | None  # a Parameter, or several


def in_order(fn, args, kwargs):
    """``fn`` as a function of positional inputs only, and the inputs: keywords in the order of fn's parameters."""
    if not kwargs:
        return fn, args
    try:
        target = inspect.unwrap(fn)
        parameters = list(inspect.signature(getattr(target, "construct", target)).parameters)
    except ValueError:  # a function without a signature
        parameters = []
    names = sorted(kwargs, key=lambda name: parameters.index(name) if name in parameters else len(parameters))

    def call(*inputs):
        return fn(*inputs[: len(args)], **dict(zip(names, inputs[len(args) :], strict=True)))

    return call, (*args, *[kwargs[name] for name in names])


def default_seeds(operation, out):
    """Ones as the gradient of every output; none for a constant, so that all gradients are zeros."""
    if not select((Tensor, numbers.Number), out):
        raise type_error(operation, "the function must return Tensors or numbers", type(out).__name__)
    return [(y, ones_like(y)) for y in flatten(out)]


def weight_list(operation, weights):
    """The Parameters of a ``weights`` argument, each once, and whether it was a single Parameter."""
    if weights is None:
        return (), False
    single = isinstance(weights, Tensor)
    if not isinstance(weights, Iterable):
        raise type_error(operation, "the 'weights' must be Parameters", shown(weights))
    weights = (weights,) if single else tuple(weights)
    for w in weights:
        if not isinstance(w, Tensor):
            raise type_error(operation, "the 'weights' must be Parameters", type(w).__name__)
    return weights, single


def as_positions(operation, grad_position):
    """The input positions of a ``grad_position`` argument."""
    if grad_position is None:
        return ()
    positions = grad_position if isinstance(grad_position, tuple) else (grad_position,)
    if not positions:
        raise value_error(operation, "the 'grad_position' must name an input", grad_position)
    for p in positions:
        if not is_int(p):
            raise type_error(operation, "the 'grad_position' must be an int or a tuple of ints", shown(grad_position))
        if p < 0 or positions.count(p) > 1:
            raise value_error(operation, "the 'grad_position' must be at least 0, each once", grad_position)
    return check_64_bits(operation, "grad_position", positions)


def check_function(operation, fn):
    """Raise TypeError unless ``fn`` can be called."""
    if not callable(fn):
        raise type_error(operation, "the 'fn' must be a function or a Cell", type(fn).__name__)


def check_inputs(operation, positions, args):
    """Raise ValueError if a position is none of the inputs'."""
    if positions and max(positions) >= len(args):
        raise value_error(operation, f"the 'grad_position' must be below the number of inputs, {len(args)}", positions)


def with_ids(inputs, weights, positions, parameters):
    """Pair each gradient with its input's position or its Parameter's name."""
    return list(zip(positions, inputs, strict=True)), tuple(zip([w.name for w in parameters], weights, strict=True))


def bare(parts):
    """The only element if there is one, else a tuple of all."""
    return parts[0] if len(parts) == 1 else tuple(parts)


def split_aux(operation, out, kinds=tuple):
    """``(the output to differentiate, a tuple of the other outputs)``."""
    if not isinstance(out, kinds) or len(out) < 2:
        raise value_error(operation, "with 'has_aux' the function must return several outputs", "one")
    return out[0], tuple(out[1:])
