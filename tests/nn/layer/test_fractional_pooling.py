"""FractionalMaxPool takes windows at drawn places, which begin where Graham's formula says."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn, ops

RNG = np.random.default_rng(0)
X = {2: RNG.permutation(2 * 3 * 63).reshape(2, 3, 7, 9), 3: RNG.permutation(2 * 3 * 315).reshape(2, 3, 5, 7, 9)}
X = {axes: x.astype(np.float32) for axes, x in X.items()}
SAMPLES = {axes: RNG.random((2, 3, axes), np.float32) for axes in X}
LAYERS = {2: nn.FractionalMaxPool2d, 3: nn.FractionalMaxPool3d}
SIZES = {2: (3, 4), 3: (3, 4, 5)}


def starts(u, length, kernel, out):
    step = (length - kernel) / (out - 1)
    return [int((i + u) * step) - int(u * step) for i in range(out - 1)] + [length - kernel]


def by_formula(x, samples, kernel, sizes):
    """Windows one by one; a plane's samples shift its width first, a volume's its depth."""
    axes, out = len(sizes), np.empty(x.shape[:2] + sizes, x.dtype)
    for n, c in np.ndindex(x.shape[:2]):
        shifts = samples[n, c] if axes == 3 else samples[n, c, ::-1]
        begins = [
            starts(*row, kernel, size) for row, size in zip(zip(shifts, x.shape[2:], strict=True), sizes, strict=True)
        ]
        for at in np.ndindex(sizes):
            window = tuple(slice(b[i], b[i] + kernel) for b, i in zip(begins, at, strict=True))
            out[(n, c, *at)] = x[(n, c, *window)].max()
    return out


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("axes", LAYERS)
@pytest.mark.parametrize("kernel", [1, 2])
def test_windows_begin_where_the_formula_says(axes, kernel, mode, restored):
    ms.set_context(mode=mode)
    layer = LAYERS[axes](kernel, SIZES[axes], return_indices=True, _random_samples=Tensor(SAMPLES[axes]))
    for _ in range(2):
        out, indices = layer(Tensor(X[axes]))
    np.testing.assert_array_equal(out.asnumpy(), by_formula(X[axes], SAMPLES[axes], kernel, SIZES[axes]))
    picked = np.take_along_axis(X[axes].reshape(2, 3, -1), indices.asnumpy().reshape(2, 3, -1), 2)
    np.testing.assert_array_equal(picked, out.asnumpy().reshape(2, 3, -1))
    assert indices.dtype == ms.int64


@pytest.mark.parametrize("axes", LAYERS)
def test_a_gradient_passes_to_the_largest_elements(axes):
    samples = Tensor(SAMPLES[axes])
    function = getattr(ops, f"fractional_max_pool{axes}d")
    gradient = ms.grad(lambda x: function(x, 2, SIZES[axes], _random_samples=samples).sum())(Tensor(X[axes]))
    _, indices = function(Tensor(X[axes]), 2, SIZES[axes], None, True, samples)
    counts = [np.bincount(row.ravel(), minlength=X[axes][0, 0].size) for row in indices.asnumpy().reshape(6, -1)]
    np.testing.assert_array_equal(gradient.asnumpy().ravel(), np.concatenate(counts))


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_places_are_drawn_in_each_call_and_the_seed_decides_them(mode, restored):
    ms.set_context(mode=mode)
    layer, x = nn.FractionalMaxPool2d(2, output_ratio=0.6), Tensor(X[2])
    draws = []
    for _ in range(2):
        ms.set_seed(3)
        draws.append([layer(x).asnumpy() for _ in range(4)])
    np.testing.assert_array_equal(draws[0], draws[1])
    assert len({out.tobytes() for out in draws[0]}) > 1


def test_without_a_batch_and_by_a_ratio():
    samples = Tensor(SAMPLES[2][:1])
    found = ops.fractional_max_pool2d(Tensor(X[2][0]), 2, output_ratio=(0.5, 0.5), _random_samples=samples)
    np.testing.assert_array_equal(found.asnumpy(), by_formula(X[2][:1], SAMPLES[2], 2, (3, 4))[0])


def test_negative_whole_numbers_count():
    samples = Tensor(SAMPLES[2])
    found = ops.fractional_max_pool2d(Tensor(-1 - X[2].astype(np.int32)), 2, (3, 4), _random_samples=samples)
    np.testing.assert_array_equal(found.asnumpy(), by_formula(-1 - X[2], SAMPLES[2], 2, (3, 4)))


def test_a_volume_may_be_as_short_as_its_windows_need():
    found = ops.fractional_max_pool3d(Tensor(X[3]), 2, (4, 6, 8), _random_samples=Tensor(SAMPLES[3]))
    np.testing.assert_array_equal(found.asnumpy(), ops.max_pool3d(Tensor(X[3]), 2, 1).asnumpy())


PLANES, DRAWN = Tensor(X[2]), Tensor(SAMPLES[2])
WRONG = [
    (lambda: nn.FractionalMaxPool2d("a", 3), TypeError, "FractionalMaxPool2d', the 'kernel_size' must"),
    (
        lambda: nn.FractionalMaxPool2d(2),
        ValueError,
        "FractionalMaxPool2d', the 'output_size' or",
    ),
    (lambda: nn.FractionalMaxPool3d(2, 0), ValueError, "FractionalMaxPool3d', the 'output_size' must"),
    (lambda: nn.FractionalMaxPool3d(2, output_ratio=1), TypeError, "FractionalMaxPool3d', the 'output_ratio' must"),
    (lambda: nn.FractionalMaxPool2d(2, output_ratio=1.0), ValueError, "FractionalMaxPool2d', the 'output_ratio' must"),
    (lambda: nn.FractionalMaxPool2d(2, 3, None, 1), TypeError, "FractionalMaxPool2d', the 'return_indices' must"),
    (
        lambda: nn.FractionalMaxPool2d(2, 3, None, False, 1),
        TypeError,
        "FractionalMaxPool2d', the '_random_samples' must",
    ),
    (lambda: ops.fractional_max_pool2d(PLANES, 2, 7), ValueError, "fractional_max_pool2d', the 'input' must"),
    (lambda: ops.fractional_max_pool3d(PLANES[0], 2, 3), ValueError, "fractional_max_pool3d', the 'input' must"),
    (
        lambda: ops.fractional_max_pool2d(PLANES, 2, 3, _random_samples=DRAWN[:1]),
        ValueError,
        "fractional_max_pool2d', the '_random_samples' must",
    ),
]


@pytest.mark.parametrize(("call", "kind", "text"), WRONG)
def test_what_does_not_fit_is_refused_by_name(call, kind, text):
    with pytest.raises(kind, match=f"^For '{text}"):
        call()
