"""The low-bit report: the effects of a recipe on each operand of each product, and on the weights' gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from minispore.amp.lowbit.delayed import DelayedProduct
from minispore.amp.lowbit.formats import values_of
from minispore.amp.lowbit.products import DGrad, FProp, WGrad
from minispore.amp.lowbit.recipe import as_recipe
from minispore.core import backend
from minispore.core.errors import value_error
from minispore.core.layers import Layer
from minispore.tools.insight.forms import checked_subject, run_of
from minispore.tools.insight.in_float64 import on_host
from minispore.tools.insight.operator_stats import check_alone

__all__ = ["LowBitGradient", "LowBitOperand", "LowBitReport", "low_bit_report"]

_KINDS = {FProp: "fprop", DGrad: "dgrad", WGrad: "wgrad"}


class LowBitOperand(NamedTuple):
    """One operand of one product, after a forward and a backward pass. Shares are of the operand's numbers.

    Attributes:
        path (str): The path of the cell.
        product (str): "fprop", "dgrad" or "wgrad".
        operand (str): "x", "w" or "dy".
        amax (float): The largest magnitude.
        scales (tuple): The least and the greatest number that codes are multiplied by.
        saturated (float): The share of numbers that are clipped to the format's largest.
        flushed (float): The share of numbers that become zero and are none.
        subnormal (float): The share of numbers whose codes have fewer bits than the format's mantissa.
        at_floor (float): The share of scales of zero, or of the least power of two.
        sqnr (float): The ratio of the numbers' power to that of their error, in decibels.
        counts (tuple): The number of numbers of each magnitude of the format, from zero to the largest.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(4, 3), ms.nn.ReLU(), ms.nn.Dense(3, 1))
        >>> batch = ms.ops.ones((8, 4)), ms.ops.zeros((8, 1))
        >>> found = ms.insight.low_bit_report(net, ms.nn.MSELoss(), batch, ms.amp.MXFP8())
        >>> print(found.operands[0].product, found.operands[0].operand)
        fprop x
    """

    path: str
    product: str
    operand: str
    amax: float
    scales: tuple
    saturated: float
    flushed: float
    subnormal: float
    at_floor: float
    sqnr: float
    counts: tuple


class LowBitGradient(NamedTuple):
    """The gradient of a weight by the recipe, against that of the wide network.

    Attributes:
        path (str): The path of the cell.
        sqnr (float): The ratio of the wide gradient's power to that of the difference, in decibels.
        cosine (float): The cosine of the angle between both.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(4, 3, weight_init="ones"), ms.nn.ReLU(), ms.nn.Dense(3, 1))
        >>> batch = ms.ops.ones((8, 4)), ms.ops.zeros((8, 1))
        >>> found = ms.insight.low_bit_report(net, ms.nn.MSELoss(), batch, ms.amp.MXFP8())
        >>> print(len(found.gradients), found.gradients[0].cosine > 0.9)
        1 True
    """

    path: str
    sqnr: float
    cosine: float


@dataclass(frozen=True)
class LowBitReport:
    """The effects of a recipe on a network, for one batch. Printed, it is a table; its last line names the worst place.

    Attributes:
        recipe (Recipe): The recipe.
        operands (tuple[LowBitOperand]): Each operand of each product, in the order of computation.
        gradients (tuple[LowBitGradient]): The gradient of each weight that the recipe reaches.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(4, 3), ms.nn.ReLU(), ms.nn.Dense(3, 1))
        >>> batch = ms.ops.ones((8, 4)), ms.ops.zeros((8, 1))
        >>> found = ms.insight.low_bit_report(net, ms.nn.MSELoss(), batch, ms.amp.MXFP8())
        >>> print(len(found.operands), type(found.gradients[0]).__name__)
        4 LowBitGradient
    """

    recipe: Any
    operands: tuple
    gradients: tuple

    @property
    def worst(self) -> LowBitGradient:
        """The gradient that is farthest from the wide network's."""
        return min(self.gradients, key=lambda gradient: gradient.sqnr)

    @property
    def keep(self) -> tuple:
        """The recipe's ``keep`` with the worst place added, which leaves its products wide."""
        return (*self.recipe.keep, self.worst.path)

    def __str__(self) -> str:
        rows = [("cell", "product", "operand", "amax", "scales", "clipped", "to zero", "subnormal", "at floor", "SQNR")]
        rows += [_written(o) for o in self.operands]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = ["  ".join(text.ljust(n) for text, n in zip(row, widths, strict=True)).rstrip() for row in rows]
        table += [f"gradient of {g.path}.weight: {g.sqnr:.1f} dB, cosine {g.cosine:.4f}" for g in self.gradients]
        worst = self.worst
        advice = f"{self.recipe.name} with keep={self.keep} leaves its products wide"
        return "\n".join([*table, f"The worst gradient is that of {worst.path!r}, {worst.sqnr:.1f} dB: {advice}."])


def _written(o):
    low, high = (f"{scale:.3g}" for scale in o.scales)
    shares = [f"{100 * share:.2f} %" for share in (o.saturated, o.flushed, o.subnormal, o.at_floor)]
    return o.path, o.product, o.operand, f"{o.amax:.3g}", f"{low} to {high}", *shares, f"{o.sqnr:.1f} dB"


def low_bit_report(network, loss_fn, batch: tuple[Any, ...], recipe) -> LowBitReport:
    """Measure what a recipe does to each operand and to each weight's gradient, in one training pass over a batch.

    The network is not changed: a copy takes the recipe at O0, and the wide network's gradients are the reference. The
    numbers of a delayed scale are those of a first step.

    Args:
        network (Cell): The network, not converted yet.
        loss_fn (Union[None, Cell]): The loss; None if the network's output is the loss.
        batch (tuple): The inputs: of ``network`` and ``loss_fn``, data and label.
        recipe (Union[Recipe, str]): The recipe, or its text.

    Returns:
        LowBitReport.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the network has been converted, or no cell of it takes the recipe.
        RuntimeError: If something else observes the operations, or graph mode records them.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(4, 3), ms.nn.ReLU(), ms.nn.Dense(3, 1))
        >>> batch = ms.ops.ones((8, 4)), ms.ops.zeros((8, 1))
        >>> found = ms.insight.low_bit_report(net, ms.nn.MSELoss(), batch, ms.amp.MXFP8())
        >>> [(o.product, o.operand) for o in found.operands]
        [('fprop', 'x'), ('fprop', 'w'), ('wgrad', 'dy'), ('wgrad', 'x')]
    """
    subject = checked_subject("low_bit_report", network, loss_fn, batch)
    check_alone("low_bit_report")
    recipe = as_recipe("low_bit_report", recipe)
    form, taken = subject.by_recipe(recipe)
    if not taken:
        raise value_error("low_bit_report", "a cell of the 'network' must take the 'recipe'", "none")
    seen = _Operands({id(p): path for path, cell in taken.items() for p in products_of(cell)})
    low, wide = run_of(form, subject, observer=seen), run_of(subject.at_level("O0"), subject)
    pairs = zip(subject.weights, low.unscaled(), wide.unscaled(), strict=True)
    found = {id(weight): (g.astype(np.float64), e.astype(np.float64)) for weight, g, e in pairs}
    gradients = [LowBitGradient(p, *_compared(*found[id(c.weight)])) for p, c in taken.items() if id(c.weight) in found]
    return LowBitReport(recipe, tuple(seen.records), tuple(gradients))


def products_of(cell):
    """The primitives that multiply for a cell: the forward one, and those of its gradient."""
    made = getattr(cell, "matmul", None) or cell.conv2d
    forward = made.product_in_training if isinstance(made, DelayedProduct) else made
    return forward, forward._like(DGrad), forward._like(WGrad)


def operands_of(xp, primitive, arrays):
    """Pairs of the name and the ``Quantized`` of both operands of a product, from its inputs."""
    kind, ups = (arrays[0].dtype, arrays[2:5]) if isinstance(primitive, FProp) else (arrays[3], arrays[4:7])
    return zip(primitive.of, primitive.quantized(xp, arrays[:2], kind, ups), strict=True)


class _Operands(Layer):
    """Notes each operand of the products that it sees."""

    def __init__(self, paths):
        self.paths, self.records = paths, []

    def begin_gradients(self, start):
        """The backward pass begins, which changes nothing here."""

    def around_compute(self, call, primitive, args, arrays):
        """Note the operands of a product."""
        if id(primitive) in self.paths:
            name = next(name for kind_of, name in _KINDS.items() if isinstance(primitive, kind_of))
            for operand, q in operands_of(backend.xp, primitive, arrays):
                self.records.append(_record(self.paths[id(primitive)], name, operand, q))
        return call(primitive, args, arrays)


def _record(path, product, operand, q):
    numbers = on_host(q.numbers).astype(np.float64)
    whole = 1.0 if q.tensor_scale is None else float(q.tensor_scale)
    scales = on_host(q.factors.down).astype(np.float64) * whole
    shares = [float(on_host(share).mean()) for share in (q.saturated, q.flushed, q.subnormal)]
    coded = q.scales.dtype == np.uint8
    floor = float((on_host(q.scales) == 0).mean()) if coded else 0.0
    error = _decibels(numbers, on_host(q.value()).astype(np.float64))
    extent = float(scales.min()), float(scales.max())
    counts = _counts(q.operand.format, on_host(q.codes))
    return LowBitOperand(path, product, operand, float(np.abs(numbers).max()), extent, *shares, floor, error, counts)


def _counts(format, codes):
    """The number of codes of each magnitude of a format."""
    values = np.abs(values_of(format))
    magnitudes = np.unique(values[np.isfinite(values)])
    found = values[codes]
    places = np.searchsorted(magnitudes, found[np.isfinite(found)])
    return tuple(np.bincount(places, minlength=len(magnitudes)).tolist())


def _compared(found, exact):
    norms = np.linalg.norm(found) * np.linalg.norm(exact)
    return _decibels(exact, found), float(np.sum(found * exact) / norms) if norms else 1.0


def _decibels(exact, found):
    """``10 log10(power of exact / power of the difference)``: inf without a difference, -inf if it is not finite."""
    with np.errstate(all="ignore"):
        noise, power = np.sum(np.square(exact - found)), np.sum(np.square(exact))
        if not np.isfinite(noise):
            return float("-inf")
        return float(10 * np.log10(power / noise)) if noise else float("inf")
