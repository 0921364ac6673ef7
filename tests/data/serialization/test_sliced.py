"""Checkpoints of several processes, in one."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn
from minispore.train.serialization import merge_sliced_parameter


def slice_of(values, name="w"):
    return ms.Parameter(ms.Tensor(np.array(values, np.float32)), name)


def test_slices_are_joined_along_axis_0():
    joined = merge_sliced_parameter([slice_of([[1, 2]]), slice_of([[3, 4]])])
    assert joined.name == "w"
    np.testing.assert_array_equal(joined.asnumpy(), [[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ((3,), TypeError),
        (([3],), TypeError),
        (([],), ValueError),
        (([slice_of([1]), slice_of([1], "v")],), ValueError),
        (([slice_of([1])], 3), TypeError),
        (([slice_of([1])], {"w": []}), ValueError),
    ],
)
def test_wrong_slices_are_refused(arguments, kind):
    with pytest.raises(kind):
        merge_sliced_parameter(*arguments)


def test_the_checkpoint_of_one_process_is_loaded(tmp_path):
    net, other, path = nn.Dense(2, 2), nn.Dense(2, 2), str(tmp_path / "a.ckpt")
    ms.save_checkpoint(net, path)
    ms.load_distributed_checkpoint(other, [path])
    np.testing.assert_array_equal(other.weight.asnumpy(), net.weight.asnumpy())
    with pytest.raises(ValueError, match="one file"):
        ms.load_distributed_checkpoint(other, [path, path])
    with pytest.raises(ValueError, match="predict_strategy"):
        ms.load_distributed_checkpoint(other, [path], predict_strategy={"weight": []})
    with pytest.raises(TypeError):
        ms.load_distributed_checkpoint(other, 3)


def test_what_needs_mindspores_compiler_is_told():
    for module in (ms, ms.train.serialization):
        with pytest.raises(AttributeError, match="MindSpore has"):
            _ = module.parse_print
