"""Small buffers: in force inside a kernel and its pieces, and gone when it has ended, however it ends."""

import numpy as np
import pytest

import minispore as ms
from minispore.ops.kernels import buffers, workers
from minispore.ops.kernels.buffers import small_buffers
from minispore.ops.kernels.conv import bands, grad_columns, rows
from minispore.ops.kernels.conv.geometry import geometry_of


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


ADDING = {  # form and pass that add strided rows -> sizes of x and w, and padding
    (grad_columns, "grad_input"): ((1, 2, 4, 4), (2, 2, 3, 3), (1, 1, 1, 1)),
    (bands, "grad_input"): ((1, 2, 4, 4), (2, 2, 3, 3), (1, 1, 1, 1)),
    (rows, "forward"): ((1, 96, 2, 7), (2, 96, 3, 7), (1, 1, 3, 3)),  # with padding that is left out
}


@pytest.mark.parametrize(("form", "name"), ADDING)
def test_convolutions_add_strided_rows_in_small_buffers(form, name, monkeypatch):
    seen, matmul = set(), np.matmul
    monkeypatch.setattr(np, "matmul", lambda *a, **k: seen.add(np.getbufsize()) or matmul(*a, **k))
    x_shape, w_shape, pads = ADDING[form, name]
    geometry = geometry_of(x_shape, w_shape, (1, 1), pads, (1, 1))
    x, w = np.ones(x_shape), np.ones(w_shape)
    given = (np.ones((1, len(w), *geometry.out)), w, x_shape) if name == "grad_input" else (x, w)
    getattr(form, name)(np, *given, pads, geometry, 1)
    assert seen == {buffers._NUMBERS}
