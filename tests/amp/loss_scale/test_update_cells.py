"""The update cells where a device with kernels moves the loss scale on: the same states as by the host."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, nn


def states(overflows):
    """The scale and the steps after each overflow, told as it is given."""
    cell, scale, found = nn.DynamicLossScaleUpdateCell(8.0, 2, 2), ms.Parameter(np.float32(8), name="scale"), []
    for overflow in overflows:
        cell(scale, overflow)
        found.append([p.asnumpy().tolist() for p in (scale, cell.cur_iter, cell.last_overflow_iter)])
    return found


TOLD = st.sampled_from([bool, np.bool_, Tensor, lambda flag: Tensor([flag]), lambda flag: Tensor(float(flag))])


@given(st.lists(st.tuples(TOLD, st.booleans()), max_size=8))
def test_an_overflow_of_any_kind_moves_the_scale_on_as_a_bool_does_on_the_host(told):
    found = states([kind(flag) for kind, flag in told])
    assert found == states([flag for _, flag in told])
