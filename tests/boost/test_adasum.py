"""AdaSum: the formula of its paper in float64, and its two ends."""

import numpy as np
import pytest

import minispore as ms
from minispore import boost
from minispore.boost.adasum import adasum


def by_paper(a, b):
    product = (a * b).sum()
    return (1 - product / (2 * (a * a).sum())) * a + (1 - product / (2 * (b * b).sum())) * b


@pytest.mark.parametrize(("dtype", "tolerance"), [(ms.float32, 1e-5), (ms.float16, 4e-3)])
def test_two_steps_are_combined_by_the_papers_formula(dtype, tolerance):
    rng = np.random.default_rng(0)
    for shape in [(), (7,), (3, 4)]:
        a, b = (ms.Tensor(rng.standard_normal(shape), dtype) for _ in range(2))
        found = adasum(a, b)
        assert found.dtype == dtype and found.shape == shape
        expected = by_paper(a.asnumpy().astype(np.float64), b.asnumpy().astype(np.float64))
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=tolerance, atol=tolerance)


def test_zero_steps_change_nothing():
    a, zero = ms.Tensor([3.0, -1.0]), ms.Tensor([0.0, 0.0])
    for found, expected in [(adasum(a, zero), a), (adasum(zero, a), a), (adasum(zero, zero), zero)]:
        np.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())


def test_squares_beyond_float16_do_not_overflow():
    a = ms.Tensor(np.full(4, 300.0), ms.float16)
    np.testing.assert_array_equal(adasum(a, a).asnumpy(), a.asnumpy())


def test_a_group_of_one_takes_its_own_step():
    w, old = ms.Parameter([9.0, 9.0], name="w"), ms.Tensor([5.0, 6.0])
    boost.AdaSum(0, 1, 1, (w,))((ms.Tensor([0.5, 1.0]),), (w,), (old,))
    np.testing.assert_array_equal(w.asnumpy(), [4.5, 5.0])


def test_what_is_refused():
    a = ms.Tensor([1.0])
    for error, sentence, call in [
        (TypeError, "must be Tensors of one dtype", lambda: adasum(a, 1.0)),
        (TypeError, "must be Tensors of one dtype", lambda: adasum(a, a.astype(ms.float16))),
        (ValueError, "must have the same shape", lambda: adasum(a, ms.Tensor([1.0, 2.0]))),
        (ValueError, "'device_number' must be one of", lambda: boost.AdaSum(0, 2, 1, ())),
        (ValueError, "'group_number' must be one of", lambda: boost.AdaSum(0, 1, 2, ())),
        (TypeError, "must be a tuple of Parameters", lambda: boost.AdaSum(0, 1, 1, (a,))),
    ]:
        with pytest.raises(error, match=sentence):
            call()
