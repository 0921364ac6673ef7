"""Each form of each pass equals the definition, in pieces or not; what is not finite stays where it belongs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ops.kernels.conv_reference import (
    conv2d_grad_input_reference,
    conv2d_grad_weight_reference,
    conv2d_reference,
    convolutions,
)
from support.strict_cupy import strict_cupy

import minispore as ms
from minispore import ops
from minispore.ops.kernels.conv import (
    adjoint,
    bands,
    conv2d,
    grad_columns,
    grad_input,
    grad_phases,
    grad_rows,
    im2col,
    images_last,
    images_plan,
    overlaps,
    row_blocks,
    rows,
    small_products,
    whole,
)
from minispore.ops.kernels.conv.choice import cheapest, is_wrong
from minispore.ops.kernels.conv.geometry import geometry_of, met

NONE, ONE = (0, 0, 0, 0), (1, 1)
CACHES = cheapest, conv2d.plan_of, overlaps.tile, grad_rows.tile, images_plan.cheaper  # of what depends on the CPU


@pytest.fixture(scope="module", autouse=True)
def kernels_of_avx512():
    """Forms are chosen as on a processor whose BLAS has small products, whichever this is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_products, "most", lambda: small_products._MOST)
        for cache in CACHES:
            cache.cache_clear()
        yield
    for cache in CACHES:
        cache.cache_clear()


REFERENCES = {
    "forward": lambda x, w, dy, arguments: conv2d_reference(x, w, *arguments),
    "grad_input": lambda x, w, dy, arguments: conv2d_grad_input_reference(dy, w, x.shape, *arguments),
    "grad_weight": lambda x, w, dy, arguments: conv2d_grad_weight_reference(dy, x, w.shape, *arguments),
}
FORMS = [  # the forms that are tested here; those of the input's gradient by phases and columns have their own files
    *((form, "forward") for form in (rows, overlaps, im2col, row_blocks, bands, images_last, whole, adjoint)),
    *((form, "grad_input") for form in (bands, whole)),
    *((form, "grad_weight") for form in (grad_rows, im2col, bands, whole, adjoint)),
]
IDS = [f"{form.__name__.rpartition('.')[2]}.{name}" for form, name in FORMS]
each_form = pytest.mark.parametrize(("form", "name"), FORMS, ids=IDS)


def sizes_of(x, w, arguments):
    stride, pads, dilation, group = arguments
    return x.shape, w.shape, pads, geometry_of(x.shape, w.shape, stride, pads, dilation), group


def computed(form, name, xp, x, w, dy, arguments):
    """What a form makes of a case; None where it does not fit the sizes, or an empty batch."""
    x_shape, w_shape, *rest = sizes_of(x, w, arguments)
    if not x_shape[0] or getattr(form, f"{name}_work")(x_shape, w_shape, *rest) is None:
        return None
    x, w, dy = map(xp.asarray, (x, w, dy))
    given = {"forward": (x, w), "grad_input": (dy, w, x_shape), "grad_weight": (dy, x, w_shape)}[name]
    return getattr(form, name)(xp, *given, *rest)


def drawn(x_shape, w_shape, stride=ONE, pads=NONE, dilation=ONE, group=1, dtype=np.float64):
    """(x, w, dy, arguments) of such sizes."""
    numbers = np.random.default_rng(4)
    out = geometry_of(x_shape, w_shape, stride, pads, dilation).out
    shapes = x_shape, w_shape, (x_shape[0], w_shape[0], *out)
    return *(numbers.standard_normal(shape).astype(dtype) for shape in shapes), (stride, pads, dilation, group)


@st.composite
def depthwise(draw):
    """Of one output channel, or a few, in each of some groups."""
    group, taken, made = draw(st.integers(1, 5)), draw(st.integers(1, 2)), draw(st.sampled_from([1, 1, 2]))
    size = draw(st.tuples(*[st.integers(5, 14)] * 2))
    kernel, stride = draw(st.tuples(*[st.integers(1, 5)] * 2)), draw(st.tuples(*[st.integers(1, 3)] * 2))
    pads, dilation = draw(st.tuples(*[st.integers(0, 4)] * 4)), draw(st.sampled_from([(1, 1), (1, 1), (1, 2), (2, 1)]))
    size = tuple(max(n, d * (k - 1) + 1) for n, k, d in zip(size, kernel, dilation, strict=True))
    shapes = (draw(st.integers(1, 3)), group * taken, *size), (group * made, taken, *kernel)
    return drawn(*shapes, stride, pads, dilation, group)


@each_form
@given(case=convolutions() | depthwise())
def test_any_convolution_equals_the_definition(form, name, case):
    found = computed(form, name, np, *case)
    if found is not None:
        np.testing.assert_allclose(found, REFERENCES[name](*case), rtol=1e-10, atol=1e-10)


@st.composite
def of_few_outputs(draw):
    """Of one to three output channels, fewer than its inputs; tall kernels, with steps along the height."""
    group, made = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    kernel, stride = (draw(st.integers(2, 7)), draw(st.integers(1, 4))), draw(st.tuples(*[st.integers(1, 3)] * 2))
    dilation, pads = draw(st.tuples(*[st.integers(1, 3)] * 2)), draw(st.tuples(*[st.integers(0, 3)] * 4))
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)]
    size = [r + draw(st.integers(0, 7)) for r in reach]
    shapes = (draw(st.integers(1, 4)), group * draw(st.integers(4, 9)), *size), (group * made,)
    return drawn(shapes[0], (*shapes[1], shapes[0][1] // group, *kernel), stride, pads, dilation, group, np.float32)


@st.composite
def tall_kernels(draw):
    """Kernels taller than the image, upon much padding, with steps along the height."""
    kernel, size = (draw(st.integers(1, 7)), 2), (draw(st.integers(1, 4)), draw(st.integers(2, 5)))
    stride, dilation = (draw(st.integers(1, 3)), 1), (draw(st.integers(1, 3)), 1)
    reach = dilation[0] * (kernel[0] - 1)
    pads = (draw(st.integers(0, reach)), draw(st.integers(0, reach)), 0, 1)
    size = (max(size[0], reach + 1 - sum(pads[:2])), size[1])
    return drawn((draw(st.integers(1, 4)), 3, *size), (2, 3, *kernel), stride, pads, dilation)


@given(case=of_few_outputs(), limit=st.sampled_from([1, 3000, 20000, 1 << 20]))
def test_overlaps_cut_anywhere_are_as_near_to_float64_as_sums_of_their_length_are(case, limit):
    before, overlaps._CACHED = overlaps._CACHED, limit  # some rows of an image, some groups of one, or some images
    try:
        found = computed(overlaps, "forward", np, *case)
    finally:
        overlaps._CACHED = before
    exact = [array.astype(np.float64) for array in case[:3]]
    sums = conv2d_reference(*map(np.abs, exact[:2]), *case[3])
    assert found.dtype == np.float32 and found.flags.c_contiguous
    assert (np.abs(found - conv2d_reference(*exact[:2], *case[3])) <= 1e-5 * sums).all()


@each_form
@given(case=convolutions() | depthwise())
def test_in_float32_it_is_as_near_to_float64_as_sums_of_its_length_are(form, name, case):
    arrays = [array.astype(np.float32) for array in case[:3]]
    found = computed(form, name, np, *arrays, case[3])
    if found is not None:
        exact = [array.astype(np.float64) for array in arrays]
        sums = REFERENCES[name](*map(np.abs, exact), case[3])  # of absolute values
        assert found.dtype == np.float32
        assert (np.abs(found - REFERENCES[name](*exact, case[3])) <= 1e-5 * sums).all()


LARGER = [  # sizes at which batches, groups and rows are cut in pieces when the pieces are small
    drawn((5, 6, 9, 8), (6, 2, 3, 5), (2, 1), (1, 2, 2, 1), (1, 2), 3),
    drawn((4, 3, 10, 7), (3, 1, 4, 3), (1, 2), (1, 1, 2, 0), ONE, 3),
    drawn((6, 8, 5, 5), (2, 8, 5, 3), ONE, (2, 2, 1, 1)),
    drawn((12, 16, 2, 2), (8, 16, 2, 2), ONE, (1, 0, 0, 1)),
]


@pytest.mark.parametrize("limit", [1, 3000])
@each_form
def test_pieces_change_nothing(form, name, limit, monkeypatch):
    for attribute in ("_CACHED", "_SUMMED", "_PIECE"):
        if hasattr(form, attribute):
            monkeypatch.setattr(form, attribute, limit)
    for case in LARGER:
        found = computed(form, name, np, *case)
        if found is not None:
            np.testing.assert_allclose(found, REFERENCES[name](*case), rtol=1e-10, atol=1e-10)


@each_form
def test_results_are_contiguous_and_inputs_are_untouched(form, name):
    for case in LARGER:
        before = [array.copy() for array in case[:3]]
        found = computed(form, name, np, *case)
        assert found is None or found.flags.c_contiguous
        for array, as_it_was in zip(case, before, strict=False):
            np.testing.assert_array_equal(array, as_it_was)


@given(convolutions())
def test_the_adjoint_runs_on_other_array_modules(case):
    for name in ("forward", "grad_weight"):
        xp = strict_cupy if name == "forward" else np
        found = computed(adjoint, name, xp, *case)
        if found is not None:
            found = found.get() if xp is strict_cupy else found
            np.testing.assert_allclose(found, REFERENCES[name](*case), rtol=1e-10, atol=1e-10)


CHOSEN = {  # form and pass -> sizes where it is chosen
    "row_blocks.forward": ((2, 32, 30, 30), (32, 1, 7, 7), ONE, (3, 3, 3, 3), ONE, 32),
    "bands.forward": ((4, 32, 8, 64), (32, 1, 4, 64), ONE, (2, 2, 5, 5), ONE, 32),
    "whole.forward": ((32, 3, 4, 4), (64, 3, 11, 11), (2, 2), (5, 5, 5, 5)),
    "adjoint.forward": ((4, 64, 16, 30), (1, 64, 1, 7), ONE, (0, 0, 3, 3), (2, 2)),
    "bands.grad_input": ((4, 32, 14, 12), (8, 32, 4, 5), (3, 3), (0, 0, 2, 2)),
    "whole.grad_input": ((64, 8, 14, 14), (8, 1, 5, 5), (2, 2), (2, 2, 2, 2), ONE, 8),
    "bands.grad_weight": ((4, 32, 8, 64), (32, 1, 4, 64), ONE, (2, 2, 5, 5), ONE, 32),
    "whole.grad_weight": ((32, 3, 4, 4), (64, 3, 11, 11), (2, 2), (5, 5, 5, 5)),
    "adjoint.grad_weight": ((4, 64, 16, 30), (1, 64, 1, 7), ONE, (0, 0, 3, 3), (2, 2)),
    "im2col.forward": ((2, 3, 20, 40), (64, 3, 3, 1), (1, 2)),
    "im2col.grad_weight": ((1, 64, 16, 16), (96, 64, 11, 11), (3, 3), (0, 0, 5, 5)),
    "overlaps.forward": ((4, 16, 64, 64), (16, 16, 7, 7), ONE, (3, 3, 3, 3)),
    "images_last.forward": ((64, 16, 10, 10), (6, 16, 5, 5), ONE, (4, 4, 4, 4)),
    "rows.forward": ((8, 16, 32, 32), (16, 16, 3, 3), ONE, (1, 1, 1, 1)),
    "grad_rows.grad_weight": ((8, 16, 32, 32), (16, 16, 3, 3), ONE, (1, 1, 1, 1)),
}


def chosen(xp, name, x_shape, w_shape, stride=ONE, pads=NONE, dilation=ONE, group=1):
    """The form of a pass, after its kernel is cut to what meets pixels."""
    taps, pads = met(x_shape, w_shape, stride, pads, dilation)
    w_shape = np.empty(w_shape, np.int8)[taps].shape
    sizes = x_shape, w_shape, pads, geometry_of(x_shape, w_shape, stride, pads, dilation), group
    if name == "grad_input":
        return grad_input.form_of(xp, *sizes)[0]
    return conv2d.form_of(xp, conv2d.FORMS[name], name, *sizes)


def convolved(name, x, w, dy, arguments):
    """What a pass makes of a case, in whichever form."""
    if name == "forward":
        return conv2d.conv2d(np, x, w, *arguments)
    if name == "grad_input":
        return conv2d.conv2d_grad_input(np, dy, w, x.shape, *arguments)
    return conv2d.conv2d_grad_weight(np, dy, x, w.shape, *arguments)


def name_of(form):
    return form.__name__.rpartition(".")[2]


@pytest.mark.parametrize("which", CHOSEN)
def test_each_form_is_chosen_somewhere_and_is_right_there(which):
    form, name = which.split(".")
    assert name_of(chosen(np, name, *CHOSEN[which])) == form
    case = drawn(*CHOSEN[which])
    np.testing.assert_allclose(convolved(name, *case), REFERENCES[name](*case), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("which", CHOSEN)
def test_other_devices_have_the_portable_forms(which):
    name = which.split(".")[1]
    portable = {"grad_input": ("grad_phases", "grad_columns")}.get(name, ("im2col",))
    assert name_of(chosen(strict_cupy, name, *CHOSEN[which])) in portable


NETWORKS = [  # x without its batch, w, stride, pad: LeNet-5's and ResNet-20's convolutions
    ((1, 32, 32), (6, 1, 5, 5), 1, 0),
    ((6, 14, 14), (16, 6, 5, 5), 1, 0),
    ((3, 32, 32), (16, 3, 3, 3), 1, 1),
    ((16, 32, 32), (16, 16, 3, 3), 1, 1),
    ((16, 32, 32), (32, 16, 3, 3), 2, 1),
    ((16, 32, 32), (32, 16, 1, 1), 2, 0),
    ((32, 16, 16), (32, 32, 3, 3), 1, 1),
    ((32, 16, 16), (64, 32, 3, 3), 2, 1),
    ((32, 16, 16), (64, 32, 1, 1), 2, 0),
    ((64, 8, 8), (64, 64, 3, 3), 1, 1),
]


@pytest.mark.parametrize("batch", [32, 64, 128])
@pytest.mark.parametrize("case", NETWORKS, ids=str)
def test_the_two_networks_multiply_rows_and_gather_phases(case, batch):
    image, w_shape, stride, pad = case
    sizes = (batch, *image), w_shape, (stride, stride), (pad,) * 4
    few = w_shape[1] * w_shape[2] * w_shape[3] < 36  # so that there are forms of about equal cost
    assert chosen(np, "forward", *sizes) in (rows, overlaps, images_last)
    assert chosen(np, "grad_weight", *sizes) in ((grad_rows, im2col) if few else (grad_rows,))
    assert chosen(np, "grad_input", *sizes) in ((grad_phases, grad_columns) if few else (grad_phases,))
    geometry = geometry_of(*sizes[:2], *sizes[2:], ONE)
    assert rows._together(batch, np.empty(w_shape), geometry) == 1


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("which", [which for which in CHOSEN if which.split(".")[0] not in ("rows", "im2col")])
def test_what_is_not_finite_stays_where_it_belongs(which, value):
    """A form may multiply zeros between and beside the windows; what that would spread, the definition has not."""
    name, case = which.split(".")[1], drawn(*CHOSEN[which])
    x, w, dy, arguments = case
    given = dy if name == "grad_input" else x
    given[0, 0, -1, -1] = value
    with np.errstate(all="ignore"):
        expected = REFERENCES[name](x, w, dy, arguments)
    np.testing.assert_array_equal(np.isfinite(convolved(name, *case)), np.isfinite(expected))


def test_a_result_that_may_be_wrong_is_told_from_its_sum():
    assert is_wrong(bands, "forward", np.array([1.0, np.nan])) and is_wrong(whole, "grad_input", np.array([np.inf]))
    assert not is_wrong(bands, "forward", np.ones(3)) and not is_wrong(rows, "forward", np.array([np.nan]))


@given(convolutions())
def test_the_kernel_is_cut_to_the_elements_that_meet_pixels(case):
    x, w, _, (stride, pads, dilation, group) = case
    x = np.ones((1, *x.shape[1:]))
    expected = conv2d_reference(x, w, stride, pads, dilation, group)
    found = met(x.shape, w.shape, stride, pads, dilation)
    if found is None:
        assert not expected.any()
    else:
        taps, left = found
        assert min(left) >= 0
        np.testing.assert_allclose(conv2d_reference(x, w[taps], stride, left, dilation, group), expected)


@pytest.mark.parametrize("xp", [np, strict_cupy], ids=["cpu", "strict"])
def test_a_kernel_upon_padding_alone_gives_zeros_whatever_its_weights_are(xp):
    x, w = xp.ones((2, 4, 1, 9)), xp.full((6, 2, 2, 3), np.inf)
    arguments = (1, 1), (1, 1, 1, 1), (2, 2), 2
    y = conv2d.conv2d(xp, x, w, *arguments)
    assert y.shape == (2, 6, 1, 7) and not y.any()
    assert not conv2d.conv2d_grad_input(xp, y, w, x.shape, *arguments).any()
    assert not conv2d.conv2d_grad_weight(xp, y, x, w.shape, *arguments).any()


def test_images_side_by_side_are_the_same_convolution():
    case = drawn((12, 40, 1, 3), (24, 20, 1, 3), ONE, (0, 0, 1, 1), ONE, 2)
    x, w, _, arguments = case
    assert rows._together(12, w, sizes_of(x, w, arguments)[3]) == 12
    for form, name in ((rows, "forward"), (grad_rows, "grad_weight")):
        np.testing.assert_allclose(computed(form, name, np, *case), REFERENCES[name](*case), rtol=1e-10, atol=1e-10)


@given(case=tall_kernels(), least=st.sampled_from([0, 1, 6000]), limit=st.sampled_from([1, 3000, 1 << 20]))
def test_rows_that_meet_padding_alone_are_left_out_of_the_products(case, least, limit):
    with pytest.MonkeyPatch.context() as patch:
        for form, cached in ((rows, "_CACHED"), (overlaps, "_CACHED"), (grad_rows, "_SUMMED")):
            patch.setattr(form, cached, limit)
        patch.setattr(rows, "_PADDING", least)
        patch.setattr(grad_rows, "_PADDING", least)
        patch.setattr(grad_rows, "_PART", 1 << 20)
        for form, name in ((rows, "forward"), (overlaps, "forward"), (grad_rows, "grad_weight")):
            np.testing.assert_allclose(computed(form, name, np, *case), REFERENCES[name](*case), rtol=1e-10, atol=1e-10)


@given(
    case=convolutions() | tall_kernels() | depthwise(),
    way=st.sampled_from([0, -1]),
    images=st.integers(1, 3),
    alike=st.sampled_from([1, 1 << 20]),
)
def test_images_last_are_the_same_convolution_in_either_way_and_in_pieces_of_any_size(case, way, images, alike):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(images_last, "cheaper", lambda *sizes: images_plan.ways(*sizes)[way])
        patch.setattr(images_last, "images_together", lambda n, *_: images)
        patch.setattr(images_last, "_ALIKE", alike)
        found = computed(images_last, "forward", np, *case)
    if found is not None:
        np.testing.assert_allclose(found, REFERENCES["forward"](*case), rtol=1e-10, atol=1e-10)


def test_few_channels_of_x_are_gathered_and_the_products_of_few_channels_of_y_are_added():
    def gathered(x_shape, w_shape, pads=NONE):
        geometry = geometry_of(x_shape, w_shape, ONE, pads, ONE)
        return images_plan.cheaper(x_shape, w_shape, pads, geometry, 1)[0].gathered()

    assert gathered((64, 6, 14, 14), (16, 6, 5, 5)) and not gathered((64, 16, 10, 10), (6, 16, 5, 5), (4, 4, 4, 4))


def test_the_padding_beside_the_images_is_not_multiplied_where_they_lie_last():
    x_shape, w_shape, pads = (64, 16, 10, 10), (6, 16, 5, 5), (4, 4, 4, 4)
    geometry = geometry_of(x_shape, w_shape, ONE, pads, ONE)
    each = 64 * 6 * 16 * 25 * 10 * 10  # every weight meets every pixel once
    assert images_last.forward_work(x_shape, w_shape, pads, geometry, 1).multiplications == each


def test_one_image_and_large_images_are_not_turned():
    for x_shape in ((1, 6, 14, 14), (64, 6, 400, 400)):
        geometry = geometry_of(x_shape, (16, 6, 5, 5), ONE, NONE, ONE)
        assert images_last.forward_work(x_shape, (16, 6, 5, 5), NONE, geometry, 1) is None


def test_the_padding_above_and_below_a_low_image_is_not_counted():
    sizes = (8, 96, 1, 7), (64, 96, 4, 7), (3, 3, 3, 3)
    geometry = geometry_of(*sizes[:2], ONE, sizes[2], ONE)
    each = 8 * 96 * 64 * 4 * 7 * 7  # of four rows of the kernel, each meets the image in one of four output rows
    for form, name in ((rows, "forward"), (overlaps, "forward"), (grad_rows, "grad_weight")):
        assert getattr(form, f"{name}_work")(*sizes, geometry, 1).multiplications == each


@given(
    case=convolutions() | tall_kernels(), most=st.sampled_from([0, 20, 200, 2000]), pixels=st.sampled_from([1, 4, 512])
)
def test_small_products_of_any_size_change_nothing(case, most, pixels):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_products, "most", lambda: most)
        for form in (overlaps, grad_rows):
            patch.setattr(form, "tile", form.tile.__wrapped__)  # what it found before is forgotten
        for name, value in (("_SUM", pixels), ("_MANY", 2), ("_USES", 3), ("_LEAST", 2), ("_SLIM", 8)):
            patch.setattr(grad_rows, name, value)
        patch.setattr(overlaps, "_VECTOR", 2)
        for form, name in ((overlaps, "forward"), (grad_rows, "grad_weight")):
            found = computed(form, name, np, *case)
            if found is not None:
                np.testing.assert_allclose(found, REFERENCES[name](*case), rtol=1e-10, atol=1e-10)


MADE = {  # pass -> the operation that computes it from x, w and dy
    "forward": lambda kind, x, w, dy: kind(ops.Conv2D)(x, w),
    "grad_input": lambda kind, x, w, dy: kind(ops.Conv2DBackpropInput)(dy, w, x.shape),
    "grad_weight": lambda kind, x, w, dy: kind(ops.operations.nn.conv.Conv2DBackpropFilter)(dy, x, w.shape),
}


@pytest.mark.parametrize("which", CHOSEN)
def test_float16_is_summed_in_float32_and_rounded_once(which):
    name = which.split(".")[1]
    x, w, dy, arguments = drawn(*CHOSEN[which], dtype=np.float16)
    stride, pads, dilation, group = arguments

    def kind(operation):
        sizes = {"stride": stride, "dilation": dilation, "group": group, "pad_mode": "pad", "pad": pads}
        return operation(len(w), w.shape[2:], **sizes)

    def made(dtype):
        return MADE[name](kind, *(ms.Tensor(array.astype(dtype)) for array in (x, w, dy))).asnumpy()

    np.testing.assert_array_equal(made(np.float16), made(np.float32).astype(np.float16))


@pytest.mark.parametrize("which", CHOSEN)
def test_any_number_of_workers_gives_the_same_bits(which, restored):
    name, case = which.split(".")[1], drawn((40, *CHOSEN[which][0][1:]), *CHOSEN[which][1:], dtype=np.float32)
    found = []
    for count in (1, 2, 3):
        ms.set_context(runtime_num_threads=count)
        found.append(convolved(name, *case))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def number_of_pieces(channels):
    x_shape, w_shape = (64, channels, 16, 4), (channels // 2, channels, 12, 2)
    return bands._number_of_pieces(x_shape, w_shape, geometry_of(x_shape, w_shape, (2, 1), NONE, ONE), 1)


def test_bands_that_leave_the_cache_are_read_for_more_images_at_a_time():
    assert number_of_pieces(32) > 1 == number_of_pieces(64)  # 0.3 and 1.2 MB of bands
    case = drawn((9, 64, 16, 4), (32, 64, 12, 2), (2, 1))
    for name in ("forward", "grad_input", "grad_weight"):
        np.testing.assert_allclose(computed(bands, name, np, *case), REFERENCES[name](*case), rtol=1e-9, atol=1e-9)


def test_phases_of_wide_kernels_of_few_channels_are_bands():
    shapes, others = ((4, 32, 20, 28), (32, 1, 5, 16)), (ONE, (2, 2, 0, 0), ONE, 32)
    assert name_of(chosen(np, "grad_input", *shapes, *others)) == "grad_phases"
    sizes = *shapes, others[1], geometry_of(*shapes, *others[:3]), 32
    without = grad_phases.grad_input_work(*sizes, forms=(rows, im2col, row_blocks, overlaps))
    assert grad_phases.grad_input_work(*sizes).cost() < without.cost() / 2
    case = drawn(*shapes, *others)
    np.testing.assert_allclose(convolved("grad_input", *case), REFERENCES["grad_input"](*case), rtol=1e-10, atol=1e-10)
    case[2][0, 0, -1, -1] = np.inf  # bands have zeros beside the kernel; zero times infinity is nan
    with np.errstate(all="ignore"):
        expected = np.isfinite(REFERENCES["grad_input"](*case))
    np.testing.assert_array_equal(np.isfinite(convolved("grad_input", *case)), expected)
