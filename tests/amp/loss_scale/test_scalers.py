"""Loss scalers: the functional face of the loss scale."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import amp
from minispore.tools.testing.oracles.loss_scale import course


@given(
    st.sampled_from([1.5, 2.0, 8.0, 1000.0, 2.0**24]),
    st.sampled_from([2, 3, 4]),
    st.integers(1, 6),
    st.lists(st.booleans(), max_size=60),
)
def test_the_scaler_follows_the_rule(scale, factor, window, overflows):
    scaler = amp.DynamicLossScaler(scale, factor, window)
    for overflow, expected in zip(overflows, course("minispore", scale, factor, window, overflows), strict=True):
        assert scaler.adjust(ms.Tensor(not overflow)) is True
        np.testing.assert_allclose(float(scaler.scale_value), expected, rtol=1e-6)


def test_the_course_is_the_one_that_mindspore_2_0_0_gave():
    scaler = amp.DynamicLossScaler(8, 2, 2)
    finite = [True, True, False, True, False, False, False, False, True, True]
    course = [(scaler.adjust(ms.Tensor(f)), float(scaler.scale_value), int(scaler.counter))[1:] for f in finite]
    assert course == [(8, 1), (16, 0), (8, 0), (8, 1), (4, 0), (2, 0), (1, 0), (1, 0), (1, 1), (2, 0)]


def test_the_scale_stays_finite():
    scaler = amp.DynamicLossScaler(2.0**127, 2, 1)
    scaler.adjust(True)
    assert float(scaler.scale_value) == 2.0**127


def test_scaling_keeps_each_dtype_and_unscaling_widens_float16():
    scaler = amp.StaticLossScaler(2.0**26)
    half = ms.Tensor(np.full(2, 6e-8, np.float16))
    scaled = scaler.scale((half, [ms.Tensor([1.0])]))
    assert (scaled[0].dtype, scaled[1][0].dtype) == (ms.float16, ms.float32)
    np.testing.assert_array_equal(scaled[0].asnumpy(), np.float16(half.asnumpy().astype(np.float32) * 2.0**26))
    unscaled = scaler.unscale(scaled)
    assert unscaled[0].dtype == ms.float32
    np.testing.assert_allclose(unscaled[0].asnumpy(), half.asnumpy(), rtol=1e-3)
    assert scaler.adjust(ms.Tensor(False)) is False


@pytest.mark.parametrize("make", [lambda: amp.StaticLossScaler(1024), lambda: amp.DynamicLossScaler(1024, 2, 2)])
def test_float64_stays_float64(make):
    """A number that float32 cannot hold comes back as it was."""
    exact, scaler = 1 + 2.0**-40, make()
    scaled = scaler.scale(ms.Tensor(np.full(1, exact)))
    assert (scaled.dtype, scaler.unscale(scaled).dtype) == (ms.float64, ms.float64)
    assert scaler.unscale(scaled).asnumpy() == [exact]
