"""build_train_network decides in four steps, each of which is a table to be read beside the seed's text.

The network depends on level, cast_model_type and keep_batchnorm_fp32; the loss on cast_model_type; whether the scale is
refused on manager and device; the step on manager and on accumulation. Every combination of all is built and looked at.
"""

import itertools

import numpy as np
import pytest

import minispore as ms
from minispore import amp, nn
from minispore.amp import build
from minispore.amp.policy import cast_cells, convert
from minispore.amp.policy.cast_cells import _OutputTo16
from minispore.core import context

pytestmark = pytest.mark.usefixtures("restored")

F16, F32, UNSET = ms.float16, ms.float32, "unset"
LEVELS = ("O0", "O1", "O2", "O3")

# The network, for each cast_model_type and keep_batchnorm_fp32 that is given:
#   same     left alone                       white    a new network after the white pass
#   float16  to_float(float16) as a whole     norms    to_float(float16), the black list kept in float32
# The seed: cast float16 -> to_float, and with keep the norms; else O2 without keep -> to_float; else O2 and O3 are left
# alone; else auto_mixed_precision. O2 means float16 and keep, O3 float16 without, O0 and O1 float32 without.
NETWORK = {
    # cast,  keep:      O0         O1         O2         O3
    (UNSET, UNSET): ("same", "white", "norms", "float16"),
    (UNSET, False): ("same", "white", "float16", "float16"),
    (UNSET, True): ("same", "white", "norms", "norms"),
    (F16, UNSET): ("float16", "float16", "norms", "float16"),
    (F16, False): ("float16", "float16", "float16", "float16"),
    (F16, True): ("norms", "norms", "norms", "norms"),
    (F32, UNSET): ("same", "white", "same", "same"),
    (F32, False): ("same", "white", "float16", "same"),
    (F32, True): ("same", "white", "same", "same"),
}

# The loss: cast to float32 where cast_model_type, given or the level's, is float16.
CASTING = {UNSET: ("O2", "O3"), F16: LEVELS, F32: ()}

# The manager: what makes it, its update cell, and the optimizer's loss_scale beside it. Unset, O2 makes a dynamic one.
MANAGERS = {
    UNSET: (None, None, 1.0),
    "none": (lambda: None, None, 1.0),
    "fixed": (lambda: amp.FixedLossScaleManager(128.0, False), None, 128.0),
    "fixed that drops": (lambda: amp.FixedLossScaleManager(128.0, True), nn.FixedLossScaleUpdateCell, 1.0),
    "dynamic": (lambda: amp.DynamicLossScaleManager(), nn.DynamicLossScaleUpdateCell, 1.0),
}

# Where an update cell is refused: on the CPU, unless a switch is set.
DEVICES = {
    "CPU": ({}, True),
    "CPU, enable_ge": ({"enable_ge": True}, False),
    "CPU, cpu_loss_scale": ({"cpu_loss_scale": True}, False),
    "GPU": ({"device_target": "GPU"}, False),
    "Ascend": ({"device_target": "Ascend"}, False),
}

# The step: by what accumulates, without and with an update cell.
STEPS = {
    "nothing": (nn.TrainOneStepCell, nn.TrainOneStepWithLossScaleCell),
    "a cell": (build._TrainGradAccuStepCell, build._TrainGradAccuWithLossScaleCell),
    "pipeline stages": (build._TrainGradAccuStepCell, build._TrainGradAccuWithLossScaleCell),
}


class Network(nn.Cell):
    """One cell of each list."""

    def __init__(self):
        super().__init__()
        self.dense, self.norm = nn.Dense(2, 2), nn.BatchNorm1d(2)

    def construct(self, x):
        return self.norm(self.dense(x))


def keywords(**given):
    return {name: value for name, value in given.items() if value is not UNSET}


def body_of(network, loss, accumulation):
    """The network that is handed over: what accumulates has its loss inside."""
    if accumulation != "a cell":
        return network
    return nn.GradAccumulationCell(network if loss else nn.WithLossCell(network, nn.MSELoss()), 1)


def kind_of(network, before):
    """Which of the four a network became; ``before`` is the one that was handed over."""
    original = next(cell for _, cell in before.cells_and_names() if isinstance(cell, Network))
    found = next(cell for _, cell in network.cells_and_names() if isinstance(cell, Network))
    if found is not original:
        assert found.dense.to_float_fp16 and original.dense._compute_dtype is None
        return "white"
    if found.dense._compute_dtype is None:
        return "same"
    assert found.dense._compute_dtype == np.float16
    return "norms" if isinstance(found.norm, _OutputTo16) else "float16"


def parts_of(step, loss):
    """The network and the cell with the loss that a step runs."""
    return (step.network._backbone, step.network) if loss else (step.network, None)


@pytest.fixture
def cheap(monkeypatch):
    """Receipts, which other tests look at, take most of the time that a conversion takes."""
    monkeypatch.setattr(convert, "marks_receipt", lambda *arguments: None)
    monkeypatch.setattr(convert, "call_sites", lambda network: [])


@pytest.mark.parametrize(
    "accumulation",
    [pytest.param(name, marks=[pytest.mark.needs("parallel")] * (name == "pipeline stages")) for name in STEPS],
)
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("manager", MANAGERS)
@pytest.mark.parametrize("level", LEVELS)
def test_each_cell_of_the_table(monkeypatch, cheap, level, manager, device, accumulation):
    settings, refuses = DEVICES[device]
    context.settings.update(settings)  # what set_context does, but for the look whether there is such a device
    if accumulation == "pipeline stages":
        ms.set_auto_parallel_context(pipeline_stages=2)
    make, update_cell, optimizer_scale = MANAGERS[manager]
    update_cell = nn.DynamicLossScaleUpdateCell if manager is UNSET and level == "O2" else update_cell
    for (cast, keep), loss in itertools.product(NETWORK, (None, nn.MSELoss())):
        body = body_of(Network(), loss, accumulation)
        optimizer = nn.Momentum(body.trainable_params(), 0.1, 0.9, loss_scale=optimizer_scale)
        made = UNSET if make is None else make()
        given = keywords(cast_model_type=cast, keep_batchnorm_fp32=keep, loss_scale_manager=made)
        if refuses and update_cell is not None:
            with pytest.raises(ValueError, match="on the CPU the 'loss_scale_manager' must be None or Fixed"):
                amp.build_train_network(body, optimizer, loss, level, **given)
            assert kind_of(body, body) == "same"
            continue
        step = amp.build_train_network(body, optimizer, loss, level, **given)
        network, with_loss = parts_of(step, loss)
        assert kind_of(network, body) == NETWORK[cast, keep][LEVELS.index(level)]
        if loss is not None:
            assert type(with_loss) is (cast_cells.WithLossCell if level in CASTING[cast] else nn.WithLossCell)
            assert type(with_loss).__name__ == "WithLossCell"
        assert type(step) is STEPS[accumulation][update_cell is not None]
        assert step.training
        if update_cell is not None:
            assert type(step.loss_scaling_manager) is update_cell
            assert float(step.scale_sense) == (2.0**24 if update_cell is nn.DynamicLossScaleUpdateCell else 128.0)
        else:
            assert step.sens == (128.0 if manager == "fixed" else None)


AUTO = {"GPU": "O2", "Ascend": "O3"}


@pytest.mark.parametrize("device", AUTO)
def test_auto_is_the_level_recommended_for_the_device(cheap, device):
    context.settings["device_target"] = device
    network = Network()
    step = amp.build_train_network(network, nn.Momentum(network.trainable_params(), 0.1, 0.9), level="auto")
    assert kind_of(step.network, network) == NETWORK[UNSET, UNSET][LEVELS.index(AUTO[device])]
    assert isinstance(step, nn.TrainOneStepWithLossScaleCell) is (device == "GPU")


def test_on_the_cpu_no_level_is_recommended():
    network = Network()
    with pytest.raises(ValueError, match=r"'auto' only where the 'device_target' is one of \['GPU', 'Ascend'\]"):
        amp.build_train_network(network, nn.Momentum(network.trainable_params(), 0.1, 0.9), level="auto")


def test_what_the_levels_say_by_themselves_is_the_seeds_table():
    found = {
        name: (r.cast_model_type, r.keep_batchnorm_fp32, type(build._new_manager(r)))
        for name, r in amp.policy.levels.LEVELS.items()
    }
    nothing = type(None)
    assert found == {
        "O0": (F32, False, nothing),
        "O1": (F32, False, nothing),
        "O2": (F16, True, amp.DynamicLossScaleManager),
        "O3": (F16, False, nothing),
    }


def test_a_further_level_is_a_further_record(monkeypatch):
    """Conversion, receipt and training step follow from it alone."""
    record = amp.policy.levels.Level(
        "O9", "the Dense cells", amp.policy.levels.WHITE, (nn.Dense,), dynamic_loss_scale=True
    )
    monkeypatch.setitem(amp.policy.levels.LEVELS, "O9", record)
    ms.set_context(cpu_loss_scale=True)
    assert amp.explain(Network(), "O9").counts == {"float16": 1, "float32": 1}
    network = Network()
    assert kind_of(amp.auto_mixed_precision(network, "O9"), network) == "white"
    step = amp.build_train_network(network, nn.SGD(network.trainable_params()), nn.MSELoss(), "O9")
    assert kind_of(step.network, network) == "white"
    assert float(step.scale_sense) == 2.0**24


def test_the_documentation_says_of_each_level_what_its_record_says():
    for level in amp.policy.levels.LEVELS.values():
        assert f"{level.name}    {level.says}" in amp.auto_mixed_precision.__doc__
