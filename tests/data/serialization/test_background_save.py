"""Checkpoints in the background: the values of the call, one thread at a time, and no error that nobody sees."""

import threading

import numpy as np
import pytest

import minispore as ms
from minispore import nn
from minispore.data.serialization import background_save, checkpoint


def test_a_background_checkpoint_has_the_values_of_the_call(tmp_path, monkeypatch):
    go, write = threading.Event(), checkpoint._write
    monkeypatch.setattr(checkpoint, "_write", lambda *args: go.wait(300) and write(*args))
    net = nn.Dense(2, 2)
    before = net.weight.asnumpy().copy()
    ms.save_checkpoint(net, str(tmp_path / "a.ckpt"), async_save=True)
    net.weight.set_data(ms.ops.zeros((2, 2)))
    assert ms.async_ckpt_thread_status()
    go.set()
    background_save.finish_last_save()
    assert not ms.async_ckpt_thread_status()
    np.testing.assert_array_equal(ms.load_checkpoint(str(tmp_path / "a.ckpt"))["weight"].asnumpy(), before)


@pytest.mark.parametrize("ask", ["status", "save"])
def test_an_error_in_the_background_is_raised_by_the_next_call(tmp_path, monkeypatch, ask):
    def fail(*args):
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(checkpoint, "_write", fail)
        ms.save_checkpoint(nn.Dense(2, 2), str(tmp_path / "a.ckpt"), async_save=True)
        background_save._last[0]._thread.join()
    with pytest.raises(OSError, match="disk is full"):
        if ask == "status":
            ms.async_ckpt_thread_status()
        else:
            ms.save_checkpoint(nn.Dense(2, 2), str(tmp_path / "b.ckpt"), async_save=True)
    assert not ms.async_ckpt_thread_status()
