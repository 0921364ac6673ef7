"""The float64 reference: the network in float64, bit for bit, at every level; no number of the run changes."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.tools.insight.float64_reference import Float64Reference
from minispore.tools.insight.forms import Subject, run_of

X = np.linspace(-1, 1, 24).reshape(6, 4).astype(np.float32)
Y = np.linspace(0, 2, 6).reshape(6, 1).astype(np.float32)


class Mixed(nn.Cell):
    """A convolution, norms, dropout, attention, a recurrent cell and pooling."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.drop = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.Dropout(p=0.4)
        self.key, self.layer_norm, self.lstm = nn.Dense(4, 4), nn.LayerNorm((4,)), nn.LSTMCell(4, 4)
        self.head, self.pool = nn.Dense(4, 1), nn.MaxPool2d(2)

    def construct(self, x):
        image = ops.relu(self.norm(self.conv(x.reshape(6, 1, 2, 2))))
        x = self.drop(self.pool(image).reshape(6, 4))
        keys = self.key(x)
        x = ops.softmax(ops.matmul(keys, keys.T) * 0.5, -1) @ self.layer_norm(x)
        state = x * 0, ops.tanh(x)
        for _ in range(2):
            state = self.lstm(x, state)
        return self.head(state[0] + ops.gelu(state[1]) + ops.exp(x).sum(1, keepdims=True).log())


def subject_of(kind=np.float32):
    ms.set_seed(2)
    net = Mixed()
    if kind == np.float64:
        for p in net.get_parameters():
            p.array = p.array.astype(kind)
    return Subject(net, nn.MSELoss(), (ms.Tensor(X.astype(kind)), ms.Tensor(Y.astype(kind))))


@pytest.fixture(autouse=True)
def settings(restored):
    ms.set_seed(2)


def exact():
    subject = subject_of(np.float64)
    run = run_of(subject.at_level("O0"), subject)
    assert {g.dtype for g in run.gradients} == {ms.float64}
    return run.unscaled()


@pytest.mark.parametrize("scale", [1.0, 1024.0])
@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
def test_its_gradients_are_those_of_the_network_in_float64(device, level, scale):
    expected, subject = exact(), subject_of()
    reference, form = Float64Reference(), subject.at_level(level)
    run = run_of(form, subject, scale, reference)
    for found, expected_gradient in zip(run.unscaled(reference.of), expected, strict=True):
        np.testing.assert_allclose(found, expected_gradient, rtol=1e-11, atol=1e-13)


def test_a_run_gives_the_same_bits_beside_a_float64_reference():
    subject = subject_of()
    form = subject.at_level("O2")
    plain, observed = run_of(form, subject), run_of(form, subject, observer=Float64Reference())
    for a, b in zip((plain.loss, *plain.gradients), (observed.loss, *observed.gradients), strict=True):
        assert a.asnumpy().tobytes() == b.asnumpy().tobytes()


def test_an_operation_that_takes_no_float64_is_followed_in_float32():
    class Narrow(ops.Square):
        def infer(self, x):
            if x.dtype == np.float64:
                raise TypeError("no float64")
            return super().infer(x)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self.square = nn.Dense(4, 1), Narrow()

        def construct(self, x):
            return self.square(self.fc(x))

    subject = Subject(Net(), None, (ms.Tensor(X),))
    reference = Float64Reference()
    run = run_of(subject.at_level("O3"), subject, observer=reference)
    expected = run_of(subject.at_level("O0"), subject)
    np.testing.assert_allclose(reference.of(run.loss.array), expected.loss.asnumpy(), rtol=1e-6, atol=1e-8)


def test_every_device_has_the_same_float64_reference(device):
    x, y = ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.5]])
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    reference, subject = Float64Reference(), Subject(net, nn.MSELoss(), (x, y))
    run = run_of(subject.at_level("O3"), subject, 8.0, reference)
    assert [g.tolist() for g in run.unscaled(reference.of)] == [[[5.0, 10.0]], [5.0]]
