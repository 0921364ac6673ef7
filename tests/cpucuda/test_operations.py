"""How many operations a training step at O2 asks of a device, with the driver counting."""

import importlib.util
from functools import partial
from pathlib import Path

import pytest

from cpucuda import device
from minispore import context
from minispore.cli import networks

pytestmark = pytest.mark.cpucuda
_FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "gpu_operations.py"
MOST = {"mlp": 25, "lenet5": 42, "encoder": 81, "lstm": 110, "resnet20": 219}
MOST |= {"lstm_layer": 30, "gru_layer": 29, "rnn_cell": 107}


@pytest.fixture
def step_of(cupy, restored):
    """The benchmark's steps, on the device."""
    spec = importlib.util.spec_from_file_location("gpu_operations", _FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
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
