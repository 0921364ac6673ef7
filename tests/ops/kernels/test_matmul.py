"""A product is NumPy's own, whatever its layout, its size and the number of workers that share it."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strict_cupy import strict_cupy

import minispore as ms
from minispore import Tensor, ops
from minispore.ops.kernels import matmul as kernel
from minispore.ops.kernels import matmul_shared

LENGTHS = st.sampled_from([1, 3, 4, 17, 48, 64, 65, 130])


def normal(rng, rows, columns, transposed):
    x = rng.standard_normal((columns, rows) if transposed else (rows, columns)).astype(np.float32)
    return x.T if transposed else x


@pytest.fixture(params=[1, 2, 3])
def workers(request, monkeypatch):
    before = ms.get_context("runtime_num_threads")
    ms.set_context(runtime_num_threads=request.param)
    for module, name in ((kernel, "_SHARE"), (matmul_shared, "_SHARE_OF_SMALL"), (matmul_shared, "_AHEAD")):
        monkeypatch.setattr(module, name, 1000)  # that small products too are shared
    monkeypatch.setattr(kernel, "_WEIGHTS", (1000,) * 8)
    monkeypatch.setattr(matmul_shared, "_REPAID", 6)
    yield request.param
    ms.set_context(runtime_num_threads=before)


@given(m=LENGTHS, k=LENGTHS, n=LENGTHS, a_turned=st.booleans(), b_turned=st.booleans())
def test_a_product_of_two_matrices(workers, m, k, n, a_turned, b_turned):
    rng = np.random.default_rng(0)
    a, b = normal(rng, m, k, a_turned), normal(rng, k, n, b_turned)
    np.testing.assert_allclose(kernel.product(np, a, b), np.matmul(a, b), rtol=1e-5, atol=1e-5)
    assert kernel.product(np, a, b).flags.c_contiguous


@pytest.mark.parametrize("rows", [65, 96, 127])
def test_a_product_of_more_rows_that_workers_would_share_is_never_transposed(rows, monkeypatch):
    """Its parts are not: so the bits would depend on the number of workers."""
    rng = np.random.default_rng(0)
    a, b, right = normal(rng, rows, 700, False), normal(rng, 700, 300, True), np.matmul
    monkeypatch.setattr(kernel.workers, "count", lambda: 1)
    monkeypatch.setattr(kernel.np, "matmul", lambda x, y: right(x, y) if x is a and y is b else None)
    np.testing.assert_array_equal(kernel.product(np, a, b), right(a, b))


BATCHES = st.sampled_from([((5,), (5,)), ((4, 3), (4, 3)), ((4, 1), (1, 3)), ((1,), (7,)), ((2, 0), (2, 0))])


def pairs(batch, n, a_turned, b_turned):
    rng = np.random.default_rng(0)
    a = rng.standard_normal((*batch[0], *((17, 6) if a_turned else (6, 17)))).astype(np.float32)
    b = rng.standard_normal((*batch[1], *((n, 17) if b_turned else (17, n)))).astype(np.float32)
    return a.swapaxes(-1, -2) if a_turned else a, b.swapaxes(-1, -2) if b_turned else b


@given(batch=BATCHES, n=LENGTHS, a_turned=st.booleans(), b_turned=st.booleans())
def test_products_of_batches_that_broadcast(workers, batch, n, a_turned, b_turned):
    a, b = pairs(batch, n, a_turned, b_turned)
    np.testing.assert_allclose(kernel.product(np, a, b), np.matmul(a, b), rtol=1e-5, atol=1e-5)
    assert kernel.product(np, a, b).flags.c_contiguous


@given(batch=BATCHES, n=LENGTHS, a_turned=st.booleans(), b_turned=st.booleans())
def test_any_number_of_workers_gives_the_same_bits_of_a_batch(workers, batch, n, a_turned, b_turned):
    found = kernel.product(np, *pairs(batch, n, a_turned, b_turned))
    ms.set_context(runtime_num_threads=1)
    np.testing.assert_array_equal(found, kernel.product(np, *pairs(batch, n, a_turned, b_turned)))
    ms.set_context(runtime_num_threads=workers)


NARROW = [np.float16, ml_dtypes.bfloat16]


@pytest.mark.parametrize("kind", NARROW, ids=str)
@pytest.mark.parametrize(
    "shapes", [((3, 40), (40, 2)), ((1, 40), (40, 1)), ((1, 40), (40, 2)), ((2, 3, 40), (2, 40, 1))]
)
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_narrow_numbers_are_summed_in_float32_and_rounded_once(kind, shapes, turned, device):
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(shape).astype(kind) for shape in shapes)
    wide = np.matmul(x.astype(np.float64), y.astype(np.float64))
    x, y = (a.swapaxes(-1, -2) if turn else a for a, turn in zip((x, y), turned, strict=True))
    found = ops.BatchMatMul(*turned)(Tensor(np.ascontiguousarray(x)), Tensor(np.ascontiguousarray(y)))
    assert found.dtype.np == kind
    ulp = 2 * ml_dtypes.finfo(kind).eps
    np.testing.assert_allclose(found.asnumpy().astype(np.float64), wide, rtol=ulp / 2, atol=ulp / 8)


@pytest.mark.parametrize("kind", NARROW, ids=str)
def test_two_narrow_matrices_are_multiplied_as_they_are_where_cupy_accumulates_in_float32(kind):
    x, row = strict_cupy.ones((3, 4), kind), strict_cupy.ones((1, 4), kind)
    assert [a.dtype for a in kernel.factors(strict_cupy, x, x, False, True)] == [kind] * 2
    assert [a.dtype for a in kernel.factors(strict_cupy, row, row, False, True)] == [np.float32] * 2
    assert [a.dtype for a in kernel.factors(strict_cupy, x[None], x[None], True, False)] == [np.float32] * 2
    assert [a.dtype for a in kernel.factors(np, x.get(), x.get(), True, False)] == [np.float32] * 2
