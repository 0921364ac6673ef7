"""The other end of a pipe: makes the target of an adapter's file, and answers calls until the pipe ends.

It is run by a target's own Python, as a file, and imports NumPy alone. The framework's output goes to stderr.
"""

import importlib.util
import os
import pickle
import sys
import traceback

import numpy as np


def packed(value):
    """A nest of plain values with each array as its dtype, shape and bytes: pickles differ among versions of NumPy."""
    if isinstance(value, np.ndarray):
        return "an array", value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: packed(each) for key, each in value.items()}
    return type(value)(map(packed, value)) if isinstance(value, (list, tuple)) else value


def unpacked(value):
    """The value that :func:`packed` packed."""
    if isinstance(value, tuple) and value[:1] == ("an array",):
        return np.frombuffer(value[3], value[1]).reshape(value[2]).copy()
    if isinstance(value, dict):
        return {key: unpacked(each) for key, each in value.items()}
    return type(value)(map(unpacked, value)) if isinstance(value, (list, tuple)) else value


def loaded(path):
    """A Python file as a module of its own, which no search path leads to."""
    spec = importlib.util.spec_from_file_location("adapter_" + os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(target, message, probe):
    """The result of a call: ``("ok", value)``, or ``("error", kind, text)``."""
    name, args, named = unpacked(message)
    try:
        value = getattr(target, name)
        if callable(value):
            args = [probe if isinstance(each, str) and each == "the probe" else each for each in args]
            value = value(*args, **named)
        return "ok", packed(value)
    except Exception as error:
        told = traceback.format_exception_only(type(error), error)[-1].strip()
        return "error", type(error).__name__, told[:600]


def main(adapter, probing):
    """Answer every message that comes, in its order."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.path[:] = [
        folder for folder in sys.path if os.path.abspath(folder) != os.path.dirname(os.path.abspath(__file__))
    ]
    target, probe = loaded(adapter).target(), loaded(probing).ran_in
    while True:
        try:
            message = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(answer(target, message, probe), pipe, protocol=4)
        pipe.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
