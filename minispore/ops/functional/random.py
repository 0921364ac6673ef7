"""Functional wrappers of the random draws.

Without a seed they draw from the next stream of ``set_seed``. With a ``seed`` of their own their draws depend on that
seed and the number of draws so far. Each call draws anew, and the program draws the same when it runs again.
"""

from __future__ import annotations

from minispore.core.checks import check_bool, check_int, check_switch, is_int
from minispore.core.dtype import as_dtype, float32, int32, int64
from minispore.core.errors import type_error, value_error
from minispore.core.seeds import next_stream
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.casting import cast
from minispore.ops.functional import array_manipulation
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.array_filling import one_hot
from minispore.ops.functional.math_unary import log
from minispore.ops.functional.nn_activation import softmax
from minispore.ops.functional.state import stop_gradient
from minispore.ops.number_checks import check_no_complex, check_real
from minispore.ops.operations.random import categorical, distributions, dropout, rejection

__all__ = [
    "bernoulli",
    "gumbel_softmax",
    "laplace",
    "multinomial",
    "multinomial_with_replacement",
    "normal",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "random_categorical",
    "random_gamma",
    "random_poisson",
    "randperm",
    "shuffle",
    "standard_laplace",
    "standard_normal",
    "uniform",
]
METHODS = "bernoulli multinomial random_categorical"

_FRACTION_BITS = {"Float16": 11, "BFloat16": 8}  # bits of a number below 1 that a narrow float keeps


def _drawing(operation, kind, seed):
    """The primitive of ``kind``: the one without seeds, or a new one with ``seed`` and the number of the draw."""
    if seed is None:
        return make(kind)
    dropout.check_seeds(operation, seed=seed)
    return kind(seed, next_stream()[1])


# Numbers of a distribution


def standard_normal(shape, seed=None) -> Tensor:
    """Float32 numbers of the normal distribution with mean 0 and deviation 1.

    ``seed`` is mixed with the number of the call, so two calls differ; ``set_seed`` repeats them.

    Shapes: ``shape``.

    Raises:
        TypeError: If ``shape`` is not a tuple of ints, or ``seed`` is not an int.
        ValueError: If ``shape`` has a negative length, or ``seed`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.standard_normal((3,)))
        [-1.4384645  2.1393204  1.6202765]
    """
    return _drawing("standard_normal", distributions.StandardNormal, seed)(shape)


def standard_laplace(shape, seed=None) -> Tensor:
    """Float32 numbers of the Laplace distribution, density ``exp(-|x|) / 2``.

    Shapes: ``shape``.

    Raises:
        TypeError: If ``shape`` is not a tuple of ints, or ``seed`` is not an int.
        ValueError: If ``shape`` has a negative length, or ``seed`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.standard_laplace((3,)))
        [-1.8951067  3.4292965  2.2521496]
    """
    return _drawing("standard_laplace", distributions.StandardLaplace, seed)(shape)


def _parameter(operation, argument, value):
    if isinstance(value, bool) or not isinstance(value, (int, float, Tensor)):
        raise type_error(operation, f"the '{argument}' must be a Tensor or a number", type(value).__name__)
    check_no_complex(operation, argument, value)
    return cast(value, float32.np) if isinstance(value, Tensor) else value


def normal(shape, mean, stddev, seed=None) -> Tensor:
    """Random numbers of a normal distribution with a mean and a deviation.

    ``standard_normal(shape) * stddev + mean``, float32; gradients pass to the mean and the deviation.

    Shapes: those of ``shape``, mean and deviation broadcast. Dtypes: floats, ints and bools; the answer is float32;
    TypeError for complex.

    Raises:
        TypeError: If ``shape`` is not a tuple of ints, or ``mean`` or ``stddev`` is not a Tensor or a number. Also if
            ``mean`` or ``stddev`` is not a real number, or ``seed`` is not an int.
        ValueError: If the shapes do not broadcast, or ``shape`` has a negative length. Also if ``seed`` is not at least
            0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.normal((2,), ms.Tensor([0.0, 100.0]), ms.Tensor(1.0)))
        [ -1.4384645 102.13932  ]
    """
    mean, stddev = _parameter("normal", "mean", mean), _parameter("normal", "stddev", stddev)
    return _drawing("normal", distributions.StandardNormal, seed)(shape) * stddev + mean


def laplace(shape, mean, lambda_param, seed=None) -> Tensor:
    """Random numbers of a Laplace distribution with a mean and a scale.

    ``standard_laplace(shape) * lambda_param + mean``, float32; gradients pass to both.

    Shapes: those of ``shape``, mean and ``lambda_param`` broadcast. Dtypes: floats, ints and bools; the answer is
    float32; TypeError for complex.

    Raises:
        TypeError: If ``shape`` is not a tuple of ints, or ``mean`` or ``lambda_param`` is not a Tensor or a number.
            Also if ``mean`` or ``lambda_param`` is not a real number, or ``seed`` is not an int.
        ValueError: If the shapes do not broadcast, or ``shape`` has a negative length. Also if ``seed`` is not at least
            0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.laplace((2,), ms.Tensor([0.0, 100.0]), ms.Tensor(1.0)))
        [ -1.8951067 103.4293   ]
    """
    mean, lambda_param = _parameter("laplace", "mean", mean), _parameter("laplace", "lambda_param", lambda_param)
    return _drawing("laplace", distributions.StandardLaplace, seed)(shape) * lambda_param + mean


def uniform(shape, minval: Tensor, maxval: Tensor, seed=None, dtype=float32) -> Tensor:
    """Numbers in [minval, maxval), Tensors of ``dtype``: float32, or int32 with bounds of shape ().

    Shapes: those of ``shape`` and the bounds broadcast. Dtypes: float32, kept; TypeError for float16, float64, ints,
    bools and complex.

    Raises:
        TypeError: If ``shape`` is not a tuple of ints, ``minval`` or ``maxval`` is not a Tensor, or ``seed`` is not an
            int. Also if ``dtype`` is not a dtype.
        ValueError: If ``shape`` has a negative length, or ``seed`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.uniform((3,), ms.Tensor(10.0), ms.Tensor(20.0)))
        [12.136935 10.751512 12.859367]
    """
    check_tensors("uniform", minval=minval, maxval=maxval)
    kind = as_dtype(dtype, "uniform")
    if kind not in (float32, int32):
        raise type_error("uniform", "the 'dtype' must be float32 or int32", kind)
    for name, bound in (("minval", minval), ("maxval", maxval)):
        if bound.dtype != kind:
            raise type_error("uniform", f"the '{name}' must be a Tensor of the 'dtype' {kind}", bound.dtype)
    if kind == int32:
        return _drawing("uniform", distributions.UniformInt, seed)(shape, minval, maxval)
    return _drawing("uniform", distributions.UniformReal, seed)(shape) * (maxval - minval) + minval


# As many numbers as are asked for


def _size(operation, size):
    """The shape that ``*size`` spells: ints, or one tuple or list of ints; (1,) for none."""
    size = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size or (1,)
    if any(not is_int(n) for n in size):
        raise type_error(operation, "the 'size' must be ints", size)
    return size


def _float_kind(operation, dtype):
    kind = as_dtype(dtype, operation)
    if not kind.is_float:
        raise value_error(operation, "the 'dtype' must be a float type", kind)
    return kind


def _uniform(operation, shape, kind, seed):
    """Numbers in [0, 1): a narrow float takes as many bits as it has, because rounding would make ones of some."""
    out = _drawing(operation, distributions.UniformReal, seed)(shape)
    if str(kind) in _FRACTION_BITS:
        steps = 2.0 ** _FRACTION_BITS[str(kind)]
        out = out * steps // 1 / steps
    return cast(out, kind.np)


def rand(*size, dtype=None, seed=None) -> Tensor:
    """Numbers of the uniform distribution over [0, 1), float32 where no dtype is given.

    Shapes: ``size``.

    Raises:
        TypeError: If ``size`` does not hold ints, ``dtype`` is not a dtype, or ``seed`` is not an int.
        ValueError: If ``size`` has a negative length, or ``seed`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.rand(3))
        [0.2136935  0.07515115 0.28593677]
    """
    return _uniform("rand", _size("rand", size), _float_kind("rand", float32 if dtype is None else dtype), seed)


def rand_like(input: Tensor, seed=None, *, dtype=None) -> Tensor:
    """:func:`rand` in the shape of ``input``, and in its dtype where none is given.

    Shapes: that of ``input``. Dtypes: floats, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``seed`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``dtype`` is not a float type, or ``seed`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.rand_like(ms.Tensor([1.0, 2.0])))
        [0.2136935  0.07515115]
    """
    check_tensors("rand_like", input=input)
    kind = _float_kind("rand_like", input.dtype if dtype is None else dtype)
    return _uniform("rand_like", input.shape, kind, seed)


def randn(*size, dtype=None, seed=None) -> Tensor:
    """Numbers of the normal distribution with mean 0 and deviation 1, float32 where no dtype is given.

    Shapes: ``size``.

    Raises:
        TypeError: If ``size`` does not hold ints, ``dtype`` is not a dtype, or ``seed`` is not an int.
        ValueError: If ``size`` has a negative length, or ``seed`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.randn(3))
        [-1.4384645  2.1393204  1.6202765]
    """
    kind = _float_kind("randn", float32 if dtype is None else dtype)
    return cast(_drawing("randn", distributions.StandardNormal, seed)(_size("randn", size)), kind.np)


def randn_like(input: Tensor, seed=None, *, dtype=None) -> Tensor:
    """:func:`randn` in the shape of ``input``; float32 if no dtype is given, whatever x's own.

    Shapes: that of ``input``. Dtypes: any; the answer is float32.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``seed`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``seed`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.randn_like(ms.Tensor([1.0, 2.0])))
        [-1.4384645  2.1393204]
    """
    check_tensors("randn_like", input=input)
    kind = _float_kind("randn_like", float32 if dtype is None else dtype)
    return cast(_drawing("randn_like", distributions.StandardNormal, seed)(input.shape), kind.np)


def _integers(operation, low, high, shape, dtype, seed):
    kind = as_dtype(dtype, operation)
    if kind.np.kind not in "iu":
        raise value_error(operation, "the 'dtype' must be an int type", kind)
    for name, bound in (("low", low), ("high", high)):
        check_int(operation, name, bound)
    bounds = Tensor(low, int64), Tensor(high, int64)
    return cast(_drawing(operation, distributions.UniformInt, seed)(shape, *bounds), kind.np)


def randint(low, high, size, seed=None, *, dtype=None) -> Tensor:
    """Integers in [low, high) with equal chances, int64 where no dtype is given.

    Shapes: ``size``.

    Raises:
        TypeError: If ``low``, ``high`` or ``seed`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``size`` is not a tuple, or ``size`` has a negative length. Also if ``seed`` is not at least 0
            and below 2 ** 63.
        RuntimeError: If ``low`` is not below ``high``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.randint(1, 7, (5,)))  # a die
        [1 6 6 5 6]
    """
    if not isinstance(size, tuple):
        raise value_error("randint", "the 'size' must be a tuple", size)
    return _integers("randint", low, high, size, int64 if dtype is None else dtype, seed)


def randint_like(input: Tensor, low, high, seed=None, *, dtype=None) -> Tensor:
    """:func:`randint` in the shape of ``input``, and in its dtype where none is given.

    Shapes: that of ``input``. Dtypes: ints, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``low``, ``high`` or ``seed`` is not an int, or ``dtype`` is not a
            dtype.
        ValueError: If ``dtype`` is not an int type, or ``seed`` is not at least 0 and below 2 ** 63.
        RuntimeError: If ``low`` is not below ``high``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.randint_like(ms.Tensor([0, 0, 0]), 1, 7))
        [1 6 6]
    """
    check_tensors("randint_like", input=input)
    return _integers("randint_like", low, high, input.shape, input.dtype if dtype is None else dtype, seed)


def random_gamma(shape, alpha: Tensor, seed=None) -> Tensor:
    """Numbers of the gamma distribution, of the shape ``shape + alpha.shape``: ``RandomGamma()(shape, alpha)``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``shape`` is not a tuple of ints, ``alpha`` is not a Tensor, or ``seed`` is not an int.
        ValueError: If ``shape`` has a negative length, or ``alpha`` is not finite and above 0. Also if ``seed`` is not
            at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.random_gamma((2,), ms.Tensor([1.0, 100.0])))  # the means are 1 and 100
        [[4.68778685e-02 1.22586075e+02]
         [3.05766749e+00 1.04924301e+02]]
    """
    return _drawing("random_gamma", rejection.RandomGamma, seed)(shape, alpha)


def random_poisson(shape, rate: Tensor, seed=None, dtype=float32) -> Tensor:
    """Numbers of Poisson's distribution, of the shape ``shape + rate.shape``: ``RandomPoisson()(shape, rate)``.

    Dtypes: floats and ints; the answer is float32; TypeError for bools and complex.

    Args:
        shape (Union[tuple[int], Tensor]): How many for each rate.
        rate (Tensor): The means, at least 0.
        seed (int): Default: None, the next numbers of ``set_seed``.
        dtype (DType): Floating, int32 or int64. Default: float32.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a rate is below 0 or not finite, or the dtype is another.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.random_poisson((2,), ms.Tensor([1.0, 30.0])))
        [[ 0. 32.]
         [ 3. 40.]]
    """
    kind = as_dtype(dtype, "random_poisson")
    if seed is None:
        return make(rejection.RandomPoisson, 0, 0, kind)(shape, rate)
    dropout.check_seeds("random_poisson", seed=seed)
    return rejection.RandomPoisson(seed, next_stream()[1], kind)(shape, rate)


# Outcomes, orders, categories


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, dim: int = -1) -> Tensor:
    """Random choices with a gradient: a softmax of noisy scores.

    ``softmax((logits + g) / tau)``, g numbers of Gumbel's distribution; with ``hard`` a 1 at the largest, else 0.

    The gradient is that of the soft ones in any case. Source: Jang, Gu and Poole, 2017.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        logits (Tensor): Logarithms of chances, float16 or float32.
        tau (float): The temperature, above 0. Default: 1.
        hard (bool): Default: False.
        dim (int): The axis of the categories. Default: -1.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``tau`` is not above 0, or there is no such axis.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.gumbel_softmax(ms.Tensor([[0.0, 1.0]]), hard=True).sum())
        1.0
    """
    check_tensors("gumbel_softmax", logits=logits)
    check_real("gumbel_softmax", "tau", tau, 0, above=True)
    hard = check_bool("gumbel_softmax", "hard", hard)
    axis = as_axis("gumbel_softmax", dim, logits.ndim, "dim")
    noise = -log(-log(make(distributions.UniformReal)(logits.shape) * (1 - 2e-7) + 1e-7))
    soft = softmax((logits + cast(noise, logits.dtype)) / tau, axis)
    if not hard:
        return soft
    places = soft.argmax(axis)
    ones = one_hot(places, logits.shape[axis], Tensor(1, soft.dtype), Tensor(0, soft.dtype), axis)
    return ones - stop_gradient(soft) + soft


def multinomial_with_replacement(x: Tensor, seed, offset, numsamples, replacement: bool = False) -> Tensor:
    """Category numbers of each row: ``MultinomialWithReplacement(numsamples, replacement)(x, seed, offset)``.

    Shapes: (rows, classes) gives (rows, numsamples). Dtypes: floats and ints; the answer is int64; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``seed``, ``offset`` or ``numsamples`` is not an int, or ``replacement`` is
            not a bool.
        ValueError: If ``x`` does not have 1 or 2 axes. Also if ``x`` is not finite and at least 0, with a sum above 0
            in each row. Also if ``seed`` or ``offset`` is not at least 0 and below 2 ** 63, or ``numsamples`` is below
            0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.multinomial_with_replacement(ms.Tensor([[0.0, 9.0, 1.0]]), 1, 0, 5, True))
        [[1 2 1 1 1]]
    """
    return make(categorical.MultinomialWithReplacement, numsamples, replacement)(x, seed, offset)


def bernoulli(input: Tensor, p=0.5, seed=None) -> Tensor:
    """Ones with probability ``p``, else zeros, in the shape and dtype of ``input``.

    Shapes: that of ``input``. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``p`` is not a float or a floating Tensor, or ``seed`` is not an int.
        ValueError: If ``p`` is not in [0, 1], or ``seed`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.bernoulli(ms.Tensor([0.0, 0.0, 0.0, 0.0]), p=0.5))
        [1. 0. 0. 0.]
    """
    if seed is None:
        return make(distributions.Bernoulli)(input, p)
    dropout.check_seeds("bernoulli", seed=seed)
    return distributions.Bernoulli(seed, next_stream()[1])(input, p)


def randperm(n, seed=0, offset=0, dtype=int64) -> Tensor:
    """The integers below ``n`` in random order; seeds of 0 are none.

    Shapes: (n,).

    Raises:
        TypeError: If ``n``, ``seed`` or ``offset`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``n`` is not above 0, or ``seed`` or ``offset`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.randperm(5))
        [0 3 4 2 1]
    """
    return make(distributions.RandpermV2, as_dtype(dtype, "randperm"))(n, seed, offset)


def shuffle(x: Tensor, seed=None) -> Tensor:
    """The rows of ``x``, along its first axis, in random order; gradients pass to the rows.

    Shapes: any of at least one axis, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``seed`` is not an int.
        ValueError: If ``x`` has no rows, or ``seed`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.shuffle(ms.Tensor([[1, 2], [3, 4], [5, 6]])))
        [[1 2]
         [5 6]
         [3 4]]
    """
    check_tensors("shuffle", x=x)
    if x.ndim == 0:
        return x
    if seed is not None:
        dropout.check_seeds("shuffle", seed=seed)
    return array_manipulation.gather(x, randperm(len(x), *((seed, next_stream()[1]) if seed is not None else ())), 0)


def multinomial(input: Tensor, num_samples, replacement: bool = True, seed=None) -> Tensor:
    """``num_samples`` category numbers, int32, for each row of ``input``, with chances in proportion to its values.

    Shapes: (classes,) gives (num_samples,), (rows, classes) gives (rows, num_samples). Dtypes: floats and ints; the
    answer is int32; TypeError for bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``num_samples`` or ``seed`` is not an int.
        ValueError: If ``input`` does not have 1 or 2 axes. Also if ``input`` is not finite and at least 0, with a sum
            above 0 in each row, or ``num_samples`` is below 0. Also if ``num_samples`` is above the number of classes
            without replacement.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.multinomial(ms.Tensor([0.0, 9.0, 1.0]), 5))  # class 0 has no chance
        [1 2 2 1 1]
    """
    check_tensors("multinomial", input=input)
    replacement = check_switch("multinomial", "replacement", replacement)
    if replacement:
        return _drawing("multinomial", categorical.Multinomial, seed)(input, num_samples)
    if seed is not None:
        dropout.check_seeds("multinomial", seed=seed)
    seeds = () if seed is None else (seed, next_stream()[1])
    return cast(make(categorical.MultinomialWithReplacement, num_samples)(input, *seeds), int32.np)


def random_categorical(logits: Tensor, num_sample, seed=0, dtype=int64) -> Tensor:
    """``num_sample`` category numbers for each row of ``logits``, with chances ``softmax(logits)``; seed 0: none.

    Shapes: (rows, classes) gives (rows, num_sample). Dtypes: floats; the answer is int64; TypeError for ints, bools and
    complex.

    Raises:
        TypeError: If ``logits`` is not a Tensor, ``num_sample`` or ``seed`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``logits`` does not have 2 axes, or ``num_sample`` is below 1. Also if ``seed`` is not at least 0
            and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(ops.random_categorical(ms.Tensor([[0.0, 2.0, -1000.0]]), 5))  # class 2 has no chance
        [[0 1 1 1 1]]
    """
    return make(categorical.RandomCategorical, as_dtype(dtype, "random_categorical"))(logits, num_sample, seed)
