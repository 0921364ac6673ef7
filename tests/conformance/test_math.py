"""Mathematics, reductions, comparisons and linear algebra agree with the real MindSpore.

The vectors are those of ``record/math_functions.py``.
"""

import functools
import json
import pathlib

import numpy as np
import pytest

import minispore as ms
from minispore import ops

VECTORS = pathlib.Path(__file__).parent / "vectors" / "math.npz"


# MindSpore 2.0.0 loses nan in these: exp(nan) is inf, sign(nan) 0, maximum(nan, 1) 1, nan / 0 infinite.
LOSES_NAN = {"ops.exp", "ops.sign", "ops.sgn", "ops.maximum", "ops.minimum", "ops.div"}


@functools.cache
def record():
    """The table, and for each row its arrays by what they are: input, output, gradient."""
    with np.load(VECTORS) as file:
        table, rows = json.loads(str(file["meta"]))["table"], {}
        for key in file.files[:-1]:
            number, kind, place = key.split("/")
            rows.setdefault(int(number), {}).setdefault(kind, {})[int(place)] = file[key]
    return table, rows


def label(number):
    row = record()[0][number]
    kinds = ",".join(f"{kind}{shape}{dtype}" for kind, shape, dtype in row["inputs"]).replace(" ", "")
    return f"{number}-{row['call']}({kinds};{row['init']}{row['args']})"


def value_of(row, arg, tensors):
    if isinstance(arg, str) and arg.startswith("$"):
        return tensors[int(arg[1:])]
    if isinstance(arg, list):
        values = [value_of(row, x, tensors) for x in arg]
        return values if row["call"].endswith("addn") else tuple(values)
    return arg


def called(row, tensors):
    """What a row calls, as a tuple of its outputs."""
    space, name = row["call"].split(".")
    args = [value_of(row, x, tensors) for x in row["args"]]
    kwargs = {k: getattr(ms, v) if k == "dtype" else v for k, v in row["kwargs"].items()}
    if space == "P":
        out = getattr(ops, name)(*row["init"])(*args)
    elif space == "T":
        out = getattr(args[0], name)(*args[1:], **kwargs)
    else:
        out = getattr(ops, name)(*args, **kwargs)
    return tuple(out) if isinstance(out, (tuple, list)) else (out,)


def assert_near(found, expected, **told):
    """Equal but for MindSpore's own errors, of 4e-6 in its logarithms and of an ulp of float16 or two."""
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    tolerance = 3e-3 if expected.dtype == np.float16 else 1e-5
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance, **told)


@pytest.mark.parametrize("number", range(len(record()[0])), ids=label)
def test_an_operation_and_its_gradients(number):
    row, arrays = record()[0][number], record()[1][number]
    tensors = [ms.Tensor(x) for x in arrays["input"].values()]
    outputs = called(row, tensors)
    for y, expected in zip(outputs, arrays["output"].values(), strict=True):
        if row["call"] in LOSES_NAN and expected.dtype.kind == "f":
            unknown = functools.reduce(np.logical_or, map(np.isnan, arrays["input"].values()))
            expected = np.where(unknown, expected.dtype.type(np.nan), expected)
        assert_near(y.asnumpy(), expected)
    if row["grad"]:
        first = next(i for i, y in enumerate(outputs) if y.dtype in (ms.float16, ms.float32))
        found = ms.grad(lambda *xs: called(row, xs)[first].sum(), tuple(arrays["gradient"]))(*tensors)
        found = found if isinstance(found, tuple) else (found,)
        for g, (place, expected) in zip(found, arrays["gradient"].items(), strict=True):
            assert_near(g.asnumpy(), expected, err_msg=f"gradient {place}")
