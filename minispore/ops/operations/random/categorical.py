"""Random categories: class numbers drawn in proportion to weights, with or without putting them back."""

from __future__ import annotations

import numpy as np

from minispore.core.dtype import as_dtype, bool_, int32, int64
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_int
from minispore.ops.kernels.float16.cast import widen
from minispore.ops.kernels.random_streams import seeded_stream
from minispore.ops.operations.random.distributions import Draw
from minispore.ops.operations.random.dropout import check_seeds
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_float

__all__ = ["Multinomial", "MultinomialWithReplacement", "RandomCategorical"]

_INT32, _INT64 = np.dtype(np.int32), np.dtype(np.int64)


def _categories(xp, stream, weights, count, kind):
    """``count`` category numbers for each row of ``weights``, with chances in their proportion."""
    edges = xp.cumsum(weights, axis=-1)
    top = edges[..., -1:]
    points = xp.minimum(stream.uniform((*weights.shape[:-1], count)) * top, xp.nextafter(top, xp.zeros_like(top)))
    rows = zip(edges.reshape(-1, edges.shape[-1]), points.reshape(-1, count), strict=True)
    found = xp.stack([xp.searchsorted(row, point, side="right") for row, point in rows])
    return found.reshape(points.shape).astype(kind)


def _check_count(op, argument, count, lowest):
    count = as_int(op, argument, count)
    if count < lowest:
        raise value_error(op.name, f"the '{argument}' must be at least {lowest}", count)
    return count


def _check_weights(op, x):
    """Raise unless x is one row or several of finite weights, each with a sum above 0."""
    if not isinstance(x, Tensor) or x.dtype == bool_:
        raise type_error(op.name, "the 'x' must be a Tensor of numbers", getattr(x, "dtype", type(x).__name__))
    if x.ndim not in (1, 2):
        raise value_error(op.name, "the 'x' must have 1 or 2 axes", f"shape {x.shape}")
    weights = widen(np, x.asnumpy())
    if not (np.isfinite(weights).all() and (weights >= 0).all() and (weights.sum(-1) > 0).all()):
        expected = "the 'x' must be finite and at least 0, with a sum above 0 in each row"
        raise value_error(op.name, expected, weights.tolist())


class Multinomial(Draw):
    """``num_samples`` category numbers for each row of x (or for x itself), with chances in proportion to x.

    Shapes: (N, K) gives (N, num_samples); (K,) gives (num_samples,). Dtypes: floats and ints; the answer is int32;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``seed``, ``seed2`` or ``num_samples`` is not an int, ``dtype`` is not a dtype, or ``x`` is not a
            Tensor.
        ValueError: If ``seed`` or ``seed2`` is not at least 0 and below 2 ** 63. Also if ``x`` does not have 1 or 2
            axes. Also if ``x`` is not finite and at least 0, with a sum above 0 in each row, or ``num_samples`` is
            below 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.Multinomial()(ms.Tensor([0.0, 9.0, 1.0]), 5))  # class 0 has no chance
        [1 2 2 1 1]
    """

    def __init__(self, seed=0, seed2=0, dtype=int32) -> None:
        super().__init__(seed, seed2)
        self.add_prim_attr("dtype", as_dtype(dtype, self.name).np)
        if self.dtype not in (_INT32, _INT64):
            raise type_error(self.name, "the 'dtype' must be int32 or int64", dtype)

    def adapt(self, x, num_samples):
        """Check the weights, which waits for the device."""
        _check_weights(self, x)
        return x, _check_count(self, "num_samples", num_samples, 0)

    def infer(self, x, num_samples):
        return Spec((*x.shape[:-1], num_samples), self.dtype)

    def compute(self, xp, x, num_samples):
        return _categories(xp, self.stream(xp), x.astype(np.float64), num_samples, self.dtype)


class MultinomialWithReplacement(Primitive):
    """``numsamples`` category numbers for each row of x, with chances in proportion to x: called ``(x, seed, offset)``.

    Without ``replacement`` no number comes twice in a row. Each waits a random time, short in proportion to its weight;
    the first to come are drawn (Efraimidis and Spirakis, 2006).

    Shapes: (N, K) gives (N, numsamples); (K,) gives (numsamples,). Dtypes: floats and ints; the answer is int64;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``numsamples``, ``seed`` or ``offset`` is not an int, ``replacement`` is not a bool, or ``x`` is
            not a Tensor.
        ValueError: If ``numsamples`` is below 0, or ``x`` does not have 1 or 2 axes. Also if ``x`` is not finite and at
            least 0, with a sum above 0 in each row. Also if ``seed`` or ``offset`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.MultinomialWithReplacement(5, True)(ms.Tensor([0.0, 9.0, 1.0]), 1, 0))  # class 0 has no chance
        [1 2 1 1 1]
    """

    random = True
    differentiable = False

    def __init__(self, numsamples, replacement: bool = False) -> None:
        self.add_prim_attr("numsamples", _check_count(self, "numsamples", numsamples, 0))
        self.add_prim_attr("replacement", replacement)

    def adapt(self, x, seed=0, offset=0):
        """Check the weights, which waits for the device, and read seeds that are Tensors."""
        _check_weights(self, x)
        seed, offset = (int(n) if isinstance(n, Tensor) and n.size == 1 else n for n in (seed, offset))
        check_seeds(self.name, seed=seed, offset=offset)
        return x, seed, offset

    def infer(self, x, seed, offset):
        if not self.replacement and self.numsamples > x.shape[-1]:
            expected = f"the 'numsamples' must be at most {x.shape[-1]}, as many as there are, without replacement"
            raise value_error(self.name, expected, self.numsamples)
        return Spec((*x.shape[:-1], self.numsamples), _INT64)

    def compute(self, xp, x, seed, offset):
        stream, weights = seeded_stream(seed, offset, xp), x.astype(np.float64)
        if self.replacement:
            return _categories(xp, stream, weights, self.numsamples, _INT64)
        waits = -xp.log(stream.open_uniform(x.shape)) / weights
        return xp.ascontiguousarray(xp.argsort(waits, axis=-1, kind="stable")[..., : self.numsamples])


class RandomCategorical(Primitive):
    """``num_sample`` category numbers for each row of logits, with chances ``softmax(logits)``.

    It is called ``(logits, num_sample, seed)``; seed 0 means no seed.

    Shapes: (N, K) gives (N, num_sample). Dtypes: floats; the answer is int64; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``dtype`` is not a dtype, ``logits`` is not a Tensor, or ``num_sample`` or ``seed`` is not an int.
        ValueError: If ``logits`` does not have 2 axes, or ``num_sample`` is below 1. Also if ``seed`` is not at least 0
            and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.RandomCategorical()(ms.Tensor([[0.0, 2.0, -1000.0]]), 5, 0))  # class 2 has no chance
        [[0 1 1 1 1]]
    """

    random = True
    differentiable = False

    def __init__(self, dtype=int64) -> None:
        self.add_prim_attr("dtype", as_dtype(dtype, self.name).np)
        if self.dtype not in (np.dtype(np.int16), _INT32, _INT64):
            raise type_error(self.name, "the 'dtype' must be int16, int32 or int64", dtype)

    def adapt(self, logits, num_sample, seed=0):
        """Check the count and the seed."""
        check_seeds(self.name, seed=seed)
        return logits, _check_count(self, "num_sample", num_sample, 1), seed

    def infer(self, logits, num_sample, seed):
        check_float(self, "logits", logits)
        check_rank(self, "logits", logits, (2,))
        return Spec((logits.shape[0], num_sample), self.dtype)

    def compute(self, xp, logits, num_sample, seed):
        wide = logits.astype(np.float64)
        weights = xp.exp(wide - wide.max(axis=-1, keepdims=True))
        return _categories(xp, seeded_stream(seed, 0, xp), weights, num_sample, self.dtype)
