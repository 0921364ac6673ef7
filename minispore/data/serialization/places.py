"""Places: which elements of an array an operation takes, as lists of places along each axis."""

import numpy as np

__all__ = []


def places_of(primitive, x, others):
    """The places in the flat ``x`` that each result takes its elements from, by running the primitive on places."""
    places = np.arange(int(np.prod(x.shape)), dtype=np.int64).reshape(x.shape)
    made = primitive.compute(np, places, *others)
    return tuple([np.asarray(part) for part in made]) if isinstance(made, tuple) else np.asarray(made)


def lists_of(places, shape):
    """The places taken along each axis, if ``places`` is all combinations of them; else None."""
    if not places.size or not shape:
        return None
    coordinates = np.unravel_index(places, shape)
    if places.ndim == len(shape):
        lines = [tuple(slice(None) if i == axis else 0 for i in range(places.ndim)) for axis in range(places.ndim)]
        lists = [c[line] for c, line in zip(coordinates, lines, strict=True)]
    else:
        lists = [np.array(list(dict.fromkeys(c.reshape(-1).tolist())), np.int64) for c in coordinates]
    if np.prod([len(taken) for taken in lists]) != places.size:
        return None
    product = np.ravel_multi_index(np.ix_(*lists), shape)
    return lists if np.array_equal(product.reshape(-1), places.reshape(-1)) else None


def step_of(taken):
    """The distance of the places if it is the same and above 0; 0 for others."""
    steps = np.diff(taken)
    if len(taken) < 2:
        return 1
    return 0 if steps[0] <= 0 or np.any(steps != steps[0]) else int(steps[0])
