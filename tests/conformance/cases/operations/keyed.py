"""All rows, in one table, and what they cover."""

import functools
from collections import Counter

from conformance.cases.operations import array, layer, math, nn, optimizer, reduce
from conformance.cases.operations.row import methods_in, names_in

ROWS = [
    *math.ROWS,
    *reduce.ROWS,
    *array.ROWS,
    *nn.ROWS,
    *layer.ROWS,
    *optimizer.ROWS,
]


@functools.cache
def keyed():
    """The rows by name, numbered where several share one."""
    rows, counts = {}, Counter()
    for row in ROWS:
        name = ("nn." if "nn." in row.text else "") + row.name
        counts[name] += 1
        rows[f"{name}#{counts[name]}" if counts[name] > 1 else name] = row
    return rows


def is_empty(inputs):
    """Whether an input has no elements."""
    arrays = [x for value in inputs.values() for x in (value if isinstance(value, tuple) else (value,))]
    return any(getattr(x, "size", 1) == 0 for x in arrays)


def covered():
    """The names of all operations, and of all methods, that some row uses."""
    texts = [row.text for row in ROWS]
    return {n for t in texts for n in names_in(t)}, {m for t in texts for m in methods_in(t)}
