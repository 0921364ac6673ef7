"""OnRequestExit: ends a run at the end of its step, and saves the network, when the process gets a signal."""

import os
import signal

import pytest
from training.train.callback.test_backup_and_restore import model_of

from minispore import train


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot send signals")
def test_a_signal_ends_the_run_after_its_step_and_saves_and_is_given_back(data, net, tmp_path):
    before = signal.getsignal(signal.SIGUSR1)

    def kill(run_context):
        if run_context.original_args().cur_step_num == 2:
            os.kill(os.getpid(), signal.SIGUSR1)

    steps = []
    told = train.LambdaCallback(on_train_step_begin=kill, on_train_step_end=steps.append)
    leave = train.OnRequestExit(directory=str(tmp_path), file_name="net", sig=signal.SIGUSR1)
    model_of(net).train(3, data(), [leave, told])
    assert len(steps) == 2 and os.listdir(tmp_path) == ["net_train.ckpt"]
    assert signal.getsignal(signal.SIGUSR1) == before
    leave = train.OnRequestExit(directory=str(tmp_path), file_name="all", sig=signal.SIGUSR1)
    model_of(net).train(1, data(), leave)
    assert os.listdir(tmp_path) == ["net_train.ckpt"]  # no signal, no file
