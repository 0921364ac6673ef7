"""Callbacks: their fields, files, signals and errors, beside the runs that are recorded from MindSpore."""

import pytest

from minispore import nn, train
from minispore.train.callback import _InternalCallbackParam
from minispore.training.train.callback.callback import as_list


def test_a_field_that_a_run_does_not_have_is_an_attribute_error_and_a_key_error():
    fields = _InternalCallbackParam(mode="train")
    assert fields.mode == fields["mode"] == "train" and not hasattr(fields, "metrics")
    fields.mine = 3
    assert fields["mine"] == 3
    for kind in (AttributeError, KeyError):
        with pytest.raises(kind, match=r"there must be a field 'metrics', but got \['mine', 'mode'\]"):
            _ = fields.metrics


def test_a_rate_that_is_no_constant_is_refused(data, net):
    made = net()
    model = train.Model(made, nn.MSELoss(), nn.Momentum(made.trainable_params(), [0.1, 0.2], 0.9), metrics={"mae"})
    for callback in (train.LearningRateScheduler(lambda lr, step: lr), train.ReduceLROnPlateau()):
        with pytest.raises(ValueError, match="one constant learning rate, but got a schedule"):
            model.fit(1, data(), data(), callbacks=callback)


REFUSALS = [
    (TypeError, "'per_print_times' must be an int", lambda: train.LossMonitor(1.5)),
    (ValueError, "'per_print_times' must be at least 0", lambda: train.LossMonitor(-1)),
    (ValueError, "'save_checkpoint_steps' must be at least 0", lambda: train.CheckpointConfig(-1)),
    (ValueError, "must be above 0, but got none", lambda: train.CheckpointConfig(0, 0, 0, 0)),
    (TypeError, "'async_save' must be a bool", lambda: train.CheckpointConfig(async_save=1)),
    (TypeError, "'saved_network' must be None or a Cell", lambda: train.CheckpointConfig(saved_network=1)),
    (TypeError, "'append_info' must be a list", lambda: train.CheckpointConfig(append_info=1)),
    (ValueError, "the names in 'append_info'", lambda: train.CheckpointConfig(append_info=["x"])),
    (TypeError, "must hold names and dicts", lambda: train.CheckpointConfig(append_info=[1])),
    (TypeError, "a dict in 'append_info' must hold", lambda: train.CheckpointConfig(append_info=[{"a": [1]}])),
    (ValueError, "encryption is not supported", lambda: train.CheckpointConfig(enc_key=b"0")),
    (TypeError, "'enc_mode' must be a str", lambda: train.CheckpointConfig(enc_mode=1)),
    (ValueError, "'prefix' must be a str without '/'", lambda: train.ModelCheckpoint("a/b")),
    (TypeError, "'directory' must be a str or a path", lambda: train.ModelCheckpoint("a", 1)),
    (TypeError, "'config' must be a CheckpointConfig", lambda: train.ModelCheckpoint("a", None, 1)),
    (TypeError, "'monitor' must be a str", lambda: train.EarlyStopping(1)),
    (ValueError, "'mode' must be one of", lambda: train.EarlyStopping(mode="x")),
    (ValueError, "'factor' must be below 1", lambda: train.ReduceLROnPlateau(factor=1.0)),
    (TypeError, "'factor' must be a float", lambda: train.ReduceLROnPlateau(factor=1)),
    (ValueError, "'cooldown' must be at least 0", lambda: train.ReduceLROnPlateau(cooldown=-1)),
    (TypeError, "'learning_rate_function' must be a function", lambda: train.LearningRateScheduler(1)),
    (TypeError, "'on_train_begin' must be a function", lambda: train.LambdaCallback(on_train_begin=1)),
    (ValueError, "'sig' must be a signal that can be caught", lambda: train.OnRequestExit(sig=9)),
    (TypeError, "'original_args' must be a dict", lambda: train.RunContext(1)),
    (ValueError, "'refresh_steps' must be above 0", lambda: train.ProgressBar(0)),
]


@pytest.mark.parametrize("kind, words, make", REFUSALS, ids=[row[1][:40] for row in REFUSALS])
def test_wrong_arguments_are_refused_by_one_sentence(kind, words, make):
    with pytest.raises(kind, match=f"^For '.*{words}"):
        make()


class Misspelt(train.Callback):
    """A hook of no moment, one that exists, and a method of its own."""

    def on_step_end(self, run_context):
        raise AssertionError("nothing calls it")

    def on_train_end(self, run_context):
        pass

    def once(self):
        pass


def test_a_hook_of_no_moment_is_warned_of_once(caplog):
    for _ in range(2):
        as_list([Misspelt(), Misspelt()])
    told = "For 'Misspelt', the method 'on_step_end' is no hook: nothing calls it. Did you mean 'on_train_step_end'?"
    assert [record.getMessage() for record in caplog.records] == [told]
