"""A replay that keeps float16 values in float32 gives what the operations on float16 give, bit for bit."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, amp, nn, ops
from minispore.graph import facts
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.float16.round_in_float32 import on_half_grid
from minispore.tools.testing.primitives.feeding import arrays_of, feed, run
from minispore.tools.testing.primitives.table import TABLE

pytestmark = pytest.mark.usefixtures("restored")
WIDE = [line for line in TABLE if facts.float16_form(line.primitive) is not None]
PATTERNS = st.integers(0, 2**32 - 1)


def same_bits(found, expected):
    """Equal numbers with equal signs; a NaN is a NaN."""
    found, expected = (np.asarray(x) for x in (found, expected))
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(found, expected)
    number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[number]), np.signbit(expected[number]))


@given(st.lists(PATTERNS, min_size=1, max_size=20), st.integers(0, 99))
def test_rounding_on_the_grid_is_a_cast_and_back(patterns, seed):
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, 2**32, 70_000, dtype=np.uint32)
    near = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32).view(np.uint32)
    near = near + rng.integers(-2, 3, near.size).astype(np.uint32) * rng.choice([1, 4095, 4096], near.size)
    bits = np.concatenate([drawn, near, np.array(patterns, np.uint32)]).astype(np.uint32)
    with np.errstate(all="ignore"):
        x = bits.view(np.float32)
        expected = widen(np, narrow(np, x, np.float16))
        same_bits(on_half_grid(np, x.copy()), expected)
        same_bits(on_half_grid(np, x[:100].copy()), expected[:100])


@pytest.mark.parametrize("edge", [0.0, -0.0, 65504, 65519.996, 65520, -65520, 1e38, np.inf, np.nan, 2.0**-25, 3e-8])
def test_rounding_on_the_grid_at_the_edges(edge):
    x = np.full(300, edge, np.float32)
    with np.errstate(all="ignore"):
        same_bits(on_half_grid(np, x.copy()), x.astype(np.float16).astype(np.float32))


@pytest.mark.parametrize("line", WIDE, ids=[f"{i}-{line.primitive.name}" for i, line in enumerate(WIDE)])
@given(seed=st.integers(0, 2**32 - 1))
def test_what_a_primitive_says_of_float16_is_true(line, seed):
    kind, form, seen = type(line.primitive), facts.float16_form(line.primitive), []

    class Watched(kind):
        def compute(self, xp, *arrays):
            made = super().compute(xp, *arrays)
            if any(isinstance(x, np.ndarray) and x.dtype == np.float16 for x in arrays):
                wide = [widen(xp, x) if isinstance(x, np.ndarray) else x for x in arrays]
                found = super().compute_in_float32(xp, *wide)
                for y, w in zip(*(x if type(x) is tuple else (x,) for x in (made, found)), strict=True):
                    w = np.asarray(w)
                    rounded = on_half_grid(xp, w.copy()) if form == "rounded" else w
                    same_bits(rounded.astype(y.dtype) if y.dtype == np.float16 else w, np.asarray(y))
                seen.append(made)
            return made

    watched = Watched.__new__(Watched)
    watched.__dict__.update(line.primitive.__getstate__())
    line = replace(line, primitive=watched)
    run(line, feed(line, arrays_of(line, seed, np.float16)))
    assert seen


class Net(nn.Cell):
    """Convolution, normalization, pooling, a shortcut, dense layers: what mixed precision is made of."""

    def __init__(self):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8)
        self.conv2, self.norm2 = nn.Conv2d(8, 8, 3, has_bias=True), nn.BatchNorm2d(8)
        self.relu, self.pool, self.flatten = nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()
        self.dense1, self.norm3, self.gelu = nn.Dense(128, 32), nn.LayerNorm((32,)), nn.GELU()
        self.dense2, self.softmax = nn.Dense(32, 5), nn.Softmax()

    def construct(self, x):
        x = self.relu(self.norm1(self.conv1(x)))
        x = self.relu(x + self.norm2(self.conv2(x)))
        x = self.gelu(self.norm3(self.dense1(self.flatten(self.pool(x)))))
        return self.dense2(x) * self.softmax(x)[:, :5]


class Unrolled(nn.Cell):
    """An LSTM's steps: their states are views of arrays laid out the other way round."""

    def __init__(self):
        super().__init__()
        self.cell, self.dense, self.zeros = nn.LSTMCell(64, 64), nn.Dense(64, 5), ops.zeros((32, 64))

    def construct(self, x):
        h, c = self.zeros, self.zeros
        for _ in range(3):
            h, c = self.cell(x, (h, c))
        return self.dense(h + x)


def trained(mode, network, level, scale, x, y):
    """Losses and weights of four steps."""
    ms.set_context(mode=mode)
    ms.set_seed(1)
    net = network()
    for p in net.trainable_params():
        p.set_data(p * scale)
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = amp.build_train_network(net, optimizer, loss, level=level, loss_scale_manager=None).set_train()
    losses = [step(x, y).asnumpy() for _ in range(4)]
    return [*losses, *(p.asnumpy() for p in net.get_parameters())]


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 300.0], ids=["subnormal", "normal", "overflowing"])
@pytest.mark.parametrize("network", [Net, Unrolled])
def test_training_in_mixed_precision_is_the_same_replayed(network, level, scale):
    rng = np.random.default_rng(0)
    shape = (32, 3, 8, 8) if network is Net else (32, 64)
    x, y = Tensor(rng.standard_normal(shape).astype(np.float32)), Tensor(rng.integers(0, 5, 32).astype(np.int32))
    expected = trained(ms.PYNATIVE_MODE, network, level, scale, x, y)
    found = trained(ms.GRAPH_MODE, network, level, scale, x, y)
    for a, b in zip(found, expected, strict=True):
        same_bits(a, b)


def test_a_replay_widens_what_comes_from_outside_and_rounds_what_it_keeps():
    w = ms.Parameter(Tensor(np.linspace(-1, 1, 64 * 64).reshape(64, 64).astype(np.float16)))

    @ms.jit
    def function(x):
        y = ops.relu(ops.matmul(x, w) + x)
        return ops.matmul(y, w).astype(ms.float32), y[0]

    x = Tensor(np.linspace(-1, 1, 64 * 64).reshape(64, 64).astype(np.float16))
    for _ in range(4):
        out, row = function(x)
    assert (out.dtype, row.dtype) == (ms.float32, ms.float16)
    source = function.recorded.sources[0]
    assert source.count("wide(xp, ") == 5, "x and w twice each, and y, which y[0] needs in float16"


def test_cuts_comparisons_pools_and_transposes_are_replayed_unpacked():
    rng = np.random.default_rng(0)
    pools = ops.MaxPool(2, 2), ops.MaxPool(3, 1)

    def loss(x):
        y = ops.relu6(x.astype(ms.float16) * 3).transpose(0, 2, 1, 3)
        y = y * (y > 1).astype(ms.float16) + y * (y <= 2).astype(ms.float16)
        return sum([pool(y).astype(ms.float32).sum() for pool in pools])

    eager, replayed = ms.value_and_grad(loss), ms.jit(ms.value_and_grad(loss))
    for _ in range(4):
        x = Tensor(rng.standard_normal((8, 6, 16, 16)).astype(np.float32))
        for a, b in zip(replayed(x), eager(x), strict=True):
            same_bits(a.asnumpy(), b.asnumpy())
    assert replayed.recorded.sources[0].count("wide(xp, ") == 4, "3 twice, 1 and 2"


def test_memory_that_is_reused_is_converted_anew():
    @ms.jit
    def function(x, y):
        a = x * 2
        b = a.astype(ms.float16)
        c = a + y  # in the memory of a, which nothing uses any more
        return b, c.astype(ms.float16)

    x, y = (Tensor(np.full((64, 64), value, np.float32)) for value in (1.0, 3.0))
    for _ in range(4):
        b, c = function(x, y)
        assert (b.asnumpy() == 2).all() and (c.asnumpy() == 5).all()


UNARY = [
    ops.relu,
    ops.gelu,
    ops.tanh,
    lambda x: x.astype(ms.float16),
    lambda x: x.astype(ms.float32),
    lambda x: x.sum(0, keepdims=True) + x,
    lambda x: x.reshape(-1).reshape(40, 40),
    lambda x: x.T,
    lambda x: ops.softmax(x),
    lambda x: x[::-1] * 0.5,
]
BINARY = [ops.add, ops.sub, ops.mul, lambda x, y: ops.matmul(x, y.astype(x.dtype)) * 0.1, ops.maximum]
CHOICE = st.tuples(st.booleans(), *[st.integers(0, 50)] * 3)


@given(st.lists(CHOICE, min_size=1, max_size=12), st.sampled_from([1e-4, 1.0, 200.0]), st.integers(0, 2**32 - 1))
def test_any_function_of_both_types_gives_the_same_replayed(choices, scale, seed):
    def function(*inputs):
        values = list(inputs)
        for unary, which, first, second in choices:
            a, b = values[-1 - first % len(values)], values[-1 - second % len(values)]
            values.append(UNARY[which % len(UNARY)](a) if unary else BINARY[which % len(BINARY)](a, b))
        return values[-1], values[len(values) // 2].astype(ms.float32)

    replayed, rng = ms.jit(function), np.random.default_rng(seed)
    for _ in range(4):
        drawn = [(rng.standard_normal((40, 40)) * scale).astype(kind) for kind in (np.float32, np.float16)]
        with np.errstate(all="ignore"):
            found, expected = replayed(*map(Tensor, drawn)), function(*map(Tensor, drawn))
        for a, b in zip(found, expected, strict=True):
            same_bits(a.asnumpy(), b.asnumpy())
    assert replayed.recorded.reason is None and len(replayed.recorded.sources) == 1
