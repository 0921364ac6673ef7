"""Layers: each sees what runs while it is on, in order, and nothing of it is left after, however its block ends."""

import gc
import itertools
import threading
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Parameter, Tensor, nn, ops
from minispore.core import context
from minispore.core.journal import Journal, noted
from minispore.core.layers import LOUD, SILENT, Layer, install, remove
from minispore.core.observation import alone, are_seen
from minispore.core.running import running
from minispore.core.seeds import rewind, seed, take_streams
from minispore.core.silence import silent
from minispore.core.writes import write

pytestmark = pytest.mark.usefixtures("restored")
X = Tensor([1.0, 2.0])


class Log(Layer):
    """Notes all that it sees, under a name."""

    def __init__(self, name, events):
        self.name, self.events = name, events

    def _around(self, kind, what, call, *rest):
        self.events.append(f"{self.name} {kind} {what}")
        out = call(*rest)
        self.events.append(f"{self.name} after {kind} {what}")
        return out

    def around_operation(self, call, primitive, args):
        return self._around("call", primitive.name, call, primitive, args)

    def around_compute(self, call, primitive, args, arrays):
        return self._around("compute", primitive.name, call, primitive, args, arrays)

    def around_cell(self, call, cell, args, kwargs):
        return self._around("cell", cell.cls_name, call, cell, args, kwargs)

    def writes(self, tensor, array):
        self.events.append(f"{self.name} write")

    def read(self, tensor):
        self.events.append(f"{self.name} read")

    def drew(self, before, count):
        self.events.append(f"{self.name} drew {count}")


def fields():
    return {name: running.__dict__[name] for name in LOUD}


def test_a_thread_begins_with_the_bottom_alone():
    found = []
    for target in (lambda: found.append(fields()),):
        thread = threading.Thread(target=target)
        thread.start()
        thread.join()
    assert found == [LOUD] and fields() == LOUD and not are_seen()


def test_the_layer_that_was_put_on_last_is_the_outermost():
    events = []
    with Log("a", events), Log("b", events):
        nn.ReLU()(X)
    kinds = ["cell ReLU", "call ReLU", "compute ReLU"]
    before = [f"{name} {kind}" for kind in kinds for name in "ba"]
    after = [f"{name} after {kind}" for kind in reversed(kinds) for name in "ab"]
    assert events == before + after
    assert fields() == LOUD


def test_what_is_told_reaches_every_layer():
    events, w = [], Parameter([1.0], name="w")
    with Log("a", events), Log("b", events):
        write(w, np.array([2.0], np.float32))
        w.asnumpy()
        take_streams(3)
        rewind(seed.draws - 1)
    assert events == [f"{name} {what}" for what in ("write", "read", "drew 3", "drew -1") for name in "ab"]


def test_inside_a_silent_block_without_layers_an_operation_asks_nothing():
    with silent():
        assert fields() == SILENT
        with silent():
            assert fields() == SILENT
        with np.testing.assert_no_warnings():
            assert np.isinf(ops.div(X, 0.0).asnumpy()).all()
    assert fields() == LOUD


def test_a_layer_that_computes_may_take_the_layers_off():
    events = []
    with Log("a", events):
        with alone():
            nn.ReLU()(X)
        assert events == []
        nn.ReLU()(X)
    assert len(events) == 6


# However blocks end

BLOCKS = ("layer", "journal", "silent", "alone")


def block(kind):
    return {"layer": lambda: Log("a", []), "journal": Journal, "silent": silent, "alone": alone}[kind]()


@given(kinds=st.lists(st.sampled_from(BLOCKS), max_size=6), raises=st.booleans())
def test_nested_blocks_leave_what_they_found(kinds, raises):
    def enter(rest):
        if not rest:
            ops.relu(X)
            if raises:
                raise KeyError
            return
        before = fields()
        try:
            with block(rest[0]):
                enter(rest[1:])
        finally:
            assert fields() == before

    try:
        enter(kinds)
    except KeyError:
        assert raises
    assert fields() == LOUD


@given(order=st.permutations(range(4)), quiet=st.booleans())
def test_layers_that_are_taken_off_in_another_order_leave_nothing(order, quiet):
    """As a profiler that starts in one call and stops in another."""
    on = [Log(str(i), []) for i in range(4)]
    inner = silent()
    for i, layer in enumerate(on):
        layer.__enter__()
        if i == 1 and quiet:
            inner.__enter__()
    for i in order:
        on[i].__exit__(None, None, None)
        assert not any(layer is on[i] for layer in running.layers)
    if quiet:
        inner.__exit__(None, None, None)
    assert fields() == LOUD


def test_layers_of_all_threads_hold_in_each_and_a_threads_own_in_it_alone():
    seen = {"everywhere": [], "own": []}
    everywhere = Log("everywhere", seen["everywhere"])
    install(everywhere)
    try:
        with Log("own", seen["own"]):
            thread = threading.Thread(target=lambda: nn.ReLU()(X))
            thread.start()
            thread.join()
            assert not seen["own"] and any("compute ReLU" in event for event in seen["everywhere"])
            nn.ReLU()(X)
            assert any("compute ReLU" in event for event in seen["own"])
    finally:
        remove(everywhere)


# Journals


def test_a_journal_is_dead_after_its_step_without_the_collector():
    """Prepared fields that held themselves would keep all arrays from before a step until the collector ran."""
    net, kept = nn.Dense(2, 1), []
    step = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9), Tensor(8.0)
    )
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            old = net.weight.array
            step(ops.ones((4, 2)), ops.ones((4, 1)))
            kept.append(weakref.ref(old))
            del old
        assert [reference() for reference in kept] == [None] * 3
    finally:
        gc.enable()


def test_an_interrupt_in_the_door_of_writes_loses_nothing():
    """A layer hears of a write before it happens: if it is interrupted, the Tensor is as it was, or undone."""

    class Interrupting(Layer):
        def writes(self, tensor, array):
            raise KeyboardInterrupt

    w = Parameter([1.0], name="w")
    with pytest.raises(KeyboardInterrupt), Journal(), Interrupting():
        write(w, np.array([2.0], np.float32))
    assert w.asnumpy() == [1.0] and fields() == LOUD


@given(inner=st.integers(1, 3), outer=st.integers(0, 3), later=st.integers(0, 2))
def test_draws_that_an_inner_journal_undoes_are_not_counted_by_the_outer_one(inner, outer, later):
    before = seed.draws
    with Journal() as whole:
        take_streams(outer)
        with Journal() as part:
            take_streams(inner)
        part.undo()
        assert seed.draws == before + outer
        take_streams(later)
    assert whole.drawn == outer + later
    whole.undo()
    assert seed.draws == before


def test_a_call_that_raises_after_an_undone_part_leaves_everything():
    w, before = Parameter([1.0], name="w"), seed.draws

    def function():
        ops.assign(w, Tensor([2.0]))
        _, part = noted(lambda: (ops.assign(w, Tensor([3.0])), take_streams(2)))
        part.undo()
        assert w.asnumpy() == [2.0]
        raise ValueError

    with pytest.raises(ValueError):
        noted(function)
    assert (w.asnumpy().tolist(), seed.draws) == ([1.0], before)


@pytest.mark.parametrize(("answers", "condition"), [*itertools.product([(), (True,), (False,), (False, True)], [0, 1])])
def test_a_journal_is_undone_where_a_condition_holds_unless_a_layer_does_it(answers, condition):
    class Answering(Layer):
        def __init__(self, answer):
            self.answer = answer

        def skips(self, condition, journal, but):
            return self.answer

    w, kept = (Parameter([1.0], name=name) for name in ("w", "kept"))
    on = [Answering(answer) for answer in answers]
    for layer in on:
        layer.__enter__()
    with Journal() as step:
        ops.assign(w, Tensor([2.0]))
        ops.assign(kept, Tensor([2.0]))
    undone = step.undone_if(Tensor(bool(condition)), but=(kept,))
    for layer in reversed(on):
        layer.__exit__(None, None, None)
    assert undone is (bool(condition) and not any(answers))
    assert (w.item(), kept.item()) == (1.0 if undone else 2.0, 2.0)


def test_settings_are_followed_by_several():
    heard = []
    context.settings.watch("check_bprop", lambda new: heard.append(("first", new["check_bprop"])))
    context.settings.watch("check_bprop", lambda new: heard.append(("second", new["check_bprop"])))
    try:
        ms.set_context(check_bprop=False)
    finally:
        del context.settings._watchers["check_bprop"]
    assert heard == [("first", False), ("second", False)]
