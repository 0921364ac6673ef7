"""build_train_network: the decision table of the seed, row by row."""

import numpy as np
import pytest
from support.mixed_networks import ConvNet, images

import minispore as ms
from minispore import amp, nn

pytestmark = pytest.mark.usefixtures("restored")


@pytest.fixture(autouse=True)
def _scaling_on_the_cpu():
    ms.set_context(cpu_loss_scale=True)
    yield
    ms.set_context(cpu_loss_scale=False)


def built(level="O0", loss=True, optimizer_scale=1.0, **keywords):
    """A step over ConvNet."""
    network = ConvNet()
    optimizer = nn.Momentum(network.trainable_params(), 0.01, 0.9, loss_scale=optimizer_scale)
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean") if loss else None
    return amp.build_train_network(network, optimizer, loss_fn, level=level, **keywords)


F16, F32 = {"float16"}, {"float32"}
ROWS = [
    # level, keywords,                                                   Conv2D, BatchNorm, has a scale
    ("O0", {}, F32, F32, False),
    ("O1", {}, F16, F32, False),
    ("O2", {}, F16, F32, True),
    ("O3", {}, F16, F16, False),
    ("O0", {"cast_model_type": ms.float16}, F16, F16, False),
    ("O0", {"cast_model_type": ms.float16, "keep_batchnorm_fp32": True}, F16, F32, False),
    ("O1", {"cast_model_type": ms.float16}, F16, F16, False),  # whole-network to_float, no white pass
    ("O2", {"cast_model_type": ms.float32}, F32, F32, True),  # the network is left alone
    ("O2", {"cast_model_type": ms.float32, "keep_batchnorm_fp32": False}, F16, F16, True),
    ("O2", {"keep_batchnorm_fp32": False}, F16, F16, True),
    ("O2", {"loss_scale_manager": None}, F16, F32, False),
    ("O3", {"cast_model_type": ms.float32}, F32, F32, False),
    ("O3", {"keep_batchnorm_fp32": True}, F16, F32, False),
    ("O0", {"keep_batchnorm_fp32": True}, F32, F32, False),  # no effect
    ("O1", {"keep_batchnorm_fp32": True}, F16, F32, False),  # no effect
    ("O3", {"loss_scale_manager": amp.FixedLossScaleManager(8.0)}, F16, F16, True),
]


@pytest.mark.parametrize(("level", "keywords", "convolution", "norm", "scaled"), ROWS)
def test_each_row_of_the_table(type_record, level, keywords, convolution, norm, scaled):
    step = built(level, **keywords)
    assert isinstance(step, nn.TrainOneStepWithLossScaleCell) is scaled
    assert step.training
    step(*images())
    names = [call.primitive.name for call in type_record.calls]
    del type_record.calls[names.index("MatMul") :]  # the forward pass is left
    assert type_record.seen_by("Conv2D") == convolution
    assert type_record.seen_by("BatchNorm") == norm


def test_the_loss_is_float32_but_in_the_row_that_does_not_cast():
    assert built("O3")(*images()).dtype == ms.float32
    step = built("O2", cast_model_type=ms.float32, keep_batchnorm_fp32=False)
    assert step(*images())[0].dtype == ms.float16


def test_without_a_loss_function_the_network_is_the_loss():
    class Loss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, 1)

        def construct(self, x):
            return self.dense(x).sum()

    network = Loss()
    step = amp.build_train_network(network, nn.Momentum(network.trainable_params(), 0.1, 0.9), level="O3")
    assert step(ms.ops.ones((1, 2))).dtype == ms.float16


def test_each_network_has_a_loss_scale_of_its_own():
    first, second = built("O2"), built("O2")
    first(*images())
    assert first.loss_scaling_manager is not second.loss_scaling_manager
    assert float(second.scale_sense) == 2.0**24
    assert int(second.loss_scaling_manager.cur_iter) == 0


def test_a_fixed_manager_without_dropping_scales_the_gradient_and_the_optimizer_divides_it():
    manager = amp.FixedLossScaleManager(128.0, drop_overflow_update=False)
    ms.set_seed(1)
    scaled = built("O0", loss_scale_manager=manager, optimizer_scale=128.0)
    ms.set_seed(1)
    plain = built("O0")
    scaled(*images())
    plain(*images())
    for p, q in zip(scaled.network.get_parameters(), plain.network.get_parameters(), strict=True):
        np.testing.assert_allclose(p.asnumpy(), q.asnumpy(), rtol=1e-5, atol=1e-7)


def test_on_the_cpu_an_update_cell_needs_the_switch_or_enable_ge():
    ms.set_context(cpu_loss_scale=False)
    with pytest.raises(ValueError, match="on the CPU the 'loss_scale_manager' must be None or FixedLossScaleManager"):
        built("O2")
    with pytest.raises(ValueError, match="cpu_loss_scale=True"):
        built("O0", loss_scale_manager=amp.FixedLossScaleManager(8.0))
    ms.set_context(enable_ge=True)
    try:
        assert built("O2").training
    finally:
        ms.set_context(enable_ge=False)


def test_a_refused_call_leaves_the_network_unconverted():
    network = ConvNet()
    optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9, loss_scale=2.0)
    with pytest.raises(ValueError, match="loss_scale"):
        amp.build_train_network(network, optimizer, level="O2")
    assert all(cell._compute_dtype is None for _, cell in network.cells_and_names())


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_a_step_over_a_converted_network_is_built_at_o0(level):
    network = ConvNet()
    converted = amp.auto_mixed_precision(network, level)
    optimizer = nn.Momentum(converted.trainable_params(), 0.01, 0.9)
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = amp.build_train_network(converted, optimizer, loss_fn, level="O0")
    assert np.isfinite(float(step(*images())))


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
def test_a_step_with_a_loss_names_its_parameters_as_the_network_does(level):
    step = built(level)
    names = [p.name for p in ConvNet().get_parameters()]
    assert [p.name for p in step.network.get_parameters()] == names
    assert set(names) <= set(step.parameters_dict())


def built_at_once(network, level):
    ms.set_context(cpu_loss_scale=True)
    return amp.build_train_network(network, nn.SGD(network.trainable_params(), 0.1), nn.MSELoss(), level=level)


def test_building_counts_as_converting():
    network = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2))
    built_at_once(network, "O2")
    assert built_at_once(network, "O2").training
    for again in (lambda: built_at_once(network, "O3"), lambda: amp.auto_mixed_precision(network, "O3")):
        with pytest.raises(ValueError, match="must not have been converted before"):
            again()
    other = nn.SequentialCell(nn.Dense(2, 2))
    amp.auto_mixed_precision(other, "O2")
    with pytest.raises(ValueError, match="must not have been converted before"):
        built_at_once(other, "O3")


def test_building_protects_a_black_listed_root():
    network = nn.LayerNorm((2,))
    built_at_once(network, "O2")
    assert network._compute_dtype == np.float32
