"""Draws that propose and reject: gamma and Poisson numbers, and normal ones between bounds; and Cauchy's.

A call goes on until all places have a number, which waits for the device.
"""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_choice
from minispore.core.dtype import FLOATS, DTypeLike, as_dtype, float32, int64
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.kernels import special
from minispore.ops.kernels.float16.cast import narrow
from minispore.ops.kernels.random_streams import seeded_stream
from minispore.ops.kernels.select import select
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.random.distributions import Draw, DrawOfShape, read_shape
from minispore.ops.type_checks import check_float, check_tensor

__all__ = [
    "Cauchy",
    "LogNormalReverse",
    "NonDeterministicInts",
    "ParameterizedTruncatedNormal",
    "RandomGamma",
    "RandomPoisson",
    "TruncatedNormal",
]

_FEW = 10.0  # below, Poisson's numbers are found by adding up their chances
_POISSON_TYPES = ("Float16", "Float32", "Float64", "Int32", "Int64")


def _until_all_are(xp, shape, propose):
    """Numbers of ``propose``, which gives ``(numbers, whether each is taken)``; proposed again where none is."""
    out, pending = xp.zeros(shape), xp.ones(shape, bool)
    while bool(pending.any()):
        values, taken = propose()
        out = select(xp, pending & taken, values, out)
        pending = pending & ~taken
    return out


def gammas(xp, stream, alpha, shape):
    """Gamma numbers with exponents ``alpha``, of ``shape`` (Marsaglia and Tsang, 2000)."""
    alpha = xp.broadcast_to(alpha, shape)
    d = select(xp, alpha < 1, alpha + 1, alpha) - 1 / 3

    def propose():
        x, u = stream.normal(shape), stream.open_uniform(shape)
        v = (1 + x / xp.sqrt(9 * d)) ** 3
        held = xp.maximum(v, 1e-300)
        return d * v, (v > 0) & (xp.log(u) < x * x / 2 + d - d * v + d * xp.log(held))

    out = _until_all_are(xp, shape, propose)
    return out * select(xp, alpha < 1, stream.open_uniform(shape) ** (1 / alpha), 1.0)


def poissons(xp, stream, rate, shape):
    """Poisson numbers with means ``rate``, of ``shape``: by the sum of chances below 10, else by Hörmann (1993)."""
    rate = xp.broadcast_to(rate, shape)
    few = rate < _FEW
    low, u = select(xp, few, rate, 0.0), stream.uniform(shape)
    chance = total = xp.exp(-low)
    out = xp.zeros(shape)
    for k in range(1, 60):
        out = out + (u >= total)
        chance = chance * low / k
        total = total + chance
    return select(xp, few, out, _of_large(xp, stream, select(xp, few, _FEW, rate), shape))


def _of_large(xp, stream, rate, shape):
    root = xp.sqrt(rate)
    b = 0.931 + 2.53 * root
    a, inverse, edge = -0.059 + 0.02483 * b, 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)

    def propose():
        u, v = stream.open_uniform(shape) - 0.5, stream.open_uniform(shape)
        inside = 0.5 - xp.abs(u)
        k = xp.floor((2 * a / inside + b) * u + rate + 0.43)
        below = xp.log(v * inverse / (a / (inside * inside) + b))
        held = xp.maximum(k, 0)
        fits = below <= held * xp.log(rate) - rate - special.lgamma(xp, held + 1)
        return k, ((inside >= 0.07) & (v <= edge)) | ((k >= 0) & ((inside >= 0.013) | (v <= inside)) & fits)

    return _until_all_are(xp, shape, propose)


def _check_above(op, argument, x, least, kinds):
    """Raise unless x is a Tensor of numbers that are at least, or for 0.0 above, ``least``."""
    if not isinstance(x, Tensor) or (x.array.dtype.kind not in kinds and x.array.dtype not in FLOATS):
        raise type_error(op.name, f"the '{argument}' must be a Tensor of numbers", shown(x))
    values = x.asnumpy().astype(np.float64)
    if not (np.isfinite(values) & ((values > 0) if least is None else (values >= least))).all():
        raise value_error(
            op.name, f"the '{argument}' must be finite and {'above' if least is None else 'at least'} 0", x
        )


class RandomGamma(Draw):
    """Numbers of the gamma distribution, density ``x ** (alpha - 1) * exp(-x) / gamma(alpha)``: ``(shape, alpha)``.

    For each alpha, above 0, there are as many as ``shape`` says: the result has the shape ``shape + alpha.shape`` and
    the dtype of alpha.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``seed`` or ``seed2`` is not an int, ``shape`` is not a tuple of ints, or ``alpha`` is not a
            Tensor.
        ValueError: If ``seed`` or ``seed2`` is not at least 0 and below 2 ** 63, or ``shape`` has a negative length.
            Also if ``alpha`` is not finite and above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.RandomGamma()((2,), ms.Tensor([1.0, 100.0])))
        [[4.68778685e-02 1.22586075e+02]
         [3.05766749e+00 1.04924301e+02]]
    """

    def adapt(self, shape, alpha):
        """Read the shape and check the exponents, which waits for the device."""
        _check_above(self, "alpha", alpha, None, "")
        return read_shape(self, shape), alpha

    def infer(self, shape, alpha):
        check_float(self, "alpha", alpha)
        return Spec(shape + alpha.shape, alpha.dtype)

    def compute(self, xp, shape, alpha):
        return narrow(xp, gammas(xp, self.stream(xp), alpha.astype(np.float64), shape + alpha.shape), alpha.dtype)


class RandomPoisson(Draw):
    """Numbers of Poisson's distribution, chance ``rate ** k * exp(-rate) / k!``: ``RandomPoisson(...)(shape, rate)``.

    For each rate, at least 0, there are as many as ``shape`` says: the result has the shape ``shape + rate.shape``.

    Dtypes: floats and ints; the answer is int64; TypeError for bools and complex.

    Args:
        seed (int): Default: 0.
        seed2 (int): Default: 0.
        dtype (DType): Floating, int32 or int64. Default: int64.

    Raises:
        TypeError: If ``seed`` or ``seed2`` is not an int, ``dtype`` is not a dtype, or ``shape`` is not a tuple of
            ints. Also if ``rate`` is not a Tensor.
        ValueError: If ``seed`` or ``seed2`` is not at least 0 and below 2 ** 63, or ``shape`` has a negative length.
            Also if ``rate`` is not finite and at least 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.RandomPoisson()(ms.Tensor([2], ms.int32), ms.Tensor([1.0, 30.0])))
        [[ 0 32]
         [ 3 40]]
    """

    def __init__(self, seed=0, seed2=0, dtype: DTypeLike = int64) -> None:
        super().__init__(seed, seed2)
        self.add_prim_attr("dtype", as_dtype(dtype, self.name).np)
        check_choice(self.name, "dtype", str(as_dtype(dtype, self.name)), _POISSON_TYPES)

    def adapt(self, shape, rate):
        """Read the shape and check the rates, which waits for the device."""
        _check_above(self, "rate", rate, 0, "iu")
        return read_shape(self, shape), rate

    def infer(self, shape, rate):
        return Spec(shape + rate.shape, self.dtype)

    def compute(self, xp, shape, rate):
        return poissons(xp, self.stream(xp), rate.astype(np.float64), shape + rate.shape).astype(self.dtype)


class TruncatedNormal(DrawOfShape):
    """Numbers of the standard normal distribution between -2 and 2, of ``shape``: ``TruncatedNormal()(shape)``.

    Args:
        dtype (DType): A float type. Default: float32.
        seed (int): Default: 0.
        seed2 (int): Default: 0.

    Raises:
        TypeError: If ``dtype`` is not a dtype, ``seed`` or ``seed2`` is not an int, or ``shape`` is not a tuple of
            ints.
        ValueError: If ``seed`` or ``seed2`` is not at least 0 and below 2 ** 63, or ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.TruncatedNormal()((3,)))
        [-1.3136507  1.7717544  1.4542111]
    """

    def __init__(self, dtype: DTypeLike = float32, seed=0, seed2=0) -> None:
        super().__init__(seed, seed2)
        self.add_prim_attr("dtype", as_dtype(dtype, self.name).np)

    def compute(self, xp, shape):
        return narrow(xp, xp.asarray(self.stream(xp).truncated_normal(shape, -2.0, 2.0)), self.dtype)


class ParameterizedTruncatedNormal(Draw):
    """Normal numbers between bounds: ``ParameterizedTruncatedNormal()(shape, mean, stdevs, min, max)``.

    ``shape`` is (batches, ...); each parameter is one number, or one for each batch, floating. Source: inversion.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``seed`` or ``seed2`` is not an int.
        ValueError: If ``seed`` or ``seed2`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> bounds = ms.Tensor([0.0]), ms.Tensor([1.0]), ms.Tensor([-0.5]), ms.Tensor([0.5])
        >>> print(ops.ParameterizedTruncatedNormal()(ms.Tensor([1, 3], ms.int32), *bounds))
        [[-0.41980273  0.48245105  0.44357705]]
    """

    def adapt(self, shape, mean, stdevs, min, max):
        """Read the shape."""
        shape = read_shape(self, shape)
        for name, x in (("mean", mean), ("stdevs", stdevs), ("min", min), ("max", max)):
            if not isinstance(x, Tensor) or x.ndim > 1 or x.size not in (1, shape[0] if shape else 1):
                raise type_error(self.name, f"the '{name}' must be a Tensor of 1 or {shape[:1]} numbers", shown(x))
        return shape, mean, stdevs, min, max

    def infer(self, shape, mean, stdevs, low, high):
        check_float(self, "mean", mean)
        return Spec(shape, mean.dtype)

    def compute(self, xp, shape, mean, stdevs, low, high):
        column = (-1,) + (1,) * (len(shape) - 1)
        m, s, a, b = (x.astype(np.float64).reshape(column) for x in (mean, stdevs, low, high))
        below, above = (special.erf(xp, (x - m) / s / np.sqrt(2.0)) for x in (a, b))
        share = below + self.stream(xp).open_uniform(shape) * (above - below)
        drawn = m + s * np.sqrt(2.0) * special.erfinv(xp, share)
        return narrow(xp, xp.minimum(xp.maximum(drawn, a), b), mean.dtype)


class NonDeterministicInts(Primitive):
    """Integers of the dtype, of ``shape``, all equally likely: ``NonDeterministicInts(dtype)(shape)``.

    Args:
        dtype (DType): int32 or int64. Default: int64.

    Raises:
        TypeError: If ``dtype`` is not a dtype, or ``shape`` is not a tuple of ints.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.NonDeterministicInts(ms.int32)((2,)))
        [-1824711912  2077884276]
    """

    random = True
    differentiable = False

    def __init__(self, dtype: DTypeLike = int64) -> None:
        check_choice(self.name, "dtype", str(as_dtype(dtype, self.name)), ("Int32", "Int64"))
        self.add_prim_attr("dtype", as_dtype(dtype, self.name).np)

    def adapt(self, shape):
        """Read the shape."""
        return (read_shape(self, shape),)

    def infer(self, shape):
        return Spec(shape, self.dtype)

    def compute(self, xp, shape):
        halves = seeded_stream(0, 0, xp).integers(-(2**31), 2**31, (2, *shape)).astype(np.int64)
        return halves[0].astype(np.int32) if self.dtype == np.int32 else (halves[0] << 32) | (halves[1] + 2**31)


class Cauchy(Primitive):
    """Numbers of Cauchy's distribution, float32: ``median + sigma * tan(pi * (u - 0.5))``; a call has no input.

    Args:
        size (list[int]): The shape.
        median (float): Default: 0.0.
        sigma (float): Default: 1.0.

    Raises:
        TypeError: If ``size`` is not a tuple of ints, or ``median`` or ``sigma`` is not a number.
        ValueError: If ``size`` has a negative length, or ``median`` or ``sigma`` is not finite.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.Cauchy([3])())
        [-4.1566033 19.625885   5.997909 ]
    """

    random = True
    differentiable = False

    def __init__(self, size, median: float = 0.0, sigma: float = 1.0) -> None:
        self.add_prim_attr("size", read_shape(self, tuple(size) if isinstance(size, list) else size))
        for name, value in (("median", median), ("sigma", sigma)):
            self.add_prim_attr(name, check_python_float(self.name, name, value))

    def infer(self):
        return Spec(self.size, np.dtype(np.float32))

    def compute(self, xp):
        turns = seeded_stream(0, 0, xp).open_uniform(self.size) - 0.5
        return (self.median + self.sigma * xp.tan(np.pi * turns)).astype(np.float32)


class LogNormalReverse(Primitive):
    """Numbers whose logarithms are normal, in the shape and dtype of x: ``LogNormalReverse(mean, std)(x)``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        mean (float): The mean of the logarithms. Default: 1.0.
        std (float): Their deviation. Default: 2.0.

    Raises:
        TypeError: If ``mean`` or ``std`` is not a number, or ``x`` is not a Tensor.
        ValueError: If ``mean`` or ``std`` is not finite.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.LogNormalReverse(0.0, 1.0)(ms.Tensor([0.0, 0.0])))
        [0.23729184 8.493663  ]
    """

    random = True
    differentiable = False

    def __init__(self, mean: float = 1.0, std: float = 2.0) -> None:
        for name, value in (("mean", mean), ("std", std)):
            self.add_prim_attr(name, check_python_float(self.name, name, value))

    def infer(self, x):
        check_tensor(self, "input", x)
        check_float(self, "input", x)
        return x

    def compute(self, xp, x):
        return narrow(xp, xp.exp(self.mean + self.std * seeded_stream(0, 0, xp).normal(x.shape)), x.dtype)
