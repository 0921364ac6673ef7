"""Derivatives of functions: ``grad`` and ``value_and_grad``; ``vjp`` and ``jvp`` stand in ``jacobian_products.py``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from minispore.core.checks import check_bool
from minispore.core.errors import value_error
from minispore.core.tape import flatten
from minispore.core.trace import Trace
from minispore.ops.functional.gradient_arguments import (
    Positions,
    Weights,
    as_positions,
    bare,
    check_function,
    check_inputs,
    default_seeds,
    in_order,
    split_aux,
    weight_list,
    with_ids,
)
from minispore.ops.functional.jacobian_products import jvp, vjp

__all__ = ["grad", "jvp", "value_and_grad", "vjp"]


def value_and_grad(
    fn: Callable[..., Any],
    grad_position: Positions = 0,
    weights: Weights = None,
    has_aux: bool = False,
    return_ids: bool = False,
) -> Callable[..., Any]:
    """The function that computes ``fn`` and its gradient in one run: ``(out, d sum(out) / d inputs, weights)``.

    Shapes: a gradient has the shape of its input.

    Args:
        fn (Union[Cell, Callable]): The function. With several outputs, their sum is differentiated.
        grad_position (Union[None, int, tuple[int]]): Which inputs. Default: 0, the first.
        weights (Union[None, Parameter, list, tuple, ParameterTuple]): Which Parameters, if any. Default: None.
        has_aux (bool): Whether only the first output is differentiated and the others are passed through.
        return_ids (bool): Whether each gradient comes in a pair with its input's position or Parameter's name.

    Returns:
        Callable. With both positions and weights the gradient is the pair ``(inputs, weights)``. One input or one
        Parameter gives a bare Tensor, several give a tuple, a tuple, list or dict of Tensors gives a nest like itself.
        Keywords count as inputs, in the order of the function's parameters. An input without a path gets zeros, an
        integer input gets an integer gradient; an input that holds no Tensor has no place in the result.

    Raises:
        ValueError: If ``grad_position`` and ``weights`` are both None, or a position is no input.
        TypeError: If ``fn`` cannot be called, ``has_aux`` or ``return_ids`` is no bool, or the output of ``fn`` holds
            neither a Tensor nor a number.

    Examples:
        >>> import minispore as ms
        >>> out, dx = ms.value_and_grad(lambda x: x * x)(ms.Tensor(3.0))
        >>> print(out, dx)
        9.0 6.0
    """
    check_function("value_and_grad", fn)
    check_bool("value_and_grad", "has_aux", has_aux)
    check_bool("value_and_grad", "return_ids", return_ids)
    if grad_position is None and weights is None:
        raise value_error("value_and_grad", "one of 'grad_position' and 'weights' must be given", "None for both")
    positions = as_positions("value_and_grad", grad_position)
    parameters, one_weight = weight_list("value_and_grad", weights)

    @wraps(fn, updated=())
    def run(*args, **kwargs):
        call, args = in_order(fn, args, kwargs)
        check_inputs("value_and_grad", positions, args)
        places = [p for p in positions if flatten(args[p])]
        trace = Trace(call, args, places, parameters)
        out = split_aux("value_and_grad", trace.out)[0] if has_aux else trace.out
        inputs, by_weight = trace.gradients(default_seeds("value_and_grad", out))
        if return_ids:
            inputs, by_weight = with_ids(inputs, by_weight, places, parameters)
        by_weight = by_weight[0] if one_weight else by_weight
        if weights is None or not positions:
            return trace.out, bare(inputs) if weights is None else by_weight
        return trace.out, (bare(inputs), by_weight)

    return run


def grad(
    fn: Callable[..., Any],
    grad_position: Positions = 0,
    weights: Weights = None,
    has_aux: bool = False,
    return_ids: bool = False,
) -> Callable[..., Any]:
    """The function that computes the gradient of ``fn``: ``d sum(out) / d inputs, weights``.

    Arguments, results and errors are those of :func:`value_and_grad` without the value; with ``has_aux`` the result is
    ``(gradient, other outputs)``.

    Shapes: a gradient has the shape of its input.

    Raises:
        TypeError: If ``fn`` is not a function or a Cell, or ``grad_position`` is not an int or a tuple of ints. Also if
            ``weights`` does not hold Parameters, or ``has_aux`` or ``return_ids`` is not a bool.
        ValueError: If ``grad_position`` holds a negative position or one twice.

    Examples:
        >>> import minispore as ms
        >>> cube = lambda x: x * x * x
        >>> print(ms.grad(ms.grad(cube))(ms.Tensor(2.0)))
        12.0
    """
    both = value_and_grad(fn, grad_position, weights, has_aux, return_ids)

    @wraps(fn, updated=())
    def run(*args, **kwargs):
        out, gradient = both(*args, **kwargs)
        return (gradient, out[1:]) if has_aux else gradient

    return run
