"""Graph mode: what a Cell's call refuses and leaves out there."""

import sys

import pytest
from amp.loss_scale.test_skipped_steps import SCALE_STATE, batch, moved, spoiled, state_of, step_of
from core.test_layers import BLOCKS, block, fields
from core.test_layers import X as LAYERS_X
from nn.test_cell_hooks import Double, X, numbers, tensors
from nn.test_gradient_hooks import by_global_norm

import minispore as ms
from minispore import Tensor, amp, nn, ops
from minispore.core import layers
from minispore.core.layers import LOUD
from minispore.graph.mode import recordings_of
from minispore.tools.testing.strategies.networks import OPTIMIZERS


def test_in_graph_mode_two_parameters_of_one_name_are_refused(restored):
    class Two(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a, self.b = ms.Parameter([1.0], name="x"), ms.Parameter([2.0], name="x")

        def construct(self, x):
            return x * self.a + self.b

    assert Two()(ms.Tensor([1.0])).tolist() == [3]
    ms.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(ValueError, match="the name of 'b' must be unique, but got 'x' twice"):
        Two()(ms.Tensor([1.0]))


@pytest.mark.usefixtures("restored")
def test_two_parameters_of_one_name_are_a_value_error_in_graph_mode():
    class Twins(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Dense(1, 1), nn.Dense(1, 1)
            self.b.weight.name = "a.weight"

        def construct(self, x):
            return self.b(self.a(x))

    Twins()(ms.ops.ones((1, 1)))
    ms.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(ValueError, match=r"For 'Twins', the name of 'b.weight' must be unique, but got 'a.weight' tw"):
        Twins()(ms.ops.ones((1, 1)))
    shared = Twins()
    shared.b.weight = shared.a.weight
    shared(ms.ops.ones((1, 1)))


def test_in_graph_mode_forward_hooks_are_not_called(restored):
    cell = Double()
    cell.register_forward_pre_hook(lambda cell_id, inputs: inputs[0] + 1)
    cell.register_forward_hook(lambda cell_id, inputs, out: out * 10)
    x, plain = ms.Tensor([1.0, 2.0]), [2.0, 4.0]
    assert cell(x).tolist() == [40.0, 60.0]
    ms.set_context(mode=ms.GRAPH_MODE)
    assert [cell(x).tolist() for _ in range(4)] == [plain] * 4
    assert ms.grad(cell)(x).tolist() == [2.0, 2.0]


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("outer", [False, True], ids=["in graph mode", "under jit"])
def test_hooks_have_no_effect_where_mindspore_compiles(outer):
    cell, fail = Double(), lambda *_: pytest.fail("a hook was called")
    for kind in ("forward_pre_hook", "forward_hook", "backward_hook"):
        getattr(cell, f"register_{kind}")(fail)
    run = ms.jit(lambda x: cell(x)) if outer else cell
    gradient = ms.jit(ms.grad(cell)) if outer else ms.grad(cell)
    ms.set_context(mode=ms.PYNATIVE_MODE if outer else ms.GRAPH_MODE)
    for _ in range(4):
        assert numbers(run(*tensors(X))) == 6 and numbers(gradient(*tensors(X))) == 2
    assert outer is False or run.recorded.sources


@pytest.mark.usefixtures("restored")
def test_hooks_run_again_where_a_cell_runs_operation_by_operation():
    cell, seen = Double(), []
    cell.register_forward_hook(lambda *_: seen.append(1))
    ms.jit(lambda x: cell(x))(*tensors(X))
    ms.set_context(mode=ms.GRAPH_MODE)
    cell(*tensors(X))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    cell(*tensors(X))
    assert seen == [1]


@pytest.mark.parametrize("level", ["O0", "O2"])
def test_in_graph_mode_a_hook_without_side_effects_runs_in_each_step(level, restored):
    ms.set_context(mode=ms.GRAPH_MODE, cpu_loss_scale=True)
    net = nn.Dense(2, 1)
    step = amp.build_train_network(net, nn.SGD(net.trainable_params(), 0.01), nn.MSELoss(), level=level)
    step.register_gradient_hook(by_global_norm)
    calls = []
    sys.setprofile(lambda frame, event, _: calls.append(event == "call" and frame.f_code is by_global_norm.__code__))
    try:
        for _ in range(6):
            step(ms.ops.ones((4, 2)), ms.ops.zeros((4, 1)))
    finally:
        sys.setprofile(None)
    assert sum(calls) == 6
    assert any(recorded.sources for recorded in recordings_of(step).values()), "what is around it is replayed"


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_it_is_so_in_graph_mode(optimizer):
    """The good steps are recorded and replayed; the bad one is a replay too."""
    ms.set_context(mode=ms.GRAPH_MODE)
    step, network = step_of(optimizer)
    for number in range(4):
        step(*batch(number))
    assert {"unscaled_and_checked", "_update"} <= recordings_of(step).keys()
    before = state_of(step)
    assert bool(spoiled(step, network, "data", 4)[1])
    assert moved(before, state_of(step)) == SCALE_STATE
    step(*batch(5))
    found = state_of(step)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    alone, _ = step_of(optimizer)
    for number in (0, 1, 2, 3, 5):
        alone(*batch(number))
    assert moved(state_of(alone), found) <= SCALE_STATE


@pytest.mark.parametrize("outer", BLOCKS)
def test_set_context_inside_any_block_holds_from_the_next_call_on(outer):
    """The register of an Ascend, and graph mode, are layers of all threads."""

    class Net(nn.Cell):
        def construct(self, x):
            return ops.exp(x)

    net = Net()
    with block(outer):
        ms.set_context(device_target="Ascend")
        ms.set_context(mode=ms.GRAPH_MODE)
    net(Tensor([1e9]))
    assert ms.backend.register.raised
    with block(outer):
        ms.set_context(device_target="CPU")
    for _ in range(3):
        net(LAYERS_X)
    assert vars(net)["_recorded"]
    with block(outer):
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert layers.everywhere == () and fields() == LOUD
