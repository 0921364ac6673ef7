"""Small buffers: in force inside a kernel and its pieces, and gone when it has ended, however it ends."""

import numpy as np
import pytest

import minispore as ms
from minispore.ops.kernels import buffers, workers
from minispore.ops.kernels.buffers import small_buffers
from minispore.ops.kernels.conv import conv2d


def test_a_kernel_has_small_buffers_and_leaves_the_callers_as_they_were():
    before = np.getbufsize()
    assert small_buffers(np.getbufsize)() == buffers._NUMBERS < before
    assert np.getbufsize() == before


def test_they_are_gone_after_an_error():
    before = np.getbufsize()
    with pytest.raises(ZeroDivisionError):
        small_buffers(lambda: 1 // 0)()
    assert np.getbufsize() == before


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_worker_has_the_buffers_of_the_thread_that_shares_out_pieces(count, restored):
    ms.set_context(runtime_num_threads=count)

    def sizes():
        return set(workers.share(lambda _: np.getbufsize(), range(20)))

    assert small_buffers(sizes)() == {buffers._NUMBERS}
    assert sizes() == {np.getbufsize()}


@pytest.mark.parametrize("name", ["_convolved", "_correlated"])
def test_convolutions_add_in_small_buffers(name, monkeypatch):
    def inside(*arguments):
        return np.getbufsize()

    monkeypatch.setattr(conv2d, name, inside)
    x, w, arguments = np.ones((1, 2, 4, 4)), np.ones((2, 2, 3, 3)), ((1, 1), (1, 1, 1, 1), (1, 1), 1)
    run = {
        "_convolved": lambda: conv2d.conv2d(np, x, w, *arguments),
        "_correlated": lambda: conv2d.conv2d_grad_weight(np, x, x, w.shape, *arguments),
    }
    assert run[name]() == buffers._NUMBERS
