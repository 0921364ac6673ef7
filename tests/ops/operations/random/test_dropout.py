"""Dropout by random masks, of elements or of whole channels, with the remaining ones scaled."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops
from minispore.core import backend, seeds


@pytest.fixture(autouse=True)
def seeded(restored):
    ms.set_seed(2)


def test_channels_can_all_be_dropped_and_two_axes_are_one_sample():
    assert (ops.dropout2d(ops.ones((2, 3, 4, 5)), 1.0).asnumpy() == 0).all()
    found = ops.dropout1d(ops.ones((900, 4)), 0.5)
    assert found.shape == (900, 4) and set(found.asnumpy().sum(1).tolist()) == {0.0, 8.0}
    out, mask = ops.Dropout3D(0.5)(ops.ones((8, 8, 1, 1, 2)))
    assert mask.dtype == ms.bool_ and ((out.asnumpy() == 2) == mask.asnumpy()).all()


def test_float16_is_scaled_in_float32_and_rounded_once():
    x = Tensor(np.arange(1, 2048, dtype=np.float16))
    found = ops.Dropout(0.9)(x)[0].asnumpy()
    exact = (x.asnumpy().astype(np.float32) * np.float32(1 / 0.9)).astype(np.float16)
    assert (found[found != 0] == exact[found != 0]).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("size", [1, 7, 8, 9, 4099])
def test_dropout_is_the_same_on_every_device(other_device, dtype, size):
    numbers = np.random.default_rng(0).standard_normal(size).astype(dtype)

    def drawn(xp):
        ms.set_seed(5)
        found = [ops.Dropout(0.3)(Tensor(numbers)) for _ in range(2)] + [ops.Dropout(0.8, 1, 2)(Tensor(numbers))]
        return [y.asnumpy() for pair in found for y in pair]

    there, before = drawn(other_device), backend.use(np)
    here = drawn(np)
    backend.use(before)
    for got, expected in zip(there, here, strict=True):
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float32])
def test_the_gradient_of_dropout_is_its_own_mask_scaled_once(device, dtype):
    x, seed = ops.ones((50, 3), dtype), Tensor(np.full((50, 3), 3.0), dtype)

    def drop(x):
        return ops.Dropout(0.7)(x)

    draws = seeds.seed.draws
    _, mask = drop(x)
    seeds.seed.draws = draws
    gradient = ms.ops.GradOperation(sens_param=True)(drop)(x, (seed, ops.zeros_like(seed)))
    scaled = np.float32(3) * mask.astype(ms.float32).asnumpy() * np.float32(1 / 0.7)
    assert gradient.dtype == dtype
    np.testing.assert_array_equal(gradient.asnumpy(), scaled.astype(gradient.asnumpy().dtype))


def test_every_call_of_dropout_has_another_mask_with_seeds_of_its_own_too():
    drop = ops.Dropout(0.5, 3, 4)
    assert (drop(ops.ones(99))[1].asnumpy() != drop(ops.ones(99))[1].asnumpy()).any()
