"""Functions of functions that need operations: vmap, and the Jacobian by rows (jacrev) or by columns (jacfwd)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from minispore.core.backend import to_host
from minispore.core.checks import check_bool, check_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.gradient_arguments import as_positions, bare, split_aux
from minispore.core.gradients import grad, value_and_grad
from minispore.core.jacobian_products import jvp, vjp
from minispore.core.journal import noted
from minispore.core.tensor import Tensor
from minispore.core.writes import write
from minispore.ops.functional.array_filling import zeros_like
from minispore.ops.functional.array_pieces import stack
from minispore.ops.object_checks import check_callable

__all__ = ["grad", "jacfwd", "jacrev", "jvp", "value_and_grad", "vjp", "vmap"]


# vmap


def vmap(
    fn, in_axes: int | tuple[Any, ...] | list[Any] | None = 0, out_axes: int | tuple[Any, ...] | list[Any] = 0
) -> Callable[..., Any]:
    """The function that maps ``fn`` over an axis of its inputs, by calling it once for each place along the axis.

    Gradients flow through it; random operations draw anew in each call. A write of ``fn`` into a sample of an input
    goes into the input. A write elsewhere, such as into a Cell's Parameter, must be the same for every sample.

    Args:
        fn (Union[Cell, Callable]): The function of one sample.
        in_axes (Union[None, int, tuple, list]): The axis of each input to map over, or one for all; None for an input
            that all samples share. Default: 0.
        out_axes (Union[int, tuple, list]): The axis of each output along which the samples stand. Default: 0.

    Raises:
        TypeError: If ``fn`` cannot be called, or an axis is neither an int nor None.
        ValueError: If there are not as many axes as inputs, the mapped axes are not equally long, or all are None. Also
            if ``fn`` writes values that differ from sample to sample into something shared.

    Examples:
        >>> import minispore as ms
        >>> rows = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ms.vmap(lambda row: row.sum())(rows))
        [3. 7.]
    """
    check_callable("vmap", "fn", fn)
    for argument, axes in (("in_axes", in_axes), ("out_axes", out_axes)):
        for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
            if axis is not None:
                check_int("vmap", argument, axis)

    @wraps(fn, updated=())
    def mapped(*args):
        axes = _each("vmap", "in_axes", in_axes, len(args))
        outs = _each_sample(fn, args, axes, _count(args, axes))
        if not isinstance(outs[0], (tuple, list)):
            return _joined([*outs], _each("vmap", "out_axes", out_axes, 1)[0])
        places = _each("vmap", "out_axes", out_axes, len(outs[0]))
        return tuple(
            _joined(list(column), place) for column, place in zip(zip(*outs, strict=True), places, strict=True)
        )

    return mapped


def _each_sample(fn, args, axes, count):
    """The outputs of ``fn`` for each sample. A write into a Parameter is done once, for all samples."""
    samples = [[x if a is None else _at(x, a, i) for x, a in zip(args, axes, strict=True)] for i in range(count)]
    outs, shared, written = [], [], set()
    for sample in samples:
        out, journal = noted(fn, *sample)
        outs.append(out)
        written.update(journal.before)
        shared.append({x: x.array for x in journal.before if x.is_state})
        for x in shared[-1]:
            write(x, journal.before[x])
    _write_once(shared)
    for x, axis, column in zip(args, axes, zip(*samples, strict=True), strict=True):
        if axis is not None and x.is_state and not written.isdisjoint(column):
            write(x, stack(list(column), axis).array)
    return outs


def _write_once(shared):
    """Apply the calls' writes into Parameters that all samples share: ValueError unless they are the same."""
    first, *others = shared
    for found in others:
        for x in {**first, **found}:
            values, others_values = (to_host(written.get(x, x.array)) for written in (first, found))
            if values.tobytes() != others_values.tobytes():
                expected = f"what is written into '{x.name}', which all samples share, must be the same for all"
                raise value_error("vmap", expected, "values that differ from sample to sample")
    for x, values in first.items():
        write(x, values)


def _each(operation, argument, axes, count):
    """One axis for each of ``count`` values."""
    if not isinstance(axes, (tuple, list)):
        return (axes,) * count
    if len(axes) != count:
        raise value_error(operation, f"the '{argument}' must be {count}, one for each", shown(axes))
    return tuple(axes)


def _count(args, axes):
    """The length that all mapped axes have."""
    lengths = set()
    for x, axis in zip(args, axes, strict=True):
        if axis is not None:
            if not isinstance(x, Tensor):
                raise type_error("vmap", "an input that is mapped over must be a Tensor", type(x).__name__)
            lengths.add(x.shape[check_int("vmap", "in_axes", axis, -x.ndim, x.ndim)])
    if len(lengths) != 1 or 0 in lengths:
        expected = "the mapped axes must be equally long, at least one of them, and not empty"
        raise value_error("vmap", expected, f"lengths {sorted(lengths)}")
    return lengths.pop()


def _at(x, axis, i):
    """The sample at one place along an axis."""
    return x[(*(slice(None),) * (axis % x.ndim), i)]


def _joined(samples, axis):
    """The samples along a new axis."""
    if not all(isinstance(x, Tensor) for x in samples):
        raise type_error("vmap", "the function must return Tensors", type(samples[0]).__name__)
    if axis is None:
        raise value_error("vmap", "the 'out_axes' must be ints where the output has samples", "None")
    return stack(samples, check_int("vmap", "out_axes", axis, -samples[0].ndim - 1, samples[0].ndim + 1))


# Jacobians


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
