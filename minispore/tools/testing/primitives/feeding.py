"""Running a line of the table: Tensors in, outputs and one weighed number out."""

import numpy as np

from minispore import Parameter, Tensor
from minispore.core import seeds
from minispore.core.tape import is_differentiable


def arrays_of(line, seed, kind=np.float64):
    """The line's inputs as host arrays and plain values, floating ones of dtype ``kind``."""
    return drawn_by(line, np.random.default_rng(seed), kind)


def drawn_by(line, rng, kind=np.float64):
    """The same, drawn by a generator of NumPy or by what stands in for one."""
    drawn = line.draw(rng)
    return [x.astype(kind) if isinstance(x, np.ndarray) and x.dtype == np.float64 else x for x in map(_array, drawn)]


def _array(x):
    return np.asarray(x) if isinstance(x, np.generic) else x


def feed(line, arrays):
    """Tensors on the device in force, and Parameters where the primitive writes."""
    tensors = [Tensor.from_numpy(x.copy()) if isinstance(x, np.ndarray) else x for x in arrays]
    return [Parameter(x) if i in line.primitive.writes else x for i, x in enumerate(tensors)]


def run(line, inputs):
    """The line's outputs, as a tuple; a random primitive takes the same random stream at every call."""
    seeds.seed.draws = 0
    out = line(*inputs)
    return out if isinstance(out, tuple) else (out,)


def on_host(tensors):
    """The arrays of Tensors."""
    return [None if x is None else np.array(x.asnumpy()) for x in tensors]


def positions_of(line, inputs):
    """The inputs that the line claims a gradient for."""
    return tuple(i for i, x in enumerate(inputs) if is_differentiable(x) and (line.only is None or i in line.only))


def weigh(line, inputs, weights):
    """The sum of weights times outputs, a number that depends on all outputs with gradients."""
    outs = [
        y for i, y in enumerate(run(line, inputs)) if is_differentiable(y) and (not line.through or i in line.through)
    ]
    total = (outs[0] * weights[0]).sum()
    for y, w in zip(outs[1:], weights[1:], strict=True):
        total = total + (y * w).sum()
    return total


def weights_for(line, arrays, rng):
    """A weight for each output through which gradients pass."""
    outs = run(line, feed(line, arrays))
    outs = [y for i, y in enumerate(outs) if is_differentiable(y) and (not line.through or i in line.through)]
    return [Tensor.from_numpy(np.asarray(rng.standard_normal(y.shape), y.asnumpy().dtype)) for y in outs]
