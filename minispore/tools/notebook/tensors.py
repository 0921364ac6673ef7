"""Tensors and Parameters: type, shape, range and values."""

import math

import numpy as np

from minispore.core import backend, dtype
from minispore.ops.tensor_methods.text import value_text
from minispore.tools.notebook.markup import heading, listing, note, table, whole

__all__ = []

_ROWS, _COLUMNS = 12, 12  # the largest matrix that is shown as a table
_MEASURED = 10**7  # the largest number of elements whose range is looked for


def of_tensor(x):
    """The form of a Tensor."""
    return whole(heading("Tensor", *_facts(x)), *_body(x))


def of_parameter(p):
    """The form of a Parameter."""
    trained = "trained" if p.requires_grad else "not trained"
    return whole(heading(f"Parameter {p.name}", *_facts(p), trained), *_body(p))


def _facts(x):
    return str(x.dtype).lower(), f"shape {x.shape}", f"{x.size} element{'s' * (x.size != 1)}"


def _body(x):
    """The range and the values."""
    array = backend.to_host(x.array)
    return [*_range(array), _values(array)]


def _range(array):
    """A line on a floating array: its magnitudes, and how many numbers are not finite."""
    if array.dtype not in dtype.FLOATS or not 0 < array.size <= _MEASURED:
        return []
    sizes = np.abs(array.astype(np.float64))
    finite = sizes[np.isfinite(sizes)]
    parts = []
    if finite.size and finite.any():
        parts.append(f"magnitudes from {finite[finite > 0].min():.3g} to {finite.max():.3g}")
    zeros = int((finite == 0).sum())
    parts += [f"{zeros} zero{'s' * (zeros != 1)}"] * bool(zeros)
    parts += [f"{array.size - finite.size} not finite"] * (finite.size < array.size)
    return [note("; ".join(parts))]


def _values(array):
    if array.ndim == 2 and array.size and array.shape[0] <= _ROWS and array.shape[1] <= _COLUMNS:
        rows = [(i, *map(_number, row)) for i, row in enumerate(array.tolist())]
        return table(["", *range(array.shape[1])], rows)
    return listing(value_text(array).strip())


def _number(value):
    """A number in a table."""
    return f"{value:.6g}" if isinstance(value, float) and math.isfinite(value) else str(value)
