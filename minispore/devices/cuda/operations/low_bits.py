"""Products of low bits: both operands are cast in a launch each before they are multiplied."""

from minispore.amp.lowbit.products import DGrad, FProp, WGrad, _scaled
from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import low_bits
from minispore.ops.kernels.float16.cast import narrow

__all__ = []


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


def _product(op, xp, multiply, pair, kind, ups, out):
    """The product of two arrays, whose operands are cast, in the dtype ``out``; None for what no kernel casts."""
    given = dict(zip(("x", "w", "dy"), ups, strict=False))
    operands = [(getattr(op.recipe, name), given.get(name)) for name in op.of]
    if not all(x.size and low_bits.takes(*each) for x, each in zip(pair, operands, strict=True)):
        return None
    turned = isinstance(op, WGrad) and bool(op.recipe.hadamard)
    found = []
    for x, (operand, up), axis, grouped in zip(pair, operands, op.axes, op.grouped, strict=True):
        groups = op.form.group if grouped and x.ndim != 2 else 1
        found.append(low_bits.cast(xp, x, operand, axis, up, kind, groups, turned))
    exact, numbers = zip(*found, strict=True)
    made = _scaled(xp, multiply(xp, *exact), [number for number in numbers if number is not None])
    return made if out is None else narrow(xp, made, out)
