"""Kernels: which one is found; and each gives what ``compute`` gives, on a GPU or on the CUDA that runs on a CPU."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor
from minispore.core import kernel_table
from minispore.core.kernel_table import kernel_of
from minispore.ops import operations
from minispore.ops.operations.nn.loss import SparseCrossEntropyInFloat32


def drawn(shape, dtype, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32).astype(dtype)


class Base(ms.ops.Primitive):
    def infer(self, x):
        return x

    def compute(self, xp, x):
        return x + 1


class Derived(Base):
    pass


class WithItsOwn(Base):
    def compute(self, xp, x):
        return x + 10


@pytest.fixture
def by_table(monkeypatch):
    """A kernel of Base for NumPy: for x of two axes it adds 100."""
    monkeypatch.setattr(kernel_table, "kernels", dict(kernel_table.kernels))
    monkeypatch.setattr(kernel_table, "_found", {})
    kernel_of(Base, "numpy")(lambda self, xp, x: x + 100 if x.ndim == 2 else None)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.usefixtures("by_table", "restored")
def test_a_kernel_stands_before_compute_of_its_class_and_of_those_that_inherit_it(mode):
    ms.set_context(mode=mode)

    class Net(ms.nn.Cell):
        def __init__(self, primitive):
            super().__init__()
            self.primitive = primitive

        def construct(self, x):
            return self.primitive(x)

    wide, flat = Tensor(np.zeros((1, 1), np.float32)), Tensor(np.zeros(1, np.float32))
    for kind, expected in ((Base, (100, 1)), (Derived, (100, 1)), (WithItsOwn, (10, 10))):
        net = Net(kind())
        for _ in range(4):
            assert (net(wide).item(), net(flat).item()) == expected


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
@pytest.mark.usefixtures("device")
def test_a_loss_in_float32_of_narrow_logits_is_that_of_their_cast(dtype):
    narrow = Tensor(3 * drawn((7, 5), np.float32)).astype(dtype)
    classes = Tensor(np.arange(7).astype(np.int32) % 5)
    plain = operations.SparseSoftmaxCrossEntropyWithLogits()

    def twice(function):
        """The loss, its gradient, and the gradient of a sum of the gradient's squares."""
        first = ms.grad(function)
        second = ms.grad(lambda x: (first(x).astype(ms.float32) ** 2).sum())
        return function(narrow), first(narrow), second(narrow)

    found = twice(lambda x: SparseCrossEntropyInFloat32()(x, classes))
    expected = twice(lambda x: plain(x.astype(ms.float32), classes))
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(*(y.astype(ms.float32).asnumpy() for y in (a, b)), rtol=1e-2, atol=1e-3)
    assert found[0].asnumpy() == pytest.approx(expected[0].asnumpy(), rel=1e-6)
