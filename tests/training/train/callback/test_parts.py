"""MindSpore's inner functions of callbacks."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, train
from minispore.train import callback


@pytest.mark.parametrize(
    ("outputs", "expected"),
    [
        (Tensor(1.5), 1.5),
        ((Tensor(2.5), 3), 2.5),
        (Tensor([[1.0, 2.0], [3.0, 4.0]]), 2.5),
        (np.float32(2), 2),
        (3.0, 3.0),
        ("x", "x"),
        (None, None),
        ((None,), (None,)),
    ],
)
def test_the_loss_is_read_from_outputs(outputs, expected):
    assert ms.train.callback._callback._handle_loss(outputs) == expected


def test_a_manager_calls_the_hooks_of_all_its_callbacks():
    called = []

    class Notes(train.Callback):
        def step_end(self, run_context):
            called.append(run_context)

    with callback._CallbackManager([Notes(), Notes()]) as manager:
        manager.on_train_step_end("a")
        manager.step_end("b")
    assert called == ["a", "a", "b", "b"] and len(manager._callbacks) == 2
    assert callback._set_cur_net(None) is ms.train.callback._callback.set_cur_net(None) is None
    with pytest.raises(TypeError, match="must be a Callback"):
        callback._CallbackManager([3])
