"""``mint``'s functions: those of ``ops`` where the arguments are the same, and the same by PyTorch's arguments."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool, check_int
from minispore.core.dtype import FLOATS, float32, int64
from minispore.core.errors import shown, type_error
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.number_checks import check_number

_SAME = """
    abs acos acosh add addbmm addmm addmv arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax asin asinh
    atan atan2 atanh baddbmm bincount bitwise_and bitwise_or bitwise_xor bmm broadcast_to ceil cos cosh cross cumprod
    cumsum div divide dot einsum equal erf erfc erfinv exp exp2 expm1 eye flip float_power floor fmod frac full
    full_like greater greater_equal gt inverse isclose isfinite isinf le lerp less less_equal log log10 log1p log2
    logaddexp logaddexp2 logical_and logical_not logical_or logical_xor lt masked_select matmul maximum minimum mm mul
    mv ne neg negative ones ones_like outer permute pow ravel reciprocal remainder reshape roll rsqrt sigmoid sign sin
    sinc sinh sqrt square sub sum swapaxes tan tanh tile trace tril triu trunc unbind unsqueeze xlogy zeros zeros_like
"""
globals().update({name: getattr(F, name) for name in _SAME.split()})
eq, fix = F.equal, F.trunc
__all__ = [
    *_SAME.split(),
    *("all", "allclose", "any", "argmin", "argsort", "cat", "chunk", "clamp", "clone", "concat", "cummax", "cummin"),
    *("eq", "fix", "flatten", "gather", "index_select", "isneginf", "linspace", "logsumexp", "max", "mean", "min"),
    *("narrow", "nonzero", "norm", "prod", "rand", "rand_like", "randn", "randn_like", "repeat_interleave"),
    *("scatter_add", "select", "softmax", "sort", "split", "squeeze", "stack", "std", "topk", "transpose", "var"),
    "where",
]
norm = F.norm


def _no_generator(function, generator):
    if generator is not None:
        raise type_error(function, "the 'generator' must be None: draws follow set_seed", shown(generator))


def cat(tensors, dim=0) -> Tensor:
    """Tensors joined along ``dim``: ``ops.cat``."""
    return F.cat(tensors, dim)


concat = cat


def stack(tensors, dim=0) -> Tensor:
    """Tensors along a new axis ``dim``: ``ops.stack``."""
    return F.stack(tensors, dim)


def split(tensor, split_size_or_sections, dim=0) -> tuple[Tensor, ...]:
    """Parts of a length, or of several, along ``dim``: ``ops.split``."""
    return F.split(tensor, split_size_or_sections, dim)


def chunk(input, chunks, dim=0) -> tuple[Tensor, ...]:
    """At most ``chunks`` parts along ``dim``: ``ops.chunk``."""
    return F.chunk(input, chunks, dim)


def narrow(input, dim, start, length) -> Tensor:
    """``length`` elements from ``start`` on along ``dim``: ``ops.narrow``."""
    return F.narrow(input, dim, start, length)


def index_select(input, dim, index) -> Tensor:
    """The elements at positions ``index`` along ``dim``: ``ops.index_select``."""
    return F.index_select(input, dim, index)


def select(input, dim, index) -> Tensor:
    """Elements at one position along ``dim``, without that axis."""
    return F.narrow(input, dim, index, 1).squeeze(dim)


def gather(input, dim, index) -> Tensor:
    """``out[i, j, ...] = input[i, ..., index[i, j, ...], ...]``, the index along ``dim``: ``ops.gather_elements``."""
    return F.gather_elements(input, dim, index)


def scatter_add(input, dim, index, src) -> Tensor:
    """``input`` with ``src`` added at positions ``index`` along ``dim``: ``ops.tensor_scatter_elements``."""
    return F.tensor_scatter_elements(input, index, src, dim, "add")


def flatten(input, start_dim=0, end_dim=-1) -> Tensor:
    """The axes from ``start_dim`` to ``end_dim`` as one."""
    return F.flatten(input, start_dim=start_dim, end_dim=end_dim)


def transpose(input, dim0, dim1) -> Tensor:
    """Two axes exchanged: ``ops.swapaxes``."""
    return F.swapaxes(input, dim0, dim1)


def squeeze(input: Tensor, dim) -> Tensor:
    """Without the axis, or the axes, ``dim`` of length 1; an axis of another length stays."""
    check_tensors("squeeze", input=input)
    axes, count = dim if isinstance(dim, (tuple, list)) else (dim,), input.ndim or 1
    dims = [check_int("squeeze", "dim", d, -count, count) % count for d in axes]
    return F.reshape(input, tuple(n for i, n in enumerate(input.shape) if i not in dims or n != 1))


def clone(input: Tensor) -> Any:
    """A copy, through which gradients flow."""
    check_tensors("clone", input=input)
    return input.copy()


def repeat_interleave(input, repeats, dim=None) -> Tensor:
    """Each element ``repeats`` times in a row, along ``dim`` or of all elements: ``ops.repeat_interleave``."""
    return F.repeat_interleave(input, repeats, dim)


def where(condition, input, other) -> Tensor:
    """The elements of ``input`` where the condition holds, else those of ``other``: ``ops.where``."""
    return F.where(condition, input, other)


def clamp(input, min=None, max=None) -> Tensor:
    """The elements, at least ``min`` and at most ``max``: ``ops.clamp``."""
    return F.clamp(input, min, max)


def nonzero(input, *, as_tuple: bool = False) -> Any:
    """The positions of elements other than 0: a row for each, or with ``as_tuple`` a Tensor for each axis."""
    found = F.nonzero(input)
    return tuple(F.unbind(found, 1)) if check_bool("nonzero", "as_tuple", as_tuple) else found


def topk(input, k, dim=-1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The ``k`` largest, or smallest, elements along ``dim``, and where they stand: ``ops.topk``."""
    return F.topk(input, k, dim, largest, sorted)


def sort(input, *, dim=-1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    """The elements in order along ``dim``, and where they stood; equal ones keep their order in either case."""
    check_bool("sort", "stable", stable)
    values, places = F.sort(input, dim, descending)
    return values, F.cast(places, int64)


def argsort(input, dim=-1, descending: bool = False, stable: bool = False) -> Tensor:
    """Places of the elements in order along ``dim``."""
    return sort(input, dim=dim, descending=descending, stable=stable)[1]


def linspace(start, end, steps, *, dtype=None) -> Tensor:
    """``steps`` numbers from ``start`` to ``end`` at equal distances, float32 by default."""
    made = F.linspace(Tensor(start, float32), Tensor(end, float32), steps)
    return made if dtype is None else F.cast(made, dtype)


def mean(input, dim=None, keepdim: bool = False, *, dtype=None) -> Tensor:
    """The mean along ``dim``, or of all elements; ``dtype`` is that of the input for the sum."""
    x = input if dtype is None else F.cast(input, dtype)
    return F.mean(x, dim, keepdim)


def prod(input: Tensor, dim=None, keepdim: bool = False, *, dtype=None) -> Tensor:
    """The product along ``dim``, or of all elements; of ints and bools it is int64."""
    check_tensors("prod", input=input)
    kind = dtype if dtype is not None else None if input.dtype.np in FLOATS else int64
    return F.prod(input if kind is None else F.cast(input, kind), dim, keepdim)


def all(input, dim=None, keepdim: bool = False) -> Tensor:
    """True where all elements along ``dim`` are true."""
    return F.all(F.cast(input, bool), dim, keepdim)


def any(input, dim=None, keepdim: bool = False) -> Tensor:
    """True where an element along ``dim`` is true."""
    return F.any(F.cast(input, bool), dim, keepdim)


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan: bool = False) -> Any:
    """True if ``abs(input - other) <= atol + rtol * abs(other)`` everywhere, as a bool."""
    return bool(F.isclose(input, other, rtol, atol, equal_nan).all())


def isneginf(input) -> Tensor:
    """True for the elements that are minus infinity."""
    return F.equal(input, float("-inf"))


def logsumexp(input, dim, keepdim: bool = False) -> Tensor:
    """``log(sum of exp(input))`` along ``dim``: ``ops.logsumexp``."""
    return F.logsumexp(input, dim, keepdim)


def max(input, dim=None, keepdim: bool = False) -> Any:
    """The largest of all elements; with ``dim`` the largest along it, and where they stand, as int64."""
    check_bool("max", "keepdim", keepdim)
    return _extreme(F.max, input, dim, keepdim)


def min(input, dim=None, keepdim: bool = False) -> Any:
    """The smallest of all elements; with ``dim`` the smallest along it, and where they stand, as int64."""
    check_bool("min", "keepdim", keepdim)
    return _extreme(F.min, input, dim, keepdim)


def _extreme(function, input, dim, keepdim):
    if isinstance(dim, Tensor):
        return (F.maximum if function is F.max else F.minimum)(input, dim)
    if dim is None:
        return function(input)[0]
    values, places = function(input, dim, keepdims=keepdim)
    return values, F.cast(places, int64)


def argmin(input, dim=None, keepdim: bool = False) -> Tensor:
    """Place of the smallest element along ``dim``, or of all, as int64."""
    return F.cast(F.argmin(input, dim, keepdim), int64)


def cummax(input, dim) -> tuple[Tensor, Tensor]:
    """The largest elements so far along ``dim``, and where they stand: ``ops.cummax``."""
    return F.cummax(input, dim)


def cummin(input, dim) -> tuple[Tensor, Tensor]:
    """The smallest elements so far along ``dim``, and where they stand: ``ops.cummin``."""
    return F.cummin(input, dim)


def std(input, dim=None, *, correction=1, keepdim: bool = False) -> Tensor:
    """The standard deviation along ``dim``: the squares' sum is divided by the count less ``correction``."""
    return F.sqrt(var(input, dim, correction=correction, keepdim=keepdim))


def var(input, dim=None, *, correction=1, keepdim: bool = False) -> Tensor:
    """The variance along ``dim``: the squares' sum divided by the count less ``correction``."""
    check_number("var", "correction", correction)
    centred = F.square(input - F.mean(input, dim, keep_dims=True))
    total = F.sum(centred, dim, keepdim)
    return total / (input.size // (total.size or 1) - correction)


def softmax(input, dim, *, dtype=None) -> Tensor:
    """``exp(x) / sum of exp(x)`` along ``dim``: ``ops.softmax``."""
    return F.softmax(input, dim, dtype=dtype)


def rand(*size, generator=None, dtype=None) -> Tensor:
    """Numbers of the uniform distribution over [0, 1)."""
    _no_generator("rand", generator)
    return F.rand(*size, dtype=dtype)


def randn(*size, generator=None, dtype=None) -> Tensor:
    """Numbers of the normal distribution with mean 0 and deviation 1."""
    _no_generator("randn", generator)
    return F.randn(*size, dtype=dtype)


def rand_like(input, *, dtype=None) -> Tensor:
    """Numbers of the uniform distribution over [0, 1), in the shape of ``input``."""
    return F.rand_like(input, dtype=dtype)


def randn_like(input, *, dtype=None) -> Tensor:
    """Numbers of the normal distribution with mean 0 and deviation 1, in the shape of ``input``."""
    return F.randn_like(input, dtype=dtype)
