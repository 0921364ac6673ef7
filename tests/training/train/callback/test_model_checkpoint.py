"""ModelCheckpoint: saves the network while it is trained."""

import os

import numpy as np
import pytest
from training.train.callback.test_backup_and_restore import model_of

import minispore as ms
from minispore import train


def test_a_checkpoint_that_a_thread_could_not_write_is_an_error_of_the_run(data, net, tmp_path):
    folder = tmp_path / "gone"
    callback = train.ModelCheckpoint("n", folder, train.CheckpointConfig(2, async_save=True))
    callback._own_prefix()
    folder.rmdir()
    with pytest.raises(FileNotFoundError, match="save_checkpoint"):
        model_of(net).train(1, data(), callback)
    assert not train.async_ckpt_thread_status()


def test_a_checkpoint_of_a_thread_holds_the_values_of_its_step(data, net, tmp_path):
    kept = []

    class Keep(train.Callback):
        def on_train_step_end(self, run_context):
            kept.append(run_context.original_args().network.fc1.weight.asnumpy().copy())

    config = train.CheckpointConfig(1, async_save=True)
    model_of(net).train(1, data(), [train.ModelCheckpoint("n", str(tmp_path), config), Keep()])
    for i, value in enumerate(kept):
        assert np.array_equal(ms.load_checkpoint(f"{tmp_path}/n-1_{i + 1}.ckpt")["fc1.weight"].asnumpy(), value)


def test_a_training_goes_on_from_its_checkpoint_bit_for_bit(data, net, tmp_path):
    ms_model = model_of(net)
    ms_model.train(2, data(), train.ModelCheckpoint("n", tmp_path, train.CheckpointConfig(3)))
    again = model_of(net)
    ms.load_checkpoint(str(tmp_path / "n-1_3.ckpt"), again.train_network)
    again.train(2, data(), initial_epoch=1)
    for x, y in zip(again.train_network.get_parameters(), ms_model.train_network.get_parameters(), strict=True):
        assert x.asnumpy().tobytes() == y.asnumpy().tobytes()


def test_a_run_that_fails_before_its_first_step_saves_nothing(data, net, tmp_path):
    def fail(run_context):
        raise OSError("no")

    callback = train.ModelCheckpoint("n", tmp_path, train.CheckpointConfig(9, exception_save=True))
    with pytest.raises(OSError, match="no"):
        model_of(net).train(1, data(), [callback, train.LambdaCallback(on_train_epoch_begin=fail)])
    assert os.listdir(tmp_path) == []


def test_an_evaluation_saves_no_checkpoint(data, net, tmp_path):
    model_of(net, metrics={"mae"}).eval(data(), train.ModelCheckpoint("n", tmp_path))
    assert os.listdir(tmp_path) == []


@pytest.mark.usefixtures("restored")
def test_graph_mode_saves_checkpoints_only(data, net, tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE)
    model_of(net).train(1, data(), train.ModelCheckpoint("n", tmp_path, train.CheckpointConfig(3)))
    assert os.listdir(tmp_path) == ["n-1_3.ckpt"]
