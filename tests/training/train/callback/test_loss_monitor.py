"""LossMonitor: prints the loss of steps, and ends a run whose loss is no number."""

import numpy as np
import pytest
from training.train.callback.test_backup_and_restore import model_of

import minispore as ms
from minispore import train


def test_a_fit_refuses_hooks_for_both_but_those_of_the_package(data, net):
    class Old(train.Callback):
        def step_end(self, run_context):
            pass

    class Mine(train.LossMonitor):
        pass

    model = model_of(net, metrics={"mae"})
    with pytest.raises(ValueError, match=r"must define hooks 'on_train_...' and 'on_eval_...', but got \['step_end'\]"):
        model.fit(1, data(), data(), callbacks=Old())
    model.fit(1, data(), data(), callbacks=Mine(0))


def test_a_loss_that_is_no_number_ends_the_run(data, net):
    class Spoil(train.Callback):
        def on_train_step_begin(self, run_context):
            run_context.original_args().network.fc2.bias.set_data(ms.Tensor([np.nan], ms.float32))

    with pytest.raises(ValueError, match="the loss in epoch 1, step 1 must be finite, but got nan"):
        model_of(net).train(1, data(), [Spoil(), train.LossMonitor()])
