"""Loss-scale managers: what they tell of their state."""

import pytest

from minispore.amp import DynamicLossScaleManager


def test_a_dynamic_manager_tells_its_state_by_mindspores_names():
    manager = DynamicLossScaleManager(2.0**10, 4, 2)
    assert (manager.loss_scale, manager.scale_factor, manager.scale_window) == (1024.0, 4, 2)
    assert (manager.increase_ratio, manager.decrease_ratio, manager.bad_step_max) == (4, 0.25, 1000)
    assert (manager.cur_iter, manager.last_overflow_iter, manager.bad_step) == (1, 0, 0)
    manager.update_loss_scale(True)
    assert (manager.loss_scale, manager.cur_iter, manager.last_overflow_iter, manager.bad_step) == (256.0, 2, 1, 1)


def test_the_scale_is_an_int_as_given_until_it_changes():
    manager = DynamicLossScaleManager(1024, 2, 1)
    assert type(manager.get_loss_scale()) is int
    manager.update_loss_scale(True)
    assert repr(manager.get_loss_scale()) == "512.0"


def test_0_and_1_say_whether_there_was_an_overflow():
    manager = DynamicLossScaleManager(1024, 2, 1)
    manager.update_loss_scale(1)
    assert manager.get_loss_scale() == 512
    manager.update_loss_scale(0)
    assert manager.get_loss_scale() == 1024
    for wrong in ("no", 2, 1.0, None):
        with pytest.raises(TypeError, match=r"^For 'update_loss_scale', the 'overflow' must be a bool"):
            manager.update_loss_scale(wrong)
