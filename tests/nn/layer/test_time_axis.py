"""Unflatten and TimeDistributed: shapes as MindSpore's, and values of the layer called place by place."""

import numpy as np
import pytest

from minispore import Tensor, nn, ops

X = Tensor(np.random.default_rng(1).standard_normal((4, 5, 3)).astype(np.float32))


@pytest.mark.parametrize(
    ("axis", "size", "shape"),
    [(1, (5, 1), (4, 5, 1, 3)), (0, [2, -1], (2, 2, 5, 3)), (-1, (3,), (4, 5, 3))],
)
def test_unflatten_splits_one_axis(axis, size, shape):
    out = nn.Unflatten(axis, size)(X)
    assert out.shape == shape
    np.testing.assert_array_equal(out.asnumpy().ravel(), X.asnumpy().ravel())


@pytest.mark.parametrize("time, other", [(1, None), (1, 0), (0, 1), (-2, 0), (0, None)])
def test_a_layer_is_applied_to_each_place(time, other):
    dense = nn.Dense(3, 2)
    out = nn.TimeDistributed(dense, time_axis=time, reshape_with_axis=other)(X)
    assert out.shape == (4, 5, 2)
    np.testing.assert_allclose(out.asnumpy(), dense(X).asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("time, other", [(1, None), (2, None), (1, 0), (2, 0), (2, -1)])
def test_places_may_lie_anywhere(time, other):
    x = ops.moveaxis(Tensor(np.arange(2 * 3 * 5 * 4, dtype=np.float32).reshape(2, 3, 5, 4)), 1, time)
    found = nn.TimeDistributed(ops.ReLU(), time, other)(x)
    np.testing.assert_array_equal(found.asnumpy(), x.asnumpy())


def test_pictures_of_a_film_are_convolved():
    conv = nn.Conv2d(3, 2, 3)
    film = Tensor(np.random.default_rng(1).standard_normal((2, 5, 3, 6, 6)).astype(np.float32))
    expected = np.stack([conv(film[:, i]).asnumpy() for i in range(5)], 1)
    for other in (None, 0):
        found = nn.TimeDistributed(conv, 1, other)(film)
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-5)


WRONG = [
    (TypeError, "For 'Unflatten', the 'axis' must be an int", lambda: nn.Unflatten("a", (2, 5))),
    (TypeError, "For 'Unflatten', the 'unflattened_size' must be", lambda: nn.Unflatten(1, 5)),
    (ValueError, "For 'Unflatten', the 'axis' must be in", lambda: nn.Unflatten(3, (1, 2))(X)),
    (ValueError, "For 'Reshape'", lambda: nn.Unflatten(1, (2, 2))(X)),
    (TypeError, "For 'TimeDistributed', the 'layer' must be", lambda: nn.TimeDistributed(3, 1)),
    (TypeError, "For 'TimeDistributed', the 'time_axis' must be", lambda: nn.TimeDistributed(nn.ReLU(), 1.5)),
    (ValueError, "For 'TimeDistributed', the 'time_axis' must be in", lambda: nn.TimeDistributed(nn.ReLU(), 3)(X)),
]


@pytest.mark.parametrize(("kind", "part", "call"), WRONG)
def test_what_does_not_fit_is_refused(kind, part, call):
    with pytest.raises(kind, match=part):
        call()
