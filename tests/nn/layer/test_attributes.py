"""What a layer of MindSpore 2.0.0 has as attributes, which networks and subclasses read."""

import pytest

from minispore import nn, ops

WITHOUT_BIAS = {
    "Dense": lambda: nn.Dense(2, 3, has_bias=False),
    "Conv1d": lambda: nn.Conv1d(2, 4, 3),
    "Conv2d": lambda: nn.Conv2d(2, 4, 3),
    "Conv3d": lambda: nn.Conv3d(2, 4, 3),
    "Conv1dTranspose": lambda: nn.Conv1dTranspose(2, 4, 3),
    "Conv2dTranspose": lambda: nn.Conv2dTranspose(2, 4, 3),
    "Conv3dTranspose": lambda: nn.Conv3dTranspose(2, 4, 3),
}


@pytest.mark.parametrize("make", WITHOUT_BIAS.values(), ids=WITHOUT_BIAS)
def test_a_layer_without_a_bias_has_none_as_its_bias_and_takes_one_later(make):
    layer = make()
    assert layer.bias is None
    assert [p.name for p in layer.get_parameters()] == ["weight"]
    layer.bias = nn.Dense(1, 4).bias
    assert [p.name for p in layer.get_parameters()] == ["weight", "bias"]


@pytest.mark.parametrize("cell", [nn.RNNCell, nn.LSTMCell, nn.GRUCell])
def test_a_recurrent_cell_without_biases_has_none(cell):
    cell = cell(2, 3, has_bias=False)
    assert cell.bias_ih is cell.bias_hh is None


KINDS = {
    "Dense": (lambda: nn.Dense(2, 3), {"reshape": "Reshape", "shape_op": "Shape", "matmul": "MatMul"}),
    "Conv2d": (lambda: nn.Conv2d(2, 4, 3), {"conv2d": "Conv2D", "bias_add": "BiasAdd"}),
    "MaxPool2d": (lambda: nn.MaxPool2d(2), {"max_pool": "MaxPool"}),
    "AvgPool2d": (lambda: nn.AvgPool2d(2), {"avg_pool": "AvgPool"}),
    "MSELoss": (nn.MSELoss, {"reduce_mean": "ReduceMean", "reduce_sum": "ReduceSum", "mul": "Mul"}),
    "ELU": (nn.ELU, {"elu": "Elu"}),
    "CELU": (nn.CELU, {"celu": "CeLU"}),
    "HShrink": (nn.HShrink, {"hshrink": "HShrink"}),
    "SoftShrink": (nn.SoftShrink, {"softshrink": "SoftShrink"}),
}


@pytest.mark.parametrize(("make", "kinds"), KINDS.values(), ids=KINDS)
def test_a_layer_holds_its_primitives_under_mindspores_names(make, kinds):
    layer = make()
    assert {name: type(getattr(layer, name)).__name__ for name in kinds} == kinds


@pytest.mark.parametrize(
    ("reduction", "average", "reduce"), [("mean", True, True), ("sum", False, True), ("none", True, False)]
)
def test_a_loss_tells_its_reduction_in_three_ways(reduction, average, reduce):
    loss = nn.MSELoss(reduction)
    assert (loss.reduction, loss.average, loss.reduce) == (reduction, average, reduce)


def test_pools_and_gelu_tell_their_arguments():
    pool = nn.MaxPool2d(2, pad_mode="pad", padding=1)
    assert (pool.format, pool.use_pad, nn.MaxPool2d(2).use_pad) == ("NCHW", True, False)
    assert (nn.GELU().approximate, nn.GELU(approximate=False).approximate) == (True, False)


def test_the_axes_of_a_tensor_are_what_a_loss_reduces_over():
    assert nn.LossBase().get_axis(ops.ones((2, 3, 4))) == (0, 1, 2)
