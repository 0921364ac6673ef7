"""Observer: it sees cells and operations while it is in force, and nothing is left of it after."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn
from minispore.core.layers import LOUD
from minispore.core.running import running
from minispore.tools.observer import Observer

X = ms.Tensor(np.ones((2, 3), np.float32))


class Paths(Observer):
    def __init__(self):
        super().__init__()
        self.found = []

    def within_cell(self, call, cell, args):
        self.found.append(self.cells[-1][1])
        return call()


def test_an_observer_knows_the_paths_of_the_running_cells():
    with Paths() as paths:
        nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())(X)
    assert paths.found == ["SequentialCell", "SequentialCell.0", "SequentialCell.1"]


def test_an_inner_observer_and_the_outer_one_both_see():
    with Paths() as outer:
        with Paths() as inner:
            nn.ReLU()(X)
        nn.Tanh()(X)
    assert (outer.found, inner.found) == (["ReLU", "Tanh"], ["ReLU"])


def test_nothing_is_left_of_an_observer_after_an_error():
    with pytest.raises(TypeError), Observer():
        nn.ReLU()(3)
    assert running.layers == () and running.fields is LOUD
