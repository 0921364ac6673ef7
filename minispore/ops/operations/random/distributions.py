"""Random draws: normal and uniform numbers, integers, outcomes, permutations.

An operation without seeds draws from the next stream of ``set_seed``; one with ``seed`` or ``seed2`` draws the same
numbers at every call.
"""

from __future__ import annotations

import numpy as np

from minispore.core import backend
from minispore.core.checks import check_int, check_positive_int, is_int, plain
from minispore.core.dtype import DTypeLike, as_dtype, int32, int64
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor, wrap
from minispore.ops.axes import as_int
from minispore.ops.kernels.random_streams import seeded_stream
from minispore.ops.operations.random.dropout import check_seeds
from minispore.ops.type_checks import check_tensor

__all__ = [
    "Bernoulli",
    "RandomShuffle",
    "Randperm",
    "RandpermV2",
    "StandardLaplace",
    "StandardNormal",
    "UniformInt",
    "UniformReal",
]

_FLOAT32, _INT32, _INT64 = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.int64)


class Draw(Primitive):
    """Base of draws without a gradient; ``stream`` gives the stream that a call draws from."""

    random = True
    differentiable = False

    def __init__(self, seed=0, seed2=0) -> None:
        check_seeds(self.name, seed=seed, seed2=seed2)
        self.add_prim_attr("seed", seed)
        self.add_prim_attr("seed2", seed2)

    def stream(self, xp):
        """The stream that the seeds name, or the next one."""
        return seeded_stream(self.seed, self.seed2, xp)


def read_shape(op, shape):
    """A shape as a tuple; a Tensor of lengths is read, which waits for the device."""
    shape = tuple(shape.asnumpy().ravel().tolist()) if isinstance(shape, Tensor) else shape
    if not isinstance(shape, tuple) or any(not is_int(n) for n in shape):
        raise type_error(op.name, "the 'shape' must be a tuple of ints", shown(shape))
    if any(n < 0 for n in shape):
        raise value_error(op.name, "the 'shape' must be of lengths of at least 0", shape)
    return shape


class DrawOfShape(Draw):
    """Draws of a given shape."""

    dtype = _FLOAT32  # of what is drawn

    def adapt(self, shape, *others):
        """Read the shape."""
        return (read_shape(self, shape), *others)

    def infer(self, shape):
        return Spec(shape, self.dtype)


class StandardNormal(DrawOfShape):
    """Float32 numbers of the normal distribution with mean 0 and deviation 1, of ``shape``.

    Raises:
        TypeError: If ``seed`` or ``seed2`` is not an int, or ``shape`` is not a tuple of ints.
        ValueError: If ``seed`` or ``seed2`` is not at least 0 and below 2 ** 63, or ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.StandardNormal()((3,)))
        [-1.4384645  2.1393204  1.6202765]
    """

    def compute(self, xp, shape):
        return self.stream(xp).normal(shape).astype(np.float32)


class StandardLaplace(DrawOfShape):
    """Float32 numbers of the Laplace distribution, density ``exp(-|x|) / 2``, of ``shape``.

    Raises:
        TypeError: If ``seed`` or ``seed2`` is not an int, or ``shape`` is not a tuple of ints.
        ValueError: If ``seed`` or ``seed2`` is not at least 0 and below 2 ** 63, or ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.StandardLaplace()((3,)))
        [-1.8951067  3.4292965  2.2521496]
    """

    def compute(self, xp, shape):
        sides = 2 * self.stream(xp).open_uniform(shape) - 1
        return xp.copysign(xp.log1p(-xp.abs(sides)), sides).astype(np.float32)


class UniformReal(DrawOfShape):
    """Float32 numbers of the uniform distribution over [0, 1), multiples of ``2 ** -24``, of ``shape``.

    Raises:
        TypeError: If ``seed`` or ``seed2`` is not an int, or ``shape`` is not a tuple of ints.
        ValueError: If ``seed`` or ``seed2`` is not at least 0 and below 2 ** 63, or ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.UniformReal()((3,)))
        [0.2136935  0.07515115 0.28593677]
    """

    def compute(self, xp, shape):
        return self.stream(xp).uniform32(shape)


class UniformInt(DrawOfShape):
    """Integers in [minval, maxval), Tensors of shape () and one dtype, int32 or int64, with equal chances.

    Raises:
        TypeError: If ``seed`` or ``seed2`` is not an int, or ``shape`` is not a tuple of ints. Also if ``low`` or
            ``high`` is not a Tensor of int32 or int64.
        ValueError: If ``seed`` or ``seed2`` is not at least 0 and below 2 ** 63, or ``shape`` has a negative length.
            Also if ``low`` or ``high`` has a shape that does not fit.
        RuntimeError: If ``low`` is not below ``high``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.UniformInt()((5,), ms.Tensor(1, ms.int32), ms.Tensor(7, ms.int32)))  # a die
        [1 6 6 5 6]
    """

    def adapt(self, shape, minval, maxval):
        """Read the bounds, which waits for the device."""
        for name, bound in (("minval", minval), ("maxval", maxval)):
            if not isinstance(bound, Tensor) or bound.dtype.np not in (_INT32, _INT64):
                raise type_error(self.name, f"the '{name}' must be a Tensor of int32 or int64", shown(bound))
            if bound.shape != ():
                raise value_error(self.name, f"the '{name}' must have the shape ()", bound.shape)
        low, high = minval.item(), maxval.item()
        if low >= high:
            raise runtime_error(self.name, "the 'minval' must be below the 'maxval'", f"{low} and {high}")
        return (*super().adapt(shape), low, high, minval.dtype.np)

    def infer(self, shape, low, high, kind):
        return Spec(shape, kind)

    def compute(self, xp, shape, low, high, kind):
        return self.stream(xp).integers(low, high, shape).astype(kind)


class Bernoulli(Primitive):
    """Ones with probability ``p``, else zeros, in the shape and dtype of x; -1 stands for no seed.

    Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``p`` is neither a float nor a floating Tensor.
        ValueError: If ``p`` is out of [0, 1], or has neither one element nor the shape of x.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.Bernoulli()(ms.Tensor([0.0, 0.0, 0.0, 0.0]), 0.5))
        [1. 0. 0. 0.]
    """

    random = True
    differentiable = False

    def __init__(self, seed=-1, offset=0) -> None:
        check_seeds(self.name, **({} if is_int(seed) and seed == -1 else {"seed": seed}), offset=offset)
        self.add_prim_attr("seed", seed)
        self.add_prim_attr("offset", offset)

    def adapt(self, x, p):
        """Read the probabilities, which waits for the device."""
        p = p if isinstance(p, Tensor) else plain(p)
        if not isinstance(p, float) and not (isinstance(p, Tensor) and p.dtype.is_float):
            raise type_error(self.name, "the 'p' must be a float or a floating Tensor", shown(p))
        values = np.asarray(p) if isinstance(p, float) else p.asnumpy()
        if not ((values >= 0) & (values <= 1)).all():
            raise value_error(self.name, "the 'p' must be in [0, 1]", p)
        return x, wrap(backend.from_host(values)) if isinstance(p, float) else p

    def infer(self, x, p):
        check_tensor(self, "x", x)
        if p.shape != x.shape and np.prod(p.shape) != 1:
            raise value_error(self.name, f"the 'p' must have one element or the shape {x.shape}", p.shape)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x, p):
        stream = seeded_stream(self.seed + 1, self.offset, xp)
        return (stream.uniform(x.shape) < p.reshape(x.shape if p.shape == x.shape else (1,) * x.ndim)).astype(x.dtype)


class RandpermV2(Primitive):
    """The integers below ``n`` in random order: ``RandpermV2(dtype)(n, seed, offset)``; without seeds, 0 or -1.

    Raises:
        TypeError: If ``dtype`` is not a dtype, or ``n`` is not an int.
        ValueError: If ``n`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.RandpermV2()(5))
        [0 3 4 2 1]
    """

    random = True
    differentiable = False

    def __init__(self, dtype=int64) -> None:
        self.add_prim_attr("dtype", as_dtype(dtype, self.name).np)

    def adapt(self, n, seed=0, offset=0):
        """Read the count; if it is a Tensor, the host waits for the device."""
        n = as_int(self, "n", n.reshape(()) if isinstance(n, Tensor) and n.size == 1 else n)
        if n <= 0:
            raise value_error(self.name, "the 'n' must be above 0", n)
        seed = 0 if is_int(seed) and seed == -1 else seed
        check_seeds(self.name, seed=seed, offset=offset)
        return n, seed, offset

    def infer(self, n, seed, offset):
        return Spec((n,), self.dtype)

    def compute(self, xp, n, seed, offset):
        return seeded_stream(seed, offset, xp).permutation(n).astype(self.dtype)


class Randperm(Primitive):
    """The integers below ``n[0]`` in random order, then ``pad`` up to the length ``max_length``.

    Args:
        max_length (int): The length, at least n. Default: 1.
        pad (int): What stands after the integers. Default: -1.
        dtype (mindspore.dtype): The result's dtype. Default: int32.

    Inputs: ``n``, a Tensor of shape (1,), int32 or int64.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``max_length`` is below 1, or n is below 0 or above ``max_length``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.Randperm(max_length=5)(ms.Tensor([3], ms.int32)))
        [ 0  2  1 -1 -1]
    """

    random = True
    differentiable = False

    def __init__(self, max_length: int = 1, pad: int = -1, dtype: DTypeLike = int32) -> None:
        self.add_prim_attr("max_length", check_positive_int(self.name, "max_length", max_length))
        self.add_prim_attr("pad", check_int(self.name, "pad", pad))
        self.add_prim_attr("dtype", as_dtype(dtype, self.name).np)

    def adapt(self, n):
        """Read the count, which waits for the device."""
        if not isinstance(n, Tensor) or n.array.dtype not in (np.int32, np.int64):
            got = n.dtype if isinstance(n, Tensor) else type(n).__name__
            raise type_error(self.name, "the 'n' must be a Tensor of int32 or int64", got)
        if n.shape != (1,):
            raise value_error(self.name, "the 'n' must have the shape (1,)", n.shape)
        return (check_int(self.name, "n", int(n), 0, self.max_length + 1),)

    def infer(self, n):
        return Spec((self.max_length,), self.dtype)

    def compute(self, xp, n):
        out = xp.full(self.max_length, self.pad, self.dtype)
        out[:n] = seeded_stream(0, 0, xp).permutation(n)
        return out


class RandomShuffle(Draw):
    """The rows of x, along its first axis, in random order. It has no gradient: one that is asked for is an error.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``seed`` or ``seed2`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``seed`` or ``seed2`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.RandomShuffle()(ms.Tensor([1, 2, 3, 4])))
        [1 4 3 2]
    """

    differentiable = True

    def infer(self, x):
        check_tensor(self, "x", x)
        return x

    def compute(self, xp, x):
        return x[self.stream(xp).permutation(len(x))] if x.ndim else x
