"""What a training step at O2 asks of a device, with the driver counting: operations, and bytes."""

import importlib.util
from functools import partial
from pathlib import Path

import pytest

import minispore as ms
from cpucuda import device
from minispore import nn
from minispore.core import context
from minispore.tools.cli import networks

pytestmark = pytest.mark.cpucuda
_BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
# One more than was reached: unscaling and the rule of the loss scale are two launches in an eager step
MOST = {"mlp": 26, "lenet5": 43, "encoder": 82, "lstm": 111, "resnet20": 220}
MOST |= {"lstm_layer": 29, "gru_layer": 27, "rnn_cell": 107}


def _benchmark(name):
    spec = importlib.util.spec_from_file_location(name, _BENCHMARKS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def step_of(cupy, restored):
    """The benchmark's steps, on the device."""
    module = _benchmark("gpu_operations")
    module.NETS["resnet20"], module.SHAPES["resnet20"] = (
        partial(networks.ResNet20, width=4),
        (1, 8, 8),
    )  # as many operations
    before = context.settings["device_target"]
    context.set_context(device_target="GPU")
    yield module.step_of
    context.set_context(device_target=before)


@pytest.mark.parametrize("net", MOST)
def test_a_step_asks_no_more_of_the_device_than_was_reached(step_of, net):
    step = step_of(net, "O2", 2)
    for _ in range(2):
        step()
    with device.counted() as did:
        step()
    assert did["operations"] <= MOST[net]
    assert did["sync"] <= 1


@pytest.mark.parametrize("net", ["mlp", "lenet5", "lstm_layer", "gru_layer"])
def test_a_step_moves_few_bytes_above_its_floor(cupy, restored, monkeypatch, net):
    monkeypatch.syspath_prepend(_BENCHMARKS)
    counts = _benchmark("gpu_counts").counts(net, "O2")
    ms.set_context(device_target="CPU")
    assert counts.bytes <= 1.3 * counts.floor


class _Narrow(nn.Cell):
    """A network whose output is a loss in float16."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 3).to_float(ms.float16)

    def construct(self, x):
        return self.dense(x).sum()


def test_a_step_with_a_float16_loss_waits_once(cupy, restored):
    ms.set_context(device_target="GPU")
    net = _Narrow()
    scale = nn.DynamicLossScaleUpdateCell(1024, 2, 3)
    step = nn.TrainOneStepWithLossScaleCell(net, nn.Momentum(net.trainable_params(), 1e-3, 0.9), scale).set_train()
    scales = []
    for _ in range(6):
        with device.counted() as did:
            loss, _, scale = step(ms.ops.ones((2, 4)))
        scales.append(scale)
    assert (loss.dtype, did["sync"]) == (ms.float16, 1)
    assert [float(scale) for scale in scales] == [1024, 1024, 1024, 2048, 2048, 2048]
    ms.set_context(device_target="CPU")
