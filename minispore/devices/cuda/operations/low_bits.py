"""Products of low bits: both operands are cast in a launch each before they are multiplied.

Where the device multiplies codes, they are cast to codes and it does. Elsewhere they are cast to exact values, whose
product is the emulation.
"""

import numpy as np

from minispore.amp.lowbit.delayed import Advance, Largest
from minispore.amp.lowbit.formats import format_of
from minispore.amp.lowbit.products import DGrad, FProp, Linear, WGrad
from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import cublaslt, low_bits
from minispore.ops.kernels.float16.cast import narrow

__all__ = []

_FLOAT32 = np.dtype(np.float32)


@kernel_of(FProp, "cuda")
def _fprop(op, xp, x, w, *ups):
    return _product(op, xp, op.form.forward, (x, w), x.dtype, ups, None if op.wide else x.dtype)


@kernel_of(DGrad, "cuda")
def _dgrad(op, xp, dy, w, shape, kind, *ups):
    def multiply(xp, a, b):
        return op.form.to_input(xp, a, b, shape)

    return _product(op, xp, multiply, (dy, w), kind, ups, kind)


@kernel_of(WGrad, "cuda")
def _wgrad(op, xp, dy, x, shape, kind, *ups):
    def multiply(xp, a, b):
        return op.form.to_weight(xp, a, b, shape)

    return _product(op, xp, multiply, (dy, x), kind, ups, None)


@kernel_of(Largest, "cuda")
def _largest(op, xp, x):
    return low_bits.largest_of_all(xp, x) if x.size and x.dtype != np.float64 else None


@kernel_of(Advance, "cuda")
def _advance(op, xp, scale, history, amax):
    return low_bits.advance(xp, op.operand.scale, format_of(op.operand.format), scale, history, amax)


def _product(op, xp, multiply, pair, kind, ups, out):
    """The product of two arrays, whose operands are cast, in the dtype ``out``; None for what no kernel casts."""
    given = dict(zip(("x", "w", "dy"), ups, strict=False))
    operands = [(getattr(op.recipe, name), given.get(name)) for name in op.of]
    if not all(x.size and low_bits.takes(*each) for x, each in zip(pair, operands, strict=True)):
        return None
    turned = isinstance(op, WGrad) and bool(op.recipe.hadamard)
    if not turned and _is_of_codes(op, xp, pair, operands, out):
        return _of_codes(op, xp, pair, operands, kind, out)
    found = []
    for x, (operand, up), axis, grouped in zip(pair, operands, op.axes, op.grouped, strict=True):
        groups = op.form.group if grouped and x.ndim != 2 else 1
        found.append(low_bits.cast(xp, x, operand, axis, up, kind, groups, turned))
    exact, numbers = zip(*found, strict=True)
    sums, numbers = multiply(xp, *exact), [number for number in numbers if number is not None]
    if numbers:
        return low_bits.scaled(xp, sums, numbers, out or _FLOAT32)
    return sums if out is None else narrow(xp, sums, out)


def _is_of_codes(op, xp, pair, operands, out):
    """True if the device multiplies the codes of these operands: each has one scale and is rounded to nearest."""
    if type(op.form) is not Linear:
        return False
    if any(operand.tile is not None or operand.rounding != "even" for operand, _ in operands):
        return False
    (rows, length), columns = _turned(pair[0].shape, op.axes[0]), _turned(pair[1].shape, op.axes[1])[0]
    formats = tuple(operand.format for operand, _ in operands)
    return cublaslt.takes(xp, formats, (rows, columns, length), out or _FLOAT32)


def _of_codes(op, xp, pair, operands, kind, out):
    """The product of both operands' codes: each is laid out so that what is summed stands side by side."""
    found = [
        low_bits.codes(xp, x, operand, axis == 0, up, kind)
        for x, (operand, up), axis in zip(pair, operands, op.axes, strict=True)
    ]
    codes, numbers = zip(*found, strict=True)
    return cublaslt.product(xp, tuple(operand.format for operand, _ in operands), codes, numbers, out or _FLOAT32)


def _turned(shape, axis):
    """The shape of a matrix with the axis of the sum last."""
    return shape if axis else shape[::-1]
