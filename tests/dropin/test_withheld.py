"""Attributes of MindSpore's objects that raise one sentence here."""

import pytest

import minispore as ms
from minispore import nn, ops
from minispore.dropin.withheld import WITHHELD


@pytest.mark.parametrize(
    ("found", "name", "reason"),
    [
        (nn.Dense(2, 3), "get_func_graph_proto", "nothing is compiled here"),
        (nn.BatchNorm2d(2), "sub_mean", "functions of ops"),
        (ms.Tensor(1), "getitem_index_info", "own code alone"),
        (ms.Parameter([1.0]), "load", "compiler"),
        (ops.Add(), "set_signatures", "compiler"),
        (ops.GradOperation(), "set_signatures", "compiler"),
        (nn.Adam([ms.Parameter([1.0])]), "sparse_opt", "own code alone"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_withheld_attribute_tells_why(found, name, reason):
    assert not hasattr(found, name)
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'. MindSpore's has it: .*{reason}"):
        getattr(found, name)


def test_a_script_may_set_a_withheld_attribute_of_its_own():
    net = nn.Dense(2, 3)
    net.pipeline_stage = 1
    assert net.pipeline_stage == 1


def test_a_function_of_ops_is_a_method_of_tensors_and_not_withheld():
    assert ms.Tensor([[4.0]]).logdet().shape == ops.logdet(ms.Tensor([[4.0]])).shape
    names = {name for reasons in WITHHELD["Tensor"].values() for name in reasons.split()}
    assert not [name for name in names if hasattr(ms.Tensor, name)]
