"""The cells that casts are put into stand for the cells that they wrap."""

import copy
import itertools
import pickle

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, amp, nn
from minispore.amp.policy import cast_cells
from minispore.amp.policy.cast_cells import WithLossCell, _OutputTo16
from minispore.core.running import running


def test_a_wrapper_hands_over_what_is_set_on_it_and_its_elements():
    network = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2))
    converted = amp.auto_mixed_precision(network, "O2")
    network[1].gamma = Tensor([5.0, 5.0])
    network[1].use_batch_statistics = False
    assert network[1]._backbone.gamma.asnumpy().tolist() == [5, 5]
    assert network[1]._backbone.use_batch_statistics is False
    assert converted[0] is network[0]
    assert len(converted) == 2 and bool(converted) is True


def _bits(layer, x):
    """The output and the gradients, by x and by the weights, of a layer that computes in float32 between casts."""
    cell = _OutputTo16(layer._set_compute_dtype(ms.float32)).set_train()
    weights = ms.ParameterTuple(cell.trainable_params())
    scale = np.linspace(-1, 1, x.size).reshape(x.shape).astype(np.float16)
    out, (dx, dw) = ms.value_and_grad(lambda x: (cell(x) * Tensor(scale)).sum(), 0, weights)(Tensor(x))
    return [(y.dtype, y.asnumpy().tobytes()) for y in (cell(Tensor(x)), out, dx, *dw)]


@pytest.mark.parametrize("new", [lambda: nn.BatchNorm2d(4), lambda: nn.LayerNorm((3, 5), 2, 2)], ids=["batch", "layer"])
def test_a_layer_in_float32_between_casts_gives_the_same_bits_whether_or_not_the_casts_are_computed(device, new):
    x = np.random.default_rng(0).standard_normal((6, 4, 3, 5)).astype(np.float16)
    found, dtypes = _bits(new(), x), []
    hooked = new()
    hooked.register_forward_hook(lambda cell, inputs, out: dtypes.append(out.dtype))
    assert found == _bits(hooked, x)
    assert set(dtypes) == {ms.float32}, "a hook sees what the layer computes"


# Where a device has kernels of its own


@pytest.fixture
def with_kernels(monkeypatch):
    """The cells that cast take NumPy for a device with kernels; gives the losses that they leave to its kernel."""
    left, computed = [], cast_cells._in_float32
    monkeypatch.setattr(cast_cells, "has_kernel", lambda kind: True)
    monkeypatch.setattr(cast_cells, "_in_float32", lambda *args: left.append(args) or computed(*args))
    return left


def _hook(*_):
    pass


HOOKS = ["register_forward_pre_hook", "register_forward_hook", "register_backward_hook"]


class Normalized(nn.BatchNorm2d):
    """A layer that tells in which float a kernel is to give its output."""

    def construct(self, x):
        self.told.append(running.narrowed)
        return super().construct(x)


@pytest.mark.usefixtures("with_kernels")
@pytest.mark.parametrize("hook", [None, *HOOKS])
@pytest.mark.parametrize("one_operation", [True, False])
def test_only_a_layer_of_one_operation_without_hooks_gives_the_narrow_float_itself(monkeypatch, one_operation, hook):
    monkeypatch.setattr(cast_cells, "_ONE_OPERATION", {Normalized: ms.ops.BatchNorm} if one_operation else {})
    layer = Normalized(2)
    layer.told = []
    if hook:
        getattr(layer, hook)(_hook)
    out = _OutputTo16(layer)(Tensor(np.ones((2, 2, 3, 3), np.float32)))
    assert out.dtype == ms.float16 and running.narrowed is None
    assert layer.told == [np.float16 if one_operation and not hook else None]


LOSSES = {
    "sparse mean": (True, "mean"),
    "sparse sum": (True, "sum"),
    "dense mean": (False, "mean"),
}


@pytest.mark.parametrize(("loss", "change"), [*itertools.product(LOSSES, [None]), *[("sparse mean", h) for h in HOOKS]])
@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float32])
def test_a_kernel_computes_the_sparse_mean_loss_of_a_narrow_output_and_no_other(with_kernels, loss, change, dtype):
    sparse, reduction = LOSSES[loss]
    out = Tensor(np.random.default_rng(0).standard_normal((4, 3)), dtype)
    label = Tensor([0, 2, 1, 1], ms.int32) if sparse else Tensor(np.eye(4, 3), ms.float32)
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse, reduction)
    if change:
        getattr(loss_fn, change)(_hook)
    found = WithLossCell(nn.Identity(), loss_fn)(out, label)
    np.testing.assert_array_equal(found.asnumpy(), loss_fn(out.astype(ms.float32), label).asnumpy())
    assert bool(with_kernels) == (loss == "sparse mean" and change is None and dtype != ms.float32)


def test_a_loss_that_the_user_marked_is_computed_as_marked(with_kernels):
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean").to_float(ms.float16)
    WithLossCell(nn.Identity(), loss_fn)(Tensor(np.ones((4, 3)), ms.float16), Tensor([0, 2, 1, 1], ms.int32))
    assert not with_kernels


class Own(nn.SoftmaxCrossEntropyWithLogits):
    """A loss of the user's own."""


def test_a_loss_of_another_class_or_an_output_of_several_is_left_to_the_loss(with_kernels):
    out, label = Tensor(np.ones((4, 3)), ms.float16), Tensor([0, 2, 1, 1], ms.int32)
    assert WithLossCell(nn.Identity(), Own(True, "mean"))(out, label).dtype == ms.float32
    pair = WithLossCell(lambda_cell(lambda x: (x, x)), lambda_cell(lambda out, label: out[0]))(out, label)
    assert pair.dtype == ms.float32 and not with_kernels


def lambda_cell(function):
    """A cell that calls a function."""
    cell = nn.Cell()
    cell.construct = function
    return cell


def test_a_wrapper_is_copied_and_pickled_and_has_no_backbone_before():
    bare = object.__new__(_OutputTo16)
    for name in ("_backbone", "gamma"):
        with pytest.raises(AttributeError):
            getattr(bare, name)
    wrapped = _OutputTo16(nn.LayerNorm((2,)))
    x = Tensor(np.array([[1.0, 3.0]], np.float32))
    for other in (copy.copy(wrapped), copy.deepcopy(wrapped), pickle.loads(pickle.dumps(wrapped))):
        assert other(x).asnumpy().tolist() == wrapped(x).asnumpy().tolist()
        assert other(x).dtype == ms.float16 and other.gamma.asnumpy().tolist() == [1, 1]
