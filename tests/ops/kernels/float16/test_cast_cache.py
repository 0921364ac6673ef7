"""Within a step an array is converted once to another floating type, and what is remembered changes no number."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn, ops
from minispore.core.running import running
from minispore.ops.kernels.float16 import cast


class Unrolled(nn.Cell):
    """Twenty steps with the same weights."""

    def __init__(self):
        super().__init__()
        self.cell, self.zeros = nn.LSTMCell(16, 16), ops.zeros((4, 16))

    def construct(self, x):
        h, c = self.zeros, self.zeros
        for _ in range(20):
            h, c = self.cell(x, (h, c))
        return h.sum()


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, pytest.param(ms.GRAPH_MODE, marks=pytest.mark.needs("graph"))])
def test_a_weight_is_converted_once_a_step(monkeypatch, mode, restored):
    ms.set_context(mode=mode)
    net = Unrolled().to_float(ms.float16)
    trained, x = list(net.get_parameters()), ops.ones((4, 16))
    step = ms.value_and_grad(net, None, trained)
    step = ms.jit(step) if mode == ms.GRAPH_MODE else step
    for _ in range(3):
        expected = step(x)
    seen = []
    for name in ("narrow_to_half", "widen_half"):
        convert = getattr(cast, name)
        monkeypatch.setattr(
            cast, name, lambda x, name=name, convert=convert: seen.append((name, x.shape)) or convert(x)
        )
    found = step(x)
    weights = [each for each in seen if each[1] == (64, 16)]
    for conversion in ("narrow_to_half", "widen_half"):
        once, gradients = 2, 2 * 20  # each of the two weights, and their gradients of each step
        kept = mode == ms.GRAPH_MODE and step.recorded.sources  # a replay keeps float16's numbers in float32
        assert weights.count((conversion, (64, 16))) == (0 if kept else once + gradients)
    for a, b in zip((expected[0], *expected[1]), (found[0], *found[1]), strict=True):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


@pytest.mark.parametrize("room", [0, 1 << 12, 1 << 30])
def test_images_change_no_number_and_keep_to_their_room(monkeypatch, room):
    x, w = Tensor(np.linspace(-2, 2, 64 * 32, dtype=np.float32).reshape(64, 32)), ops.ones((32, 32), ms.float16)
    most = []

    def function(x):
        for _ in range(4):
            x = ops.matmul(x.astype(ms.float16), w).astype(ms.float32) * 0.03
            most.append(sum(y.nbytes for _, y in running.cast_cache.values()))
        return x

    expected = ms.value_and_grad(function)(x)
    monkeypatch.setattr(cast, "_REMEMBERED", room)
    most.clear()
    found = ms.value_and_grad(function)(x)
    assert running.cast_cache is None, "after the step they are gone"
    assert max(most) <= max(room, 64 * 32 * 4), "one that is larger than the room is alone in it"
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


def test_the_gradients_of_a_weight_and_a_bias_widen_what_they_share_once(monkeypatch, restored):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    dense, relu, seen = nn.Dense(40, 30).to_float(ms.float16), ops.ReLU(), []
    convert = cast.widen_half
    monkeypatch.setattr(cast, "widen_half", lambda x: seen.append(x.shape) or convert(x))
    ms.grad(lambda x: relu(dense(x)), 0, dense.trainable_params())(ops.ones((20, 40)))
    assert seen.count((20, 30)) == 2, "the product before the bias is added, and the gradient"
