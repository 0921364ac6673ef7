"""The form of the input's gradient is chosen by counts, which are those of the multiplications that are really made."""

import collections
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ops.kernels.conv.test_choice import CACHES
from ops.kernels.conv_reference import conv2d_grad_input_reference, convolutions
from support.strict_cupy import strict_cupy

import minispore as ms
from minispore import ops
from minispore.ops.kernels.conv import bands, grad_columns, grad_input, grad_phases, small_products, whole
from minispore.ops.kernels.conv import conv2d as convolution
from minispore.ops.kernels.conv.choice import cheapest
from minispore.ops.kernels.conv.conv2d import conv2d, conv2d_grad_input, conv2d_grad_weight
from minispore.ops.kernels.conv.geometry import geometry_of, met

NONE, ONE = (0, 0, 0, 0), (1, 1)


def sizes_of(x_shape, w_shape, stride=ONE, pads=NONE, dilation=ONE, group=1):
    return x_shape, w_shape, pads, geometry_of(x_shape, w_shape, stride, pads, dilation), group


AS_WIDE = [  # x, w and what else a convolution has: kernels about as wide, as high or as long as their inputs
    ((32, 1, 50, 40), (96, 1, 3, 40)),
    ((32, 1, 50, 40), (96, 1, 3, 40), ONE, (1, 1, 1, 1)),
    ((4, 1, 50, 300), (96, 1, 3, 300)),
    ((16, 3, 300, 20), (64, 3, 290, 5)),
    ((8, 64, 1, 100), (64, 64, 1, 90)),
    ((64, 8, 7, 100), (128, 1, 1, 73), ONE, NONE, ONE, 8),
    ((128, 16, 14, 14), (64, 16, 14, 14)),
]
AS_USUAL = [  # of LeNet and ResNet
    ((32, 6, 14, 14), (16, 6, 5, 5)),
    ((64, 16, 32, 32), (16, 16, 3, 3), ONE, (1, 1, 1, 1)),
    ((64, 16, 32, 32), (32, 16, 3, 3), (2, 2), (1, 1, 1, 1)),
    ((64, 32, 16, 16), (64, 32, 1, 1), (2, 2), NONE),
    ((8, 64, 56, 56), (64, 64, 3, 3), ONE, (1, 1, 1, 1)),
]


def form_of(case, xp=np):
    form, _ = grad_input.form_of(xp, *sizes_of(*case))
    return form


@pytest.fixture(params=[0, small_products._MOST], ids=["packed", "small products"])
def most(request, monkeypatch):
    """The multiplications of a small product of a processor's BLAS: forms are counted anew."""
    monkeypatch.setattr(small_products, "most", lambda: request.param)
    for cache in CACHES:
        cache.cache_clear()
    yield request.param
    for cache in CACHES:
        cache.cache_clear()


@pytest.mark.parametrize("case", AS_WIDE, ids=str)
def test_no_padded_gradient_is_convolved_where_the_kernel_is_about_as_wide_as_the_input(most, case):
    line, grouped, as_large = AS_WIDE[-3:]
    own = {str(line): grad_phases if most else grad_columns, str(grouped): bands, str(as_large): whole}
    expected = own.get(str(case), grad_columns)
    form, work = grad_input.form_of(np, *sizes_of(*case))
    assert form is expected
    if case not in (grouped, as_large):  # which are matrices with zeros; those of the line leave out the padding
        (n, *_), w_shape, _, geometry, _ = sizes_of(*case)
        assert work.multiplications == n * math.prod((*w_shape, *geometry.out))
    assert form_of(case, strict_cupy) is grad_columns


@pytest.mark.parametrize("case", AS_USUAL, ids=str)
def test_a_padded_gradient_is_convolved_where_the_output_is_about_as_large_as_the_input(case):
    assert form_of(case) is form_of(case, strict_cupy) is grad_phases


@pytest.mark.parametrize(("case", "expected"), [(AS_WIDE[0], "columns"), (AS_USUAL[0], "phases")], ids=str)
@pytest.mark.parametrize("xp", [np, strict_cupy], ids=["cpu", "strict"])
def test_the_form_that_is_chosen_runs(case, expected, xp, monkeypatch):
    ran = []
    for form in (grad_columns, grad_phases):
        name, found = form.__name__.rpartition("_")[2], form.grad_input
        monkeypatch.setattr(form, "grad_input", lambda *a, name=name, found=found: ran.append(name) or found(*a))
    x_shape, w_shape = case
    dy = xp.zeros((x_shape[0], w_shape[0], *sizes_of(*case)[3].out), np.float32)
    conv2d_grad_input(xp, dy, xp.zeros(w_shape, np.float32), x_shape, ONE, NONE, ONE, 1)
    assert ran == [expected]


def in_both_forms(dy, w, x_shape, stride, pads, dilation, group):
    geometry = geometry_of(x_shape, w.shape, stride, pads, dilation)

    def convolve(dy, w, pads, dilation):
        return conv2d(np, dy, w, ONE, pads, dilation, group)

    by_phases = grad_phases.grad_input(np, convolve, dy, w, x_shape, pads, geometry, group)
    return by_phases, grad_columns.grad_input(np, dy, w, x_shape, pads, geometry, group)


@st.composite
def wide_convolutions(draw):
    """A drawn convolution whose kernel covers most of its input along one axis or both."""
    size = [draw(st.integers(1, 12)), draw(st.integers(1, 12))]
    kernel = [draw(st.sampled_from([1, max(1, n - 2), n])) for n in size]
    pads = [draw(st.integers(0, 2)) for _ in range(4)]
    group, taken, made = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 8))
    numbers = np.random.default_rng(draw(st.integers(0, 99)))
    arguments = draw(st.tuples(*[st.integers(1, 3)] * 2)), tuple(pads), ONE, group
    x_shape, w_shape = (draw(st.integers(1, 3)), group * taken, *size), (group * made, taken, *kernel)
    out = geometry_of(x_shape, w_shape, *arguments[:3]).out
    dy = numbers.standard_normal((x_shape[0], w_shape[0], *out))
    return np.empty(x_shape), numbers.standard_normal(w_shape), dy, arguments


@given(convolutions() | wide_convolutions())
def test_both_forms_are_the_definition(case):
    x, w, dy, arguments = case
    expected = conv2d_grad_input_reference(dy, w, x.shape, *arguments)
    for found in in_both_forms(dy, w, x.shape, *arguments):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


@given(convolutions() | wide_convolutions())
def test_in_float32_both_forms_are_as_near_to_float64_as_sums_of_their_length_are(case):
    x, w, dy, arguments = case
    dy, w = dy.astype(np.float32), w.astype(np.float32)
    exact = dy.astype(np.float64), w.astype(np.float64)
    expected = conv2d_grad_input_reference(*exact, x.shape, *arguments)
    sums = conv2d_grad_input_reference(*map(np.abs, exact), x.shape, *arguments)  # of absolute values
    for found in in_both_forms(dy, w, x.shape, *arguments):
        assert found.dtype == np.float32
        assert (np.abs(found - expected) <= 1e-5 * sums).all()


PASSES = convolution.FORMS | {"grad_input": grad_input.FORMS}


def drawn_sizes(seed):
    """A convolution of 1e4 to 1e6 multiplications: (x_shape, w_shape, stride, pads, dilation, group)."""
    draw = random.Random(seed)
    pair = lambda *values: (draw.choice(values), draw.choice(values))  # noqa: E731
    while True:
        size, group = pair(1, 5, 8, 13, 30), draw.choice([1, 1, 1, 2, 3])
        kernel = tuple(draw.choice([1, 2, 3, 5, n, max(1, n - 3)]) for n in size)
        pads = tuple(before for k in kernel for before in [draw.choice([0, 0, k // 2])] * 2)
        w_shape = (group * draw.choice([1, 3, 8, 20]), draw.choice([1, 3, 8]), *kernel)
        case = (
            (draw.choice([1, 2, 5]), group * w_shape[1], *size),
            w_shape,
            pair(1, 1, 2, 3),
            pads,
            pair(1, 1, 2),
            group,
        )
        geometry = geometry_of(*case[:2], *case[2:5])
        if 1e4 <= math.prod((case[0][0], *w_shape, *geometry.out)) <= 1e6:
            return case


@pytest.fixture
def multiplications(monkeypatch):
    """A function that tells how many multiplications a call makes, in matrix products and without."""
    made, matmul, multiply, column = [0], np.matmul, np.multiply, grad_columns._product

    def counting(a, b, **keywords):
        found = matmul(a, b, **keywords)
        made[0] += found.size * a.shape[-1]
        return found

    def one_by_one(a, b, **keywords):
        found = multiply(a, b, **keywords)
        made[0] += found.size
        return found

    def of_columns(xp, a, b):
        found = column(xp, a, b)
        made[0] += found.size if a.shape[-1] == 1 else 0  # others are matrix products, which are counted
        return found

    def count(function, *arguments):
        made[0] = 0
        with monkeypatch.context() as patch:
            patch.setattr(np, "matmul", counting)
            patch.setattr(np, "multiply", one_by_one)
            patch.setattr(grad_columns, "_product", of_columns)
            function(*arguments)
        return made[0]

    return count


def test_the_counts_are_those_of_the_multiplications_that_300_drawn_convolutions_make(multiplications, restored):
    ms.set_context(runtime_num_threads=1)
    chosen = collections.Counter()
    for seed in range(300):
        x_shape, w_shape, *arguments = drawn_sizes(seed)
        cut = met(x_shape, w_shape, *arguments[:3])
        x, w = np.zeros(x_shape), np.zeros(w_shape)
        dy = np.zeros((x_shape[0], w_shape[0], *geometry_of(x_shape, w_shape, *arguments[:3]).out))
        calls = {
            "forward": (conv2d, x, w),
            "grad_input": (conv2d_grad_input, dy, w, x_shape),
            "grad_weight": (conv2d_grad_weight, dy, x, w_shape),
        }
        if cut is None:  # the kernel meets padding alone
            assert not any(multiplications(f, np, *arrays, *arguments) for f, *arrays in calls.values())
            continue
        sizes = sizes_of(x_shape, w[cut[0]].shape, arguments[0], cut[1], *arguments[2:])
        for name, (function, *arrays) in calls.items():
            form, work = cheapest(PASSES[name], name, *sizes)
            chosen[form.__name__.rpartition(".")[2], name] += 1
            assert multiplications(function, np, *arrays, *arguments) == work.multiplications, (seed, name, form)
    assert min(chosen[form, "grad_input"] for form in ("grad_columns", "grad_phases")) > 30, chosen


FORMS = {  # form -> sizes where it is chosen: (x_shape, w_shape)
    "columns": ((2, 1, 4, 40), (64, 1, 3, 40)),
    "phases": ((2, 64, 12, 12), (8, 64, 3, 3)),
}


@pytest.mark.parametrize("form", FORMS)
def test_float16_is_summed_in_float32_and_rounded_once(form):
    x_shape, w_shape = FORMS[form]
    sizes = sizes_of(x_shape, w_shape)
    assert form_of(FORMS[form]).__name__.endswith(form)
    numbers = np.random.default_rng(0)
    dy = numbers.standard_normal((2, w_shape[0], *sizes[3].out)).astype(np.float16)
    w = numbers.standard_normal(w_shape).astype(np.float16)
    found = ops.Conv2DBackpropInput(w_shape[0], w_shape[2:])(ms.Tensor(dy), ms.Tensor(w), x_shape).asnumpy()
    wide = conv2d_grad_input(np, dy.astype(np.float32), w.astype(np.float32), x_shape, ONE, NONE, ONE, 1)
    np.testing.assert_array_equal(found, wide.astype(np.float16))


@pytest.mark.parametrize("form", FORMS)
def test_float16_overflows_by_its_sum_alone(form):
    """Products of 65,536 and their partial sums, all exact in float32, are beyond float16; their sum 0 is not."""
    x_shape, w_shape = FORMS[form]
    sizes = sizes_of(x_shape, w_shape)
    signs = np.where(np.arange(w_shape[0]) % 2, -1, 1)
    dy = np.full((2, w_shape[0], *sizes[3].out), 256.0, np.float16) * signs[:, None, None].astype(np.float16)
    to_input = ops.Conv2DBackpropInput(w_shape[0], w_shape[2:])
    small = np.full(w_shape, 2.0**-24, np.float16)  # the smallest float16
    for w, expected in ((np.full(w_shape, 256.0, np.float16), 0), (small, 0)):
        found = to_input(ms.Tensor(dy), ms.Tensor(w), x_shape).asnumpy()
        assert (found == expected).all()
    found = to_input(ms.Tensor(np.abs(dy)), ms.Tensor(np.full(w_shape, 256.0, np.float16)), x_shape).asnumpy()
    assert np.isinf(found).all()
