"""The emulated Ascend: a register that every kernel feeds, its protocol, and what follows for the levels."""

import numpy as np
import pytest
from amp.policy.test_autocasting import Net, X
from support.mixed_networks import ConvNet, images

import minispore as ms
from minispore import amp, nn, ops
from minispore.core import backend


@pytest.fixture(autouse=True)
def _ascend(restored):
    ms.set_context(device_target="Ascend")
    yield
    ms.set_context(device_target="CPU")


def status():
    """What the register says now."""
    return float(ops.NPUGetFloatStatus()(ops.NPUAllocFloatStatus()())[0])


def clear():
    return ops.NPUClearFloatStatus()(ops.NPUAllocFloatStatus()())


def half(*values):
    return ms.Tensor(np.array(values, np.float16))


def test_a_kernel_that_makes_an_inf_or_nan_from_finite_inputs_raises_the_register():
    clear()
    _ = half(60000.0) + half(0.0)
    assert status() == 0
    _ = half(60000.0) * half(2.0)
    assert status() == 1
    assert clear().asnumpy().tolist() == [0] * 8
    assert status() == 0
    _ = ms.Tensor([0.0]) / ms.Tensor([0.0])
    assert status() == 1


def test_an_inf_that_was_there_before_raises_nothing():
    clear()
    _ = half(np.inf) * half(2.0) + half(np.nan)
    assert status() == 0


def test_the_backward_pass_feeds_the_register_too():
    clear()
    ms.ops.GradOperation(sens_param=True)(lambda x: x * x)(half(300.0), half(60000.0))
    assert status() == 1


def test_the_check_starts_after_the_loss_and_sees_only_what_follows():
    weight = ms.Parameter([1.0], name="w")
    step = nn.TrainOneStepWithLossScaleCell(nn.Identity(), nn.Momentum([weight], 0.1, 0.9), ms.Tensor(2.0))
    loss = half(60000.0) * half(2.0)  # before the check: does not count
    begun, sens = step.start_overflow_check(loss, ms.Tensor([1.0]))
    assert not bool(step.get_overflow_status(begun, sens))
    begun, sens = step.start_overflow_check(loss, half(60000.0))
    assert bool(step.get_overflow_status(begun, sens * 2))


def test_a_whole_step_skips_on_overflow_and_trains_without():
    ms.set_seed(1)  # with other weights the first gradients may be finite
    network = nn.WithLossCell(ConvNet(), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    optimizer = nn.Momentum(network.trainable_params(), 0.01, 0.9)
    step = nn.TrainOneStepWithLossScaleCell(network, optimizer, nn.DynamicLossScaleUpdateCell(2.0**127, 2, 100))
    x, y = images()
    overflows = [bool(step(x * 1e4, y)[1]) for _ in range(3)]
    assert overflows[0]
    step.scale_sense.set_data(ms.Tensor(1024.0))
    assert not bool(step(x, y)[1])


def test_auto_is_o3_here(type_record):
    network = ConvNet()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = amp.build_train_network(network, nn.Momentum(network.trainable_params(), 0.01, 0.9), loss, level="auto")
    step(*images())
    assert type_record.seen_by("Conv2D") == {"float16"}
    assert not isinstance(step, nn.TrainOneStepWithLossScaleCell)


def test_elsewhere_there_is_no_register():
    ms.set_context(device_target="CPU")
    assert backend.register is None
    with pytest.raises(RuntimeError, match="'device_target' must be 'Ascend'"):
        ops.NPUAllocFloatStatus()()


def test_float_status_tells_of_one_tensor_on_any_device():
    ms.set_context(device_target="CPU")
    found = [ops.FloatStatus()(ms.Tensor([1.0, bad])).asnumpy().tolist() for bad in (2.0, np.inf, np.nan)]
    assert found == [[0.0], [1.0], [1.0]]


@pytest.mark.usefixtures("restored")
def test_on_the_emulated_ascend_it_computes_in_the_same_types():
    net = amp.auto_mixed_precision(Net(), "auto")
    net(ms.Tensor(X))
    expected = dict(net.seen)
    ms.set_context(device_target="Ascend")
    try:
        net(ms.Tensor(X))
    finally:
        ms.set_context(device_target="CPU")
    assert net.seen == expected
