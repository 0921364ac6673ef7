"""Low-bit courses: the scale and the clipped share of each operand over the steps of a training."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from minispore.amp.lowbit.convert import recipe_of
from minispore.core import backend, seeds
from minispore.tools.insight.in_float64 import on_host
from minispore.tools.insight.low_bits import operands_of, products_of
from minispore.tools.observer import Observer

__all__ = ["LowBitStep"]


class LowBitStep(NamedTuple):
    """The operands of a step's low-bit products.

    Attributes:
        number (int): The step's number, counted from 1.
        operands (dict): The path of a cell and the operand's name, "x", "w" or "dy", to a pair. The pair has the
            greatest number that codes are multiplied by, and the largest share of numbers that a product clips.

    Examples:
        >>> from minispore.insight import LowBitStep
        >>> print(LowBitStep(10, {("dense", "x"): (0.25, 0.01)}).operands)
        {('dense', 'x'): (0.25, 0.01)}
    """

    number: int
    operands: dict


class OperandObserver(Observer):
    """Notes the operands of the low-bit products that it sees.

    Args:
        root (Cell): The step, whose cells have the products.
    """

    def __init__(self, root) -> None:
        super().__init__()
        cells = root.cells_and_names() if root is not None else ()
        taken = {path: cell for path, cell in cells if hasattr(cell, "weight") and recipe_of(cell)}
        self._paths = {id(product): path for path, cell in taken.items() for product in products_of(cell)}
        self.found = {}

    @property
    def sees_products(self):
        """True if the step has low-bit products at all."""
        return bool(self._paths)

    def note(self, primitive, args, arrays, *rest) -> None:
        """Note the operands of a product."""
        path = self._paths.get(id(primitive))
        if path is None:
            return
        draws = seeds.seed.draws
        for name, q in operands_of(backend.xp, primitive, arrays):
            scale, clipped = self.found.get((path, name), (_scale(q), 0.0))
            self.found[path, name] = scale, max(clipped, float(on_host(q.saturated).mean()))
        seeds.rewind(draws)  # what is rounded by chance here draws the bits of no one else


def _scale(q):
    whole = 1.0 if q.tensor_scale is None else float(q.tensor_scale)
    return float(np.max(on_host(q.factors.down).astype(np.float64))) * whole
