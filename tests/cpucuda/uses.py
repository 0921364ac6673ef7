"""What a use of an array module is, and how uses are kept: lines of JSON, compressed.

A use is a function, method or attribute with the kinds of its arguments (dtype, rank, memory layout, ...) and one small
example of them. Array is an array of an example: its values, and how they lay in memory.
"""

import base64
import builtins
import dataclasses
import gzip
import json

import ml_dtypes  # noqa: F401 - gives NumPy the name bfloat16
import numpy as np


@dataclasses.dataclass(frozen=True)
class Use:
    """``kind`` is function, method, attribute or constant; ``key`` tells it from other uses."""

    kind: str
    name: str
    kinds: tuple
    named: tuple
    args: list
    kwargs: dict

    @property
    def key(self):
        """What makes two uses the same."""
        return self.kind, self.name, self.kinds, self.named

    def __str__(self):
        shown = [*self.kinds, *(f"{k}={v}" for k, v in self.named)]
        return f"{self.name}({', '.join(shown)})"


class Array:
    """An array of the device, kept on the host with its strides."""

    def __init__(self, host):
        self.dtype, self.shape, self.strides = host.dtype, host.shape, host.strides
        self.values = np.array(host, order="C")

    def block(self):
        """Zeros for the array to lie in, and the place of its first element there."""
        low = sum(min(0, s * (n - 1)) for n, s in zip(self.shape, self.strides, strict=True))
        high = sum(max(0, s * (n - 1)) for n, s in zip(self.shape, self.strides, strict=True))
        return np.zeros(high - low + self.dtype.itemsize, np.uint8), -low

    def numpy(self):
        """A NumPy array with these strides."""
        if not self.values.size:
            return np.empty(self.shape, self.dtype)
        block, offset = self.block()
        view = np.ndarray(self.shape, self.dtype, block, offset, self.strides)
        view[...] = self.values
        return view

    def on(self, cupy):
        """A CuPy array with these strides."""
        if not self.values.size:
            return cupy.empty(self.shape, self.dtype)
        host, (_, offset) = self.numpy(), self.block()
        while host.base is not None:
            host = host.base
        return cupy.ndarray(self.shape, self.dtype, cupy.asarray(host).data + offset, self.strides)


def _bytes(values):
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()


def _array(dtype, shape, text):
    return np.frombuffer(base64.b64decode(text), np.dtype(dtype)).reshape(shape).copy()


def encoded(value):
    """A value of an example as JSON: what JSON has not is a dict with one letter."""
    if value is Ellipsis:
        return {"e": 0}
    if isinstance(value, Array):
        return {"a": [value.dtype.name, value.shape, value.strides, _bytes(value.values)]}
    if isinstance(value, np.ndarray):
        return {"h": [value.dtype.name, value.shape, _bytes(value)]}
    if isinstance(value, np.generic):
        return {"n": [value.dtype.name, _bytes(value)]}
    if isinstance(value, np.dtype):
        return {"d": value.name}
    if isinstance(value, type):
        builtin = getattr(builtins, value.__name__, None) is value
        return {"p": value.__name__} if builtin else {"y": np.dtype(value).name}
    if isinstance(value, tuple):
        return {"t": [encoded(v) for v in value]}
    if isinstance(value, list):
        return [encoded(v) for v in value]
    if isinstance(value, slice):
        return {"s": [encoded(v) for v in (value.start, value.stop, value.step)]}
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise TypeError(f"an example cannot hold {type(value)}")


_DECODERS = {
    "e": lambda _: Ellipsis,
    "h": lambda v: _array(*v),
    "n": lambda v: _array(v[0], (), v[1])[()],
    "d": np.dtype,
    "p": lambda v: getattr(builtins, v),
    "y": lambda v: np.dtype(v).type,
    "t": lambda v: tuple(map(decoded, v)),
    "s": lambda v: slice(*map(decoded, v)),
}


def decoded(value):
    """The value that ``encoded`` made JSON of."""
    if isinstance(value, list):
        return [decoded(v) for v in value]
    if not isinstance(value, dict):
        return value
    ((letter, inner),) = value.items()
    if letter != "a":
        return _DECODERS[letter](inner)
    dtype, shape, strides, text = inner
    array = Array(_array(dtype, shape, text))
    array.strides = tuple(strides)
    return array


def save(path, uses):
    """Write uses, one a line, in the order of their keys; the same uses give the same bytes."""
    lines = []
    for use in sorted(uses, key=lambda use: str(use.key)):
        args, kwargs = [encoded(a) for a in use.args], {k: encoded(v) for k, v in use.kwargs.items()}
        lines.append(json.dumps([use.kind, use.name, use.kinds, use.named, args, kwargs]))
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write("\n".join(lines).encode())


def load(path):
    """The uses of a file."""
    with gzip.open(path, "rt") as file:
        for line in file:
            kind, name, kinds, named, args, kwargs = json.loads(line)
            kwargs = {k: decoded(v) for k, v in kwargs.items()}
            yield Use(kind, name, tuple(kinds), tuple(map(tuple, named)), decoded(args), kwargs)
