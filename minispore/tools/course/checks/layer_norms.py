"""Exercise 9.2: a LayerNorm of float16 numbers, beside ``nn.LayerNorm`` in float32."""

import numpy as np

import minispore as ms
from minispore import nn
from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("layer_norm",)


def cases():
    """Rows of numbers: ordinary, far apart, close together, far from zero."""
    yield ([1.0, 2.0],)
    yield ([-1.0, 0.5, 3.0],)
    yield ([300.0, -300.0, 0.0],)
    yield ([60000.0, -60000.0],)
    yield ([0.0001, 0.0003],)
    yield ([1000.0, 1001.0, 1001.0],)
    rng = np.random.default_rng(0)
    for size in (1.0, 40.0, 2000.0):
        yield ([float(np.float16(x)) for x in size * (1 + rng.standard_normal(8))],)


def check(mine, numbers):
    """Raise :class:`Wrong` unless the result is that of float32, to one unit of float16."""
    x = np.array(numbers, np.float16)
    found = mine.layer_norm(x)
    norm = nn.LayerNorm((x.size,), epsilon=1e-7)
    wished = norm(ms.Tensor(x.astype(np.float32)[None])).asnumpy()[0].astype(np.float16)
    if getattr(found, "dtype", None) != np.float16:
        raise Wrong(f"the norm of {numbers} is {getattr(found, 'dtype', found)}, not float16")
    if not np.all(np.abs(found.astype(np.float64) - wished.astype(np.float64)) <= np.spacing(np.abs(wished))):
        raise Wrong(f"the norm of {numbers} is {found.tolist()}, not {wished.tolist()}")
