"""The update cells where a device with kernels moves the loss scale on: the same states as by the host."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, nn
from minispore.amp.loss_scale import update_cells


@pytest.fixture
def with_kernels(monkeypatch):
    """The update cells take NumPy for a device with kernels."""
    monkeypatch.setattr(update_cells, "backend", SimpleNamespace(has_kernels=lambda: True))


def states(overflows):
    """The scale and the steps after each overflow, told as it is given."""
    cell, scale, found = nn.DynamicLossScaleUpdateCell(8.0, 2, 2), ms.Parameter(np.float32(8), name="scale"), []
    for overflow in overflows:
        cell(scale, overflow)
        found.append([p.asnumpy().tolist() for p in (scale, cell.cur_iter, cell.last_overflow_iter)])
    return found


TOLD = st.sampled_from([bool, np.bool_, Tensor, lambda flag: Tensor([flag]), lambda flag: Tensor(float(flag))])


@pytest.mark.usefixtures("with_kernels")
@given(st.lists(st.tuples(TOLD, st.booleans()), max_size=8))
def test_an_overflow_of_any_kind_moves_the_scale_on_as_a_bool_does_on_the_host(told):
    found = states([kind(flag) for kind, flag in told])
    assert found == states([flag for _, flag in told])


@pytest.mark.parametrize("changed", ["nothing", "scale", "cur_iter", "last_overflow_iter"])
def test_a_state_that_is_set_after_the_gradients_were_unscaled_is_moved_on_from_there(changed):
    cell, scale = nn.DynamicLossScaleUpdateCell(8.0, 2, 3), ms.Parameter(np.float32(8), name="scale")
    (gradient,), overflow = cell._unscaled(scale, (Tensor([16.0]),))
    values = {"scale": 8.0, "cur_iter": 0, "last_overflow_iter": 0}
    if changed != "nothing":
        values[changed] = 2
        (scale if changed == "scale" else getattr(cell, changed)).set_data(
            Tensor(2, scale.dtype if changed == "scale" else ms.int32)
        )
    cell._move_on(scale, overflow)
    assert float(gradient[0]) == 2.0 and not overflow
    grows = values["cur_iter"] + 1 - values["last_overflow_iter"] >= 3
    step = values["cur_iter"] + 1
    expected = [values["scale"] * (2 if grows else 1), step, step if grows else values["last_overflow_iter"]]
    assert [p.asnumpy().tolist() for p in (scale, cell.cur_iter, cell.last_overflow_iter)] == expected
