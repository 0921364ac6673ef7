"""Where CuPy 14.2 does otherwise than NumPy: keywords, waits, dtypes and values, by the name of the function.

Seen in the installed CuPy; ``test_strict_cupy.py`` compares the two where there is a device.
"""

import ml_dtypes
import numpy as np

__all__ = ["TAKES_NOT", "NarrowSumError", "cast", "check_keywords", "compute", "flushed", "names", "operate", "waits"]

_FLOAT16, _FLOAT32, _FLOAT64 = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)
_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def names(text):
    """The words of a text."""
    return set(text.split())


# Keywords that NumPy takes and CuPy does not

_OF_CREATORS = {"device", "like"}
TAKES_NOT = {
    "argpartition": {"kind", "order"},
    "argsort": {"order", "stable"},
    "cholesky": {"upper"},
    "clip": {"min", "max"},
    "copyto": set(),
    "count_nonzero": {"keepdims"},
    "indices": {"sparse"},
    "isin": {"kind"},
    "matrix_rank": {"hermitian", "rtol"},
    "nanstd": {"mean", "correction", "where"},
    "nanvar": {"mean", "correction", "where"},
    "partition": {"kind", "order"},
    "percentile": {"weights"},
    "pinv": {"hermitian", "rtol"},
    "quantile": {"weights"},
    "sort": {"order", "stable"},
    "std": {"mean", "correction", "where"},
    "svd": {"hermitian"},
    "take": {"mode"},
    "trim_zeros": {"axis"},
    "unique": {"sorted"},
    "var": {"mean", "correction", "where"},
    **dict.fromkeys(
        names("arange empty empty_like eye full full_like linspace ones ones_like zeros zeros_like"), _OF_CREATORS
    ),
}
_TAKEN_BY_NO_FUNCTION = {"where", "initial", "subok", "like"}
_OF_UFUNCS = {"out", "dtype", "casting"}


def check_keywords(name, function, keywords):
    """Raise TypeError for a keyword that CuPy's function of this name lacks."""
    if isinstance(function, np.ufunc):
        unknown = keywords - _OF_UFUNCS
    else:
        unknown = keywords & TAKES_NOT.get(name, _TAKEN_BY_NO_FUNCTION)
    if unknown:
        raise TypeError(f"{name}() got an unexpected keyword argument '{min(unknown)}'")


# How often the host waits for the device

_WAITS = {
    **dict.fromkeys(["argwhere", "compress", "extract", "flatnonzero", "nonzero", "place", "tobytes", "unique"], 1),
    **dict.fromkeys(["argpartition", "bincount", "putmask", "trim_zeros"], 2),
    "histogram": 4,
}


def waits(name, args, kwargs):
    """How often a call waits: where a shape depends on data, and where data are looked at."""
    if name == "where":
        return int(len(args) == 1)
    more = sum(bool(kwargs.get(key)) for key in ("return_index", "return_counts")) if name == "unique" else 0
    return _WAITS.get(name, 0) + more


# float32 below its smallest normal number is 0: every kernel of CuPy's is compiled so

# The bits of the smallest normal number
_SMALLEST = {_FLOAT32: np.uint32(1 << 23), _BFLOAT16: np.uint16(1 << 7)}
_FUNCTIONS_OF_BITS = {"copysign", "frexp", "isfinite", "isinf", "isnan", "nextafter", "signbit"}
_ARITHMETIC = names("all any argwhere count_nonzero cumprod cumsum flatnonzero mean nonzero prod sum where")


def flushed(x):
    """``x`` with zeros, of the same signs, for its subnormal numbers, if it holds float32 or bfloat16."""
    kind = getattr(x, "dtype", None)
    if kind is None or kind not in _SMALLEST or not isinstance(x, np.ndarray | np.generic):
        return x
    magnitude = np.asarray(x).view(f"u{kind.itemsize}") << 1 >> 1
    small = (magnitude > 0) & (magnitude < _SMALLEST[kind])
    return np.where(small, np.copysign(kind.type(0), x), x).astype(kind, copy=False) if small.any() else x


def _flushes(name, function):
    return name in _ARITHMETIC or (isinstance(function, np.ufunc) and function.__name__ not in _FUNCTIONS_OF_BITS)


# Values


def floor_divide(x, y):
    """The quotient rounded down, of floats by the quotient itself: ``inf // 2`` is inf, ``5 // -inf`` is -0."""
    quotient = np.floor_divide(x, y)
    if quotient.dtype.kind not in "fV":
        return quotient
    wide = np.result_type(quotient.dtype, np.float32)
    return np.floor(np.asarray(x, quotient.dtype).astype(wide) / np.asarray(y, quotient.dtype)).astype(quotient.dtype)


def remainder(x, y):
    """``x - floor(x / y) * y``: nan where ``y`` is infinite."""
    whole = np.remainder(x, y)
    if whole.dtype.kind not in "fV":
        return whole
    x, y = np.asarray(x, whole.dtype), np.asarray(y, whole.dtype)
    return (x - floor_divide(x, y) * y).astype(whole.dtype)


def _divmod(x, y):
    return floor_divide(x, y), remainder(x, y)


def sinc(x):
    """``sin(pi x) / (pi x)``, and 1 at 0 and at nan."""
    return np.where(np.isnan(x), np.ones_like(x), np.sinc(x))


def _each_matrix(function, x):
    """``function`` of each of the matrices in ``x``."""
    out = x.astype(np.result_type(x.dtype, np.float32))
    for place in np.ndindex(*x.shape[:-2]):
        function(out[place])
    return out


def _factor(a):
    """Factor a matrix in place as cuSOLVER does, which stops at the first pivot that is not positive."""
    for j in range(len(a)):
        a[j, j] -= a[j, :j] @ a[j, :j]
        if not a[j, j] > 0:
            break
        a[j, j] = np.sqrt(a[j, j])
        a[j + 1 :, j] = (a[j + 1 :, j] - a[j + 1 :, :j] @ a[j, :j]) / a[j, j]
    a[np.triu_indices(len(a), 1)] = 0


def cholesky(x):
    """The triangular factor; of a matrix that is not positive definite, what was factored and the rest as it was."""
    try:
        return np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        return _each_matrix(_factor, x)


def _not_finite(function):
    def solved(a, *b):
        try:
            return function(a, *b)
        except np.linalg.LinAlgError:
            return np.full_like(b[0] if b else a, np.inf, dtype=np.result_type(a.dtype, np.float32))

    return solved


# bfloat16: where CuPy has no kernel for it, or one of a wider type


class CompileError(Exception):
    """What CuPy raises where a kernel does not compile."""


_REFUSED = {
    **dict.fromkeys(["cumprod", "cumsum"], CompileError),
    **dict.fromkeys(["einsum", "matmul"], TypeError),
    **dict.fromkeys(["argsort", "argpartition", "partition", "sort", "unique"], NotImplementedError),
}
_WIDER = {
    **dict.fromkeys(["around", "clip", "round", "tril", "triu", "where"], _FLOAT32),
    **dict.fromkeys(["std", "var"], _FLOAT64),
}


def _of_bfloat16(name, args):
    """Raise what CuPy raises for bfloat16, and return the arguments in the type that it computes in."""
    narrow = [x for x in args if getattr(x, "dtype", None) == _BFLOAT16]
    if name in _REFUSED and narrow and (name != "matmul" or any(x.ndim > 2 for x in narrow)):
        raise _REFUSED[name](f"{name} of bfloat16")
    if name in _WIDER:
        return [x.astype(_WIDER[name]) if getattr(x, "dtype", None) == _BFLOAT16 else x for x in args]
    return args


# Sums of float16 and bfloat16, which CuPy, or CUB, may add up in their own type

_SUMMING = names("average cumprod cumsum dot einsum inner mean nanmean nansum prod std sum tensordot trace var vdot")


class NarrowSumError(Exception):
    """What the stand-in raises, and CuPy does not, where numbers of two bytes would be summed as they are."""


def _check_sum(name, args, kwargs):
    """Raise NarrowSumError unless a sum of narrow floats is given a dtype to be added up in."""
    if name in _SUMMING and kwargs.get("dtype") is None and any(map(_is_narrow, args)):
        raise NarrowSumError(f"{name} of float16 or bfloat16 needs dtype=float32")


def _is_narrow(x):
    return getattr(x, "dtype", None) in (_FLOAT16, _BFLOAT16)


def _matmul(a, b):
    """The product; of narrow floats accumulated in float32 and rounded once, as cuBLAS does for two matrices.

    Where the product is one number, CuPy rounds each summand, and adds them up as they are.
    """
    if not (_is_narrow(a) and _is_narrow(b)):
        return np.matmul(a, b)
    if a.ndim <= 2 and b.ndim <= 2 and (a.size and b.size) and a.size == a.shape[-1] == b.shape[0] == b.size:
        raise NarrowSumError("a product of narrow floats that is one number needs float32")
    return np.matmul(a.astype(np.float32), b.astype(np.float32)).astype(np.result_type(a, b))


# Casts of floats to integers


def cast(x, dtype):
    """``x`` in a dtype: what is out of range for an integer saturates at 32 bits or more, nan is 0 or the least."""
    if x.dtype.kind not in "fV" or dtype.kind not in "iu":
        return flushed(flushed(x).astype(dtype))
    first = np.dtype(f"{dtype.kind}{max(4, dtype.itemsize)}")  # a narrower one is cut from 32 bits
    limits, wide = np.iinfo(first), x.astype(np.float64)
    low, high = wide <= limits.min, wide >= limits.max
    nan = limits.min if first.kind == "i" and (x.dtype == _FLOAT64 or first.itemsize == 8) else 0
    whole = np.where(low | high | np.isnan(wide), 0, wide).astype(first)
    whole = np.where(low, first.type(limits.min), np.where(high, first.type(limits.max), whole))
    return np.where(np.isnan(wide), first.type(nan), whole).astype(dtype)


# A call


_INSTEAD = {
    "cholesky": cholesky,
    "divmod": _divmod,
    "floor_divide": floor_divide,
    "inv": _not_finite(np.linalg.inv),
    "matmul": _matmul,
    "mod": remainder,
    "remainder": remainder,
    "sinc": sinc,
    "solve": _not_finite(np.linalg.solve),
}


_OPERATORS = {"floordiv": floor_divide, "mod": remainder}


def operate(name, apply, sides):
    """What an operator of CuPy's computes of NumPy's arrays and numbers."""
    if name == "matmul":
        return compute("matmul", _matmul, sides, {})
    return flushed(_OPERATORS.get(name, apply)(*map(flushed, sides)))


def compute(name, function, args, kwargs):
    """What CuPy's function of this name computes of NumPy's arrays."""
    if name == "where" and len(args) > 1 and not isinstance(args[0], np.ndarray):
        raise AttributeError(f"{type(args[0]).__name__} has no attribute 'astype'")
    args = _of_bfloat16(name, args)
    _check_sum(name, args, kwargs)
    flushes = _flushes(name, function)
    if flushes:
        args = [flushed(x) for x in args]
    result = _INSTEAD.get(name, function)(*args, **kwargs) if "out" not in kwargs else function(*args, **kwargs)
    if not flushes or "out" in kwargs:
        return result
    if isinstance(result, tuple):
        return tuple(map(flushed, result))
    return flushed(result)
