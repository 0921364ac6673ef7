"""Recordings of training steps: what they ask for, and what a device skips by itself."""

import numpy as np
import pytest
from amp.loss_scale.test_train_step import PoisonedDense, train_step

import minispore as ms
from minispore import Tensor, nn, ops
from minispore.core import seeds
from minispore.graph import recorder as recorder_module
from minispore.graph.mode import recordings_of
from minispore.graph.recorder import Recorder

pytestmark = pytest.mark.usefixtures("restored")


def test_a_step_with_a_bfloat16_loss_does_not_ask_for_the_scale_while_it_is_recorded(monkeypatch):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(1.0, name="w")

        def construct(self):
            return self.w.astype(ms.bfloat16)

    asked, read = [], Recorder.read
    monkeypatch.setattr(Recorder, "read", lambda self, x: asked.append(x is step.scale_sense) or read(self, x))
    ms.set_context(mode=ms.GRAPH_MODE)
    step = train_step(Net(), nn.SGD, nn.DynamicLossScaleUpdateCell(1001.0, 2, 1))
    for _ in range(4):
        step()
    assert not any(asked)


SCALES = {
    "dynamic": lambda: nn.DynamicLossScaleUpdateCell(2.0**10, 2, 2),
    "fixed": lambda: nn.FixedLossScaleUpdateCell(8.0),
    "a Tensor": lambda: Tensor(8.0),
}


@pytest.fixture
def device_skips(monkeypatch, restored):
    """Graph mode, in which recordings take NumPy for a device that skips steps by itself."""
    ms.set_context(mode=ms.GRAPH_MODE)
    monkeypatch.setattr(recorder_module, "device_skips", lambda: True)


def is_left_to_the_device(step):
    """Whether a replay of a step leaves out what a skipped one does not write."""
    return any(replay._skip for found in recordings_of(step).values() for replay in found._replays.values())


def course_of(scale):
    """What steps give, some of which overflow, and what they leave."""
    ms.set_seed(3)
    step, outs = train_step(PoisonedDense(), scale=SCALES[scale]()), []
    for number, bad in enumerate((0, 0, 0, 0, 1, 0, 1, 1, 0, 0)):
        x = np.random.default_rng(number).standard_normal((5, 3), np.float32)
        x[1, 2] = np.inf if bad else x[1, 2]
        outs.append([out.asnumpy().tolist() for out in step(Tensor(x))])
    state = {path: p.asnumpy().tolist() for path, p in step.parameters_and_names()}
    return repr(outs), state, seeds.seed.draws


@pytest.mark.parametrize("scale", SCALES)
def test_a_step_whose_skip_the_device_decides_is_the_step_of_the_host(request, scale):
    expected = course_of(scale)
    request.getfixturevalue("device_skips")
    assert course_of(scale) == expected


@pytest.mark.usefixtures("device_skips")
def test_a_construct_that_is_called_by_itself_is_a_step():
    outs = []
    for call in (lambda step, x: step(x), lambda step, x: step.construct(x)):
        ms.set_seed(3)
        step = train_step(PoisonedDense())
        outs.append([float(out) for out in call(step, Tensor(np.eye(3, dtype=np.float32)))])
    assert outs[0] == outs[1]


class OwnRule(nn.TrainOneStepWithLossScaleCell):
    """A step that applies its gradients in its own way."""

    def _apply(self, loss, gradients, inputs):
        super()._apply(loss, gradients, inputs)


class OwnScale(nn.DynamicLossScaleUpdateCell):
    """A scale of the user's."""


def steps_of(kind=nn.TrainOneStepWithLossScaleCell, scale=None, hook=None, mode=ms.GRAPH_MODE):
    """Run some steps of a kind; gives the cell."""
    ms.set_context(mode=mode)
    network = PoisonedDense()
    step = kind(network, nn.SGD(network.trainable_params(), 0.1), SCALES["dynamic"]() if scale is None else scale)
    if hook is not None:
        step.register_gradient_hook(hook)
    for _ in range(5):
        step.set_train()(ops.ones((5, 3)))
    return step


@pytest.mark.parametrize(
    ("given", "is_left"),
    [
        ({}, True),
        ({"mode": ms.PYNATIVE_MODE}, False),
        ({"kind": OwnRule}, True),
        ({"scale": OwnScale(8, 2, 2)}, True),
        ({"hook": lambda gradients: gradients}, False),
    ],
    ids=["its own rule", "pynative mode", "a subclass's rule", "a user's scale", "a hook"],
)
@pytest.mark.usefixtures("device_skips")
def test_the_skip_is_left_to_the_device_where_operations_alone_decide_it(given, is_left):
    assert is_left_to_the_device(steps_of(**given)) is is_left


class RuleOnTheHost(nn.TrainOneStepWithLossScaleCell):
    """A step whose rule reads the overflow, and never skips."""

    def process_loss_scale(self, overflow):
        self.seen = [*getattr(self, "seen", []), bool(overflow)]
        super().process_loss_scale(overflow)
        return False


@pytest.mark.usefixtures("device_skips")
def test_a_rule_that_reads_the_overflow_is_obeyed():
    step = steps_of(RuleOnTheHost)
    assert not is_left_to_the_device(step) and len(step.seen) == 5


def test_without_such_a_device_the_host_decides():
    assert not is_left_to_the_device(steps_of())


@pytest.mark.usefixtures("device_skips")
def test_a_recorded_step_says_what_stays_where_it_is_skipped():
    (found,) = [
        [parameter.name for parameter in replay._skip.but]
        for found in recordings_of(steps_of()).values()
        for replay in found._replays.values()
        if replay._skip
    ]
    assert sorted(found) == ["current_iterator_step", "last_overflow_iterator_step", "scale_sense"]
