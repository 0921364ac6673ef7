"""A product is NumPy's own, whatever its layout, its size and the number of workers that share it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore.ops.kernels import matmul as kernel

LENGTHS = st.sampled_from([1, 3, 4, 17, 48, 64, 65, 130])


def normal(rng, rows, columns, transposed):
    x = rng.standard_normal((columns, rows) if transposed else (rows, columns)).astype(np.float32)
    return x.T if transposed else x


@pytest.fixture(params=[1, 2, 3])
def workers(request, monkeypatch):
    before = ms.get_context("runtime_num_threads")
    ms.set_context(runtime_num_threads=request.param)
    monkeypatch.setattr(kernel, "_SHARE", 1000)  # that small products too are shared
    monkeypatch.setattr(kernel, "_HEAVY", 1000)
    yield request.param
    ms.set_context(runtime_num_threads=before)


@given(m=LENGTHS, k=LENGTHS, n=LENGTHS, a_turned=st.booleans(), b_turned=st.booleans())
def test_a_product_of_two_matrices(workers, m, k, n, a_turned, b_turned):
    rng = np.random.default_rng(0)
    a, b = normal(rng, m, k, a_turned), normal(rng, k, n, b_turned)
    np.testing.assert_allclose(kernel.product(np, a, b), np.matmul(a, b), rtol=1e-5, atol=1e-5)
    assert kernel.product(np, a, b).flags.c_contiguous


@given(batch=st.sampled_from([((5,), (5,)), ((4, 3), (4, 3)), ((4, 1), (1, 3)), ((1,), (7,))]), n=LENGTHS)
def test_products_of_batches_that_broadcast(workers, batch, n):
    rng = np.random.default_rng(0)
    a = rng.standard_normal((*batch[0], 6, 17)).astype(np.float32)
    b = rng.standard_normal((*batch[1], 17, n)).astype(np.float32)
    np.testing.assert_allclose(kernel.product(np, a, b), np.matmul(a, b), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("shapes", [((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 3), (3, 0)), ((0, 2, 3), (0, 3, 4))])
def test_products_without_numbers(workers, shapes):
    a, b = (np.ones(shape, np.float32) for shape in shapes)
    np.testing.assert_array_equal(kernel.product(np, a, b), np.matmul(a, b))
