"""Shapes, shapes that broadcast, and arrays with numbers at the edges of dtypes."""

import re
import sys

import numpy as np
from hypothesis import strategies as st

__all__ = ["DTYPES", "arrays", "broadcastable", "edges", "in_source", "shapes"]

DTYPES = ("float16", "float32", "float64")
MANY = 64  # above this count, equal elements are printed as their number


def shapes(least=0, dims=3, longest=4):
    """Shapes of up to ``dims`` axes of ``least`` to ``longest`` elements; they shrink to ``()``."""
    return st.lists(st.integers(least, longest), max_size=dims).map(tuple)


@st.composite
def broadcastable(draw, count=2, least=1):
    """So many shapes that broadcast with one another."""
    whole = draw(shapes(least))
    found = []
    for _ in range(count):
        kept = draw(st.integers(0, len(whole)))
        ones = draw(st.lists(st.booleans(), min_size=kept, max_size=kept))
        found.append(tuple(1 if one else n for n, one in zip(whole[len(whole) - kept :], ones, strict=True)))
    return found


def edges(dtype, non_finite=False):
    """The numbers at which a dtype goes wrong: zeros, its largest and smallest, subnormal ones, 1 and the next.

    Args:
        dtype (str): A floating dtype of NumPy.
        non_finite (bool): Whether inf and nan are among them. Default: False.
    """
    info = np.finfo(dtype)
    found = [0.0, -0.0, 1.0, -1.0, 1.0 + info.eps, info.max, -info.max, info.tiny, info.smallest_subnormal, -info.tiny]
    return np.array([*found, *([np.inf, -np.inf, np.nan] if non_finite else [])], dtype)


@st.composite
def arrays(draw, shape=None, dtype=None, non_finite=False, edge=True):
    """Arrays of small numbers, here and there one of the dtype's edges; they shrink to zeros.

    Args:
        draw (Callable): Given by hypothesis.
        shape (Union[tuple, SearchStrategy]): Default: None, any of :func:`shapes`.
        dtype (Union[str, SearchStrategy]): Default: None, one of float16, float32 and float64.
        non_finite (bool): Whether inf and nan may stand among them. Default: False.
        edge (bool): Whether the dtype's edges may. Default: True.
    """
    shape = draw(shape if isinstance(shape, st.SearchStrategy) else shapes() if shape is None else st.just(shape))
    kind = st.sampled_from(DTYPES) if dtype is None else dtype
    kind = draw(kind if isinstance(kind, st.SearchStrategy) else st.just(kind))
    count = int(np.prod(shape))
    small = st.integers(-16, 16).map(lambda n: n / 8)
    odd = st.sampled_from(range(len(edges(kind, non_finite)))).map(lambda i: float(edges(kind, non_finite)[i]))
    element = small | odd if edge or non_finite else small
    return np.array(draw(st.lists(element, min_size=count, max_size=count)), kind).reshape(shape)


def in_source(array):
    """An array as the expression that makes it, with as many digits as it takes.

    Examples:
        >>> import numpy as np
        >>> from minispore.testing.strategies.arrays import in_source
        >>> in_source(np.float32([[0.1, np.inf]]))
        'np.array([[0.1, np.inf]], np.float32)'
    """
    kind = f"np.{array.dtype}" if array.dtype.kind in "fiuc" else repr(array.dtype.name)
    if array.size > MANY and np.isfinite(array).all() and (array == array.flat[0]).all():
        return f"np.full({array.shape}, {array.flat[0].item()!r}, {kind})"
    with np.printoptions(floatmode="unique", threshold=sys.maxsize):
        numbers = np.array2string(array, separator=", ")
    numbers = re.sub(r"\b(inf|nan)\b", r"np.\1", numbers)
    form = f".reshape({array.shape})" if not array.size else ""
    return f"np.array({numbers}, {kind}){form}"
