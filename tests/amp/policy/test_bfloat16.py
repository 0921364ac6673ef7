"""Mixed precision in bfloat16: the same conversions as in float16, numbers that are rounded once, and training."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.mixed_networks import ConvNet, images

import minispore as ms
from minispore import amp, nn, ops
from minispore.tools.testing.strategies.networks import planned, plans

pytestmark = pytest.mark.usefixtures("restored")
F16, BF16, F32 = ms.float16, ms.bfloat16, ms.float32
LARGEST = float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)


@pytest.fixture(autouse=True)
def loss_scale_on_the_cpu():
    ms.set_context(cpu_loss_scale=True)
    yield
    ms.set_context(cpu_loss_scale=False)


def rounded(x):
    """float32 numbers rounded to bfloat16 by integer arithmetic: to nearest, half to even; no nan among them."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    kept = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return kept.astype(np.uint32).view(np.float32)


CONVERSIONS = {
    "O1": lambda net, **dtype: amp.auto_mixed_precision(net, "O1", **dtype),
    "O1 with functions": lambda net, **dtype: amp.auto_mixed_precision(net, "O1", functional=True, **dtype),
    "O2": lambda net, **dtype: amp.auto_mixed_precision(net, "O2", **dtype),
    "O3": lambda net, **dtype: amp.auto_mixed_precision(net, "O3", **dtype),
    "auto": lambda net, **dtype: amp.auto_mixed_precision(net, "auto", **dtype),
    "white": lambda net, **dtype: amp.custom_mixed_precision(net, white_list=[nn.Dense, ops.Softmax], **dtype),
    "black": lambda net, **dtype: amp.custom_mixed_precision(
        net, black_list=[nn.Dense, *amp.get_black_list()], **dtype
    ),
}


class Forms(nn.Cell):
    """Listed cells, primitives and functions, in nodes and in Python code."""

    def __init__(self):
        super().__init__()
        self.fc, self.norm, self.relu = nn.Dense(4, 4), nn.LayerNorm((4,)), ops.ReLU()
        self.each = nn.CellList([nn.Dense(4, 4), nn.Dense(4, 4)])

    def construct(self, x):
        x = self.relu(self.norm(self.fc(x)))
        for cell in self.each:
            x = ops.relu(cell(x)) @ self.fc.weight
        return sum(ops.relu(y) for y in (x, x))


@pytest.mark.parametrize("conversion", CONVERSIONS)
@pytest.mark.parametrize("make", [ConvNet, Forms])
def test_a_conversion_is_that_to_float16_with_bfloat16_in_its_place(make, conversion):
    convert = CONVERSIONS[conversion]
    half, low = convert(make()), convert(make(), dtype=BF16)
    assert low.amp_report.level == f"{half.amp_report.level} in bfloat16"
    for name in ("entries", "before", "after"):
        in_float16, in_bfloat16 = (str(getattr(net.amp_report, name)) for net in (half, low))
        assert in_float16.replace("bfloat16", "float16") == in_bfloat16.replace("bfloat16", "float16"), name
    assert {kind.replace("float16", "bfloat16") for kind in half.amp_report.counts} == set(low.amp_report.counts)
    assert "bfloat16" in low.amp_report.counts
    x = images()[0] if make is ConvNet else ms.Tensor(np.ones((2, 4), np.float32))
    assert str(low(x).dtype) == str(half(x).dtype).replace("Float16", "BFloat16"), "float32, but at auto"
    gradients = ms.grad(lambda x: low(x).astype(F32).sum(), 0, low.trainable_params())(x)
    assert {g.dtype for g in (gradients[0], *gradients[1])} == {F32}


@given(plans(), st.sampled_from(sorted(CONVERSIONS)))
@settings(max_examples=max(2, settings.default.max_examples // 20))
def test_the_receipts_of_drawn_networks_are_those_of_float16(plan, conversion):
    half, low = (CONVERSIONS[conversion](planned(plan), dtype=dtype).amp_report for dtype in (F16, BF16))
    assert str(half.entries).replace("bfloat16", "float16") == str(low.entries).replace("bfloat16", "float16")
    assert {kind.replace("float16", "bfloat16") for kind in half.counts} == set(low.counts)


def test_each_operation_is_computed_in_float32_and_rounded_once():
    rng = np.random.default_rng(0)
    x, w, b, v = (rng.standard_normal(shape, np.float32) for shape in ((5, 40), (8, 40), (8,), (3, 8)))
    net = nn.SequentialCell(
        nn.Dense(40, 8, weight_init=ms.Tensor(w), bias_init=ms.Tensor(b)),
        nn.Tanh(),
        nn.Dense(8, 3, weight_init=ms.Tensor(v), has_bias=False),
    )
    out = amp.auto_mixed_precision(net, "O3", BF16)(ms.Tensor(x)).asnumpy()
    hidden = rounded(rounded(rounded(x) @ rounded(w).T) + rounded(b))
    np.testing.assert_array_equal(out, rounded(rounded(np.tanh(hidden)) @ rounded(v).T))


EDGES = {  # float32 -> its bits in bfloat16
    LARGEST: 0x7F7F,
    float(np.uint32(0x7F7F7FFF).view(np.float32)): 0x7F7F,  # below half a unit above it
    float(np.uint32(0x7F7F8000).view(np.float32)): 0x7F80,  # half a unit: to even, which is infinity
    1 + 2**-8: 0x3F80,  # halves go to even
    1 + 3 * 2**-8: 0x3F82,
    1 + 2**-8 + 2**-23: 0x3F81,
    2.0**-126: 0x0080,
    2.0**-133: 0x0001,  # the least subnormal
    2.0**-134: 0x0000,
    3 * 2.0**-134: 0x0002,
    -(2.0**-134): 0x8000,
    -0.0: 0x8000,
    float("inf"): 0x7F80,
    float("-inf"): 0xFF80,
}


def bits(x):
    return x.array.view(np.uint16).tolist()


@pytest.mark.parametrize("count", [1, 1000])
def test_the_edges_of_bfloat16_are_rounded_to_nearest_even(count):
    class Same(nn.Cell):
        def construct(self, x):
            return ops.reshape(x, (-1,))

    x = np.tile(np.array(list(EDGES), np.float32), count)
    for out in (
        Same().to_float(BF16)(ms.Tensor(x)),
        ms.Tensor(x).astype(BF16),
        ms.Tensor(x.astype(np.float64)).astype(BF16),
    ):
        assert out.dtype == BF16 and bits(out) == list(EDGES.values()) * count
    np.testing.assert_array_equal(ms.Tensor(x).astype(BF16).astype(F32).asnumpy(), rounded(x))


def test_nan_stays_nan_with_its_sign_and_payload_or_a_quiet_one():
    patterns = np.array([0x7FC00000, 0xFFC00000, 0x7F800001, 0xFF800001, 0x7FABCDEF, 0x7FFFFFFF], np.uint32)
    low = ms.Tensor(patterns.view(np.float32)).astype(BF16)
    assert np.isnan(low.astype(F32).asnumpy()).all()
    assert [b >> 15 for b in bits(low)] == [0, 1, 0, 1, 0, 0]
    every = np.arange(1 << 16, dtype=np.uint16).view(ml_dtypes.bfloat16)
    back = ms.Tensor(every).astype(F32)
    np.testing.assert_array_equal(back.array.view(np.uint32), np.arange(1 << 16, dtype=np.uint32) << 16)
    again = back.astype(BF16)
    finite = ~np.isnan(back.asnumpy())
    np.testing.assert_array_equal(again.array.view(np.uint16)[finite], every.view(np.uint16)[finite])


def test_what_overflows_float16_is_finite_in_bfloat16():
    x = ms.Tensor(np.full((2, 2), 1e5, np.float32))
    low, half = (amp.auto_mixed_precision(nn.ReLU(), "O3", dtype)(x).asnumpy() for dtype in (BF16, F16))
    assert np.isfinite(low).all() and np.isinf(half).all()


@pytest.mark.parametrize("level", ["O1", "O2", "O3", "auto"])
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_step_with_a_loss_scale_skips_what_overflows_and_applies_the_rest(level, mode):
    ms.set_context(mode=mode)
    try:
        ms.set_seed(0)
        low = amp.auto_mixed_precision(ConvNet(), level, BF16)
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        optimizer = nn.Momentum(low.trainable_params(), 0.05, 0.9)
        scale = nn.DynamicLossScaleUpdateCell(2.0**127, 2, 1000)
        step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(low, loss), optimizer, scale).set_train()
        before = [p.asnumpy() for p in optimizer.parameters]
        x, labels = images(16)
        _, overflow, _ = step(x * 1e30, labels)
        assert bool(overflow) and float(step.scale_sense) == 2.0**126
        assert all(np.array_equal(p.asnumpy(), q) for p, q in zip(optimizer.parameters, before, strict=True))
        step.scale_sense.set_data(ms.Tensor(2.0**100))
        losses = [float(step(x, labels)[0]) for _ in range(8)]
        assert losses[-1] < losses[0] / 2 and float(step.scale_sense) == 2.0**100
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_gradients_of_parameters_in_bfloat16_are_unscaled_in_float32():
    net = nn.Dense(2, 1, has_bias=False)
    net.weight = ms.Parameter(ms.Tensor(np.ones((1, 2)), BF16), name="weight")
    step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD([net.weight], 0.5), nn.FixedLossScaleUpdateCell(2.0**20))
    seen = []
    step.register_gradient_hook(lambda gradients: seen.append(gradients[0]))
    step(ms.Tensor(np.full((1, 2), 2.0**-30), BF16))
    assert seen[0].dtype == F32 and seen[0].asnumpy().tolist() == [[2.0**-30] * 2]


def test_scalers_and_checks_take_bfloat16():
    x = ms.Tensor([2.0**-120, 3.0], BF16)
    scaler = amp.StaticLossScaler(2.0**10)
    scaled = scaler.scale(x)
    assert scaled.dtype == BF16 and scaled.astype(F32).asnumpy().tolist() == [2.0**-110, 3072.0]
    (unscaled,) = scaler.unscale((scaled,))
    assert unscaled.dtype == F32 and unscaled.asnumpy().tolist() == [2.0**-120, 3.0]
    assert bool(amp.all_finite(x)) and not bool(amp.all_finite(x * LARGEST))


def test_a_flag_marks_a_cell_and_the_user_s_mark_stands_at_every_level():
    dense = nn.Dense(2, 2, has_bias=False).add_flags(bf16=True)
    assert dense(ms.Tensor([[1.0, 2.0]])).dtype == BF16
    for level in ("O1", "O2", "O3", "auto"):
        net = amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(2, 2).to_float(BF16), nn.ReLU()), level)
        (first, *_) = net.amp_report.entries
        assert (first.dtype, first.reason.split(":")[-1].strip()) == ("bfloat16", "to_float by the user"), level
