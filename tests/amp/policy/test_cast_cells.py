"""The cells that casts are put into stand for the cells that they wrap."""

import copy
import pickle

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, amp, nn
from minispore.amp.policy.cast_cells import _OutputTo16


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
