"""Each kernel gives what ``compute`` gives, on a GPU or on the CUDA that runs on a CPU."""

import numpy as np
import pytest
from core.test_kernel_table import drawn
from support.cuda_kernels import kernel_alone

from minispore.core.dtype import bfloat16
from minispore.core.kernel_table import kernel_for
from minispore.devices import cuda
from minispore.ops import operations
from minispore.ops.operations.loss_scale import Unscale, UnscaleAndAdvance
from minispore.ops.operations.nn.loss import SparseCrossEntropyGrad, SparseCrossEntropyInFloat32
from minispore.ops.operations.nn.rnn_step import GRUStepSlopes, LSTMStepSlopes, RNNStepSlopes
from minispore.ops.operations.nn.sums_over_steps import SumOfColumns, SumOfProducts

DTYPES = {"float32": np.float32, "float16": np.float16, "bfloat16": bfloat16.np}


LIMITS = {"float32": 2e-5, "float16": 2e-3, "bfloat16": 1.6e-2}  # of the greatest number: rounding, and order of sums


def labels(rows, classes, dtype=np.int32):
    out = np.random.default_rng(1).integers(0, classes, rows).astype(dtype)
    out[0] = classes  # no class
    return out


def positive(shape):
    return np.abs(drawn(shape, np.float32, 5)) + 0.5


def pooled(x, size, strides, pad_mode):
    """Inputs of MaxPoolGrad with x's true maxima, computed by the rule on the host."""
    primitive = operations.MaxPool(size, strides, pad_mode)
    y = primitive.compute(np, x)
    return x, y, drawn(y.shape, x.dtype, 3)


def conv(kind, pad_mode="same", stride=1, dilation=1, size=3):
    return kind(6, size, pad_mode=pad_mode, stride=stride, dilation=dilation)


def recurrent(d):
    """Steps of an LSTM, their gates' gradients, and sums over steps; some with gaps between rows."""
    c, h, x = drawn((5, 6), d, 1), drawn((5, 6), d, 2), drawn((5, 2, 7), d)[:, 1]
    weights = drawn((24, 7), d, 3), drawn((24, 6), d, 4), drawn(24, d, 5), drawn(24, d, 6)
    for count in (2, 4):
        yield f"lstm_step_{count}", operations.LSTMStep(), (x, h, c, *weights[:count])
        biases = [w[:18].copy() for w in weights[2:count]]
        yield f"gru_step_{count}", operations.GRUStep(), (x, h, *[w[:18].copy() for w in weights[:2]], *biases)
    saved = np.ascontiguousarray(operations.LSTMStep().compute(np, x, h, c, *weights)[2])
    wide_x, wide_h = drawn((11, 75), d, 1), drawn((11, 40), d, 2)  # several tiles of units, samples and columns
    wide = [drawn(shape, d, 3) / d(8) for shape in ((160, 75), (160, 40), 160, 160)]
    yield "lstm_step_tiles", operations.LSTMStep(), (wide_x, wide_h, drawn((11, 40), d, 5), *wide)
    yield "gru_step_tiles", operations.GRUStep(), (wide_x, wide_h, *[w[:120].copy() for w in wide])
    of_gru = np.ascontiguousarray(operations.GRUStep().compute(np, wide_x, wide_h, *[w[:120].copy() for w in wide])[1])
    yield "gru_slopes", GRUStepSlopes(), (drawn((11, 40), d, 6), wide_h, of_gru)
    yield "lstm_slopes", LSTMStepSlopes(), (drawn((5, 6), d, 7), drawn((5, 6), d, 8), h, c, saved)
    for kind in ("tanh", "relu"):
        yield f"rnn_step_{kind}", operations.RNNStep(kind), (x, h, *[w[:6].copy() for w in weights])
        yield f"rnn_step_{kind}_tiles", operations.RNNStep(kind), (wide_x, wide_h, *[w[:40].copy() for w in wide[:2]])
        yield f"rnn_slopes_{kind}", RNNStepSlopes(kind), (drawn((5, 6), d, 7), h, drawn((5, 6), np.float32, 8))
    a, apart = [drawn((5, 24), d, 10 + k) for k in range(3)], drawn((5, 4, 7), d, 9)
    for dtype in dict.fromkeys((np.dtype(d), np.dtype(np.float32))):
        yield f"sum_of_products_{dtype}", SumOfProducts(), (dtype, *a, *[apart[:, k] for k in range(3)])
        yield f"sum_of_columns_{dtype}", SumOfColumns(), (dtype, *a)


SEQUENCES = {
    "lstm": (operations.LSTMSequence, 4),
    "gru": (operations.GRUSequence, 3),
    "tanh": (operations.RNNSequence, 1),
    "relu": (lambda reverse: operations.RNNSequence(reverse, "relu"), 1),
}


def sequences(d, width=5):
    """Sequences of four steps, of more samples than a block takes, and their gradients; backwards with lengths."""
    samples, lengths = 60, np.random.default_rng(2).integers(-1, 6, 60)
    for name, (make, gates) in SEQUENCES.items():
        for reverse, seq_length in ((False, None), (True, lengths.astype(np.int32)), (False, lengths)):
            sequence = make(reverse)
            shapes = {"w": (gates * width, width), "b": (gates * width,)}
            shapes = [shapes.get(key, (samples, width)) for key in (*sequence.states, *sequence.weights)]
            inputs = [drawn(shape, d, k) for k, shape in enumerate([(4, samples, gates * width), *shapes])]
            of_outputs = [(4, samples, width), *shapes[: len(sequence.states)]]
            seeds = [drawn(shape, d, 7 + k) for k, shape in enumerate(of_outputs)]
            y, *others = sequence.compute(np, *inputs, seq_length)
            gradient = sequence.gradient(*sequence.attrs.values())
            kept = y, *others[len(sequence.states) :]
            case = f"{name}{'_reverse' * reverse}{'' if seq_length is None else f'_{seq_length.dtype}'}"
            yield f"sequence_{case}", sequence, (*inputs, seq_length)
            yield f"sequence_grad_{case}", gradient, (*seeds, *inputs, *kept, seq_length)


def cases(d):
    """(name, primitive, its inputs) of one dtype."""
    o, f = operations, np.float32
    x, rows = drawn((4, 3, 9, 8), d), drawn((33, 70), d)
    c = [positive(3), drawn(3, f, 2), drawn(3, f, 3), positive(3)]
    ties = np.round(drawn((2, 3, 8, 8), np.float32)).astype(d)
    yield "relu", o.ReLU(), (x,)
    yield "relu_grad", o.ReluGrad(), (x, drawn(x.shape, d, 1))
    yield "gelu", o.GeLU(), (x * 3,)
    yield "gelu_grad", o.GeLUGrad(), (x, drawn(x.shape, d, 1))
    yield "bias_4d", o.BiasAdd(), (x, drawn(3, d, 1))
    yield "bias_2d", o.BiasAdd(), (rows, drawn(70, d, 1))
    yield "softmax", o.Softmax(), (rows * 4,)
    yield "softmax_wide", o.Softmax(), (drawn((3, 2000), d),)
    yield "softmax_grad", o.SoftmaxGrad(), (rows, np.abs(drawn(rows.shape, d, 1)))
    for kind in (np.int32, np.int64):
        for is_grad in (False, True):
            loss = o.SparseSoftmaxCrossEntropyWithLogits(is_grad=is_grad)
            yield f"cross_entropy_{is_grad}_{kind.__name__}", loss, (rows, labels(33, 70, kind))
    yield "batch_norm", o.BatchNorm(True), (x + d(100) if d is not bfloat16.np else x, *c)
    yield "batch_norm_slices", o.BatchNorm(True), (drawn((40, 3, 10, 10), d), *c)
    yield "batch_norm_inference", o.BatchNorm(False), (x, *c)
    yield "batch_norm_grad", o.BatchNormGrad(), (x, drawn(x.shape, d, 1), c[0], c[1], c[3])
    yield (
        "batch_norm_grad_slices",
        o.BatchNormGrad(),
        (*[drawn((40, 3, 10, 10), d, i) for i in (1, 2)], c[0], c[1], c[3]),
    )
    yield "layer_norm", o.LayerNorm(), (rows, drawn(70, d, 1), drawn(70, d, 2))
    yield "layer_norm_two_axes", o.LayerNorm(-2, -2), (x, drawn((9, 8), d, 1), drawn((9, 8), d, 2))
    if d is not np.float32:
        weights = drawn(70, f, 1), drawn(70, f, 2)
        yield "layer_norm_wide_weights", o.LayerNorm(), (rows, *weights)
        moments = drawn((33, 1), f, 3), positive((33, 1))
        yield "layer_norm_grad_wide_weights", o.LayerNormGrad(), (rows, rows * d(2), weights[0], *moments)
    stats = drawn((200, 1), f, 3), positive((200, 1))
    yield "layer_norm_grad", o.LayerNormGrad(), (drawn((200, 70), d), drawn((200, 70), d, 1), drawn(70, d, 2), *stats)
    for name, p in {
        "same": {},
        "valid": {"pad_mode": "valid"},
        "stride": {"stride": 2},
        "dilated": {"dilation": 2},
        "pointwise": {"size": 1},
    }.items():
        w = drawn((6, 3, *[p.get("size", 3)] * 2), d, 1)
        forward = conv(o.Conv2D, **p)
        dy = drawn(forward.output_shape(x.shape, w.shape), d, 2)
        yield f"conv_{name}", forward, (x, w)
        yield f"conv_{name}_input", conv(o.Conv2DBackpropInput, **p), (dy, w, x.shape)
        yield f"conv_{name}_weight", conv(o.Conv2DBackpropFilter, **p), (dy, x, w.shape)
    w, dy, grouped = drawn((6, 1, 3, 3), d, 1), drawn((4, 6, 9, 8), d, 2), {"pad_mode": "same", "group": 3}
    yield "conv_groups", o.Conv2D(6, 3, **grouped), (x, w)
    yield "conv_groups_input", o.Conv2DBackpropInput(6, 3, **grouped), (dy, w, x.shape)
    yield "conv_groups_weight", o.Conv2DBackpropFilter(6, 3, **grouped), (dy, x, w.shape)
    for size, strides, mode in ((2, 2, "valid"), (3, 2, "same"), (3, 1, "valid")):
        yield f"max_pool_{size}{strides}", o.MaxPool(size, strides, mode), (ties,)
        yield f"max_pool_grad_{size}{strides}", o.MaxPoolGrad(size, strides, mode), pooled(ties, size, strides, mode)
    for name, arguments in {
        "tiles": (2, 2),
        "same": (3, 2, "same"),
        "overlapping": (3, 1, "pad", "NCHW", (2, 1, 0, 1)),
        "counted": (3, 2, "pad", "NCHW", 1, True, True),
        "divided": ((2, 3), (1, 2), "valid", "NCHW", 0, True, False, 5),
    }.items():
        pool = o.AvgPool(*arguments)
        dy = drawn(pool.compute(np, x).shape, d, 4)
        yield f"avg_pool_{name}", pool, (x,)
        yield f"avg_pool_grad_{name}", o.AvgPoolGrad(*arguments), (dy, x.shape)
    q, k, mask = drawn((2, 3, 5, 8), d, 11), drawn((2, 3, 7, 8), d, 12), drawn((5, 7), d, 13)
    yield "attention", o.AttentionWeights(8**-0.5), (q, k)
    yield "attention_masked", o.AttentionWeights(0.5), (q, k, np.where(mask > 1, d(-np.inf), mask))
    yield "product_spread", o.BatchMatMul(), (q, drawn((3, 8, 4), d, 14))
    yield "product_of_one", o.BatchMatMul(transpose_b=True), (drawn((6, 8), d, 15), k)
    yield from recurrent(d)
    yield "dropout_grad", o.DropoutGrad(0.3), (x, (drawn(x.shape, d, 1) > 0).astype(d))
    yield "all_finite", o.AllFinite(), (x, rows)
    yield "not_finite", o.AllFinite(), (x, np.where(rows == rows[20, 5], d(np.nan), rows))
    scale, dout = np.asarray(1024, f), np.asarray(3, f)
    yield "unscale", Unscale(), (scale, x, rows)
    for step, factor in ((4, 2.0), (5, 1.1)):  # the window is not over yet, and is
        state = np.full(1, 1000, f), np.asarray(step, np.int32), np.asarray(1, np.int32)
        yield f"unscale_and_advance_{step}", UnscaleAndAdvance(factor, 5), (*state, x, rows)
    many = [drawn(1 + k % 7, d, k) for k in range(200)]  # more than one launch takes
    yield "unscale_many", Unscale(), (scale, *many)
    yield "cross_entropy_times", SparseCrossEntropyGrad(), (rows, labels(33, 70), dout)
    yield "cross_entropy_in_float32", SparseCrossEntropyInFloat32(), (rows, labels(33, 70))
    for ta in (False, True):
        for tb in (False, True):
            a, b = drawn((5, 7) if not ta else (7, 5), d), drawn((7, 4) if not tb else (4, 7), d, 1)
            yield f"matmul_{ta}_{tb}", o.MatMul(ta, tb), (a, b)
            yield f"matmul_by_columns_{ta}_{tb}", o.MatMul(ta, tb), (np.asfortranarray(a), np.asfortranarray(b))
            yield f"batch_matmul_{ta}_{tb}", o.BatchMatMul(ta, tb), (np.stack([a, a * 2]), np.stack([b, b * 3]))


CASES = [
    pytest.param(primitive, inputs, LIMITS[name], id=f"{case}-{name}")
    for name, d in DTYPES.items()
    for case, primitive, inputs in cases(d.type if isinstance(d, np.dtype) else d)
]


OVER_TIME = [
    pytest.param(primitive, inputs, limit, id=f"{case}-{name}")
    for name, d, limit in (*((name, d, LIMITS[name]) for name, d in DTYPES.items()), ("float64", np.float64, 1e-13))
    for case, primitive, inputs in sequences(d.type if isinstance(d, np.dtype) else d)
]


CASES += OVER_TIME


def both(xp, primitive, inputs):
    """What the kernel and ``compute`` give, as tuples of arrays of the host; the kernel takes the inputs."""
    there = [xp.asarray(x) if isinstance(x, np.ndarray) else x for x in inputs]
    found = kernel_alone(primitive)(xp, *there)
    assert found is not None
    exact = primitive.compute(xp, *there)
    return [tuple(y.get() for y in (out if isinstance(out, tuple) else (out,))) for out in (found, exact)]


@pytest.mark.parametrize(("primitive", "inputs", "limit"), CASES)
def test_a_kernel_gives_what_compute_gives(on_cupy, primitive, inputs, limit):
    for got, exact in zip(*both(on_cupy, primitive, inputs), strict=True):
        assert (got.shape, got.dtype) == (exact.shape, exact.dtype)
        got, exact = got.astype(np.float64), exact.astype(np.float64)
        assert np.array_equal(np.isfinite(got), np.isfinite(exact))
        assert np.abs(got - exact).max() <= limit * max(1, np.abs(exact).max())


@pytest.mark.parametrize(("primitive", "inputs", "limit"), CASES)
def test_a_kernel_gives_the_same_bits_again(on_cupy, primitive, inputs, limit):
    there = [on_cupy.asarray(x) if isinstance(x, np.ndarray) else x for x in inputs]
    runs = [kernel_alone(primitive)(on_cupy, *there) for _ in range(2)]
    first, second = (out if isinstance(out, tuple) else (out,) for out in runs)
    assert all(a.get().tobytes() == b.get().tobytes() for a, b in zip(first, second, strict=True))


_LAID_OUT = "softmax", "layer_norm", "batch_norm", "conv_", "max_pool", "avg_pool", "dropout", "cross_entropy"


_LAID_OUT += "gru_slopes", "lstm_slopes", "rnn_slopes", "attention"


LAID_OUT = [case for case in CASES if case.id.startswith(_LAID_OUT)]


@pytest.mark.parametrize(("primitive", "inputs", "limit"), LAID_OUT)
def test_a_kernel_gives_the_same_bits_for_arrays_in_another_order(on_cupy, primitive, inputs, limit):
    there = [on_cupy.asarray(x) if isinstance(x, np.ndarray) else x for x in inputs]
    turned = [
        on_cupy.asarray(x.T.copy()).T if isinstance(x, np.ndarray) and x.ndim > 1 else y
        for x, y in zip(inputs, there, strict=True)
    ]
    first, second = (kernel_alone(primitive)(on_cupy, *given) for given in (there, turned))
    assert second is not None
    first, second = (out if isinstance(out, tuple) else (out,) for out in (first, second))
    assert all(a.get().tobytes() == b.get().tobytes() for a, b in zip(first, second, strict=True))


STEPS = [case for case in CASES if case.id.startswith(("lstm_step", "gru_step", "rnn_step"))]


@pytest.mark.parametrize(("primitive", "inputs", "limit"), STEPS)
def test_a_step_of_a_large_cell_is_that_of_a_small_one(on_cupy, monkeypatch, primitive, inputs, limit):
    monkeypatch.setattr(cuda.recurrent, "_SMALL", 0)
    test_a_kernel_gives_what_compute_gives(on_cupy, primitive, inputs, limit)


@pytest.mark.parametrize(("primitive", "inputs", "limit"), OVER_TIME)
def test_a_sequence_of_large_states_is_that_of_small_ones(on_cupy, monkeypatch, primitive, inputs, limit):
    monkeypatch.setattr(cuda.recurrent_sequence, "_AT_ONCE", 0)
    test_a_kernel_gives_what_compute_gives(on_cupy, primitive, inputs, limit)


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("place", [0, 150, 399])
def test_unscaling_tells_of_a_number_that_is_not_finite_wherever_it_is(on_cupy, place, bad):
    arrays = [on_cupy.asarray(drawn(k % 6, [np.float16, np.float32][k % 2], k)) for k in range(399)]  # several launches
    arrays.append(on_cupy.ones(3000, np.float32))
    scale = on_cupy.asarray(8, np.float32)
    for is_bad in (False, True, False):
        given = list(arrays)
        if is_bad:
            given[place] = on_cupy.full(2500, bad, np.float16)
        *found, overflow = kernel_alone(Unscale())(on_cupy, scale, *given)
        assert bool(overflow) is is_bad
        for x, y in zip(given, found, strict=True):
            np.testing.assert_array_equal(y.get(), x.get().astype(np.float32) / 8)


@pytest.mark.parametrize(("scale", "expected"), [(1000, 1000 / 1.1), (1, 1)])
def test_the_launch_that_finds_an_overflow_lowers_the_scale(on_cupy, scale, expected):
    state = [on_cupy.asarray(x) for x in (np.asarray(scale, np.float32), *np.array([7, 3], np.int32))]
    bad = on_cupy.asarray(np.array([1, np.inf, 2], np.float16))
    *_, overflow, new, step, last = kernel_alone(UnscaleAndAdvance(1.1, 5))(on_cupy, *state, bad)
    assert (bool(overflow), new.get(), int(step), int(last)) == (True, np.float32(expected), 8, 8)


def test_empty_arrays_and_float64_are_left_to_compute(on_cupy):
    for x in (np.zeros((0, 3), np.float32), np.zeros((4, 3), np.float64)):
        assert kernel_alone(operations.Softmax())(on_cupy, on_cupy.asarray(x)) is None


@pytest.mark.parametrize("count", [1, 3])
def test_sums_over_steps_in_float64_are_left_to_compute(on_cupy, count):
    steps = [on_cupy.asarray(drawn((5, 4), np.float64, k)) for k in range(count)]
    assert kernel_alone(SumOfColumns())(on_cupy, np.dtype(np.float64), *steps) is None
    assert kernel_alone(SumOfProducts())(on_cupy, np.dtype(np.float64), *steps, *steps) is None


@pytest.mark.parametrize("skip", [None, False, True])
def test_arrays_of_any_type_and_place_are_copied_by_one_launch_unless_it_is_to_be_skipped(on_cupy, skip):
    wide = on_cupy.asarray(drawn(9, np.float16))
    sources = [wide[1:5], wide[2:6], wide[:3], wide > 0, on_cupy.arange(5), on_cupy.asarray(2.5), on_cupy.zeros((0, 2))]
    places = [on_cupy.full(x.shape, 7, x.dtype) for x in sources]
    before = [y.get().tobytes() for y in places]
    flag = None if skip is None else on_cupy.asarray(skip)
    cuda.copies.copy_all(on_cupy, list(zip(places, sources, strict=True)), flag)
    expected = before if skip else [x.get().tobytes() for x in sources]
    assert [y.get().tobytes() for y in places] == expected


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_captured_stream_records_products(on_cupy, dtype):
    a, b = (on_cupy.asarray(drawn((3, 4, 4), dtype, seed)) for seed in (0, 1))
    stream, product = on_cupy.cuda.Stream(non_blocking=True), operations.BatchMatMul(transpose_b=True)
    with stream:
        eager = product.compute(on_cupy, a, b).get()  # makes the stream's handle
        stream.begin_capture()
        out = product.compute(on_cupy, a, b)
        graph = stream.end_capture()
    out.fill(0)
    graph.launch()
    assert out.get().tobytes() == eager.tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_elementwise_kernels_take_arrays_in_any_order(on_cupy, dtype):
    x, dy = drawn((3, 5, 4), DTYPES[dtype]), np.broadcast_to(drawn((4, 1, 3), DTYPES[dtype], 1), (4, 5, 3))
    turned = on_cupy.asarray(x).transpose(2, 1, 0)
    got = kernel_alone(operations.ReluGrad())(
        on_cupy, on_cupy.broadcast_to(on_cupy.asarray(dy[:, :1]), dy.shape), turned
    )
    assert got.flags.c_contiguous
    np.testing.assert_array_equal(got.get(), np.where(x.transpose(2, 1, 0) > 0, dy, x.dtype.type(0)))


def test_the_cpu_computes_as_ever(on_cupy):
    assert kernel_for(operations.Softmax, np) is None
    assert kernel_for(operations.Softmax, on_cupy) is not None
