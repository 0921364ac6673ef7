"""Derivatives along curves (jet, derivative), a linear approximation, and a gradient by its identifier."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minispore.core.checks import check_int, is_int
from minispore.core.dtype import float32, float64, int32, int64
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.ops.functional.array_filling import ones_like
from minispore.ops.functional.array_manipulation import expand_dims
from minispore.ops.functional.array_pieces import stack
from minispore.ops.functional.jacobian_products import jvp
from minispore.ops.object_checks import check_callable

__all__ = ["derivative", "get_grad", "jet", "linearize"]

_READ = (int32, int64, float32, float64)


def linearize(fn, inputs: Tensor | tuple[Tensor, ...] | Sequence[Tensor]) -> Any:
    """The output of ``fn``, and the linear function ``v -> J v`` at the inputs.

    Shapes: those that ``fn`` takes; the tangents have the shapes of the inputs. The dtypes are those that ``fn`` takes.

    Args:
        fn (Union[Cell, Callable]): The function.
        inputs (Union[Tensor, tuple[Tensor], list[Tensor]]): Its inputs.

    Returns:
        tuple ``(out, linear)``; ``linear`` takes a Tensor, or a tuple or list of one for each input.

    Raises:
        TypeError: If ``fn`` cannot be called or an input is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> out, linear = ms.ops.linearize(lambda x: x * x * x, ms.Tensor([1.0, 2.0]))
        >>> print(linear(ms.Tensor([1.0, 10.0])))
        [  3. 120.]
    """
    check_callable("linearize", "fn", fn)
    primals, _ = _primals("linearize", "inputs", inputs)
    return fn(*primals), lambda v: jvp(fn, primals, v)[1]


def _primals(operation, argument, value):
    """A Tensor, or a tuple or list of some, as a tuple; and whether it was several."""
    several = isinstance(value, (tuple, list))
    primals = tuple(value) if several else (value,)
    if not primals or not all(isinstance(x, Tensor) for x in primals):
        raise type_error(operation, f"the '{argument}' must be a Tensor, or a tuple or list of Tensors", shown(value))
    return primals, several


def _floating(operation, argument, x):
    """``x`` of a 32- or 64-bit type, with ints as float32."""
    if x.dtype not in _READ:
        expected = f"the '{argument}' must hold int32, int64, float32 or float64"
        raise type_error(operation, expected, x.dtype)
    return x if x.dtype in (float32, float64) else x.astype(float32)


def _along(fn, curve, order):
    """``fn(*curve(t))`` at t = 0, and its derivatives by t up to ``order``."""
    functions = [lambda t: fn(*curve(t))]
    for _ in range(order):
        functions.append(lambda t, before=functions[-1]: jvp(before, t, ones_like(t))[1])
    start = Tensor(0.0)
    return [function(start) for function in functions]


def _checked(operation, out):
    """``out``, a Tensor or several of them as a list, as MindSpore answers them here."""
    parts = out if isinstance(out, (tuple, list)) else (out,)
    if not parts or not all(isinstance(y, Tensor) for y in parts):
        raise type_error(operation, "the 'fn' must return a Tensor or a tuple of Tensors", type(out).__name__)
    return list(parts) if isinstance(out, (tuple, list)) else out


def derivative(fn, primals: Tensor | tuple[Tensor, ...], order: int) -> Any:
    """The output of ``fn``, and its derivative of an order with respect to a step that all inputs take together.

    Shapes: those that ``fn`` takes, kept.

    Args:
        fn (Union[Cell, Callable]): The function.
        primals (Union[Tensor, tuple[Tensor]]): Its inputs; ints are read as float32.
        order (int): The order, at least 1. The cost grows as a power of it.

    Returns:
        tuple ``(out, derivative)``, two Tensors; two lists where ``fn`` has several outputs.

    Raises:
        TypeError: If ``fn`` cannot be called, ``primals`` are no Tensors or ``order`` is no int.
        ValueError: If ``order`` is below 1.

    Examples:
        >>> import minispore as ms
        >>> out, second = ms.ops.derivative(lambda x: x * x * x, ms.Tensor([1.0, 2.0]), 2)
        >>> print(second)
        [ 6. 12.]
    """
    check_callable("derivative", "fn", fn)
    check_int("derivative", "order", order, low=1, high=_MOST_ORDERS)
    primals, _ = _primals("derivative", "primals", primals)
    primals = [_floating("derivative", "primals", x) for x in primals]
    found = _along(fn, lambda t: [x + t.astype(x.dtype) for x in primals], order)
    return _checked("derivative", found[0]), _checked("derivative", found[-1])


_MOST_ORDERS = 12  # each further order multiplies the time by about three


def jet(fn, primals: Tensor | tuple[Tensor, ...], series: Tensor | tuple[Tensor, ...]) -> Any:
    """The output of ``fn``, and the derivatives by t of ``fn(x + s1 t + s2 t^2 / 2! + s3 t^3 / 3! + ...)`` at t = 0.

    Shapes: those of the primals; a series has an axis of its orders in front.

    Args:
        fn (Union[Cell, Callable]): The function.
        primals (Union[Tensor, tuple[Tensor]]): The inputs ``x``; ints are read as float32.
        series (Union[Tensor, tuple[Tensor]]): For each input the Tensor of ``s1``, ``s2``, ... along its first axis, or
            ``s1`` alone.

    Returns:
        tuple ``(out, series of the output)``, the series along a first axis; two lists where ``fn`` has
        several outputs.

    Raises:
        TypeError: If ``fn`` cannot be called, or the others are not both Tensors or both tuples of one dtype.
        ValueError: If the shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> out, series = ms.ops.jet(lambda x: x * x, ms.Tensor([3.0]), ms.Tensor([[1.0], [0.0]]))
        >>> print(series)
        [[6.]
         [2.]]
    """
    check_callable("jet", "fn", fn)
    primals, several = _primals("jet", "primals", primals)
    series, also = _primals("jet", "series", series)
    if several != also or len(primals) != len(series):
        raise type_error("jet", "the 'primals' and the 'series' must be both a Tensor, or tuples of one length")
    pairs = [_with_series(x, s) for x, s in zip(primals, series, strict=True)]
    order = len(pairs[0][1])
    if any(len(s) != order for _, s in pairs) or not 1 <= order < _MOST_ORDERS:
        raise value_error("jet", f"the 'series' must have one length, from 1 to {_MOST_ORDERS - 1}", order)
    found = _along(fn, lambda t: [_on_curve(x, s, t.astype(x.dtype)) for x, s in pairs], order)
    out, *others = [_checked("jet", y) for y in found]
    if isinstance(out, list):
        return out, [stack(list(column)) for column in zip(*others, strict=True)]
    return out, stack(others)


def _with_series(x, series):
    """An input and its series, in one floating type, with the orders along the first axis of the series."""
    if x.dtype != series.dtype:
        raise type_error("jet", f"the 'series' must have the dtype of the 'primals', {x.dtype}", series.dtype)
    x, series = _floating("jet", "primals", x), _floating("jet", "series", series)
    series = expand_dims(series, 0) if series.shape == x.shape else series
    if series.shape[1:] != x.shape or series.ndim != x.ndim + 1:
        raise value_error("jet", f"each element of the 'series' must have the shape {x.shape}", series.shape)
    return x, series


def _on_curve(x, series, t):
    """``x + s1 t + s2 t^2 / 2! + ...``."""
    power = t
    for k in range(len(series)):
        x = x + series[k] * (power / math.factorial(k + 1))
        power = power * t
    return x


def get_grad(gradients: tuple[Any, ...], identifier: int | Parameter) -> Any:
    """The gradient of one input or Parameter among those that ``grad(..., return_ids=True)`` found.

    Args:
        gradients (tuple): The result of the gradient function.
        identifier (Union[int, Parameter]): The input's position, or the Parameter.

    Raises:
        TypeError: If ``identifier`` is neither an int nor a Parameter.
        RuntimeError: If there is no such gradient.

    Examples:
        >>> import minispore as ms
        >>> both = ms.grad(lambda x, y: x * y, (0, 1), return_ids=True)(ms.Tensor(2.0), ms.Tensor(3.0))
        >>> print(ms.get_grad(both, 1))
        2.0
    """
    if not is_int(identifier) and not isinstance(identifier, Parameter):
        raise type_error("get_grad", "the 'identifier' must be an int or a Parameter", shown(identifier))
    name = identifier.name if isinstance(identifier, Parameter) else int(identifier)
    found = _find(gradients, name)
    if found is None:
        raise runtime_error("get_grad", f"the 'gradients' must hold the gradient of {name!r}", shown(gradients))
    return found


def _find(pairs, name):
    """The second of the pair whose first is ``name``, in a nest of pairs; None without one."""
    left = [pairs]
    while left:
        part = left.pop()
        if not isinstance(part, (tuple, list)):
            continue
        if len(part) == 2 and type(part[0]) is type(name) and part[0] == name:
            return part[1]
        left.extend(part[::-1])
    return None
