"""Initializers that fill with one number, or give a matrix its form: orthogonal, identity, Dirac, sparse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minispore.core.checks import check_positive_int
from minispore.core.errors import value_error
from minispore.nn.initial_values.base import Initializer, number

__all__ = ["Constant", "Dirac", "Identity", "One", "Orthogonal", "Sparse", "Zero"]


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


class Constant(Initializer):
    """All ``value``."""

    def __init__(self, value) -> None:
        self.value = number("Constant", "value", value)

    def draw(self, stream, shape) -> Any:
        """The constant."""
        return np.full(shape, self.value)


class Orthogonal(Initializer):
    """``gain`` times a matrix with orthonormal rows or columns, from the QR decomposition of a normal one."""

    def __init__(self, gain=1.0) -> None:
        self.gain = number("Orthogonal", "gain", gain)

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
        self.sparsity, self.sigma = number("Sparse", "sparsity", sparsity), number("Sparse", "sigma", sigma)

    def draw(self, stream, shape) -> Any:
        """Normal values, and zeros at random rows of each column."""
        if len(shape) != 2:
            raise value_error("Sparse", "the 'shape' must have two axes", shape)
        rank_in_column = np.argsort(np.argsort(stream.uniform(shape), axis=0), axis=0)
        kept = rank_in_column >= math.ceil(self.sparsity * shape[0])
        return stream.normal(shape) * self.sigma * kept
