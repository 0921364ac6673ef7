"""The fast call of two Tensors is the primitive's own call: in values, dtypes, gradients and errors."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn
from minispore.ops import operations as P  # noqa: N812 - the field's name for it
from minispore.ops.fast_call import of_two

PRIMITIVES = [P.Add(), P.Sub(), P.Mul(), P.Div(), P.Maximum(), P.Hypot(), P.Less()]


def pair(dtype):
    return Tensor(np.array([1.5, -2.0, 3.0], dtype)), Tensor(np.array([2.0, 0.5, 3.0], dtype))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("primitive", PRIMITIVES, ids=lambda p: p.name)
def test_the_first_and_the_remembered_call_are_the_primitives_own(primitive, dtype):
    fast, (x, y) = of_two(primitive), pair(dtype)
    wanted = primitive(x, y)
    for out in (fast(x, y), fast(x, y)):
        assert out.dtype == wanted.dtype and out.asnumpy().tobytes() == wanted.asnumpy().tobytes()


@pytest.mark.parametrize("primitive", [p for p in PRIMITIVES if p.differentiable], ids=lambda p: p.name)
def test_gradients_pass_the_first_and_the_remembered_call_alike(primitive):
    fast, (x, y) = of_two(primitive), pair(np.float32)
    wanted = ms.grad(lambda x, y: primitive(x, y).sum(), (0, 1))(x, y)
    for _ in range(2):
        found = ms.grad(lambda x, y: fast(x, y).sum(), (0, 1))(x, y)
        assert [g.tolist() for g in found] == [g.tolist() for g in wanted]


def test_other_inputs_are_left_to_the_primitive():
    fast, (x, y) = of_two(P.Add()), pair(np.float32)
    assert [fast(x, y).dtype, fast(x, 1).tolist()] == [ms.float32, [2.5, -1.0, 4.0]]
    assert fast(x.reshape(3, 1), y).shape == (3, 3) and fast(x, y.astype(ms.float16)).dtype == ms.float32
    with pytest.raises(ValueError, match="For 'Add'"):
        fast(x, y[:2])


def test_a_marked_cell_lowers_what_was_remembered_in_float32():
    class Sum(nn.Cell):
        def construct(self, x, y):
            return fast(x, y)

    fast, (x, y) = of_two(P.Add()), pair(np.float32)
    assert fast(x, y).dtype == fast(x, y).dtype == ms.float32
    assert Sum().to_float(ms.float16)(x, y).dtype == ms.float16
