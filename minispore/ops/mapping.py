"""vmap: the function that maps another over an axis of its inputs, or several models over theirs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from minispore.core.backend import to_host
from minispore.core.checks import check_int, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.journal import noted
from minispore.core.tensor import Tensor
from minispore.core.writes import write
from minispore.ops.functional.array_pieces import stack
from minispore.ops.object_checks import check_callable

__all__ = ["vmap"]

ENSEMBLES: list[type] = []  # kinds of lists of models, one for each sample: their files enter them

_Axes = int | tuple[Any, ...] | list[Any] | None


def vmap(fn, in_axes: _Axes = 0, out_axes: _Axes = 0) -> Callable[..., Any]:
    """The function that maps ``fn`` over an axis of its inputs, by calling it once for each place along the axis.

    Gradients flow through it; random operations draw anew in each call. A write of ``fn`` into a sample of an input
    goes into the input. A write elsewhere, such as into a Cell's Parameter, must be the same for every sample; a model
    of an ensemble may write into its own.

    Shapes: an input without its mapped axis is what ``fn`` gets; the answers are stacked along a new axis. The dtypes
    are those that ``fn`` takes.

    Args:
        fn (Union[Cell, Callable, CellList]): The function of one sample; or an ensemble of models, of which the i-th
            is called with the i-th sample.
        in_axes (Union[None, int, tuple, list]): The axis of each input to map over, or one for all; None for an input
            that all samples share. An input that is a tuple or list has one for all in it, or a tuple or list of
            them. For an ensemble all may be None. Default: 0.
        out_axes (Union[None, int, tuple, list]): The axis of each output along which the samples stand, in the same
            way; None for an output that is the same for all samples, which is then given once. Default: 0.

    Returns:
        Callable. A number that ``fn`` returns is stacked as a Tensor.

    Raises:
        TypeError: If ``fn`` cannot be called, an axis is neither an int nor None, or an output is neither a Tensor nor
            a number.
        ValueError: If there are not as many axes as inputs or outputs, or the mapped axes are not equally long or all
            are None. Also if an output differs from sample to sample where its axis is None, or if ``fn`` writes values
            that differ from sample to sample into something shared.

    Examples:
        >>> import minispore as ms
        >>> rows = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ms.vmap(lambda row: row.sum())(rows))
        [3. 7.]
        >>> scaled, offset = ms.vmap(lambda row, b: (row * b, b), (0, None), (0, None))(rows, 2)
        >>> print(offset)
        2
    """
    check_callable("vmap", "fn", fn)
    _check_axes("in_axes", in_axes), _check_axes("out_axes", out_axes)
    models = list(fn) if isinstance(fn, tuple(ENSEMBLES)) else None

    @wraps(fn, updated=())
    def mapped(*args):
        axes = _each("in_axes", in_axes, len(args))
        leaves = [leaf for x, a in zip(args, axes, strict=True) for leaf in _leaves("in_axes", a, x)]
        count = _count(leaves, models)
        outs = _each_sample(models or [fn] * count, models, args, axes, leaves)
        return _joined(outs, out_axes)

    return mapped


def _check_axes(argument, axes):
    """Raise TypeError unless all axes, in nested tuples and lists, are ints or None."""
    for axis in axes if isinstance(axes, (tuple, list)) else ():
        _check_axes(argument, axis)
    if not isinstance(axes, (tuple, list)) and axes is not None:
        check_int("vmap", argument, axes)


def _each(argument, axes, count):
    """One axis, or nest of axes, for each of ``count`` values."""
    if not isinstance(axes, (tuple, list)):
        return (axes,) * count
    if len(axes) != count:
        raise value_error("vmap", f"the '{argument}' must be {count}, one for each", shown(axes))
    return axes


# Samples


def _leaves(argument, axes, x):
    """The mapped Tensors of an input, each with its axis."""
    if axes is None:
        return
    if isinstance(x, (tuple, list)):
        for part, axis in zip(x, _each(argument, axes, len(x)), strict=True):
            yield from _leaves(argument, axis, part)
    elif not isinstance(x, Tensor):
        raise type_error("vmap", "an input that is mapped over must be a Tensor", type(x).__name__)
    elif isinstance(axes, (tuple, list)):
        raise type_error("vmap", f"the '{argument}' of a Tensor must be an int or None", shown(axes))
    else:
        yield x, check_int("vmap", argument, axes, -x.ndim, x.ndim)


def _filled(axes, x, values):
    """An input with the next of ``values`` in the place of each of its mapped Tensors."""
    if axes is None:
        return x
    if isinstance(x, (tuple, list)):
        parts = [_filled(a, part, values) for part, a in zip(x, _each("in_axes", axes, len(x)), strict=True)]
        return parts if isinstance(x, list) else tuple(parts)
    return next(values)


def _count(leaves, models):
    """The length that all mapped axes have, which is the number of models too."""
    lengths = {x.shape[axis] for x, axis in leaves} | (set() if models is None else {len(models)})
    if len(lengths) != 1 or 0 in lengths:
        whose = "at least one of them" if models is None else f"as many as models, {len(models)}"
        expected = f"the mapped axes must be equally long, {whose}, and not empty"
        raise value_error("vmap", expected, f"lengths {sorted(lengths)}")
    return lengths.pop()


def _at(x, axis, i):
    """The sample at one place along an axis."""
    return x[(*(slice(None),) * (axis % x.ndim), i)]


def _each_sample(functions, models, args, axes, leaves):
    """The output for each sample, of its function. A write into a Parameter is done once, for all samples."""
    samples = [[_at(x, axis, i) for x, axis in leaves] for i in range(len(functions))]
    outs, shared, written = [], [], set()
    for function, sample in zip(functions, samples, strict=True):
        values = iter(sample)
        out, journal = noted(function, *[_filled(a, x, values) for x, a in zip(args, axes, strict=True)])
        outs.append(out)
        written.update(journal.before)
        shared.append({x: x.array for x in journal.before if x.is_state})
        for x in shared[-1]:
            write(x, journal.before[x])
    _write_once(shared, models)
    for (x, axis), column in zip(leaves, zip(*samples, strict=True), strict=True):
        if x.is_state and not written.isdisjoint(column):
            write(x, stack(list(column), axis).array)
    return outs


def _write_once(shared, models):
    """Apply the calls' writes into Parameters that all samples share: ValueError unless they are the same.

    A model of an ensemble may write into its own Parameters, which the other models do not write.
    """
    merged = {x: values for found in reversed(shared) for x, values in found.items()}
    for found in shared:
        for x, values in merged.items():
            if not _same(values, found.get(x, x.array if models is None else values)):
                expected = f"what is written into '{x.name}', which all samples share, must be the same for all"
                raise value_error("vmap", expected, "values that differ from sample to sample")
    for x, values in merged.items():
        write(x, values)


def _same(a, b):
    """True for two arrays of the same bits."""
    return a is b or (a.dtype == b.dtype and to_host(a).tobytes() == to_host(b).tobytes())


# Outputs


def _joined(samples, axes):
    """The samples of an output along a new axis, or each of its parts; one of them where the axis is None."""
    first = samples[0]
    if isinstance(first, (tuple, list)):
        each = _each("out_axes", axes, len(first))
        return tuple(_joined(list(x), a) for x, a in zip(zip(*samples, strict=True), each, strict=True))
    if isinstance(axes, (tuple, list)):
        raise type_error("vmap", "the 'out_axes' of one Tensor must be an int or None", shown(axes))
    if not all(isinstance(x, (Tensor, float)) or is_int(x) or isinstance(x, bool) for x in samples):
        raise type_error("vmap", "the function must return Tensors or numbers", type(first).__name__)
    tensors = [x if isinstance(x, Tensor) else Tensor(x) for x in samples]
    if axes is not None:
        return stack(tensors, check_int("vmap", "out_axes", axes, -tensors[0].ndim - 1, tensors[0].ndim + 1))
    if not all(_same(x.array, tensors[0].array) for x in tensors):
        raise value_error("vmap", "the 'out_axes' must be ints where the output differs from sample to sample", "None")
    return first
