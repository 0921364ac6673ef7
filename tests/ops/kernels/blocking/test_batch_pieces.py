"""Convolution, batch normalization and pooling of large batches: the same bits for any number of workers."""

import numpy as np
import pytest

import minispore as ms
from minispore.ops.kernels import workers
from minispore.ops.kernels.batch_norm import batch_norm, batch_norm_grad
from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import WorkArrays, even, sum_of
from minispore.ops.kernels.conv.conv2d import conv2d, conv2d_grad_input, conv2d_grad_weight
from minispore.ops.kernels.pool2d import avg_pool2d, avg_pool2d_grad, max_pool2d, max_pool2d_grad


@pytest.fixture
def by_workers(monkeypatch):
    """``by_workers(count, compute)`` is ``compute()`` with so many workers, who got at most ``by_workers.pieces``."""
    before, share = ms.get_context("runtime_num_threads"), workers.share

    def counting(work, pieces):
        pieces = list(pieces)
        run.pieces = max(run.pieces, len(pieces))
        return share(work, pieces)

    def run(count, compute):
        ms.set_context(runtime_num_threads=count)
        return compute()

    run.pieces = 0
    monkeypatch.setattr(workers, "share", counting)
    yield run
    ms.set_context(runtime_num_threads=before)


def assert_any_number_of_workers_gives_the_same_bits(by_workers, compute):
    by_workers.pieces = 0
    alone, *others = (by_workers(count, compute) for count in (1, 2, 3))
    for results in others:
        for result, expected in zip(results, alone, strict=True):
            np.testing.assert_array_equal(result, expected)
    assert by_workers.pieces > 1, "the shape is too small for what this test is for"


def normal(*shape, dtype=np.float32, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


CONVOLUTIONS = [  # x, w, stride, pads, dilation, group, dtype
    ((33, 16, 32, 32), (16, 16, 3, 3), (1, 1), (1,) * 4, (1, 1), 1, np.float32),
    ((62, 32, 16, 16), (64, 32, 3, 3), (2, 2), (1,) * 4, (1, 1), 1, np.float32),  # 8 x 8 pixels: in sets of images
    ((256, 6, 14, 14), (16, 6, 5, 5), (1, 1), (0,) * 4, (1, 1), 1, np.float32),
    ((17, 64, 28, 28), (64, 64, 1, 1), (1, 1), (0,) * 4, (1, 1), 1, np.float32),
    ((9, 32, 28, 28), (64, 16, 3, 3), (1, 1), (2,) * 4, (2, 2), 2, np.float64),
]


@pytest.mark.parametrize("case", CONVOLUTIONS, ids=str)
def test_a_convolution_and_its_gradients(case, by_workers):
    x_shape, w_shape, *arguments, dtype = case
    x, w = normal(*x_shape, dtype=dtype), normal(*w_shape, dtype=dtype, seed=1)
    dy = normal(*conv2d(np, x, w, *arguments).shape, dtype=dtype, seed=2)
    computations = (
        lambda: [conv2d(np, x, w, *arguments)],
        lambda: [conv2d_grad_input(np, dy, w, x.shape, *arguments)],
        lambda: [conv2d_grad_weight(np, dy, x, w.shape, *arguments)],
    )
    for compute in computations:
        assert_any_number_of_workers_gives_the_same_bits(by_workers, compute)


@pytest.mark.parametrize("shape", [(65, 16, 33, 32), (70, 200, 9, 9), (9, 32, 64, 70), (4000, 600)], ids=str)
def test_a_batch_normalization_and_its_gradient(shape, by_workers):
    x, dy, scale = normal(*shape), normal(*shape, seed=1), normal(shape[1], seed=2)

    def compute():
        y, mean, var = batch_norm(np, x, scale, -scale, 1e-5)
        return y, mean, var, *batch_norm_grad(np, dy, x, scale, mean, var, 1e-5)

    assert_any_number_of_workers_gives_the_same_bits(by_workers, compute)


@pytest.mark.parametrize("window", [((2, 2), (2, 2), (0,) * 4), ((3, 3), (2, 2), (1,) * 4)], ids=str)
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_maximum_pooling_and_its_gradient(window, dtype, by_workers):
    x = np.random.default_rng(0).integers(-3, 3, (257, 8, 28, 28)).astype(dtype)

    def compute():
        y = max_pool2d(np, x, *window)
        return y, max_pool2d_grad(np, x, y, y, *window)

    assert_any_number_of_workers_gives_the_same_bits(by_workers, compute)


@pytest.mark.parametrize("window", [((2, 2), (2, 2), (0,) * 4), ((3, 3), (2, 2), (1,) * 4)], ids=str)
def test_an_average_pooling_and_its_gradient(window, by_workers):
    x = normal(257, 8, 28, 28)

    def compute():
        y = avg_pool2d(np, x, *window)
        return y, avg_pool2d_grad(np, y, x.shape, *window)

    assert_any_number_of_workers_gives_the_same_bits(by_workers, compute)


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 30])
@pytest.mark.parametrize("nbytes", [8, 1 << 30])
def test_a_sum_takes_every_piece_once(count, nbytes, by_workers):
    total = by_workers(2, lambda: sum_of(np, lambda piece: np.full(3, 2.0**piece), range(count), nbytes))
    np.testing.assert_array_equal(total, np.full(3, 2.0**count - 1))


@pytest.mark.parametrize("count", [1, 2, 7, 64])
@pytest.mark.parametrize("budget", [1, 30, 1000])
def test_even_pieces_cover_the_batch_and_none_is_longer_than_the_first(count, budget):
    pieces = even(count, 10, budget, 3)
    assert [i for start, stop in pieces for i in range(start, stop)] == list(range(count))
    sizes = [stop - start for start, stop in pieces]
    assert max(sizes) == sizes[0] <= min(sizes) + 1 and len(pieces) % 3 * (len(pieces) < count) == 0


def test_a_work_array_is_handed_on_and_never_held_by_two():
    arrays = WorkArrays(lambda: np.zeros(1))
    with arrays.one() as first, arrays.one() as second:
        assert first is not second
    with arrays.one() as third:
        assert third is first


@pytest.mark.parametrize("shape", [(), (0, 3), (5, 7), (4, 299, 301)], ids=str)
def test_aligned_memory_has_the_shape_and_large_memory_the_place_asked_for(shape):
    dtype = np.dtype(np.float32)
    for _ in range(5):
        array = aligned.zeros(np, shape, dtype)
        assert not array.any()
        array[...] = 1  # whoever gets this memory next finds ones
        assert array.shape == shape and array.dtype == dtype and array.flags.c_contiguous and array.flags.writeable
        assert array.nbytes < aligned._SMALL or array.ctypes.data % 64 == 0
