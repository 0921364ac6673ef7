"""Checks of numbers: what is in no range, and bounds that are open."""

import numpy as np
import pytest

import minispore as ms
import minispore.numpy as mnp
from minispore import ops
from minispore.ops.number_checks import check_real


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 10**400])
def test_a_number_that_is_not_finite_is_in_no_range(value):
    with pytest.raises(ValueError, match="must be finite"):
        check_real("Op", "x", value)


def test_bounds_of_a_real_may_be_open():
    assert check_real("Op", "x", 0.5, 0, 1, above=True, below=True) == 0.5
    for value in (0.0, 1.0):
        with pytest.raises(ValueError, match=r"in \(0, 1\)"):
            check_real("Op", "x", value, 0, 1, above=True, below=True)


def test_an_int_is_refused_where_only_floats_are_taken():
    with pytest.raises(TypeError, match="must be a float, but got 1"):
        check_real("Op", "x", 1, kinds=(float,))


COMPLEX = ms.Tensor(np.array([1 + 1j, 2 - 1j], np.complex64))
REAL = ms.Tensor([1.0, 2.0])
TAKE_REAL_NUMBERS = {
    "bincount": lambda: ops.bincount(ms.Tensor([0, 1]), COMPLEX),
    "clip_by_norm": lambda: ops.clip_by_norm(COMPLEX, 1.0),
    "cov": lambda: ops.cov(COMPLEX),
    "histc": lambda: ops.histc(COMPLEX),
    "huber_loss": lambda: ops.huber_loss(REAL, COMPLEX),
    "l1_loss": lambda: ops.l1_loss(COMPLEX, REAL),
    "laplace": lambda: ops.laplace((2,), COMPLEX, 1.0),
    "lp_pool1d": lambda: ops.lp_pool1d(COMPLEX.reshape(1, 2), 2.0, 2),
    "mse_loss": lambda: ops.mse_loss(REAL, COMPLEX),
    "multilabel_soft_margin_loss": lambda: ops.multilabel_soft_margin_loss(REAL.reshape(1, 2), COMPLEX.reshape(1, 2)),
    "normal": lambda: ops.normal((2,), 0.0, COMPLEX),
    "trapz": lambda: ops.trapz(REAL, COMPLEX),
}


@pytest.mark.parametrize("name", TAKE_REAL_NUMBERS)
def test_complex_numbers_are_refused_where_their_imaginary_parts_would_be_lost(name):
    with pytest.raises(TypeError, match=f"^For '{name}', the '.*' must be a real number"):
        TAKE_REAL_NUMBERS[name]()


@pytest.mark.needs("dropin")
def test_complex_weights_of_counts_are_refused():
    with pytest.raises(TypeError, match=r"^For 'bincount', the 'weights' must be a real number"):
        mnp.bincount(ms.Tensor([0, 1]), COMPLEX)


@pytest.mark.parametrize("shape", [(), (1, 1, 1), (1, 1, 1, 1, 1)])
def test_the_gradient_of_a_mean_pool_takes_a_gradient_of_its_shape(shape):
    with pytest.raises(ValueError, match=r"^For 'AvgPoolGrad', the 'dy' must have the shape"):
        ops.AvgPoolGrad(2, 2)(ops.ones(shape), (1, 1, 2, 2))


@pytest.mark.needs("dropin")
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64, np.bool_])
def test_counts_of_unsigned_numbers_leave_out_what_is_beyond_a_length(dtype):
    row = ms.Tensor(np.array([0, 1, 1], dtype))
    assert mnp.bincount(row, length=1).asnumpy().tolist() == [1.0]
