"""Initializers: distributions for a new Parameter's values. Each is a value with one method, ``draw(stream, shape)``.

The seed and the number of the draw name the stream, so that a given seed gives the same network on every machine.
"""

from __future__ import annotations

import math
from numbers import Number
from typing import Any

import numpy as np

from minispore.core import dtype
from minispore.core.checks import check_choice, check_number, check_positive_int, check_text
from minispore.core.errors import memory_error, shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.random_streams import next_stream
from minispore.core.tensor import Tensor

__all__ = [
    "Constant",
    "Dirac",
    "HeNormal",
    "HeUniform",
    "Identity",
    "Initializer",
    "Normal",
    "One",
    "Orthogonal",
    "Sparse",
    "TruncatedNormal",
    "Uniform",
    "VarianceScaling",
    "XavierNormal",
    "XavierUniform",
    "Zero",
    "initializer",
]


class Initializer:
    """Base of initializers: override ``draw(stream, shape)``, or MindSpore's ``_initialize(arr)``, which fills arr."""

    def draw(self, stream, shape) -> Any:
        """The values of a new array, drawn from a :class:`minispore.random_streams.Stream`."""
        array = np.zeros(shape, np.float32)
        self._initialize(array)
        return array

    def _initialize(self, arr):
        raise NotImplementedError(f"For '{type(self).__name__}', 'draw' or '_initialize' must be defined.")

    def fill(self, shape, data_type) -> Any:
        """A new Tensor of ``shape`` and ``data_type``."""
        shape = _as_shape(shape, 0, "non-negative")
        if math.prod(shape) >= 2**60:  # NumPy could not count its bytes
            raise value_error("initializer", "the 'shape' must be of fewer than 2 ** 60 elements", shown(shape))
        try:
            drawn = self.draw(next_stream(), shape)
        except MemoryError as error:
            raise memory_error("initializer", error) from error
        return Tensor(np.asarray(drawn), data_type)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"{type(self).__name__}({arguments})"


def fans(shape):
    """``(fan_in, fan_out)`` of a weight: its input and output channels, times the size of the kernel."""
    # A vector, such as a norm's gain, has as many inputs as outputs.
    if len(shape) == 1:
        return shape[0], shape[0]
    if len(shape) < 1:
        raise value_error("initializer", "the 'shape' must have at least one axis", shape)
    positions = math.prod(shape[2:])
    return shape[1] * positions, shape[0] * positions


_GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5.0 / 3, "relu": math.sqrt(2.0)}


def gain(nonlinearity, negative_slope):
    """The factor by which the weights before a nonlinearity are scaled."""
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + negative_slope**2))
    if nonlinearity not in _GAINS:
        raise value_error("initializer", f"the 'nonlinearity' must be one of {[*_GAINS, 'leaky_relu']}", nonlinearity)
    return _GAINS[nonlinearity]


class Zero(Initializer):
    """All zeros."""

    def draw(self, stream, shape) -> Any:
        """Zeros."""
        return np.zeros(shape)


class One(Initializer):
    """All ones."""

    def draw(self, stream, shape) -> Any:
        """Ones."""
        return np.ones(shape)


def _number(operation, argument, value):
    """``value``, a number that a float can hold, a bool, or a Tensor of one of them."""
    if isinstance(value, Tensor) and value.size == 1:
        value = value.asnumpy().item()
    return value if isinstance(value, bool) else check_number(operation, argument, value)


def _uniform(stream, shape, scale):
    """Values of ``U(-scale, scale)``."""
    return (2 * stream.uniform(shape) - 1) * scale


def _normal(stream, shape, sigma, mean=0.0):
    """Values of ``N(mean, sigma**2)``."""
    return stream.normal(shape) * sigma + mean


class Constant(Initializer):
    """All ``value``."""

    def __init__(self, value) -> None:
        self.value = _number("Constant", "value", value)

    def draw(self, stream, shape) -> Any:
        """The constant."""
        return np.full(shape, self.value)


class Normal(Initializer):
    """``N(mean, sigma**2)``."""

    def __init__(self, sigma=0.01, mean=0.0) -> None:
        self.sigma, self.mean = _number("Normal", "sigma", sigma), _number("Normal", "mean", mean)

    def draw(self, stream, shape) -> Any:
        """Normal values."""
        return _normal(stream, shape, self.sigma, self.mean)


class TruncatedNormal(Initializer):
    """``N(mean, sigma**2)`` restricted to values between ``a`` and ``b``.

    As in MindSpore the bounds are values, not multiples of ``sigma``: the default ones are 200 deviations away.
    """

    def __init__(self, sigma=0.01, mean=0.0, a=-2.0, b=2.0) -> None:
        given = {"sigma": sigma, "mean": mean, "a": a, "b": b}
        sigma, mean, a, b = (_number("TruncatedNormal", name, value) for name, value in given.items())
        if not sigma > 0:
            raise value_error("TruncatedNormal", "the 'sigma' must be above 0", sigma)
        if not a < b:
            raise value_error("TruncatedNormal", "the 'a' must be below the 'b'", f"{a} and {b}")
        self.sigma, self.mean, self.a, self.b = sigma, mean, a, b

    def draw(self, stream, shape) -> Any:
        """Normal values within the bounds."""
        low, high = ((bound - self.mean) / self.sigma for bound in (self.a, self.b))
        return stream.truncated_normal(shape, low, high) * self.sigma + self.mean


class Uniform(Initializer):
    """``U(-scale, scale)``."""

    def __init__(self, scale=0.07) -> None:
        self.scale = _number("Uniform", "scale", scale)

    def draw(self, stream, shape) -> Any:
        """Uniform values."""
        return _uniform(stream, shape, self.scale)


class XavierUniform(Initializer):
    """``U(-b, b)`` with ``b = gain * sqrt(6 / (fan_in + fan_out))`` (Glorot and Bengio, 2010)."""

    def __init__(self, gain=1) -> None:
        self.gain = _number(type(self).__name__, "gain", gain)

    def draw(self, stream, shape) -> Any:
        """Uniform values."""
        return _uniform(stream, shape, self.gain * math.sqrt(6 / sum(fans(shape))))


class XavierNormal(Initializer):
    """``N(0, s**2)`` with ``s = gain * sqrt(2 / (fan_in + fan_out))`` (Glorot and Bengio, 2010)."""

    def __init__(self, gain=1) -> None:
        self.gain = _number(type(self).__name__, "gain", gain)

    def draw(self, stream, shape) -> Any:
        """Normal values."""
        return _normal(stream, shape, self.gain * math.sqrt(2 / sum(fans(shape))))


class _He(Initializer):
    """Base of HeUniform and HeNormal: the standard deviation ``gain / sqrt(fan)`` (He et al., 2015)."""

    def __init__(self, negative_slope=0, mode="fan_in", nonlinearity="leaky_relu") -> None:
        name = type(self).__name__
        self.negative_slope = _number(name, "negative_slope", negative_slope)
        if not isinstance(mode, str) or mode not in ("fan_in", "fan_out"):
            raise value_error(name, "the 'mode' must be 'fan_in' or 'fan_out'", shown(mode))
        self.mode = mode
        self.nonlinearity = check_text(name, "nonlinearity", nonlinearity)

    def deviation(self, shape) -> Any:
        """The standard deviation for a weight of ``shape``."""
        fan = fans(shape)[0 if self.mode == "fan_in" else 1]
        return gain(self.nonlinearity, self.negative_slope) / math.sqrt(fan)


class HeUniform(_He):
    """``U(-b, b)``, ``b = sqrt(3) * gain / sqrt(fan)``; with ``negative_slope=sqrt(5)``, ``b = 1 / sqrt(fan_in)``."""

    def draw(self, stream, shape) -> Any:
        """Uniform values."""
        return _uniform(stream, shape, math.sqrt(3) * self.deviation(shape))


class HeNormal(_He):
    """``N(0, s**2)`` with ``s = gain / sqrt(fan)``."""

    def draw(self, stream, shape) -> Any:
        """Normal values."""
        return _normal(stream, shape, self.deviation(shape))


class Orthogonal(Initializer):
    """``gain`` times a matrix with orthonormal rows or columns, from the QR decomposition of a normal one."""

    def __init__(self, gain=1.0) -> None:
        self.gain = _number("Orthogonal", "gain", gain)

    def draw(self, stream, shape) -> Any:
        """Orthonormal values."""
        if len(shape) < 2:
            raise value_error("Orthogonal", "the 'shape' must have at least two axes", shape)
        rows, columns = shape[0], math.prod(shape[1:])
        q, r = np.linalg.qr(stream.normal((max(rows, columns), min(rows, columns))))
        q *= np.copysign(1, np.diag(r))  # makes the decomposition unique: the diagonal of R is positive
        return (q if rows >= columns else q.T).reshape(shape) * self.gain


class Identity(Initializer):
    """Ones on the diagonal of a matrix, zeros elsewhere."""

    def draw(self, stream, shape) -> Any:
        """The identity matrix."""
        if len(shape) != 2:
            raise value_error("Identity", "the 'shape' must have two axes", shape)
        return np.eye(*shape)


class Dirac(Initializer):
    """A convolution weight that passes its input through: 1 at the kernel's centre, for each of ``groups``."""

    def __init__(self, groups=1) -> None:
        self.groups = check_positive_int("Dirac", "groups", groups)

    def draw(self, stream, shape) -> Any:
        """The delta kernels."""
        if not 3 <= len(shape) <= 5 or shape[0] % self.groups:
            raise value_error("Dirac", "the 'shape' must have 3 to 5 axes, the first divisible by 'groups'", shape)
        array = np.zeros(shape)
        centre = tuple(n // 2 for n in shape[2:])
        out_channels = shape[0] // self.groups
        for group in range(self.groups):
            for i in range(min(out_channels, shape[1])):
                array[(group * out_channels + i, i, *centre)] = 1
        return array


class Sparse(Initializer):
    """A matrix of ``N(0, sigma**2)`` with the share ``sparsity`` of each column, rounded up, set to zero."""

    def __init__(self, sparsity, sigma=0.01) -> None:
        self.sparsity, self.sigma = _number("Sparse", "sparsity", sparsity), _number("Sparse", "sigma", sigma)

    def draw(self, stream, shape) -> Any:
        """Normal values, and zeros at random rows of each column."""
        if len(shape) != 2:
            raise value_error("Sparse", "the 'shape' must have two axes", shape)
        rank_in_column = np.argsort(np.argsort(stream.uniform(shape), axis=0), axis=0)
        kept = rank_in_column >= math.ceil(self.sparsity * shape[0])
        return stream.normal(shape) * self.sigma * kept


class VarianceScaling(Initializer):
    """Values of the variance ``scale / n``, with the fan ``n`` chosen by ``mode``.

    Args:
        scale (float): Above 0. Default: 1.0.
        mode (str): "fan_in", "fan_out" or "fan_avg", their mean. Default: "fan_in".
        distribution (str): "uniform", "truncated_normal" (cut at two deviations) or "untruncated_normal". Default:
            "truncated_normal".

    Raises:
        TypeError: If the ``scale`` is no number.
        ValueError: If an argument has another value.
    """

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal") -> None:
        scale = _number("VarianceScaling", "scale", scale)
        if not scale > 0:
            raise value_error("VarianceScaling", "the 'scale' must be above 0", scale)
        check_choice("VarianceScaling", "mode", mode, ("fan_in", "fan_out", "fan_avg"))
        legal = ("uniform", "truncated_normal", "untruncated_normal")
        check_choice("VarianceScaling", "distribution", distribution, legal)
        self.scale, self.mode, self.distribution = scale, mode, distribution

    def draw(self, stream, shape) -> Any:
        """Values of the distribution."""
        fan_in, fan_out = fans(shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        deviation = math.sqrt(self.scale / max(fan, 1))
        if self.distribution == "uniform":
            return _uniform(stream, shape, math.sqrt(3) * deviation)
        if self.distribution == "untruncated_normal":
            return _normal(stream, shape, deviation)
        return stream.truncated_normal(shape, -2.0, 2.0) * (deviation / _DEVIATION_WITHIN_TWO)


_DEVIATION_WITHIN_TWO = 0.8796256610342398  # of a standard normal variable that is cut at -2 and 2

_INITIALIZER_ALIAS = {
    "zeros": Zero,
    "zero": Zero,
    "ones": One,
    "one": One,
    "normal": Normal,
    "uniform": Uniform,
    "truncated_normal": TruncatedNormal,
    "truncatednormal": TruncatedNormal,
    "xavier_uniform": XavierUniform,
    "xavieruniform": XavierUniform,
    "xavier_normal": XavierNormal,
    "xaviernormal": XavierNormal,
    "he_uniform": HeUniform,
    "heuniform": HeUniform,
    "he_normal": HeNormal,
    "henormal": HeNormal,
    "orthogonal": Orthogonal,
    "identity": Identity,
    "dirac": Dirac,
    "variancescaling": VarianceScaling,
}


def _as_shape(shape, lowest, kind):
    """``shape`` as a tuple, of ints that are at least ``lowest``: an int is one length."""
    if not isinstance(shape, (int, tuple, list)):
        raise type_error("initializer", "the 'shape' must be an int, or a tuple or list of ints", shown(shape))
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    for n in shape:
        if not isinstance(n, int) or n < lowest:
            raise value_error("initializer", f"the 'shape' must be {kind} ints", shown(shape))
    return shape


def initializer(init: Tensor | str | Initializer | float, shape=None, dtype=dtype.float32) -> Tensor:
    """A new Tensor, filled by ``init``.

    Args:
        init (Union[Tensor, str, Initializer, number]): A Tensor is returned as it is (its shape must equal ``shape``,
            if given); a str names an initializer, such as "normal" or "he_uniform"; a number fills.
        shape (Union[int, tuple, list]): The shape.
        dtype (mindspore.dtype): The data type. Default: float32.

    Raises:
        TypeError: If ``init`` is of another kind.
        ValueError: If the name is unknown, the shape is missing or not positive, or a Tensor's shape differs.

    Examples:
        >>> import minispore as ms
        >>> print(ms.common.initializer.initializer("ones", [2]))
        [1. 1.]
    """
    if isinstance(init, Tensor):
        if shape is not None and init.shape != _as_shape(shape, 1, "positive"):
            raise value_error("initializer", f"the 'init' Tensor must have the shape {tuple(shape)}", init.shape)
        return init
    if shape is None:
        raise value_error("initializer", "the 'shape' must be given", "None")
    if isinstance(init, str):
        if init.lower() not in _INITIALIZER_ALIAS:
            raise value_error("initializer", f"the 'init' must be one of {sorted(_INITIALIZER_ALIAS)}", shown(init))
        init = _INITIALIZER_ALIAS[init.lower()]()
    elif isinstance(init, Number):
        init = Constant(init)
    if not isinstance(init, Initializer):
        raise type_error("initializer", "the 'init' must be a Tensor, a name, an Initializer or a number", shown(init))
    return init.fill(_as_shape(shape, 1, "positive"), dtype)


Parameter._initial = staticmethod(initializer)
