"""Products of a few rows at a time: the same numbers, and only where BLAS has kernels for them."""

import numpy as np
import pytest

from minispore.ops.kernels.conv import grad_rows, overlaps, small_products
from minispore.ops.kernels.conv.small_products import even_length, product_by_rows


@pytest.mark.parametrize("step", [1, 3, 4, 9])
def test_any_number_of_rows_at_a_time_is_the_product(step):
    random = np.random.default_rng(0)
    a, b = random.standard_normal((2, 1, 9, 5)), random.standard_normal((2, 3, 5, 7))
    out = np.empty((2, 9, 3, 14)).swapaxes(1, 2)[..., :7]  # rows apart from one another
    product_by_rows(a, b, out, step)
    np.testing.assert_allclose(out, a @ b)


@pytest.mark.parametrize("size, most, length", [(64, 30, 22), (64, 32, 32), (9, 20, 9), (7, 1, 1)])
def test_parts_are_equal_and_not_longer_than_allowed(size, most, length):
    assert even_length(size, most) == length


@pytest.mark.parametrize("kernels, most", [({"SkylakeX"}, 1_000_000), ({"Haswell"}, 0), ({None}, 0), (set(), 0)])
def test_older_kernels_pack_every_product(kernels, most, monkeypatch):
    monkeypatch.setattr(small_products, "blas_kernels", lambda: kernels)
    assert small_products.most.__wrapped__() == most


@pytest.mark.parametrize(
    "most, rows_and_columns, terms_and_pixels", [(0, (64, 32), (192, 1024)), (10**6, (32, 32), (24, 512))]
)
def test_products_are_cut_where_that_pays(most, rows_and_columns, terms_and_pixels, monkeypatch):
    monkeypatch.setattr(small_products, "most", lambda: most)
    assert overlaps.tile.__wrapped__(64, 576, 32) == rows_and_columns
    assert grad_rows.tile.__wrapped__(192, 1024, 64, most > 0) == terms_and_pixels
