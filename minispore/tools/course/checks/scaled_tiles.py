"""Exercise 13.3: matrices rounded to e4m3 with a scale for each tile, beside minispore's recipe of such tiles."""

import numpy as np

from minispore.amp.lowbit.quantized import quantize
from minispore.amp.lowbit.recipe import Recipe
from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("quantized",)
OPERAND = "e4m3/1x32/rceil/even"
RECIPE = Recipe.parse(f"law(x={OPERAND}; w={OPERAND}; dy={OPERAND})")


def cases():
    """Rows of numbers, and how many times each row is repeated by a tile that is 1000 times as large."""
    yield ([[1.0, -3.0]], 0)
    yield ([[448.0, 1.0]], 0)
    yield ([[449.0, 1.0]], 0)
    yield ([[0.0, 0.0]], 0)
    yield ([[0.0003, 7e-06], [100.0, -0.02]], 0)
    yield ([[0.3, 0.007]], 1)
    rng = np.random.default_rng(0)
    for power in (-8, 0, 12):
        rows = rng.standard_normal((2, 6)) * 2.0**power
        yield ([[float(np.float32(x)) for x in row] for row in rows], 1)


def check(mine, rows, more):
    """Raise :class:`Wrong` unless the rows, filled up to a tile and followed by larger tiles, are the recipe's."""
    tile = np.pad(np.array(rows, np.float32), ((0, 0), (0, 32 - len(rows[0]))))
    x = np.concatenate([tile, *[tile * np.float32(1000)] * more], axis=1)
    found, wished = mine.quantized(x.copy()), quantize(x, RECIPE.x).value()
    told = f"quantized gives for {rows}" + (", before a tile 1000 times as large," if more else "")
    if getattr(found, "shape", None) != x.shape:
        raise Wrong(f"{told} no matrix of the shape {x.shape}")
    if not np.array_equal(found, wished):
        row, column = (int(i) for i in np.argwhere(~(found == wished))[0])
        raise Wrong(f"{told} {found[row, column]:g} where {wished[row, column]:g} is right, for {x[row, column]:g}")
