"""The examples of MindSpore's pages on mixed precision, as they stand there, and a step of one's own as its page tells.

The code runs with ``mindspore`` resolved to minispore.
"""

import sys
from unittest import mock

import numpy as np
import pytest

import minispore
import minispore as ms
from minispore import amp, nn, ops
from minispore.ops import composite as C  # noqa: N812 - as users write it
from minispore.ops import functional as F  # noqa: N812 - as users write it

pytestmark = pytest.mark.usefixtures("restored")


class LeNet5(nn.Cell):
    """The network that the pages refer to."""

    def __init__(self, num_class=10, num_channel=1):
        super().__init__()
        self.conv1 = nn.Conv2d(num_channel, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.fc1 = nn.Dense(16 * 5 * 5, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, num_class)
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.max_pool2d(self.relu(self.conv2(x)))
        x = self.flatten(x)
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


AUTO = """
from mindspore import amp
network = LeNet5()
amp_level = "O1"
net = amp.auto_mixed_precision(network, amp_level)
"""

CUSTOM = """
from mindspore import amp, nn
net = LeNet5()
custom_white_list = amp.get_white_list()
custom_white_list.append(nn.Flatten)
net = amp.custom_mixed_precision(net, white_list=custom_white_list)
"""

BUILD = """
from mindspore import amp, nn
network = LeNet5()
net_loss = nn.SoftmaxCrossEntropyWithLogits(reduction="mean")
net_opt = nn.Momentum(network.trainable_params(), learning_rate=0.01, momentum=0.9)
amp_level="O3"
net = amp.build_train_network(network, net_opt, net_loss, amp_level)
"""


def ran(code):
    """The names that an example defines."""
    package = minispore.__name__
    inside = [name for name in sys.modules if name.partition(".")[0] == package]
    names = {"LeNet5": LeNet5}
    with mock.patch.dict(sys.modules, {name.replace(package, "mindspore", 1): sys.modules[name] for name in inside}):
        exec(code, names)  # the examples are code, and are to be run as they stand
    return names


def images():
    rng = np.random.default_rng(0)
    labels = np.eye(10, dtype=np.float32)[rng.integers(0, 10, 4)]
    return ms.Tensor(rng.standard_normal((4, 1, 32, 32), np.float32)), ms.Tensor(labels)


def test_the_example_of_auto_mixed_precision():
    names = ran(AUTO)
    out = names["net"](images()[0])
    assert (out.shape, out.dtype) == ((4, 10), ms.float32)
    assert names["net"].amp_report.counts == {"float16": 5, "float32": 7}
    np.testing.assert_allclose(out.asnumpy(), names["network"](images()[0]).asnumpy(), atol=2e-3)


def test_the_example_of_custom_mixed_precision():
    found = {entry.path: entry.dtype for entry in ran(CUSTOM)["net"].amp_report.entries}
    assert (found["flatten"], found["conv1"], found["relu"]) == ("float16", "float16", "float32")


def test_the_example_of_build_train_network():
    step = ran(BUILD)["net"]
    losses = [float(step(*images())) for _ in range(10)]
    assert losses[-1] < losses[0]


grad_scale = C.MultitypeFuncGraph("grad_scale")


@grad_scale.register("Tensor", "Tensor")
def _divided(scale, gradient):
    return F.cast(gradient, ms.float32) / F.cast(scale, ms.float32)


class OwnStep(nn.TrainOneStepWithLossScaleCell):
    """A step of a user's own, of the parts that the page says a subclass may reuse."""

    def construct(self, *inputs):
        loss = self.network(*inputs)
        scaling_sens = self.scale_sense
        status, scaling_sens = self.start_overflow_check(loss, scaling_sens)
        scaling_sens_filled = C.ones_like(loss) * F.cast(scaling_sens, F.dtype(loss))
        grads = self.grad(self.network, self.weights)(*inputs, scaling_sens_filled)
        grads = self.hyper_map(C.partial(grad_scale, scaling_sens), grads)
        if self.reducer_flag:
            grads = self.grad_reducer(grads)
        cond = self.get_overflow_status(status, grads)
        overflow = self.process_loss_scale(cond)
        if not overflow:
            loss = F.depend(loss, self.optimizer(grads))
        return loss, cond, scaling_sens


class Line(nn.Cell):
    """A loss without BatchNorm and Dropout, so that a step of one's own has nothing to put back."""

    def __init__(self):
        super().__init__()
        self.dense, self.loss = nn.Dense(2, 1, weight_init="ones"), nn.MSELoss()

    def construct(self, x, y):
        return self.loss(self.dense(x), y)


def a_step(kind, scale):
    ms.set_seed(0)
    network = Line()
    return kind(network, nn.Momentum(network.trainable_params(), 0.1, 0.9), scale).set_train()


@pytest.mark.parametrize("device", ["CPU", "Ascend"])
def test_a_step_of_ones_own_does_what_the_packages_does(device):
    ms.set_context(device_target=device)
    own, ours = (
        a_step(kind, nn.DynamicLossScaleUpdateCell(8, 2, 2)) for kind in (OwnStep, nn.TrainOneStepWithLossScaleCell)
    )
    x, y = ms.Tensor(np.ones((3, 2), np.float32)), ms.Tensor(np.zeros((3, 1), np.float32))
    for factor in (1.0, 1e38, 0.5, 1.0):  # the gradient by the second overflows
        seen = [step(x * factor, y) for step in (own, ours)]
        assert bool(seen[0][1]) == bool(seen[1][1]) == (factor > 1)
        assert float(own.scale_sense) == float(ours.scale_sense)
        for a, b in zip(own.trainable_params(), ours.trainable_params(), strict=True):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize("shape", [(), (1,)])
def test_a_scale_that_is_a_tensor_is_moved_on_the_host(shape):
    step = a_step(OwnStep, ms.Tensor(np.full(shape, 8.0, np.float32)))
    x, y = ops.ones((3, 2)), ops.zeros((3, 1))
    manager = amp.DynamicLossScaleManager(8.0, 2, 1)
    _, overflow, _ = step(x, y)
    manager.update_loss_scale(bool(overflow))
    step.set_sense_scale(ms.Tensor(np.full(shape, manager.get_loss_scale(), np.float32)))
    assert step.scale_sense.shape == shape
    assert step.scale_sense.asnumpy() == 16.0
    assert not bool(step(x, y)[1])
    assert bool(step.process_loss_scale(True)) is True
    assert step.scale_sense.asnumpy() == 16.0  # only an update cell moves it


def test_the_overflow_check_is_an_order_that_hands_its_inputs_on():
    for device in ("CPU", "Ascend"):
        ms.set_context(device_target=device)
        step = a_step(OwnStep, ms.Tensor(8.0))
        sens = ms.Tensor([1.0, 2.0])
        status, handed_on = step.start_overflow_check(ms.Tensor(1.0), sens)
        np.testing.assert_array_equal(handed_on.asnumpy(), sens.asnumpy())
        overflowed = ms.Tensor([3e38]) * 10.0
        assert bool(step.get_overflow_status(status, (overflowed,)))
        status, _ = step.start_overflow_check(ms.Tensor(1.0), sens)
        assert not bool(step.get_overflow_status(status, (sens,)))
