"""Drawn networks: they have a verdict where a step overflows and nowhere else, and the same bits with a watch."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minispore as ms
from minispore import nn
from minispore.core import seeds
from minispore.tools.insight import explain_overflow, watch
from minispore.tools.testing.strategies.networks import planned, plans, rows

COUNT = 100 if settings.default.max_examples > 500 else 4


@pytest.fixture(autouse=True)
def in_force(restored):
    ms.set_context(cpu_loss_scale=True)


def step_of(plan, level):
    ms.set_seed(4)
    net = planned(plan)
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    manager = ms.amp.DynamicLossScaleManager(256.0, 2, 3)
    return ms.build_train_network(net, optimizer, nn.MSELoss(), level=level, loss_scale_manager=manager)


def run(step, number):
    """What steps give, and the state after them, bit for bit."""
    ms.set_seed(5)
    given = [[y.asnumpy().tobytes() for y in step(*rows(number + n))] for n in range(3)]
    return given, [p.asnumpy().tobytes() for p in step.get_parameters()]


@settings(max_examples=COUNT)
@given(plan=plans(), level=st.sampled_from(["O0", "O1", "O2", "O3"]), number=st.integers(0, 99), graph=st.booleans())
def test_a_drawn_network_has_the_same_bits_with_a_watch_and_no_verdict_without_an_overflow(plan, level, number, graph):
    ms.set_context(mode=ms.GRAPH_MODE if graph else ms.PYNATIVE_MODE)
    plain, watched = step_of(plan, level), step_of(plan, level)
    with watch(watched) as seen:
        given = run(watched, number)
        assert given == run(plain, number)
    overflows = [number for number, (_, overflow, _) in enumerate(given[0], 1) if overflow == b"\x01"]
    assert [skipped.number for skipped in seen.skipped if skipped.verdict] == overflows
    state, draws = [p.asnumpy().tobytes() for p in watched.get_parameters()], seeds.seed.draws
    verdict = explain_overflow(watched, *rows(number))
    assert ([p.asnumpy().tobytes() for p in watched.get_parameters()], seeds.seed.draws) == (state, draws)
    assert (verdict is not None) == bool(watched(*rows(number))[1])
