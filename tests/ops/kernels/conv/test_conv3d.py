"""Three-dimensional convolution and its gradients equal the sum over windows, on both array modules."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.strict_cupy import strict_cupy

from minispore.ops.kernels.conv.conv3d import conv3d, conv3d_grad_input, conv3d_grad_weight


@st.composite
def convolutions(draw):
    """(x, w, dy, (stride, pads, dilation, group)) in float64; sizes may leave no window at all."""
    triple = lambda low, high: draw(st.tuples(*[st.integers(low, high)] * 3))  # noqa: E731
    kernel, stride, dilation, size = triple(1, 3), triple(1, 3), triple(1, 2), triple(1, 5)
    pads = triple(0, 2) + triple(0, 2)
    group, taken, made = draw(st.integers(1, 2)), draw(st.integers(1, 2)), draw(st.integers(1, 2))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    x = rng.standard_normal((draw(st.integers(0, 2)), group * taken, *size))
    w = rng.standard_normal((group * made, taken, *kernel))
    arguments = stride, pads, dilation, group
    return x, w, rng.standard_normal(conv3d(np, x, w, *arguments).shape), arguments


def windows(x_shape, w, stride, pads, dilation):
    """Yield each output position with the slices of the padded x that its window reads."""
    lengths = [n + sum(pads[2 * i : 2 * i + 2]) for i, n in enumerate(x_shape[2:])]
    reaches = [d * (k - 1) + 1 for d, k in zip(dilation, w.shape[2:], strict=True)]
    counts = [max(0, (n - r) // s + 1) for n, r, s in zip(lengths, reaches, stride, strict=True)]
    for at in np.ndindex(*counts):
        yield at, tuple(slice(i * s, i * s + r, d) for i, s, r, d in zip(at, stride, reaches, dilation, strict=True))


def padded(x, pads):
    return np.pad(x, [(0, 0), (0, 0), *zip(pads[::2], pads[1::2], strict=True)])


def by_definition(x, w, dy, stride, pads, dilation, group):
    """(y, dx, dw) as sums over windows, group by group."""
    inside = tuple(slice(before, before + n) for before, n in zip(pads[::2], x.shape[2:], strict=True))
    y, dw, dx = np.zeros_like(dy), np.zeros_like(w), padded(np.zeros_like(x), pads)
    taken, made, image = w.shape[1], w.shape[0] // group, padded(x, pads)
    for g in range(group):
        ins, outs = slice(g * taken, (g + 1) * taken), slice(g * made, (g + 1) * made)
        for at, where in windows(x.shape, w, stride, pads, dilation):
            window, d = image[(slice(None), ins, *where)], dy[(slice(None), outs, *at)]
            y[(slice(None), outs, *at)] = np.einsum("ncdhw,ocdhw->no", window, w[outs])
            dw[outs] += np.einsum("no,ncdhw->ocdhw", d, window)
            dx[(slice(None), ins, *where)] += np.einsum("no,ocdhw->ncdhw", d, w[outs])
    return y, dx[(Ellipsis, *inside)], dw


def by_kernels(xp, x, w, dy, arguments):
    x, w, dy = map(xp.asarray, (x, w, dy))
    return (
        conv3d(xp, x, w, *arguments),
        conv3d_grad_input(xp, dy, w, x.shape, *arguments),
        conv3d_grad_weight(xp, dy, x, w.shape, *arguments),
    )


@given(convolutions())
def test_it_and_its_gradients_are_sums_over_windows(case):
    x, w, dy, arguments = case
    for found, expected in zip(by_kernels(np, *case), by_definition(x, w, dy, *arguments), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@given(convolutions())
def test_another_array_module_computes_the_same_without_waiting(case):
    before = strict_cupy.synchronisations
    found = by_kernels(strict_cupy, *case)
    assert strict_cupy.synchronisations == before
    for got, expected in zip(found, by_kernels(np, *case), strict=True):
        np.testing.assert_allclose(got.get(), expected, rtol=1e-12, atol=1e-12)
