"""MaxUnpool puts elements back where they stood, and refuses what does not fit; the shapes are MindSpore 2.0.0's."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn

LAYERS = {1: nn.MaxUnpool1d, 2: nn.MaxUnpool2d, 3: nn.MaxUnpool3d}


def pooled(axes, dtype=np.float32):
    shape = (1, 2, *(2,) * axes)
    x = np.arange(1, 1 + np.prod(shape)).reshape(shape).astype(dtype)
    return Tensor(x), Tensor(np.broadcast_to(np.arange(2**axes).reshape((2,) * axes) * 2, shape).astype(np.int64))


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("axes", LAYERS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int32])
def test_elements_stand_at_their_positions_and_zeros_elsewhere(axes, dtype, mode, restored):
    ms.set_context(mode=mode)
    x, indices = pooled(axes, dtype)
    expected = np.zeros((2, 4**axes), dtype)
    expected[:, np.arange(2**axes) * 2] = x.asnumpy().reshape(2, -1)
    for _ in range(2):
        found = LAYERS[axes](2)(x, indices)
    np.testing.assert_array_equal(found.asnumpy(), expected.reshape(1, 2, *(4,) * axes))
    assert found.dtype == x.dtype and LAYERS[axes](2)(x[0], indices[0]).shape == (2, *(4,) * axes)


def test_what_was_pooled_is_undone_and_its_gradient_passes_back():
    x = Tensor(np.random.default_rng(0).standard_normal((2, 3, 6, 6)).astype(np.float32))
    out, indices = nn.MaxPool2d(2, 2, "pad", return_indices=True)(x)
    back = nn.MaxUnpool2d(2)(out, indices)
    np.testing.assert_array_equal(nn.MaxPool2d(2, 2)(back.abs()).asnumpy(), out.abs().asnumpy())
    gradient = ms.grad(lambda out: (nn.MaxUnpool2d(2)(out, indices) * x).sum())(out)
    np.testing.assert_array_equal(gradient.asnumpy(), out.asnumpy())


SHAPES = [({"kernel_size": 2, "padding": 1}, 2), ({"kernel_size": 3, "stride": 2, "padding": 1}, 3)]


@pytest.mark.parametrize(("sizes", "length"), [*SHAPES, ({"kernel_size": 2, "stride": 3}, 5)])
@pytest.mark.parametrize("axes", LAYERS)
def test_lengths_follow_from_the_windows(axes, sizes, length):
    x, indices = pooled(axes)
    assert LAYERS[axes](**sizes)(x, indices * 0).shape == (1, 2, *(length,) * axes)


@pytest.mark.parametrize("axes", LAYERS)
def test_an_output_size_is_less_than_a_stride_away(axes):
    (x, indices), layer = pooled(axes), LAYERS[axes](2)
    for size in ((5,) * axes, (1, 2, *(5,) * axes), (3,) * axes):
        assert layer(x, indices * 0, size).shape == (1, 2, *size[-axes:])
    for wrong in ((6,) * axes, (2,) * axes, [4] * axes, 4, (7, 2, *(4,) * axes)):
        with pytest.raises(ValueError, match=f"^For 'MaxUnpool{axes}d', the 'output_size' must be"):
            layer(x, indices, wrong)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: nn.MaxUnpool2d(0), ValueError),
        (lambda: nn.MaxUnpool2d(2.0), TypeError),
        (lambda: nn.MaxUnpool2d(2, padding=-1), ValueError),
        (lambda: nn.MaxUnpool2d((2, 2, 2, 2)), ValueError),
        (lambda: nn.MaxUnpool2d(2, padding=2)(*pooled(2)), ValueError),
        (lambda: nn.MaxUnpool2d(2)(*pooled(1)[:1], pooled(2)[1]), ValueError),
        (lambda: nn.MaxUnpool2d(2)(pooled(2)[0][0, 0], pooled(2)[1][0, 0]), ValueError),
        (lambda: nn.MaxUnpool2d(2)(1, pooled(2)[1]), TypeError),
    ],
)
def test_wrong_arguments_are_refused(call, kind):
    with pytest.raises(kind, match=r"^For 'MaxUnpool2d', the "):
        call()


@pytest.mark.parametrize("wrong", [1000, -1000])
def test_a_position_outside_of_the_plane_is_refused(wrong):
    x, indices = pooled(2)
    with pytest.raises((ValueError, RuntimeError, IndexError)):
        nn.MaxUnpool2d(2)(x, indices + wrong)
