"""``optimizer.learning_rate``: what MindSpore 2.0.0 shows there for a number, a row of rates, a schedule and groups."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn

ROW = [0.5, 0.25, 0.125]


def momentum(rate, *group_rates):
    members = [ms.Parameter([1.0], name=f"p{i}") for i in range(max(len(group_rates), 2))]
    groups = [{"params": [p], **given} for p, given in zip(members, group_rates, strict=False)]
    return nn.Momentum(groups or members, rate, 0.9)


def test_a_constant_rate_is_a_parameter_of_the_optimizer():
    rate = momentum(0.5).learning_rate
    assert isinstance(rate, ms.Parameter) and (rate.name, rate.shape) == ("learning_rate", ())


@pytest.mark.parametrize(
    "row", [ROW, ms.Tensor(ROW, ms.float32), (r for r in ROW)], ids=["list", "Tensor", "generator"]
)
def test_a_row_of_rates_is_a_schedule_to_call_with_a_step(row):
    optimizer = momentum(row)
    rate = optimizer.learning_rate
    assert isinstance(rate, nn.LearningRateSchedule)
    assert rate(ms.Tensor(1, ms.int32)).asnumpy() == np.float32(0.25)
    assert rate(optimizer.global_step).asnumpy().tolist() == [0.5]  # in the shape of the step
    assert rate(ms.Tensor([7], ms.int32)).asnumpy().tolist() == [0.125]  # the last is repeated
    assert rate.learning_rate.name == "learning_rate" and rate.learning_rate.shape == (3,)
    assert [path for path, _ in optimizer.cells_and_names()] == ["", "learning_rate"]
    assert list(optimizer.parameters_dict())[-1] == "learning_rate"


def test_a_schedule_is_itself():
    schedule = nn.ExponentialDecayLR(0.1, 0.9, 2)
    assert momentum(schedule).learning_rate is schedule


def test_constant_rates_of_groups_are_a_tuple_of_parameters_one_for_each():
    optimizer = momentum(0.3, {"lr": 0.5}, {})
    assert [rate.name for rate in optimizer.learning_rate] == ["learning_rate_group_0", "learning_rate"]
    ms.ops.assign(optimizer.learning_rate[0], 0.25)
    assert [float(rate) for rate in optimizer.get_lr()] == [0.25, pytest.approx(0.3)]
    both = momentum(0.3, {"lr": 0.5}, {"lr": 0.5})
    assert [rate.name for rate in both.learning_rate] == ["learning_rate_group_0", "learning_rate_group_1"]


def test_get_lr_parameter_shows_the_parameter_inside():
    optimizer = momentum(0.3, {"lr": ROW}, {})
    found = optimizer.get_lr_parameter(list(optimizer.parameters))
    assert [(rate.name, rate.shape) for rate in found] == [("learning_rate_group_0", (3,)), ("learning_rate", ())]


def test_a_rate_that_is_replaced_is_used():
    optimizer = nn.SGD([ms.Parameter([1.0], name="p")], 0.5)
    optimizer.learning_rate = ms.Parameter(0.25, name="mine")
    optimizer((ms.Tensor([1.0]),))
    assert optimizer.parameters[0].asnumpy().tolist() == [0.75]


def test_groups_with_rows_train_as_their_rates_say():
    first, second = (ms.Parameter([1.0], name=name) for name in "ab")
    optimizer = nn.SGD([{"params": [first], "lr": ROW}, {"params": [second]}], 1.0)
    for _ in range(2):
        optimizer((ms.Tensor([1.0]), ms.Tensor([1.0])))
    assert (float(first), float(second)) == (0.25, -1.0)


@pytest.mark.parametrize("param", [1, [1, 2], None])
def test_the_rate_of_what_is_no_parameter_is_refused(param):
    sgd = nn.SGD([ms.Parameter(ms.Tensor([1.0]), name="w")])
    with pytest.raises(TypeError, match="For 'get_lr_parameter', the 'param' must be a Parameter or a list of them"):
        sgd.get_lr_parameter(param)
