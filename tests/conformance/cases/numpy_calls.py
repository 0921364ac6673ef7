"""Calls of ``ms.numpy`` as expressions over the Tensors of :func:`operands`, for the recorder and for the test."""
# ruff: noqa: E501 - one row of a table holds the arguments of one function

import numpy as np

__all__ = ["CALLS", "GRADIENTS", "operands"]


def operands(ms):
    """The names that an expression may use, over the package ``ms``: MindSpore or minispore."""
    tensor = lambda values, kind: ms.Tensor(np.array(values, kind))  # noqa: E731 - a short name
    f = np.float32
    return {
        "mnp": ms.numpy,
        "ms": ms,
        "np": np,
        "Tensor": ms.Tensor,
        "f": tensor([[0.5, -1.25, 2.0], [3.5, -0.75, 0.25]], f),
        "g": tensor([[1.5, 2.25, -2.0], [0.5, 1.75, 4.0]], f),
        "unit": tensor([[0.5, -0.25, 0.0], [0.125, -0.75, 0.9]], f),
        "pos": tensor([[0.5, 1.25, 2.0], [3.5, 0.75, 1.5]], f),
        "f3": tensor([1.5, -2.0, 3.25], f),
        "g3": tensor([0.5, 1.0, -1.5], f),
        "sorted3": tensor([-1.0, 0.5, 2.0], f),
        "f4": tensor([0.5, 2.5, -1.5, 4.0], f),
        "square": tensor([[1.0, 2.0, 3.0], [4.0, 5.5, 6.0], [7.0, 8.0, 10.0]], f),
        "cube": tensor(np.arange(24).reshape(2, 3, 4) / 4 - 2, f),
        "rows": tensor([[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]], f),
        "scalar": tensor(2.5, f),
        "i": tensor([[1, -2, 3], [4, 0, 6]], np.int32),
        "j": tensor([[2, 3, 2], [1, 5, 4]], np.int32),
        "i3": tensor([3, 1, 2], np.int32),
        "index": tensor([0, 2, 1], np.int32),
        "counts": tensor([1, 1, 3, 0, 2], np.int32),
        "l3": tensor([4, 2, 7], np.int64),
        "u3": tensor([1, 2, 200], np.uint8),
        "h3": tensor([0.5, 1.5, -2.0], np.float16),
        "d3": tensor([0.5, 1.5, -2.0], np.float64),
        "b": tensor([[True, False, True], [False, False, True]], np.bool_),
        "c": tensor([[True, True, False], [False, True, True]], np.bool_),
        "b3": tensor([True, False, True], np.bool_),
        "nan3": tensor([1.0, np.nan, -3.0], f),
        "nan": tensor([[1.0, np.nan, -3.0], [2.0, 5.0, np.nan]], f),
        "odd": tensor([np.nan, np.inf, -np.inf, 1.0, -0.0], f),
    }


_UNARY = """
    abs absolute cbrt ceil cos cosh deg2rad exp exp2 expm1 fabs floor negative positive rad2deg radians rint sign sin sinh
    square tan tanh trunc arctan arcsinh reciprocal isfinite isinf isnan
"""
_OF_UNIT = "arcsin arccos arctanh"
_OF_POSITIVE = "log log10 log1p log2 sqrt arccosh"
_BITS = "bitwise_and bitwise_or bitwise_xor gcd lcm"
_BINARY = """
    add subtract multiply divide true_divide power maximum minimum mod remainder fmod floor_divide float_power hypot
    arctan2 copysign logaddexp logaddexp2 heaviside equal not_equal greater greater_equal less less_equal
"""
_LOGIC = "logical_and logical_or logical_xor"
_REDUCE = "amax amin max min mean sum std var ptp nansum nanmax nanmin nanmean nanvar nanstd"


def _with(arguments, words):
    return [f"mnp.{word}({argument})" for word in words.split() for argument in arguments.split(" | ")]


_ELEMENTWISE = [
    *_with("f | i | scalar | f3, dtype=ms.float16 | [1.0, 2.0] | None", _UNARY),
    *_with("h3 | u3 | l3 | d3 | b3 | 2 | 'a'", "abs exp square sin floor sign isnan rint cbrt negative"),
    *_with("unit | i3 | h3 | unit, dtype=ms.float64", _OF_UNIT),
    *_with("pos | i3 | u3 | pos, dtype=ms.float16 | [1, 2]", _OF_POSITIVE),
    *_with("f3 | i3 | f", "fix"),
    *_with("i, j | i, 2 | b, c | u3, i3 | l3, i3 | f, g | i3, dtype=ms.int64, x2=i3", _BITS),
    *_with("i | b | u3 | f", "bitwise_not invert"),
    *_with("f, g | f, f3 | f, 2 | f, 2.5 | 2, f | i, j | i, 2 | f, i | h3, f3 | l3, i3 | u3, i3 | d3, f3", _BINARY),
    *_with("f, [1.0, 2.0, 3.0] | f, f4 | b3, f3 | i, 2.5 | f3, g3, dtype=ms.float16 | f, None | 'a', f", _BINARY),
    *_with("h3, i3 | b3, b3 | scalar, i3 | i3, True | u3, 3", "add multiply divide maximum equal less"),
    *_with("b, c | f, g | b3, True | i, 1 | b3, None | b3, b3, dtype=ms.int32", _LOGIC),
    *_with("b | f | i | [True, False]", "logical_not"),
    *_with("f, g | i, j | f, 2", "divmod"),
    *_with("odd | f | i3 | f3, dtype=ms.int32 | b3", "isnan isinf isfinite signbit"),
    *_with("odd | f | i3", "isneginf isposinf"),
]
_REDUCTIONS = [
    *_with(
        "f | f, 0 | f, -1 | f, (0, 1) | cube, (0, 2) | cube, 1 | i | i, 1 | b | h3 | u3 | d3 | scalar | f, 2", _REDUCE
    ),
    *_with("f, axis=1, keepdims=True | [[1.0, 2.0], [3.0, 5.0]] | nan | 'a' | 3 | f, 'x' | l3", _REDUCE),
    *_with("f, axis=0, initial=1.0 | f, initial=9 | f, initial=-9.0, where=b | f, where=b", "amax amin max min"),
    *_with("f, dtype=ms.float16 | i, dtype=ms.float64 | f, 0, dtype=ms.int32", "mean sum nansum nanmean nanmax"),
    *_with("f, ddof=1 | f, 0, 1 | cube, 2, 1, True | f, axis=1, ddof=2", "std var"),
    *_with("nan, 1, None, 1 | nan, axis=0, keepdims=True", "nanstd nanvar"),
    "mnp.sum(f, initial=2)",
    "mnp.sum(f, 0, initial=2.5)",
    "mnp.sum(f, axis=None, keepdims=True)",
    *_with("f | f, 0 | f, 1 | i | [[3, 1], [2, 5]] | f, -1 | f, 2 | b", "argmax argmin"),
    *_with("f | f, 0 | cube, 1 | i | i, 1 | f, dtype=ms.float64 | b | h3 | u3 | f, 5", "cumsum cumprod nancumsum"),
    "mnp.nancumsum(nan)",
    "mnp.nancumsum(nan, 1)",
    *_with("f | i, 0 | b, 1, True | f, (0, 1)", "count_nonzero"),
    *_with("b | b, 0 | f | i, 1, True | f, 3", "sometrue"),
    *_with("f | f, 0 | f, 1, g | f, None, g | i | f, weights=g, axis=0, returned=True | f, 0, f3", "average"),
    *_with("f | f, 2 | f, 1 | f, np.inf | f, -np.inf | f, 'fro' | f, 'nuc' | f, 0 | f3 | f3, 1 | f3, 3", "norm"),
    *_with(
        "f3, 0 | f3, np.inf | f, None, 0 | f, 1, 1 | cube, None, (0, 1) | f, axis=1, keepdims=True | i | f, 5", "norm"
    ),
    *_with("f3 | f | f3, g3 | f3, g3, False | f, rowvar=False | i | f, dtype=ms.float64", "cov corrcoef"),
    *_with("f, bias=True | f, ddof=0 | f, fweights=i3 | f, aweights=i3", "cov"),
    *_with("f | f, 2 | f, 1, 0 | cube, axis=1 | f, prepend=0 | f3, append=[1.0, 2.0] | i | f, -1 | f, 5", "diff"),
    *_with("f3 | f | f3, 1.0, 2.0 | f3, to_end=[1.0, 2.0] | i3, 5", "ediff1d"),
    *_with("f3 | f | f, axis=0 | f3, g3 | f3, dx=2.0 | i | f, f3", "trapz"),
    *_with("f4 | f, axis=0 | f, axis=1 | f | f4, 2 | f4, f4 | f4, edge_order=2 | i, axis=1 | cube", "gradient"),
    *_with("f3 | f | f, 1.0 | f, axis=0", "unwrap"),
]
_PRODUCTS = [
    *_with(
        "f3, g3 | f, f3 | square, square | cube, f4 | f, 2 | 2, 3 | scalar, f3 | i, i3 | f, g | [1, 2], [3, 4]",
        "dot inner",
    ),
    *_with("square, square | f, square | f3, g3 | f, f3 | cube, f4 | i3, i3 | f, g | scalar, f3", "matmul"),
    "mnp.matmul(square, square, dtype=ms.float16)",
    *_with("f3, g3 | f, g | i3, i3 | 2, f3 | [1, 2], [3, 4]", "outer kron"),
    *_with("f, g3 | square, square | cube, cube", "kron"),
    *_with(
        "square, square | square, square, 1 | f, f, ([0, 1], [0, 1]) | cube, f4, 1 | f3, g3, 0 | f, g, 1", "tensordot"
    ),
    *_with(
        "f3, g3 | f, g | f, f3 | square, square, 0, 0, 0 | square, square, axis=0 | f, f4 | [1, 2], [3, 4]", "cross"
    ),
    *_with("[f, square] | [f, square, square] | (f3, square, g3) | [f] | f", "multi_dot"),
    *_with("f3, g3 | f4, f3 | f3, f4, 'same' | f4, f3, 'valid' | [1, 2, 3], [0, 1] | f, f3", "convolve"),
    *_with("f4, f3, 'x'", "convolve"),
    *_with("f3, g3 | f4, f3 | f3, f4, 'same' | f4, f3, 'full' | [1, 2, 3], [0, 1]", "correlate"),
    *_with("f3, g3 | f4, f3 | [1, 2], [3, 4, 5] | 1, f3 | i3, i3", "polyadd polysub polymul"),
    *_with("f4 | f4, 2 | i3 | [1, 2, 3] | f4, 0 | f4, 5 | f4, -1", "polyder polyint"),
    "mnp.polyint(f4, 1, 3)",
    "mnp.polyint(f4, 2, [1.0, 2.0])",
    *_with("f4, 2 | f4, f3 | f4, f | i3, i3 | [1, 2], 3 | f3, g3", "polyval"),
    *_with("f | f3 | 'a'", "diagflat"),
    "mnp.diagflat(f3, 1)",
]
_CREATIONS = [
    *_with(
        "(2, 3) | 3 | (2,), ms.int32 | (2, 2), dtype=ms.float16 | [2, 3] | () | (0, 2) | -1 | 'a' | 2.5", "zeros ones"
    ),
    *_with(
        "(2,), 'int32' | (2,), int | (2,), bool | (2,), np.int32 | (2,), float | (2,), 'x' | f3 | (2, 'a')",
        "zeros ones",
    ),
    *_with(
        "(2, 3), 7 | 3, 2.5 | (2,), True | (2, 3), f3 | (2,), 1, ms.int32 | 2, [1, 2] | (2,), None | 2, scalar", "full"
    ),
    *_with(
        "f | i | b | [[1, 2], [3, 4]] | f, ms.int32 | f, shape=(2, 2) | f, None, 3 | 2 | 'a' | (1.0, 2.0)",
        "zeros_like ones_like",
    ),
    *_with("f, 2 | i, 2.5 | f, 1, ms.int32 | f, 3, shape=(2,) | [1, 2], 7 | i, f3 | b, 1", "full_like"),
    *_with("5 | 0 | 1, 5 | 1, 10, 2 | 5.0 | 0, 1, 0.25 | 5, dtype=ms.float32 | 5, 0, -1 | -3 | 2.5, 5", "arange"),
    *_with(
        "5, 0 | 0, 5, 0 | 'a' | scalar | 1.0, 3, 1 | 5, dtype=ms.int64 | 5, None, 2 | True | None | 3, dtype='x'",
        "arange",
    ),
    *_with(
        "0, 1, 5 | 0, 5, 6 | 1, 2 | 0, 1, 4, False | 0, 1, 5, True, True | 0, 10, 3, dtype=ms.int32 | f3, g3, 4",
        "linspace",
    ),
    *_with("0, f3, 3, axis=1 | 0, 1, 1 | 0, 1, 0 | 0, 1, -1 | [1, 2], [3, 4], 3 | 'a', 1 | 0, 1, 2.5", "linspace"),
    *_with("0, 2, 3 | 0, 2, 4, False | 1, 3, 3, base=2.0 | 0, 1, 3, dtype=ms.float16 | f3, g3, 3", "logspace"),
    *_with(
        "1, 8, 4 | 1, 100, 3, False | 1, 256, num=9 | -100, -1, 3 | 1, 0 | pos, pos, 3 | 1, 8, 4, dtype=ms.int32",
        "geomspace",
    ),
    *_with("3 | 2, 3 | 3, 3, 1 | 3, k=-1 | 2, 2, dtype=ms.int32 | 0 | -1 | 2.5 | 3, 3, 5", "eye tri"),
    *_with("3 | 2, ms.int32 | 0 | -2 | 'a'", "identity"),
    *_with(
        "f | f3 | [1, 2, 3] | 2.5 | True | [[1.0, 2], [3, 4]] | (1, 2) | f, ms.int32 | [True, False]", "array asarray"
    ),
    *_with(
        "np.arange(3) | np.ones(2) | [f3, g3] | [1, [2]] | 'a' | None | [np.array([1, 2]), [3, 4]] | [1, 2.5]",
        "array asarray",
    ),
    *_with("[1, 2], ndmin=2 | f3, None, True, 3 | [[1, 2]], ms.float16 | 3, ndmin=1", "array"),
    *_with("f3 | [1, 2] | i3 | i3, ms.float16 | [1, 2], ms.int32 | b3 | 2", "asfarray"),
    *_with("5 | 1 | 4 | 0 | -2 | 2.5 | 'a' | 12", "bartlett blackman hamming hanning"),
    *_with(
        "f3 | square | f | f3, 1 | f3, -2 | square, 1 | square, -2 | cube | [1, 2] | scalar | f, 5 | f3, 'a'", "diag"
    ),
    *_with(
        "f | square, 1 | cube, 0, 1, 2 | cube, -1, 0, 2 | f3 | f, 5 | f, 0, 0, 0 | i | f, axis1=1, axis2=0",
        "diagonal trace",
    ),
    *_with("f, dtype=ms.float16 | i, dtype=ms.float32 | b", "trace"),
    *_with("square | f, 1 | cube, -1 | i | b | f, -5 | f3 | [[1, 2], [3, 4]] | scalar | f, 'a' | u3", "tril triu"),
    *_with("3 | 3, 1 | 3, -1, 4 | 0 | 'a'", "tril_indices triu_indices"),
    *_with("square | f, 1 | cube | f3 | [[1, 2], [3, 4]]", "tril_indices_from triu_indices_from"),
    *_with("3 | 2, 3 | 0 | 'a'", "diag_indices"),
    *_with("index, i3 | [0, 1], [1, 2] | f, i3 | [True, False], [1]", "ix_"),
    *_with("(2, 3) | (2, 3), sparse=True | (2, 2), dtype=ms.float32 | 2 | (2, 3, 2)", "indices"),
    *_with(
        "f3, g3 | f3, f4 | f3, f4, indexing='ij' | f3, f4, sparse=True | f3 | i3, f3, f4 | [1, 2], [3] | f3, f | f3, 2",
        "meshgrid",
    ),
    *_with("f3 | f3, 2 | f3, 4, True | i3 | f", "vander"),
    "mnp.mgrid[0:5]",
    "mnp.mgrid[0:4, 0:3]",
    "mnp.mgrid[0:1:5j]",
    "mnp.mgrid[0:5, 0:5.5:1.5]",
    "mnp.ogrid[0:5]",
    "mnp.ogrid[0:4, 0:3]",
    "mnp.ogrid[0:1:5j, 0:2]",
    *_with("f3 | f, 5 | f3, [0.0, 1.0, 4.0] | f3, 4, (0.0, 4.0) | i | f3, 0", "histogram_bin_edges histogram"),
    *_with("f3, weights=g3 | f3, density=True | f4, 2, (0, 3), f4", "histogram"),
    *_with(
        "f3, g3 | f3, g3, 3 | f3, g3, (2, 3) | f3, g3, bins=4, range=((0, 2), (0, 2)) | f4, f4, 2, density=True",
        "histogram2d",
    ),
    *_with("square, 2 | [f3, g3], 3 | square, (2, 1, 2) | f, 2, weights=Tensor([1.0, 2.0])", "histogramdd"),
    *_with("f, 1 | f, (1, 2) | f, ((1, 2), (0, 1)) | f, 1, 'constant', constant_values=2 | f3, 2, 'edge'", "pad"),
    *_with(
        "f3, 1, 'reflect' | f3, 5, 'reflect' | f3, 2, 'symmetric' | f3, 4, 'wrap' | f, ((1, 1), (2, 2)), 'edge'", "pad"
    ),
    *_with("f3, 2, 'linear_ramp' | f3, 2, 'linear_ramp', end_values=5 | f, 1, 'maximum' | f, 1, 'minimum'", "pad"),
    *_with(
        "f, 1, 'mean' | f3, 2, 'maximum', stat_length=2 | f3, 2, 'reflect', reflect_type='odd' | f3, 1, 'empty'", "pad"
    ),
    *_with(
        "f3, -1 | f3, 1, 'x' | i, 1 | f, 1, 'constant', constant_values=((1, 2), (3, 4)) | f3, 1, 'median' | i3, 2, 'symmetric'",
        "pad",
    ),
    *_with("f | f, ms.int32 | f, shape=(3,)", "empty_like"),
    "mnp.empty((2, 3))",
    "mnp.empty(2, ms.int32)",
]
_ARRAYS = [
    *_with(
        "b, f, g | b | f | b, f, 2 | b, 1, 2 | f > 0, f, f3 | b, i, f | f, g, f3 | b, f | [True, False], [1, 2], [3, 4]",
        "where",
    ),
    *_with("b, 1.0, 0 | i, f, g | b3, True, False | b3, f3, i3 | b3, h3, 1 | True, f, g | b, None, f", "where"),
    *_with(
        "f, 2 | f, (2, 1) | f, (2, 1, 2) | f3, (2, 2) | i, 0 | scalar, 3 | [1, 2], 2 | f, [1, 2] | f, -1 | f, 2.0",
        "tile",
    ),
    *_with(
        "(f, g) | [f, g], 1 | (f, g), None | (f3, i3) | [f3, f] | (f, square) | [[1, 2], [3]] | f | (f, g), 2 | (i3, l3)",
        "concatenate",
    ),
    *_with("(f, g), -1 | (b3, f3) | [] | (f3,) | cube | 'a'", "concatenate"),
    *_with(
        "(f, g) | [f, g], 1 | (f, g), -1 | (f3, i3) | (f, f3) | [[1, 2], [3, 4]] | f | (f, g), 3 | [] | ([1, 2], [3.0, 4])",
        "stack",
    ),
    *_with("f | f, 0 | f, 1 | cube, (0, 1) | f3 | f, 2 | [[1, 2], [3, 4]] | f, -1 | i, 0 | f, 'a'", "flip"),
    *_with("f | f3 | cube | i | [[1, 2]]", "fliplr flipud"),
    *_with(
        "f, 1 | f, 1, 0 | f, -1, 1 | f, (1, 2), (0, 1) | f3, 5 | f, 1, 2 | f, 1.5 | i, 2, -1 | [1, 2, 3], 1 | f, (1, 1), 0",
        "roll",
    ),
    *_with(
        "f, (3, 2) | f, -1 | f, (-1, 2) | f, [6] | f, (4, 2) | i, 6 | [1, 2], (2, 1) | f, '6' | f, (-1, -1) | scalar, (1, 1)",
        "reshape",
    ),
    *_with(
        "f, 0 | f, -1 | f, (0, 3) | f, 1 | f, 3 | f, -5 | [1, 2], 0 | f, 'a' | scalar, 0 | f, (0, 0)", "expand_dims"
    ),
    *_with("rows | rows, 1 | rows, 0 | rows, -2 | f | rows, (1,) | [[1, 2]] | rows, 5 | rows, 'a'", "squeeze"),
    *_with(
        "f | cube | cube, (0, 2, 1) | cube, (1, 2, 0) | f, (1, 0) | f, (0, 0) | f3 | cube, (0, -1, 1) | f, (0,) | [[1, 2]]",
        "transpose",
    ),
    *_with("cube, 0, 2 | cube, 1, -1 | f, 0, 1 | f, 0, 3 | f, 'a', 0 | [[1, 2]], 0, 1", "swapaxes"),
    *_with(
        "cube, 0, 2 | cube, (0, 1), (1, 0) | cube, -1, 0 | cube, 0, 3 | cube, (0, 0), (1, 2) | cube, (0, 1), 1 | f, 0, 0",
        "moveaxis",
    ),
    *_with(
        "cube, 2 | cube, 2, 1 | cube, 0, 3 | cube, 1, 1 | cube, 3 | cube, -1 | cube, 0, 4 | cube, 0, -1", "rollaxis"
    ),
    *_with("f | cube | f, 1 | f, 2 | f, 3 | f, -1 | cube, 1, (1, 2) | f3 | f, 1, (0, 0) | i", "rot90"),
    *_with("f | f3 | cube | i | [[1, 2]] | scalar | 'a'", "ravel"),
    *_with(
        "f, 2 | f, 2, 0 | f, [1, 2], 0 | f, [1, 2, 0], 1 | i3, 3 | f, -1 | f, 0 | [1, 2], 2 | f, [1, 2] | f, 2, 3 | f, 1.5",
        "repeat",
    ),
    *_with(
        "f4, 2 | cube, 3, 1 | f4, [1, 3] | cube, (1,), 2 | f4, 3 | f, 2 | f, 1, 5 | f, 0 | f, 'a' | f4, -1 | f, 2, 1",
        "split array_split",
    ),
    *_with("cube, 2, 2 | f4, 3, 0 | i, [1], 1 | f4, [1, 2, 9]", "array_split"),
    *_with("cube, 1 | cube, [1] | f4, 2 | f, 3", "hsplit"),
    *_with("cube, 1 | cube, 2 | f4, 2 | f, [1]", "vsplit"),
    *_with("cube, 2 | cube, [1, 3] | f, 1", "dsplit"),
    *_with(
        "(f, g) | (f3, g3) | [f3, i3] | f | [1, 2, 3] | (f, f3) | [[1, 2], [3, 4]] | (scalar, scalar) | []",
        "hstack vstack dstack column_stack",
    ),
    *_with("f | f3 | scalar | 2 | [1, 2] | f3, scalar | f, f3, 1", "atleast_1d atleast_2d atleast_3d"),
    *_with(
        "f3, (2, 3) | scalar, (2, 2) | f, (2, 3) | f, (3, 3) | rows, (2, 4, 3) | 2, (2,) | f, (1, -1, -1) | [1, 2], (2, 2) | f3, 3",
        "broadcast_to",
    ),
    *_with("f3, f | f, 2 | f3, rows | f3, f4 | i3, f", "broadcast_arrays"),
    *_with("f3, g3 | f, g | f, g, 0 | f, g, 1 | f3, 2.0 | [1, 2], [3] | f, f3, 0 | i3, f3", "append"),
    *_with(
        "f, index | f, index, 1 | f, 1 | f, [0, 1], 0 | f3, f3 | f, [[0, 5]], 1 | f, 9, None, 'wrap' | f, -1 | f, 1, 5 | cube, index, 1",
        "take",
    ),
    *_with("f, 9, None, 'raise' | i, index, 1 | f, -7, None, 'wrap' | f, 1, 0, 'x' | [1, 2, 3], [0, 2]", "take"),
    *_with(
        "f, j * 0, 1 | f, mnp.argmax(f, 0).reshape(1, 3), 0 | f3, index, 0 | f, index, None | f, i3, 1 | f, index, 5",
        "take_along_axis",
    ),
    *_with("f | i | f, 0 | f, -1 | [1, 2] | 3 | f, 2 | cube, 1", "size"),
    *_with("counts | f | i, True | [3, 1, 3] | counts, return_inverse=True | b", "unique"),
    *_with(
        "index, [f3, g3, f3] | index, f[:1] | 0, [f3, g3] | index, [1, 2, 3] | i3, [f3, g3], 'wrap' | i3, [f3, g3], 'raise' | [0, 1], [[1, 2], [3, 4]]",
        "choose",
    ),
    *_with(
        "[b, c], [f, g] | [b, c], [f, g], 5 | [b3], [f3] | b, f | [b3, b3], [1, 2] | [b], [i], 2.5 | [b], [f, g]",
        "select",
    ),
    *_with(
        "f, [f < 0, f >= 0], [-1, 1] | f, [f < 0], [lambda x: -x, lambda x: x * 2] | f3, f3 > 0, [1.0] | i3, [i3 > 1], [5]",
        "piecewise",
    ),
    *_with(
        "5, (2, 3) | index, (2, 3) | [1, 5], (2, 3) | 5, (2, 3), 'F' | 9, (2, 3) | -1, (2, 3) | 1, 6", "unravel_index"
    ),
    *_with(
        "(index, index), (3, 3) | [[0, 1], [1, 2]], (2, 3) | index, (3,) | (i3, i3), (3, 3), 'wrap' | (i3, i3), (3, 3), 'raise' | (index, index), (3, 3), 'clip', 'F'",
        "ravel_multi_index",
    ),
    *_with(
        "lambda x: x.sum(), 0, f | lambda x: x * 2, 1, f | mnp.max, 1, cube | lambda x, k: x * k, 0, f, 3",
        "apply_along_axis",
    ),
    *_with(
        "mnp.diag, 0, cube | mnp.diag, 1, cube | mnp.diag, -2, cube | mnp.diag, 2, cube | mnp.diag, 0, f | mnp.diag, 0, f3"
        " | lambda x: mnp.stack([x, x + 1, x * 2, x]), 0, cube | lambda x: mnp.stack([x, x + 1, x * 2, x]), 1, cube"
        " | lambda x: x[:1], 1, cube | lambda x: x[0], 1, cube | lambda x: mnp.concatenate([x, x]), 0, cube",
        "apply_along_axis",
    ),
    *_with(
        "Tensor([[5, 7], [1, 2]]), 12 | Tensor([[5, 7], [1, 2]]), (12,) | Tensor([[5, 7], [1, 2]]), (3, 4) | Tensor(5), 12"
        " | Tensor([5]), 12 | Tensor([[5]]), [12] | [5, 7], 12 | 5, 12 | Tensor([-1, 20]), 12 | Tensor([[5]]), (3, 4), 'F'"
        " | index, 12 | index, (12,), 'F'",
        "unravel_index",
    ),
    *_with("f3, 0, append=3.0 | f3, 0, prepend=f3 | f3, 1, append=3.0 | f, 0, 0, append=f | f, 0, 0", "diff"),
    *_with("mnp.sum, cube, (0, 1) | mnp.sum, f, 0 | mnp.max, f, [1]", "apply_over_axes"),
    *_with("f3 | [1, 2] | i | b3", "array_str"),
    *_with("f, g | f, f | f3, f | f, [1, 2] | [1, 2], [1, 2] | i3, i3 | nan3, nan3", "array_equal array_equiv"),
    *_with("1, 1", "array_equal array_equiv"),
    "mnp.array_equal(nan3, nan3, equal_nan=True)",
    "mnp.array_equiv(f3, mnp.tile(f3, (2, 1)))",
    *_with(
        "f, g | f, f | nan3, nan3 | nan3, nan3, equal_nan=True | f3, f3 + 0.1, 0.1 | i3, i3 | 1.0, 1.0 | [1.0], [1.00000001] | odd, odd",
        "isclose",
    ),
    *_with("f3, g3 | i3, index | f, f3 | i3, [1, 9] | i3, 2 | i3, index, True | b3, [True]", "in1d isin"),
    *_with("2 | 2.5 | True | f | 'a' | [1] | None | scalar", "isscalar"),
    *_with(
        "f, -1.0, 1.0 | f, 0, None | f, None, 1 | f, g3, 2 | i, 0, 3 | f, 0, 1, ms.float16 | i, 0.5, 3 | f, None, None | [1, 5], 2, 3 | f3, sorted3, f3 + 1",
        "clip",
    ),
    *_with(
        "counts | counts, minlength=6 | i3, g3 | counts, minlength=2 | counts, length=3 | f3 | [0, 1, 1] | i3, weights=f4",
        "bincount",
    ),
    *_with(
        "f3, sorted3 | f, sorted3, True | i3, [1, 2] | 1.0, sorted3 | f3, mnp.flip(sorted3) | [1, 2], [0, 1, 2]",
        "digitize",
    ),
    *_with(
        "sorted3, f3 | sorted3, f, 'right' | sorted3, 1.0 | [1, 2, 3], 2 | f3, 0.5, 'left', Tensor([1, 0, 2]) | sorted3, f3, 'x' | index[:2], i3",
        "searchsorted",
    ),
    *_with(
        "f3, sorted3, g3 | 1.0, sorted3, g3 | f, sorted3, f3 | f3, sorted3, g3, -1.0, 9.0 | [1.5, 2.5], [1, 2, 3], [3, 2, 0]",
        "interp",
    ),
    *_with(
        "ms.float32, ms.int32 | ms.float16, ms.int64 | ms.int8, ms.uint8 | ms.bool_, ms.int32 | 'float32', int | f, g",
        "promote_types",
    ),
    *_with(
        "ms.int32, ms.int64 | ms.uint8, ms.int8 | ms.float16, ms.float32 | ms.float16, ms.int32 | ms.uint64, ms.int64 | bool, float",
        "promote_types",
    ),
    *_with("f, i | 'i2', ms.float32 | i, ms.int64 | 3, i | f | 2.5, i3 | b3, 1", "result_type"),
    "mnp.int_",
    "mnp.float_",
    "mnp.bool_",
    "mnp.rand(2, 3).shape",
    "mnp.rand(2, dtype=ms.float16).dtype",
    "mnp.rand().shape",
    "mnp.rand('a')",
    "mnp.randn(2, 3).dtype",
    "mnp.randn().shape",
    "mnp.randn(2, dtype=ms.int32)",
    "mnp.randint(1, 2, (2, 3))",
    "mnp.randint(1)",
    "mnp.randint(1, shape=3)",
    "mnp.randint(5, 2)",
    "mnp.randint(5, dtype=ms.float32)",
    "mnp.randint(0, 5, 'a')",
]
CALLS = list(dict.fromkeys([*_CREATIONS, *_ARRAYS, *_ELEMENTWISE, *_REDUCTIONS, *_PRODUCTS]))


# Expressions of a float64 Tensor ``x`` of the shape (2, 3), above 0 and without ties, through which gradients pass
GRADIENTS = [
    *_with(
        "x", "abs cbrt cos cosh deg2rad exp exp2 expm1 log log10 log1p log2 negative positive rad2deg sin sinh sqrt"
    ),
    *_with("x", "square tan tanh arcsinh arctan reciprocal transpose ravel diagflat tril triu trapz cumsum cumprod"),
    *_with("x / 4", "arcsin arccos arctanh"),
    *_with(
        "x", "sum mean std var ptp amax amin nansum nanmax nanmin nanmean norm average cov flip fliplr flipud rot90"
    ),
    *_with("x, 1", "sum mean std var max min nancumsum diff diag trace roll repeat expand_dims split rollaxis"),
    *_with(
        "x, y | y, x | x, 2 | x, y[0]",
        "add subtract multiply divide power maximum minimum hypot arctan2 logaddexp logaddexp2",
    ),
    *_with("x, y", "mod fmod remainder copysign divmod inner outer kron cross append"),
    "mnp.arccosh(x + 1)",
    "mnp.dot(x, y.T)",
    "mnp.matmul(x, y.T)",
    "mnp.tensordot(x, y, 2)",
    "mnp.multi_dot([x, y.T, x])",
    "mnp.where(y > 1, x, y * x)",
    "mnp.clip(x, 0.5, 1.4)",
    "mnp.stack([x, y], 1)",
    "mnp.concatenate((x, y), None)",
    "mnp.hstack([x, x * y])",
    "mnp.vstack([x, y])",
    "mnp.dstack([x, y])",
    "mnp.column_stack([x, y])",
    "mnp.tile(x, (2, 2))",
    "mnp.take(x, index, 1)",
    "mnp.take_along_axis(x, index.reshape((1, 3)), 1)",
    "mnp.choose(index, [x, y])",
    "mnp.select([y > 1, y > 0.5], [x, x * x], 1.0)",
    "mnp.piecewise(x, [x < 1], [lambda t: t * t, lambda t: -t])",
    "mnp.array_split(x, 2, 1)",
    "mnp.meshgrid(x, y)",
    "mnp.diagonal(x, 1)",
    "mnp.vander(x[0])",
    "mnp.gradient(x)",
    "mnp.interp(x, y[0].sort()[0] * 9, y[1])",
    "mnp.convolve(x[0], y[1])",
    "mnp.correlate(x[0], y[1], 'full')",
    "mnp.polyval(x[0], y)",
    "mnp.polyval(y[0], x)",
    "mnp.polymul(x[0], y[1])",
    "mnp.polyint(x[0], 2)",
    "mnp.polyder(x[0])",
    "mnp.linspace(x, y, 4)",
    "mnp.geomspace(x, y, 4)",
    "mnp.logspace(x, y, 3)",
    "mnp.unwrap(x * 5)",
    "mnp.corrcoef(x, y)",
    "mnp.apply_along_axis(lambda row: row * row.sum(), 1, x)",
    "mnp.full((2, 2, 3), x)",
    "mnp.array([x, y])",
    *[f"mnp.pad(x, ((1, 2), (2, 1)), '{mode}')" for mode in ("edge", "symmetric", "wrap", "maximum", "constant")],
]
