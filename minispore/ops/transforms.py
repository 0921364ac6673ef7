"""Functions of functions that need operations: the Jacobian by rows (jacrev) or by columns (jacfwd)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.functional.array_filling import zeros_like
from minispore.ops.functional.array_pieces import stack
from minispore.ops.functional.gradient_arguments import as_positions, bare, split_aux
from minispore.ops.functional.gradients import grad, value_and_grad
from minispore.ops.functional.jacobian_products import jvp, vjp
from minispore.ops.mapping import vmap
from minispore.ops.object_checks import check_callable

__all__ = ["grad", "jacfwd", "jacrev", "jvp", "value_and_grad", "vjp", "vmap"]


def jacrev(fn, grad_position: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that computes the Jacobian of ``fn`` row by row, by one pull-back for each element of the output.

    Args:
        fn (Union[Cell, Callable]): The function.
        grad_position (Union[int, tuple[int]]): By which inputs. Default: 0, the first.
        has_aux (bool): If True, only the first output is differentiated and the others are passed through.

    Returns:
        Callable. For one output and one input the Jacobian is a Tensor of the shape ``out.shape + input.shape``.
        Several inputs give a tuple of them, several outputs a tuple of their results. With ``has_aux`` it is
        ``(Jacobian, other outputs)``.

    Raises:
        TypeError: If ``fn`` cannot be called, or ``grad_position`` is neither an int nor a tuple of ints.
        ValueError: If a position is no input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.jacrev(lambda x: x * x)(ms.Tensor([1.0, 3.0])))
        [[2. 0.]
         [0. 6.]]
    """
    return _jacobian("jacrev", fn, grad_position, has_aux, _by_rows)


def jacfwd(fn, grad_position=0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that computes the Jacobian of ``fn`` column by column, by one derivative along each input element.

    Arguments, results and errors as in :func:`jacrev`; it needs fewer runs where there are fewer inputs.

    Shapes: the shape of the output, then that of the input.

    Raises:
        TypeError: If ``fn`` is not a function, ``grad_position`` is not an int or a tuple of ints, or ``has_aux`` is
            not a bool. Also if an input is not a Tensor of numbers.
        ValueError: If ``grad_position`` holds a negative position or one twice.

    Examples:
        >>> import minispore as ms
        >>> print(ms.jacfwd(lambda x: x * x)(ms.Tensor([1.0, 3.0])))
        [[2. 0.]
         [0. 6.]]
    """
    return _jacobian("jacfwd", fn, grad_position, has_aux, _by_columns)


def _jacobian(name, fn, grad_position, has_aux, compute):
    check_callable(name, "fn", fn)
    check_bool(name, "has_aux", has_aux)
    if grad_position is None:
        raise type_error(name, "the 'grad_position' must be an int or a tuple of ints", "None")
    positions = as_positions(name, grad_position)

    @wraps(fn, updated=())
    def run(*args):
        if max(positions) >= len(args):
            expected = f"the 'grad_position' must be below the number of inputs, {len(args)}"
            raise value_error(name, expected, shown(grad_position))
        others = []

        def outputs(*chosen):
            given = dict(zip(positions, chosen, strict=True))
            out = fn(*[given.get(i, x) for i, x in enumerate(args)])
            if has_aux:
                out, aux = split_aux(name, out)
                others[:] = [bare(aux)]
            return out

        found = compute(outputs, [args[p] for p in positions])
        return (found, others[0]) if has_aux else found

    return run


def _unit(x, i):
    """Zeros in the shape and dtype of a Tensor with a one at a flat index."""
    values = np.zeros(x.shape, x.array.dtype)
    values.flat[i] = 1
    return Tensor(values)


def _by_rows(fn, inputs):
    out, pull_back = vjp(fn, *inputs)
    outs = out if isinstance(out, (tuple, list)) else (out,)

    def of_one(k):
        def row(i):
            seeds = [_unit(y, i) if j == k else zeros_like(y) for j, y in enumerate(outs)]
            return pull_back(*seeds)

        rows = list(zip(*map(row, range(outs[k].size)), strict=True))
        return bare([stack(r).reshape(outs[k].shape + x.shape) for r, x in zip(rows, inputs, strict=True)])

    found = [of_one(k) for k in range(len(outs))]
    return tuple(found) if isinstance(out, (tuple, list)) else found[0]


def _by_columns(fn, inputs):
    several = False

    def along(p, i):
        nonlocal several
        directions = [_unit(x, i) if j == p else zeros_like(x) for j, x in enumerate(inputs)]
        column = jvp(fn, tuple(inputs), tuple(directions))[1]
        several = isinstance(column, (tuple, list))
        return column if several else (column,)

    by_input = [
        [stack(c, -1).reshape(c[0].shape + x.shape) for c in zip(*(along(p, i) for i in range(x.size)), strict=True)]
        for p, x in enumerate(inputs)
    ]
    found = [bare(list(of_one)) for of_one in zip(*by_input, strict=True)]
    return tuple(found) if several else found[0]
