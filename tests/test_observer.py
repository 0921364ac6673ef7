"""Observer: it sees cells and operations while it is in force, and nothing is left of it after."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn
from minispore.context import running
from minispore.observer import Observer, observing
from minispore.ops.primitive import Primitive

X = ms.Tensor(np.ones((2, 3), np.float32))
CALLS = nn.Cell.__call__, Primitive.__call__


class Paths(Observer):
    def __init__(self):
        super().__init__()
        self.found = []

    def around_cell(self, call, cell, args):
        self.found.append(self.cells[-1][1])
        return call()


def test_an_observer_knows_the_paths_of_the_running_cells():
    with observing(Paths()) as paths:
        nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())(X)
    assert paths.found == ["SequentialCell", "SequentialCell.0", "SequentialCell.1"]


def test_an_inner_observer_observes_in_the_place_of_the_outer_one():
    with observing(Paths()) as outer:
        with observing(Paths()) as inner:
            nn.ReLU()(X)
        nn.Tanh()(X)
    assert (outer.found, inner.found) == (["Tanh"], ["ReLU"])


def test_nothing_is_left_of_an_observer_after_an_error():
    with pytest.raises(TypeError), observing(Observer()):
        nn.ReLU()(3)
    assert (nn.Cell.__call__, Primitive.__call__) == CALLS
    assert running.recorder is None
