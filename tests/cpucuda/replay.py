"""Play recorded uses of an array module on NumPy and on the installed CuPy, and tell where they differ.

    python tests/cpucuda/replay.py [uses.json.gz] [--share 10]       # every tenth use; all of them take minutes

On a machine without a GPU CuPy runs on the CPU's CUDA.
"""

import argparse
import operator
import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cpucuda import device, uses

USES = Path(__file__).with_name("uses.json.gz")
TOLERANCE = {
    "float16": 2e-3,
    "bfloat16": 1e-2,
    "float32": 2e-5,
    "float64": 1e-11,
    "complex64": 2e-5,
    "complex128": 1e-11,
}
WITHOUT_VALUES = {"empty", "empty_like"}
IN_PLACE = {"__setitem__", "fill", "sort"}
# The stand-in's own, or Python's ways to show, copy and send an array
NOT_PLAYED = {"get", "__reduce__", "__deepcopy__", "__copy__", "__repr__", "__str__", "__format__", "__array__"}
NOT_PLAYED |= {"__array_function__", "device", "base", "flags", "strides"}


def given(value, xp):
    """An example's value for NumPy or for CuPy."""
    if isinstance(value, uses.Array):
        return value.numpy() if xp is np else value.on(xp)
    if isinstance(value, tuple | list):
        return type(value)(given(v, xp) for v in value)
    return value


def play(use, xp):
    """What a use gives on an array module."""
    args, kwargs = given(list(use.args), xp), {k: given(v, xp) for k, v in use.kwargs.items()}
    if use.kind == "function":
        return _call(use.name, args, kwargs, xp)
    self, *rest = args
    if use.kind == "attribute":
        return getattr(self, use.name)
    if use.name.startswith("__i") and hasattr(operator, use.name) and use.name not in ("__invert__", "__index__"):
        return getattr(operator, use.name)(self, *rest)
    if use.name == "__iter__":
        return list(self)
    result = getattr(self, use.name)(*rest, **kwargs)
    return self if use.name in IN_PLACE else result


def _call(name, args, kwargs, xp):
    if name == "asnumpy":
        return np.asarray(args[0]) if xp is np else xp.asnumpy(*args, **kwargs)
    result = operator.attrgetter(name)(xp)(*args, **kwargs)
    if name == "matmul" and {str(x.dtype) for x in args} == {"bfloat16"}:
        return result.astype(args[0].dtype)  # NumPy knows no such product and gives float32, which minispore rounds
    return args[0] if name == "copyto" else result


def outcome(use, xp):
    """What ``play`` gives, or the exception."""
    try:
        with np.errstate(all="ignore"):
            return play(use, xp)
    except Exception as error:  # both may raise; which one does is compared
        return error


# Comparison


def difference(x, y, cupy):
    """How CuPy's result y differs from NumPy's x, in words; None if it does not."""
    if isinstance(x, Exception) or isinstance(y, Exception):
        if isinstance(x, Exception) and isinstance(y, Exception):
            return None
        return f"{type(y).__name__}: {y}" if isinstance(y, Exception) else f"no {type(x).__name__}: {x}"
    if isinstance(x, tuple | list):
        if not isinstance(y, tuple | list) or len(x) != len(y):
            return f"{type(y).__name__} for {len(x)} results"
        return next((d for d in (difference(a, b, cupy) for a, b in zip(x, y, strict=True)) if d), None)
    if isinstance(y, cupy.ndarray | np.ndarray):
        return _difference_of_arrays(np.asarray(x), cupy.asnumpy(y))
    if isinstance(x, np.ndarray):
        return f"{type(y).__name__} for an array"
    return None if x == y or (x != x and y != y) else f"{y!r} for {x!r}"


def _difference_of_arrays(x, y):
    if x.dtype != y.dtype or x.shape != y.shape:
        return f"{y.dtype}{y.shape} for {x.dtype}{x.shape}"
    wrong = ~_is_same(x, y)
    if wrong.any():
        return f"{y[wrong][0]!r} for {x[wrong][0]!r}"
    return "the sign of a zero" if x.dtype.kind == "f" and (np.signbit(x) != np.signbit(y))[x == 0].any() else None


def _is_same(x, y):
    tolerance = TOLERANCE.get(x.dtype.name)
    if tolerance is None:
        return np.asarray(x == y)
    with np.errstate(all="ignore"):
        a, b = (v.astype(np.complex128 if v.dtype.kind == "c" else np.float64) for v in (x, y))
        largest = np.abs(a[np.isfinite(a)]).max(initial=0)
        near = np.abs(a - b) <= tolerance * np.maximum(np.abs(a), 1e-3 * largest)
        return np.asarray((a == b) | (np.isnan(a) & np.isnan(b)) | near)


def differences(chosen, cupy):
    """(use, how CuPy differs) of each use that does."""
    for use in chosen:
        told = None
        if use.name not in NOT_PLAYED:
            x, y = outcome(use, np), outcome(use, cupy)
            if use.name in WITHOUT_VALUES:
                x, y = ((v.dtype, v.shape) if hasattr(v, "shape") else v for v in (x, y))
            told = difference(x, y, cupy)
        if told:
            yield use, told


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("uses", nargs="?", default=USES)
    parser.add_argument("--share", type=int, default=1, help="play every Nth use")
    options = parser.parse_args()
    if device.is_built():
        device.activate()
    import cupy

    warnings.simplefilter("ignore")
    chosen = list(uses.load(options.uses))[:: options.share]
    found = list(differences(chosen, cupy))
    for use, told in found:
        print(f"{use}: {told}")
    print(f"{len(chosen)} uses of {len({use.name for use in chosen})} names, {len(found)} differ")


if __name__ == "__main__":
    main()
