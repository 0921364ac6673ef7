"""Activation layers in pieces: ELU and its kin, hard and shrinking ones, LeakyReLU and RReLU."""

from hypothesis import given
from nn.layer.test_layer_laws import SEEDS, reals

import minispore as ms
from minispore import nn


@given(SEEDS)
def test_rrelu_scales_what_is_below_0_by_slopes_from_its_range(seed):
    x = reals(4, 50, seed=seed)
    out = nn.RReLU(0.25, 0.5)(ms.Tensor(x)).asnumpy()
    local_grads = out / x
    assert (local_grads[x > 0] == 1).all()
    assert ((local_grads[x < 0] > 0.2499) & (local_grads[x < 0] < 0.5001)).all()
