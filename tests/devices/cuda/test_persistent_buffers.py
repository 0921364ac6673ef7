"""When a graph waits for those that hold the arrays of its persistent buffers, and when it takes others instead.

The graph is none: what is asked is whether it might be launched.
"""

import types
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore import Parameter
from minispore.devices.cuda import persistent_buffers
from minispore.devices.cuda.capture import _PATIENCE, CapturedReplay

pytestmark = pytest.mark.usefixtures("restored")
COUNT = 3
CALL = st.lists(st.sampled_from(["free", "held", "away", "away and held"]), min_size=COUNT, max_size=COUNT)


class Graph:
    """Tensors with persistent buffers, some of which a graph writes; ``call`` asks whether it may be launched."""

    def __init__(self, written):
        self.tensors = [Parameter(np.full(2, i, np.float32), name=f"p{i}") for i in range(COUNT)]
        self.buffers = [persistent_buffers.buffer_of(t) for t in self.tensors]
        self.written, self.replay = written, object.__new__(CapturedReplay)
        for t, buffer in zip(self.tensors, self.buffers, strict=True):
            t.array = buffer.array
        self.replay._graph = types.SimpleNamespace(buffers=[*zip(self.tensors, self.buffers, written, strict=True)])
        self.replay._held, self.replay._check_outside = 0, lambda: None

    def call(self, states):
        """Whether it waits, where the Tensors and others hold their buffers' arrays or not."""
        held = []
        for t, buffer, state in zip(self.tensors, self.buffers, states, strict=True):
            t.array = np.zeros(2, np.float32) if "away" in state else buffer.array
            held += [buffer.array] if "held" in state else []
        return self.replay._wait_for_holders()

    def must_wait(self, states):
        """Whether something holds an array that a launch, or filling its buffer, would write."""
        pairs = zip(states, self.written, strict=True)
        return any("held" in state and (written or "away" in state) for state, written in pairs)


@given(st.lists(st.booleans(), min_size=COUNT, max_size=COUNT), st.lists(CALL, min_size=1, max_size=8))
def test_a_graph_waits_for_holders_but_not_for_ever(monkeypatch, written, calls):
    filled = []
    monkeypatch.setattr(persistent_buffers, "fill", lambda xp, to_fill: filled.extend(t for t, _ in to_fill))
    graph, waited = Graph(written), 0
    for states in calls:
        arrays, moves = [weakref.ref(buffer.array) for buffer in graph.buffers], persistent_buffers.moves
        filled.clear()
        assert graph.call(states) == graph.must_wait(states)
        waited = waited + 1 if graph.must_wait(states) else 0
        moved = [buffer.array is not array() for buffer, array in zip(graph.buffers, arrays, strict=True)]
        shared = ["held" in state and (w or "away" in state) for state, w in zip(states, graph.written, strict=True)]
        assert moved == (shared if waited > _PATIENCE else [False] * COUNT)
        assert persistent_buffers.moves - moves == sum(moved)
        away = [t for t, state in zip(graph.tensors, states, strict=True) if "away" in state]
        assert [id(t) for t in filled] == ([] if waited else [id(t) for t in away])


def test_a_buffer_that_is_held_for_long_moves():
    graph = Graph([True] * COUNT)
    array = graph.buffers[0].array
    for _ in range(_PATIENCE):
        assert graph.call(["held", "free", "free"]) and graph.buffers[0].array is array
    assert graph.call(["held", "free", "free"]) and graph.buffers[0].array is not array
    assert not graph.call(["free"] * COUNT)
