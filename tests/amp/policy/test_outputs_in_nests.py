"""What a converted network returns in tuples, lists and dicts is float32 at every level, in both modes."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, amp, nn, ops
from minispore.core import nest


class Named(nn.Cell):
    """Outputs in a dict, in a list in it, and in a dict in that."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 2)

    def construct(self, x):
        y = self.dense(x)
        return {"y": y, "parts": [ops.relu(y), {"square": ops.matmul(x, x.T)}], "count": 3, "index": y.argmax()}


class CastHere(nn.Cell):
    """Returns what a cell marked float16 gives."""

    def __init__(self):
        super().__init__()
        self.named = Named()

    def construct(self, x):
        return (self.named(x), [x])


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["eager", "graph"])
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=request.param)
    yield
    ms.set_context(mode=before)


@pytest.mark.parametrize("kind", [Named, CastHere])
@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_outputs_in_nests_are_float32(mode, level, kind):
    net = amp.auto_mixed_precision(kind(), level)
    x = Tensor(np.ones((2, 3), np.float32))
    for _ in range(4):  # graph mode replays from the third call on
        out = net(x)
        tensors = [y for y in nest.select(Tensor, out) if y.dtype != ms.int64]
        assert {y.dtype for y in tensors} == {ms.float32}
        assert len(tensors) == 3 + (kind is CastHere)
        assert 3 in [leaf for leaf in nest.leaves(out) if isinstance(leaf, int)]


def test_a_scaler_takes_dicts():
    scaler = amp.StaticLossScaler(4)
    scaled = scaler.scale({"loss": Tensor(2.0)})
    assert float(scaled["loss"]) == 8.0
    assert float(scaler.unscale(scaled)["loss"]) == 2.0
    assert bool(amp.all_finite(scaled)) and not bool(amp.all_finite({"a": [Tensor(float("inf"))]}))
