"""What one case gives under a framework, passed as ``ms``: outputs, what was written, gradients, or a refusal."""

# ruff: noqa: B905 - the Python 3.9 of MindSpore 2.0.0 has no strict zip

import functools

import numpy as np
from conformance.cases.operations.draw import Written
from conformance.cases.operations.row import Kind

PLAIN = (bool, int, float)


class Strided:
    """Makes Tensors of arrays that do not lie contiguously, where the framework takes them as they are."""

    def __init__(self, ms):
        self.make = ms.Tensor.from_numpy

    def __call__(self, array):
        """The same values, every second element of a larger array."""
        wider = np.zeros((*array.shape[:-1], 2 * array.shape[-1]) if array.ndim else (2,), array.dtype)
        wider[..., ::2] = array if array.ndim else array[None]
        return self.make(wider[..., ::2] if array.ndim else array)


def observe(ms, row, expression, inputs, weigh_as=np.float32, grad=True, tensor=None, tilt=None):
    """A dictionary of arrays (``out``, ``written``, ``grad`` with a number), or of ``refused``: the exception's name.

    Gradients are those of the sum of weights times floating outputs; ``tilt`` is a function that moves the weights.
    """
    tensor = tensor or ms.Tensor
    made = {name: _made(ms, tensor, value) for name, value in inputs.items()}
    try:
        outs = _run(ms, expression, made)
        found = {f"out{i}": _array(y) for i, y in enumerate(outs)}
    except Exception as error:
        return {"refused": type(error).__name__, "message": str(error)[:300]}
    written = [name for name, value in inputs.items() if isinstance(value, Written)]
    found.update({f"written {name}": made[name].asnumpy().copy() for name in written})
    if grad:
        found.update(_gradients(ms, expression, inputs, made, found, weigh_as, tilt or (lambda w: w)))
    return found


def _made(ms, tensor, value):
    if isinstance(value, Written):
        return ms.Parameter(ms.Tensor(value.array.copy()), name="w")
    if isinstance(value, Kind):
        return getattr(ms, value)
    if isinstance(value, (list, tuple)):
        return type(value)(_made(ms, tensor, x) for x in value)
    return tensor(value) if isinstance(value, np.ndarray) else value


def _run(ms, expression, made):
    # MindSpore asks a function for its module
    out = eval(_compiled(expression), {"__name__": __name__, "ms": ms, "ops": ms.ops, "nn": ms.nn, **made})
    return out if isinstance(out, (tuple, list)) else (out,)


@functools.cache
def _compiled(expression):
    """An expression's code, as each is evaluated many times."""
    return compile(expression, "<expression>", "eval")


def _array(y):
    """A Tensor, or a plain value, or a shape, as an array."""
    if hasattr(y, "asnumpy"):
        return np.array(y.asnumpy())
    if isinstance(y, (tuple, list)):
        return np.concatenate([_array(x).ravel() for x in y]) if y else np.zeros(0)
    if not isinstance(y, PLAIN):
        raise TypeError(f"an output is {type(y).__name__}")
    return np.asarray(y)


def weights_of(found):
    """A weight for each floating output, which float16 holds exactly; the same for every framework."""
    rng = np.random.default_rng(len(found))
    shapes = {key: y.shape for key, y in found.items() if key.startswith("out") and y.dtype.kind == "f"}
    return {key: rng.integers(-8, 9, shape) / 8.0 for key, shape in shapes.items()}


def _gradients(ms, expression, inputs, made, found, weigh_as, tilt):
    """The gradients of the sum of weights times floating outputs."""
    names = [
        n for n, value in inputs.items() if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size
    ]
    weights = {key: ms.Tensor(tilt(w).astype(weigh_as)) for key, w in weights_of(found).items()}
    if not names or not weights or any(not found[key].size for key in weights):
        return {}
    kind = {np.float32: ms.float32, np.float64: ms.float64}[weigh_as]

    def total(*values):
        outs = _run(ms, expression, {**made, **dict(zip(names, values))})
        terms = [(ms.ops.cast(y, kind) * weights[f"out{i}"]).sum() for i, y in enumerate(outs) if f"out{i}" in weights]
        return sum(terms[1:], terms[0])

    try:
        grads = ms.grad(total, tuple(range(len(names))))(*(made[name] for name in names))
        grads = grads if isinstance(grads, tuple) else (grads,)
        return {f"grad {name}": np.array(g.asnumpy()) for name, g in zip(names, grads)}
    except Exception as error:
        return {"no gradient": type(error).__name__, "message": str(error)[:300]}
