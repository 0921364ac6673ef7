"""Operations that few programs use give what the real MindSpore gives, in graph mode too; their gradients are right.

The vectors are those of ``record/rarer_operations.py``.
"""

import pathlib

import numpy as np
import pytest
from conformance.cases.further_operations import recorded, run, used
from conformance.cases.rarer_operations import CALLS, inputs, observed

import minispore as ms

VECTORS = pathlib.Path(__file__).parent / "vectors" / "rarer_operations.npz"
STEP = 1e-6


@pytest.mark.parametrize("call", CALLS)
def test_a_call_gives_what_mindspore_gives(call):
    expected = recorded(VECTORS)[call]
    found = observed(ms, call, CALLS[call])
    assert found.keys() == expected.keys()
    for key, array in found.items():
        assert (array.dtype, array.shape) == (expected[key].dtype, expected[key].shape)
        rtol = {2: 2e-3, 8: 1e-5}.get(array.dtype.itemsize, 2e-4)
        np.testing.assert_allclose(array, expected[key], rtol=rtol, atol=rtol / 10, err_msg=key)


@pytest.mark.parametrize("call", CALLS)
def test_graph_mode_gives_what_eager_mode_gives(call):
    arrays = inputs()
    names = used(call, arrays)
    tensors = [ms.Tensor(arrays[name]) for name in names]

    def function(*values):
        return run(ms, call, dict(zip(names, values, strict=True)))

    replayed = ms.jit(function)
    for _ in range(3):
        for got, wished in zip(replayed(*tensors), function(*tensors), strict=True):
            np.testing.assert_array_equal(got.asnumpy(), wished.asnumpy())


@pytest.mark.parametrize("call", [call for call, compared in CALLS.items() if compared is not False])
def test_a_gradient_is_the_difference_quotient(call):
    """In float64, along a drawn direction of each floating input."""
    arrays, rng = inputs(), np.random.default_rng(5)
    wide = {n: arrays[n].astype(np.float64) if arrays[n].dtype.kind == "f" else arrays[n] for n in used(call, arrays)}
    moving = [i for i, x in enumerate(wide.values()) if x.dtype == np.float64]
    directions = [rng.standard_normal(x.shape) if i in moving else 0 for i, x in enumerate(wide.values())]
    seed = rng.standard_normal(run(ms, call, {n: ms.Tensor(x) for n, x in wide.items()})[0].shape)

    def value(*values):
        return (run(ms, call, dict(zip(wide, values, strict=True)))[0].astype(ms.float64) * ms.Tensor(seed)).sum()

    def at(step):
        moved = [
            x + step * d if i in moving else x for i, (x, d) in enumerate(zip(wide.values(), directions, strict=True))
        ]
        return float(value(*map(ms.Tensor, moved)))

    grads = ms.grad(value, tuple(moving))(*map(ms.Tensor, wide.values()))
    grads = grads if isinstance(grads, tuple) else (grads,)
    parts = [g.asnumpy() * directions[i] for g, i in zip(grads, moving, strict=True)]
    slope, scale = sum(float(p.sum()) for p in parts), sum(float(abs(p).sum()) for p in parts)
    assert abs(slope - (at(STEP) - at(-STEP)) / (2 * STEP)) <= 1e-6 * (1 + scale)
