"""The dtype in which a callable computes, found from outside: by the digits of its inputs that it ignores.

A dtype of p bits has a grid of numbers. An input on the grid, moved by less than half a unit, is rounded back. So a
computation in float16 gives the same bits for inputs moved by 2**-13 of themselves. One in float32 does not. This file
needs NumPy alone, and asks a framework's Tensors for ``asnumpy`` or ``numpy`` only.
"""

# ruff: noqa: B905 - the Python 3.9 of MindSpore 2.0.0 has no strict zip

import numpy as np

__all__ = ["ran_in"]

# dtype -> the bits of its significand
BITS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}
TRIES = 4


def ran_in(cell, *inputs):
    """The dtype in which a callable sees its floating inputs: "bfloat16", "float16", "float32" or "float64".

    It is the narrowest dtype that explains the ignored changes; None where the output does not depend on them. The
    callable must give the same for the same inputs: Dropout, say, is switched off before.

    Args:
        cell (Callable): A network, a layer, an operation or a function, of any framework.
        inputs (Sequence): Arrays of NumPy, or Tensors of a framework.

    Raises:
        ValueError: If two calls with the same inputs differ.

    Examples:
        >>> import minispore as ms
        >>> from minispore import nn
        >>> from minispore.testing import ran_in
        >>> x = ms.Tensor([[0.5, -1.25, 2.0]], ms.float32)
        >>> ran_in(nn.Dense(3, 2), x), ran_in(nn.Dense(3, 2).to_float(ms.float16), x)
        ('float32', 'float16')
    """
    arrays = [_on_host(x) for x in inputs]
    rng = np.random.default_rng(0)

    def outcome(changed):
        return _bits(cell(*[_like(x, a) for x, a in zip(inputs, changed)]))

    if not _differ(cell, inputs, arrays, outcome, rng, 2):
        return None
    for name, bits in BITS.items():
        if not _differ(cell, inputs, arrays, outcome, rng, bits):
            return name
    return "float64"


def _differ(cell, inputs, arrays, outcome, rng, bits):
    """True if a change below half a unit of a grid of so many bits is seen."""
    for _ in range(TRIES):
        grid = [_on_grid(_varied(a, rng), min(bits, 8)) if _floats(a) else a for a in arrays]
        moved = [np.asarray(a * (1 + 2.0 ** (-bits - 2) * rng.choice([-1.0, 1.0], a.shape)), a.dtype)
                 if _floats(a) else a for a in grid]  # fmt: skip
        before = outcome(grid)
        if before != outcome(grid):
            raise ValueError("For 'ran_in', the callable must give the same for the same inputs, but got two answers.")
        if before != outcome(moved):
            return True
    return False


def _floats(array):
    return isinstance(array, np.ndarray) and array.dtype.kind == "f" and array.dtype != np.float16


def _varied(array, rng):
    """Numbers of the given sizes, new ones at each try. Where a size is 0 or not finite, 1."""
    size = np.where(np.isfinite(array) & (array != 0), array, 1)
    return np.asarray(size * rng.uniform(0.5, 2.0, array.shape), array.dtype)


def _on_grid(array, bits):
    """Rounded to so many bits. The last bit is 0, so that no neighbour's exponent is near."""
    fraction, exponent = np.frexp(array.astype(np.float64))
    grid = np.round(fraction * 2.0 ** (bits - 1)) / 2.0 ** (bits - 1)
    grid = np.clip(np.abs(grid), 0.5 + 2.0 ** -(bits - 1), 1 - 2.0 ** -(bits - 1)) * np.sign(grid)
    return np.asarray(np.ldexp(grid, exponent), array.dtype)


def _on_host(x):
    if hasattr(x, "asnumpy"):
        return x.asnumpy()
    return np.asarray(x.detach().cpu().numpy() if hasattr(x, "detach") else x) if hasattr(x, "shape") else x


def _like(x, array):
    """An array as the kind of Tensor that another is."""
    if not isinstance(array, np.ndarray) or isinstance(x, np.ndarray):
        return array
    if hasattr(x, "detach"):
        return x.new_tensor(array)
    return type(x)(array)


def _bits(found):
    parts = found if isinstance(found, (tuple, list)) else (found,)
    return [np.asarray(_on_host(part)).tobytes() for part in parts]
