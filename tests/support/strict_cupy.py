"""A strict stand-in for CuPy: NumPy underneath, CuPy's rules on top, so that code for the GPU runs without a GPU.

What it holds code to:
- no implicit conversion: ``np.asarray(a)``, ``np.add(a, 1)`` and mixing with ``numpy.ndarray`` are TypeErrors;
- Python and NumPy scalars mix freely, reductions and single elements are 0-d arrays, never scalars;
- only names that CuPy has are there; anything else is an AttributeError;
- keywords, dtypes and values are CuPy's where they are not NumPy's: ``strict_rules`` tells them by function;
- every step that would wait for the device (``get``, ``item``, ``bool``, ``int``, ``nonzero``, …) is counted in
  ``strict_cupy.synchronisations``.

``strict_cupy`` is the module-like object to compute with, ``StrictArray`` its ``ndarray``.
"""

import operator
from types import SimpleNamespace

import numpy as np
from support import strict_rules as rules

__all__ = ["StrictArray", "strict_cupy"]

_SCALARS = (bool, int, float, complex, np.generic)


class _Count:
    """How often the host has waited for the device."""

    value = 0


def _synchronise():
    _Count.value += 1


def wrap(result, sources=()):
    """Arrays and NumPy scalars as StrictArrays, through lists and tuples; anything else as it is.

    An array that shares the memory of one of ``sources`` is a view of it.
    """
    if isinstance(result, np.ndarray):
        return _view_of(sources, result)
    if isinstance(result, np.generic):
        return StrictArray(np.asarray(result))
    if isinstance(result, tuple | list):
        parts = [wrap(part, sources) for part in result]
        return type(result)(parts) if type(result) in (tuple, list) else tuple(parts)
    return result


def _root(host):
    """The NumPy array that owns the memory of ``host``, as far as arrays tell."""
    while isinstance(host.base, np.ndarray):
        host = host.base
    return host


def _view_of(sources, result):
    root = _root(result)
    for source in sources:
        if source._host is result:
            return source
        if _root(source._host) is root:
            return StrictArray(result, source if source.base is None else source.base)
    return StrictArray(result)


def unwrap(value):
    """The NumPy array in a StrictArray, through lists and tuples; a NumPy array is refused as CuPy refuses it."""
    if isinstance(value, StrictArray):
        return value._host
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {np.ndarray}")
    if isinstance(value, list | tuple):
        return type(value)(map(unwrap, value)) if type(value) in (tuple, list) else value
    return value


def _sources(args):
    """The StrictArrays among arguments, and in lists of them."""
    for value in args:
        if isinstance(value, StrictArray):
            yield value
        elif isinstance(value, list | tuple):
            yield from (part for part in value if isinstance(part, StrictArray))


def _run(name, function, args, kwargs):
    """Call NumPy on what the StrictArrays hold; CuPy never warns about a division by zero or an overflow."""
    rules.check_keywords(name, function, kwargs.keys())
    _Count.value += rules.waits(name, args, kwargs)
    with np.errstate(all="ignore"):
        result = rules.compute(name, function, unwrap(args), {key: unwrap(value) for key, value in kwargs.items()})
    out = kwargs.get("out")
    if isinstance(out, StrictArray):
        return out
    if isinstance(function, np.ufunc) or name in _IN_C_ORDER:
        return wrap(_in_c_order(result))
    return wrap(result, list(_sources(args)))


_IN_C_ORDER = {"clip", "isclose", "nan_to_num", "round", "around", "sort", "take", "where", "cumsum", "cumprod"}


def _in_c_order(result):
    """CuPy writes what it computes in C order, whatever the order of the inputs."""
    if isinstance(result, tuple):
        return tuple(map(_in_c_order, result))
    return np.asarray(result, order="C")


class StrictArray:
    """CuPy's ndarray as far as its rules go: it holds a NumPy array and hands it out only when asked by ``get``."""

    __array_ufunc__ = None  # NumPy's ufuncs refuse it with a TypeError
    __hash__ = None

    def __init__(self, host, base=None):
        self._host, self.base = host, base  # the array that owns the memory, or None

    # Implicit conversion, which CuPy refuses.

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Implicit conversion to a NumPy array is not allowed; `.get()` makes one explicitly.")

    def __array_function__(self, function, types, args, kwargs):
        raise TypeError(f"numpy.{function.__name__} got an array of the device; use the function of `xp`")

    # Explicit conversion, which waits for the device.

    def get(self):
        """A copy on the host."""
        _synchronise()
        return self._host.copy()

    def item(self):
        """The one element as a Python scalar."""
        _synchronise()
        return self._host.item()

    def tolist(self):
        """The elements as nested lists."""
        _synchronise()
        return self._host.tolist()

    def __bool__(self):
        _synchronise()
        return bool(self._host)

    def __int__(self):
        _synchronise()
        return int(self._host)

    def __float__(self):
        _synchronise()
        return float(self._host)

    def __complex__(self):
        _synchronise()
        return complex(self._host)

    def __index__(self):
        _synchronise()
        return operator.index(self._host)

    def __iter__(self):
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(len(self)))

    def __len__(self):
        return len(self._host)

    def __repr__(self):
        _synchronise()
        return repr(self._host)

    def __str__(self):
        _synchronise()
        return str(self._host)

    def __format__(self, spec):
        _synchronise()
        return format(self._host[()], spec)

    # Elements.

    def __getitem__(self, key):
        found = self._host[_index(key, self._host.shape)]
        return wrap(found if _is_view(key) else _in_c_order(found), (self,))

    def __setitem__(self, key, value):
        if not isinstance(value, StrictArray | bool | int | float | complex | np.generic):
            raise TypeError(f"Unsupported type {type(value)}")
        index, value = _index(key, self._host.shape), unwrap(value)
        if not isinstance(value, np.ndarray) and (not _is_view(key) or self._host[index].flags.c_contiguous):
            value = _unsigned_zero(value)  # the memory is set to zeros, or the value goes to the device
        with np.errstate(all="ignore"):
            self._host[index] = rules.cast(np.asarray(value), self.dtype) if self.dtype != _dtype_of(value) else value

    def fill(self, value):
        """Set every element."""
        self[...] = value

    def astype(self, dtype, order="K", casting=None, subok=None, copy=True):
        """The array in another dtype."""
        if not copy and self.dtype == dtype:
            return self
        if self.dtype == dtype:
            return StrictArray(self._host.astype(dtype, order))
        return StrictArray(rules.cast(self._host, np.dtype(dtype)).astype(dtype, order, copy=False))

    # The data itself.

    @property
    def shape(self):
        """The lengths of the axes."""
        return self._host.shape

    @shape.setter
    def shape(self, shape):
        self._host.shape = shape

    @property
    def flags(self):
        """Contiguity and ownership, of which alone CuPy tells."""
        return Flags(self._host.flags.c_contiguous, self._host.flags.f_contiguous, self.base is None)

    @property
    def device(self):
        """The one device there is."""
        return Device(0)

    def copy(self, order="C"):
        """A copy on the device."""
        return wrap(self._host.copy(order))

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return (StrictArray, (self._host,))


class Flags:
    """What CuPy tells of an array's memory."""

    def __init__(self, c_contiguous, f_contiguous, owndata):
        self.c_contiguous, self.f_contiguous, self.owndata = c_contiguous, f_contiguous, owndata
        self.forc, self.fnc = c_contiguous or f_contiguous, f_contiguous and not c_contiguous

    def __getitem__(self, name):
        if name not in ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA"):
            raise KeyError(f"{name} is not defined for cupy.ndarray.flags")
        return getattr(self, name.lower())


def _dtype_of(value):
    """The dtype of a NumPy value; None of a Python number."""
    return getattr(value, "dtype", None)


def _unsigned_zero(value):
    """0 for -0: memory is set to zeros where a number is zero."""
    return type(value)(0) if isinstance(value, float | np.floating) and value == 0 else value


def _is_view(key):
    """Whether an index gives a view: it holds no list and no array."""
    return not any(isinstance(part, StrictArray | list) for part in (key if isinstance(key, tuple) else (key,)))


def _index(key, shape):
    """An index as CuPy takes it: integers, slices, None, Ellipsis, lists of integers and arrays of the device.

    A boolean mask makes the shape depend on the data, so the device is waited for; integers of an array wrap around.
    """
    parts = key if isinstance(key, tuple) else (key,)
    for part in parts:
        if isinstance(part, np.ndarray):
            raise TypeError(f"Unsupported type {np.ndarray}")
        if isinstance(part, StrictArray) and part.dtype == bool:
            _synchronise()
    if _is_view(key):
        return key
    parts = [np.asarray(p, None if p else int) if isinstance(p, list) else unwrap(p) for p in parts]
    return tuple(_wrapped(parts, shape))


def _wrapped(parts, shape):
    """The parts of an index with the integers of arrays wrapped around the axes that they index."""
    taken = [_axes(part) for part in parts]
    axis = 0
    for part, axes in zip(parts, taken, strict=True):
        if isinstance(part, np.ndarray) and part.dtype != bool and axis < len(shape):
            part = wrapped(part, shape[axis])
        yield part
        axis += len(shape) - sum(taken) if part is Ellipsis else axes


def _axes(part):
    """How many axes a part of an index stands for, but for an Ellipsis."""
    if part is None or part is Ellipsis:
        return 0
    return part.ndim if isinstance(part, np.ndarray) and part.dtype == bool else 1


def wrapped(indices, length):
    """Integers modulo the length of an axis, as CuPy reads them; of an empty axis NumPy raises as CuPy does."""
    return indices % length if length and indices.dtype.kind in "iu" else indices


def _with_wrapped(name, args, kwargs):
    """The arguments of ``take``, ``take_along_axis`` and ``put`` with their indices wrapped around the axis."""
    if name not in ("take", "take_along_axis", "put") or len(args) < 2 or not isinstance(args[1], StrictArray):
        return args
    axis = None if name == "put" else args[2] if len(args) > 2 else kwargs.get("axis")
    length = args[0].size if axis is None else args[0].shape[axis]
    return (args[0], StrictArray(wrapped(args[1]._host, length)), *args[2:])


def _property(name):
    return property(lambda self: getattr(self._host, name))


def _view(name):
    return property(lambda self: wrap(getattr(self._host, name), (self,)))


def _method(name):
    def method(self, *args, **kwargs):
        args = _with_wrapped(name, (self, *args), kwargs)
        return _run(name, getattr(np.ndarray, name), args, kwargs)

    return method


def _operand(value):
    """The other operand of an operator: an array of the device or a scalar; NotImplemented for what is neither."""
    if isinstance(value, StrictArray):
        return value._host
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {np.ndarray}")
    return value if isinstance(value, _SCALARS) else NotImplemented


def _binary(name, apply, swapped=False):
    def method(self, other):
        value = _operand(other)
        if value is NotImplemented:
            return value
        sides = (value, self._host) if swapped else (self._host, value)
        with np.errstate(all="ignore"):
            return wrap(_in_c_order(rules.operate(name, apply, sides)))

    return method


def _in_place(name, apply):
    def method(self, other):
        value = _operand(other)
        if value is NotImplemented:
            return value
        with np.errstate(all="ignore"):
            result = rules.operate(name, apply, (self._host, value))
            np.copyto(self._host, result, casting="same_kind")
        return self

    return method


def _unary(name, apply):
    return lambda self: wrap(_in_c_order(rules.operate(name, apply, (self._host,))))


_METHODS = rules.names(
    """
    all any argmax argmin argpartition argsort choose clip compress conj cumprod cumsum diagonal dot
    flatten max mean min nonzero partition prod put ravel repeat reshape round searchsorted sort squeeze std sum
    swapaxes take tobytes trace transpose var view
    """
)


def _install():
    for name in rules.names("dtype itemsize nbytes ndim size strides"):
        setattr(StrictArray, name, _property(name))
    for name in rules.names("real imag T"):
        setattr(StrictArray, name, _view(name))
    for name in _METHODS:
        setattr(StrictArray, name, _method(name))
    for name in rules.names("add sub mul truediv floordiv mod pow matmul lshift rshift and or xor"):
        apply = getattr(operator, f"__{name}__")
        setattr(StrictArray, f"__{name}__", _binary(name, apply))
        setattr(StrictArray, f"__r{name}__", _binary(name, apply, swapped=True))
        setattr(StrictArray, f"__i{name}__", _in_place(name, apply))
    for name in rules.names("lt le eq ne gt ge"):
        setattr(StrictArray, f"__{name}__", _binary(name, getattr(operator, name)))
    for name in rules.names("neg pos abs invert"):
        setattr(StrictArray, f"__{name}__", _unary(name, getattr(operator, name)))


_install()


# The module.

# Functions that take and return arrays; every one of them was seen in CuPy 14.2.
_FUNCTIONS = rules.names(
    """
    abs absolute add all allclose amax amin any append arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh
    argmax argmin argpartition argsort argwhere around array_equal array_split asfortranarray atleast_1d atleast_2d
    atleast_3d average bincount bitwise_and bitwise_or bitwise_xor broadcast_arrays broadcast_to can_cast cbrt ceil
    choose clip column_stack compress concatenate conj conjugate copy copysign copyto corrcoef cos cosh
    count_nonzero cov cross cumprod cumsum deg2rad diag diagflat diagonal diff digitize divide divmod dot dsplit
    dstack einsum empty empty_like equal exp exp2 expand_dims expm1 extract eye fabs fill_diagonal flatnonzero flip
    fliplr flipud float_power floor floor_divide fmax fmin fmod frexp full full_like gradient greater greater_equal
    heaviside gcd histogram hsplit hstack hypot identity imag indices inner interp invert isclose isfinite isin
    isinf isnan isscalar ix_ kron lcm ldexp left_shift less less_equal linspace log log10 log1p log2 logaddexp
    logaddexp2 logical_and logical_not logical_or logical_xor logspace matmul max maximum may_share_memory mean
    median meshgrid min min_scalar_type minimum mod modf moveaxis multiply nan_to_num nanargmax nanargmin nancumprod
    nancumsum nanmax nanmean nanmedian nanmin nanprod nanstd nansum nanvar ndim negative nextafter nonzero not_equal
    ones ones_like outer pad partition percentile place positive power prod promote_types ptp put putmask quantile
    rad2deg ravel real reciprocal remainder repeat reshape resize result_type right_shift rint roll rollaxis rot90
    round searchsorted select shape shares_memory sign signbit sin sinc sinh size sort split sqrt square squeeze
    stack std subtract sum swapaxes take take_along_axis tan tanh tensordot tile trace transpose tri tril
    tril_indices trim_zeros triu triu_indices true_divide trunc unique unravel_index unwrap vander var vdot vsplit
    vstack where zeros zeros_like
    """
)
# Functions that answer with a Python bool or int in NumPy, and with a 0-d array in CuPy.
_ZERO_DIMENSIONAL = {"allclose", "array_equal", "count_nonzero"}
# What CuPy hands on from NumPy unchanged.
_CONSTANTS = rules.names(
    """
    bool_ complex128 complex64 complexfloating dtype e finfo float16 float32 float64 floating generic iinfo inexact
    inf int16 int32 int64 int8 integer issubdtype nan newaxis number pi signedinteger uint16 uint32 uint64 uint8
    unsignedinteger
    """
)
_LINALG = rules.names("cholesky det eigh eigvalsh inv lstsq matrix_power matrix_rank norm pinv qr slogdet solve svd")
_RANDOM = rules.names(
    """
    beta binomial choice exponential gamma normal permutation poisson rand randint randn random random_sample seed
    shuffle standard_normal uniform
    """
)


def _function(name, function):
    def call(*args, **kwargs):
        result = _run(name, function, _with_wrapped(name, args, kwargs), kwargs)
        return StrictArray(np.asarray(result)) if name in _ZERO_DIMENSIONAL and np.isscalar(result) else result

    call.__name__ = name
    if isinstance(function, np.ufunc):
        _give_methods(call, name, function)
    return call


# The methods of ufuncs that CuPy has, by the ufunc: for the others they raise.
_AT = rules.names("add subtract maximum minimum bitwise_and bitwise_or bitwise_xor")
_ADDED = rules.names("int32 int64 float16 float32 float64 uint32 uint64")


def _give_methods(call, name, function):
    """Give a function the methods of a ufunc."""

    def at(x, indices, values=None):
        if name not in _AT:
            raise NotImplementedError(f"`cupy_{name}.at` is not supported yet")
        if x.dtype.name not in _ADDED:
            raise TypeError(f"cupy.{name}.at only supports {', '.join(sorted(_ADDED))} as data type")
        function.at(x._host, _index(indices, x.shape), unwrap(values))

    def reduce(x, axis=0, dtype=None, out=None, keepdims=False):
        if name not in _REDUCE:
            raise NotImplementedError(f"`cupy_{name}.reduce` is not supported yet")
        return getattr(x, _REDUCE[name])(axis=axis, dtype=dtype, out=out, keepdims=keepdims)

    def accumulate(x, axis=0, dtype=None, out=None):
        if name not in _REDUCE:
            raise NotImplementedError(f"`cupy_{name}.accumulate` is not supported yet")
        return getattr(x, f"cum{_REDUCE[name]}")(axis=axis, dtype=dtype, out=out)

    call.at, call.reduce, call.accumulate = at, reduce, accumulate


_REDUCE = {"add": "sum", "multiply": "prod"}


class _Space:
    """A namespace of NumPy's of which just the listed names are there."""

    def __init__(self, name, source, functions):
        self._name, self._source, self._functions = name, source, functions

    def __getattr__(self, name):
        if name in self.__dict__.get("_functions", ()) and hasattr(self._source, name):
            return _function(name, getattr(self._source, name))
        raise AttributeError(f"module '{self._name}' has no attribute '{name}'")


class CUDARuntimeError(RuntimeError):
    """What CuPy's runtime raises."""


class Device:
    """The one device: it can be used, entered and waited for."""

    def __init__(self, device=0):
        if device != 0:
            raise CUDARuntimeError("cudaErrorInvalidDevice: invalid device ordinal")
        self.id = 0

    def use(self):
        """Make it the current device."""
        return self

    def synchronize(self):
        """Wait for it."""
        _synchronise()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


class _StrictCuPy(_Space):
    """CuPy's module."""

    __name__ = "strict_cupy"
    ndarray = StrictArray

    def __init__(self):
        super().__init__("cupy", np, _FUNCTIONS)
        self.linalg = _Space("cupy.linalg", np.linalg, _LINALG)
        self.random = _Space("cupy.random", np.random, _RANDOM)
        tricks = _Space("cupy.lib.stride_tricks", np.lib.stride_tricks, {"as_strided", "sliding_window_view"})
        self.lib = SimpleNamespace(stride_tricks=tricks)
        runtime = SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=CUDARuntimeError)
        stream = SimpleNamespace(synchronize=_synchronise)
        self.cuda = SimpleNamespace(
            runtime=runtime,
            Device=Device,
            Stream=SimpleNamespace(null=stream),
            get_current_stream=lambda: stream,
        )

    def __getattr__(self, name):
        if name in _CONSTANTS:
            return getattr(np, name)
        return super().__getattr__(name)

    def names(self):
        """The names it delegates to NumPy, all of which the real module has."""
        return _FUNCTIONS | _CONSTANTS

    @property
    def synchronisations(self):
        """How often the host has waited for the device."""
        return _Count.value

    @synchronisations.setter
    def synchronisations(self, value):
        _Count.value = value

    def array(self, value, dtype=None, copy=True, order="K", ndmin=0):
        """An array of the device from one of the host, of the device, or from numbers: an explicit transfer."""
        same = isinstance(value, StrictArray) and not copy and dtype in (None, value.dtype) and value.ndim >= ndmin
        return value if same else _from(value, lambda host: np.array(host, dtype, order=order, ndmin=ndmin))

    def asarray(self, value, dtype=None, order=None):
        """As ``array``, without a copy where the value is on the device already."""
        same = isinstance(value, StrictArray) and dtype in (None, value.dtype) and order is None
        return value if same else _from(value, lambda host: np.array(host, dtype, order=order or "K"))

    def ascontiguousarray(self, value, dtype=None):
        """As ``asarray``, in C order and of at least one dimension."""
        same = isinstance(value, StrictArray) and dtype in (None, value.dtype) and value.ndim
        if same and value.flags.c_contiguous:
            return value
        return _from(value, lambda host: np.array(host, dtype, order="C", ndmin=1))

    def asnumpy(self, value, stream=None, order="C"):
        """A copy on the host."""
        return value.get() if isinstance(value, StrictArray) else np.asarray(value)

    def get_array_module(self, *values):
        """This module when one of the values is on the device, else NumPy."""
        return self if any(isinstance(value, StrictArray) for value in values) else np


def _from(value, convert):
    on_device = isinstance(value, StrictArray)
    with np.errstate(all="ignore"):
        host = convert(value if isinstance(value, np.ndarray) else unwrap(value))
    if host.dtype.kind in "OSUMm":
        raise ValueError(f"Unsupported dtype {host.dtype}")
    if not host.ndim and not on_device and host.dtype.kind in "fV" and host == 0:
        host = np.zeros((), host.dtype)  # memory is set to zeros, so that -0 becomes 0
    return StrictArray(host)


strict_cupy = _StrictCuPy()
