"""Operations on the form of Tensors, and keys of Tensors, agree with the real MindSpore (``record/arrays.py``)."""

import builtins
import functools
import json
import pathlib

import numpy as np
import pytest
from conformance.record import arrays as record_arrays

import minispore as ms

VECTORS = pathlib.Path(__file__).parent / "vectors" / "arrays.npz"
X = np.arange(24, dtype=np.float32).reshape(3, 4, 2)
# What minispore does otherwise on purpose, and gives: docs/reference/quirks.md says why.
OTHERWISE = {
    "call: ops.full((2,), 2.5)": np.float32([2.5, 2.5]),
    "get: np.array([0, 2])": X[[0, 2]],
    "set: np.array([0, 2]) = -1.0": np.where(np.array([True, False, True])[:, None, None], np.float32(-1), X),
    "set: ::-1 = -1.0": np.full_like(X, -1),
    "set: :, ::-1 = -1.0": np.full_like(X, -1),
    "set: 0 = T([[[1.0, 2.0]]])": np.concatenate([np.broadcast_to(np.float32([1, 2]), X[:1].shape), X[1:]]),
}


@functools.cache
def record():
    with np.load(VECTORS) as file:
        arrays = {key: file[key] for key in file.files}
    return arrays, json.loads(str(arrays["meta"]))["refused"]


def every():
    return [(kind, run, row) for kind, (run, rows) in record_arrays.rows().items() for row in rows]


@pytest.mark.parametrize(("kind", "run", "row"), [pytest.param(*x, id=f"{x[0]}: {x[2]}") for x in every()])
def test_it_gives_what_mindspore_gives_or_refuses_as_it_does(kind, run, row):
    name, (arrays, refused) = f"{kind}: {row}", record()
    if name in refused and name not in OTHERWISE:
        with pytest.raises(getattr(builtins, refused[name])):
            run(ms, row)
        return
    recorded = [array for key, array in arrays.items() if key.rpartition("|")[0] == name]
    expected = [OTHERWISE[name]] if name in OTHERWISE else recorded
    found = run(ms, row)
    assert [x.dtype for x in found] == [x.dtype for x in expected]
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-6, atol=1e-6)
