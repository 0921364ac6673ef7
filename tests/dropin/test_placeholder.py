"""Placeholders: Tensors of a shape and a type, without values."""

import copy
import pickle

import pytest

import minispore as ms
from minispore import Tensor

USES = {
    "+": lambda x: x + 1,
    "==": lambda x: x == x,
    "relu": ms.ops.relu,
    "asnumpy": lambda x: x.asnumpy(),
    "astype": lambda x: x.astype(ms.float16),
    "sum": lambda x: x.sum(),
    "matmul": lambda x: ms.ops.matmul(Tensor([[1.0]]), x),
    "reshape": lambda x: x.reshape(3, 2),
    "index": lambda x: x[0],
    "len": len,
    "float": float,
    "bool": bool,
    "copy": lambda x: x.copy(),
    "Parameter": lambda x: ms.Parameter(x, name="x"),
    "Tensor": Tensor,
    "grad": lambda x: ms.grad(lambda y: y * 2)(x),
}


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_placeholder_has_no_values_to_compute_with(use, mode, restored):
    ms.set_context(mode=mode)
    with pytest.raises(
        RuntimeError, match=r"^For 'Tensor', there must be values to compute with, but got a placeholder"
    ):
        use(Tensor(shape=[None, 3], dtype=ms.float32))


def test_a_placeholder_tells_its_shape_and_type():
    x = Tensor(shape=(None, 3), dtype=ms.float16)
    for y in (x, copy.deepcopy(x), copy.copy(x), pickle.loads(pickle.dumps(x))):
        assert (y.shape, y.dtype, y.ndim, y.dim(), y.size, y.itemsize, y.nbytes) == ((-1, 3), ms.float16, 2, 2, 0, 2, 0)
        assert isinstance(y, Tensor) and str(y) == repr(y) == "Tensor(shape=[-1, 3], dtype=Float16, value= )"


@pytest.mark.parametrize(
    ("shape", "dtype", "kind"),
    [([None, 3], None, ValueError), ([None, "a"], ms.float32, TypeError), ([None, 0], ms.float32, ValueError)],
)
def test_a_placeholder_needs_lengths_and_a_type(shape, dtype, kind):
    with pytest.raises(kind, match=r"^For 'Tensor', the '(shape|dtype)' of a placeholder must"):
        Tensor(shape=shape, dtype=dtype)
