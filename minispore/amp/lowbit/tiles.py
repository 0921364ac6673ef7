"""Tiles: a matrix as a grid of rectangles, each with a scale of its own; and back.

A tile of ``(rows, columns)`` cuts a matrix of ``(m, k)`` into ``ceil(m / rows)`` by ``ceil(k / columns)`` tiles. A tile
at an end may be short: it is filled up with zeros, which change no largest magnitude.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["largest", "over_tiles", "tiled", "untiled"]

_MAGNITUDE = np.uint32(0x7FFFFFFF)


def tiled(xp: Any, x: Any, tile: tuple) -> Any:
    """A matrix as tiles: an array of four axes, ``(tile row, row in it, tile column, column in it)``.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.tiles import tiled
        >>> tiled(np, np.zeros((5, 70)), (1, 32)).shape
        (5, 1, 3, 32)
    """
    rows, columns = tile
    short = -x.shape[0] % rows, -x.shape[1] % columns
    if any(short):
        x = xp.pad(x, ((0, short[0]), (0, short[1])))
    return x.reshape(x.shape[0] // rows, rows, x.shape[1] // columns, columns)


def untiled(tiles: Any, shape: tuple) -> Any:
    """The matrix of ``shape`` whose tiles these are.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.tiles import tiled, untiled
        >>> print(untiled(tiled(np, np.ones((5, 70)), (4, 32)), (5, 70)).sum())
        350.0
    """
    matrix = tiles.reshape(tiles.shape[0] * tiles.shape[1], tiles.shape[2] * tiles.shape[3])
    return matrix[: shape[0], : shape[1]]


def largest(xp: Any, tiles: Any) -> Any:
    """The largest magnitude of each tile, float32: a matrix; nan where there is one.

    The bits of magnitudes are in the order of the magnitudes, and nan comes last: so the largest integer is the answer.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.tiles import largest, tiled
        >>> print(largest(np, tiled(np, np.float32([[1, -3, 2, 0]]), (1, 2))))
        [[3. 2.]]
    """
    return (tiles.view(np.uint32) & _MAGNITUDE).max(axis=(1, 3)).view(np.float32)


def over_tiles(factors: Any) -> Any:
    """Factors by tile in a shape that multiplies tiles.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.tiles import over_tiles
        >>> over_tiles(np.ones((5, 3))).shape
        (5, 1, 3, 1)
    """
    return factors[:, None, :, None]
