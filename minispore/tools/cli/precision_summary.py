"""The number of cells of a converted network that compute in each dtype."""

import numpy as np

from minispore.amp.lowbit.convert import recipe_of
from minispore.ops.autocast import Autocast

__all__ = ["count_cells", "describe"]


def count_cells(network):
    """The number of leaf cells of each class and dtype, as ``{dtype: {class: count}}``, narrow ones first.

    A leaf is a cell without child cells; an unmarked cell computes in its Parameters' dtype, float32. At the level
    "auto" each operation of it decides: it counts under ``auto(float16)``. A cell with a recipe of low bits counts
    under the recipe.

    Examples:
        >>> import minispore as ms
        >>> count_cells(ms.nn.SequentialCell(ms.nn.Dense(2, 2).to_float(ms.float16), ms.nn.ReLU(), ms.nn.ReLU()))
        {'float16': {'Dense': 1}, 'float32': {'ReLU': 2}}
    """
    counts = {"float16": {}, "bfloat16": {}, "float32": {}}
    around = network._compute_dtype if isinstance(network._compute_dtype, Autocast) else np.float32
    for _, cell in network.cells_and_names():
        recipe = recipe_of(cell) if hasattr(cell, "weight") else None
        if recipe or not (cell.cells() or recipe_of(cell)):
            kind = recipe.label if recipe else _name(cell._compute_dtype or around)
            names = counts.setdefault(kind, {})
            names[cell.cls_name] = names.get(cell.cls_name, 0) + 1
    return {dtype: names for dtype, names in counts.items() if names}


def _name(mark):
    """The type of a mark; at "auto" the types are each operation's own."""
    return mark.name if isinstance(mark, Autocast) else np.dtype(mark).name


def describe(counts):
    """One text for each dtype, such as ``float16: Conv2d x2, Flatten``."""
    return [f"{dtype}: {', '.join(_times(*pair) for pair in names.items())}" for dtype, names in counts.items()]


def _times(name, count):
    return name if count == 1 else f"{name} x{count}"
