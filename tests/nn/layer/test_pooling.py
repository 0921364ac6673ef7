"""Pooling layers: arguments, what they compute where MindSpore's vectors do not say, printed forms and errors.

Values and gradients are held to MindSpore's in ``tests/conformance/test_layers.py``.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops


def counting(*shape):
    return ms.Tensor(np.arange(np.prod(shape), dtype=np.float32).reshape(shape))


def values(tensor):
    return tensor.asnumpy().tolist()


# What they compute


def test_a_last_window_that_reaches_beyond_the_end_averages_what_is_there():
    rows, plane = counting(1, 1, 7), counting(1, 1, 5, 5)
    assert values(nn.AvgPool1d(2, 2, ceil_mode=True)(rows)) == [[[0.5, 2.5, 4.5, 6.0]]]  # MindSpore 2.7.0
    assert values(nn.AvgPool2d(2, 2, ceil_mode=True)(plane))[0][0] == [[3, 5, 6.5], [13, 15, 16.5], [20.5, 22.5, 24]]
    divided = nn.AvgPool2d(2, 2, ceil_mode=True, divisor_override=4)(plane)
    assert values(divided)[0][0] == [[3, 5, 3.25], [13, 15, 8.25], [10.25, 11.25, 6]]


def test_a_window_that_would_begin_in_the_padding_at_the_end_is_left_out():
    x = counting(1, 1, 3, 3) + 1
    for layer, expected in ((nn.MaxPool2d, [[1, 3], [7, 9]]), (nn.AvgPool2d, [[0.25, 1.25], [2.75, 7]])):
        assert values(layer(2, 2, "pad", 1, ceil_mode=True)(x))[0][0] == expected  # MindSpore 2.0.0


def test_same_padding_counts_only_together_with_ceil_mode():
    x = counting(1, 1, 5, 4)
    assert values(nn.AvgPool2d(3, 2, "same")(x))[0][0] == [[3, 4.5], [9, 10.5], [15, 16.5]]
    found = nn.AvgPool2d(3, 2, "same", ceil_mode=True)(x).asnumpy()[0, 0]
    np.testing.assert_allclose(found, [[2, 2], [9, 7], [10, 22 / 3]])  # MindSpore 2.0.0


def test_negative_numbers_stay_the_largest_beside_padding():
    pool = nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)
    assert values(pool(counting(1, 1, 3, 3) - 50))[0][0] == [[-46, -45], [-43, -42]]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 99))
def test_indices_say_where_the_largest_stand(height, width, seed):
    x = np.random.default_rng(seed).permutation(height * width * 4).reshape(2, 2, height, width).astype(np.float32)
    pools = [nn.AdaptiveMaxPool2d((2, 3), return_indices=True), nn.MaxPool2d(1, pad_mode="pad", return_indices=True)]
    for dilation in (1, 2):
        if min(height, width) > dilation:
            pools.append(nn.MaxPool2d(2, 2, "pad", 1, dilation, return_indices=True))
    for pool in pools:
        out, indices = (y.asnumpy() for y in pool(ms.Tensor(x)))
        assert indices.dtype == np.int64
        found = np.take_along_axis(x.reshape(2, 2, -1), indices.reshape(2, 2, -1), 2)
        np.testing.assert_array_equal(found.reshape(out.shape), out)


def test_a_batch_may_be_missing():
    for layer, shape in (
        ("MaxPool1d", (3, 8)),
        ("AvgPool1d", (3, 8)),
        ("MaxPool2d", (3, 8, 6)),
        ("AvgPool2d", (3, 8, 6)),
    ):
        pool, x = getattr(nn, layer)(2, 2), counting(*shape)
        np.testing.assert_array_equal(pool(x).asnumpy(), pool(x.expand_dims(0)).asnumpy()[0])


# Printed forms

PRINTED = [
    (lambda: nn.MaxPool1d(2), "MaxPool1d<kernel_size=(1, 2), stride=(1, 1), pad_mode=VALID>"),
    (lambda: nn.AvgPool1d(2), "AvgPool1d<kernel_size=(1, 2), stride=(1, 1), pad_mode=VALID>"),
    (lambda: nn.MaxPool1d(3, 2, "pad", 1), "MaxPool1d<kernel_size=(1, 1, 3), stride=(1, 1, 2), pad_mode=PAD>"),
    (lambda: nn.AvgPool1d(3, 2, "pad", 1), "AvgPool1d<kernel_size=3, stride=2, pad_mode=PAD>"),
    (lambda: nn.MaxPool2d((3, 2), 2, "pad", 1), "MaxPool2d<kernel_size=(3, 2), stride=2, pad_mode=PAD>"),
    (lambda: nn.AdaptiveAvgPool2d(2), "AdaptiveAvgPool2d<>"),
    (lambda: nn.AdaptiveMaxPool2d(2), "AdaptiveMaxPool2d<>"),
    (lambda: nn.AdaptiveAvgPool1d(2), "AdaptiveAvgPool1d<>"),
]


@pytest.mark.parametrize(("make", "text"), PRINTED)
def test_the_printed_form_is_mindspores(make, text):
    assert repr(make()) == text


# Errors

WRONG = [
    (TypeError, "For 'MaxPool1d', the 'kernel_size' must be an int", lambda: nn.MaxPool1d((2, 2))),
    (ValueError, "For 'AvgPool1d', the 'kernel_size' must be above 0", lambda: nn.AvgPool1d(0)),
    (ValueError, "For 'MaxPool1d', the 'stride' must be above 0", lambda: nn.MaxPool1d(2, 0)),
    (ValueError, "For 'AvgPool1d', the 'pad_mode' must be", lambda: nn.AvgPool1d(2, pad_mode="x")),
    (ValueError, "For 'MaxPool1d', the 'x' must have 2 or 3 axes", lambda: nn.MaxPool1d(2)(counting(1, 1, 2, 2))),
    (ValueError, "For 'MaxPool2d', the 'padding' must be the default where", lambda: nn.MaxPool2d(2, 2, padding=1)),
    (ValueError, "For 'AvgPool2d', the 'padding' must be the default where", lambda: nn.AvgPool2d(2, 2, padding=1)),
    (ValueError, "the 'return_indices' must be the default", lambda: nn.MaxPool2d(2, 2, return_indices=True)),
    (ValueError, "the 'ceil_mode' must be the default", lambda: nn.MaxPool1d(2, 2, ceil_mode=True)),
    (ValueError, "the 'dilation' must be the default", lambda: nn.MaxPool2d(2, 2, "same", dilation=2)),
    (ValueError, "For 'MaxPool', the 'dilation' must be above 0", lambda: nn.MaxPool2d(2, 2, "pad", dilation=0)),
    (ValueError, "the 'pad' must be at most half of the windows", lambda: nn.MaxPool2d(2, 2, "pad", 2)),
    (ValueError, "the 'pad' must be .*at least 0", lambda: nn.AvgPool2d(2, 2, "pad", -1)),
    (TypeError, "the 'padding' must be an int", lambda: nn.MaxPool2d(2, 2, "pad", 1.5)),
    (ValueError, "the 'padding' must be an int or 2 of them", lambda: nn.MaxPool2d(3, 2, "pad", (1, 0, 1, 0))),
    (ValueError, "the 'padding' must be an int or 1 of them", lambda: nn.AvgPool1d(3, 2, "pad", (1, 0))),
    (TypeError, "the 'divisor_override' must be an int", lambda: nn.AvgPool2d(3, 2, "pad", divisor_override=1.5)),
    (ValueError, "the 'divisor_override' must be above 0", lambda: nn.AvgPool2d(2, 2, "pad", divisor_override=0)),
    (ValueError, "the 'data_format' must be 'NCHW'", lambda: nn.MaxPool2d(2, 2, data_format="NHWC")),
    (ValueError, "the kernel must fit", lambda: nn.AvgPool2d(9, pad_mode="pad")(counting(1, 1, 5, 5))),
    (TypeError, "the 'x' must be a floating Tensor", lambda: nn.MaxPool1d(2)(ops.ones((1, 1, 4), ms.int32))),
    (TypeError, "For 'AdaptiveAvgPool2D', the 'output_size' must be", lambda: nn.AdaptiveAvgPool2d(2.5)),
    (TypeError, "For 'AdaptiveAvgPool2D', the 'output_size' must be", lambda: nn.AdaptiveAvgPool2d(None)),
    (TypeError, "For 'AdaptiveMaxPool2D', the 'output_size' must be", lambda: nn.AdaptiveMaxPool2d("a")),
    (ValueError, "For 'AdaptiveAvgPool2D', the 'output_size' must be two", lambda: nn.AdaptiveAvgPool2d((2, 2, 2))),
    (ValueError, "For 'AdaptiveAvgPool2D', the 'output_size' must be two", lambda: nn.AdaptiveAvgPool2d(-1)),
    (ValueError, "For 'AdaptiveMaxPool2D', the 'output_size' must be two", lambda: nn.AdaptiveMaxPool2d(-2)),
    (TypeError, "the 'return_indices' must be a bool", lambda: nn.AdaptiveMaxPool2d(2, 1)),
    (ValueError, "the 'x' must have 3 or 4 axes", lambda: nn.AdaptiveMaxPool2d(2)(counting(3, 3))),
    (TypeError, "For 'AdaptiveAvgPool1d', the 'output_size' must be an int", lambda: nn.AdaptiveAvgPool1d((3,))),
    (ValueError, "divisible by 'output_size', 3, but got 7", lambda: nn.AdaptiveMaxPool1d(3)(counting(1, 1, 7))),
    (ValueError, "the 'x' must have 3 axes", lambda: nn.AdaptiveAvgPool1d(3)(counting(1, 6))),
]


@pytest.mark.parametrize(("kind", "text", "call"), WRONG)
def test_what_does_not_fit_is_refused_by_name(kind, text, call):
    with pytest.raises(kind, match=text):
        call()
