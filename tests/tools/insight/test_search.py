"""The search for cells in float32: what it finds helps, and its runs grow with the logarithm of the cells."""

import math
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from minispore import nn
from minispore.tools.insight.search import cells_in_float32


class Runs:
    """Reruns on cells of which some are needed, each in the scale's range if there is one."""

    def __init__(self, cells, needed, scale=None, greatest=None):
        self.cells, self.needed, self.scale, self._greatest, self.count = cells, needed, scale, greatest, 0
        self.leader = SimpleNamespace(chosen=lambda look, among: look())

    def cells_in_order(self):
        return self.cells

    def is_finite(self, scale=None, cells=()):
        self.count += 1
        used = self.scale if scale is None else scale
        return self.needed <= set(cells) and (self._greatest is None or used <= self._greatest)

    def origin(self, cells=(), scale=None):
        self.count += 1
        missing = [cell for cell in self.cells if cell in self.needed and cell not in cells]
        if not missing:
            return None
        return SimpleNamespace(event=SimpleNamespace(site=SimpleNamespace(cells=[(missing[0], "")])))

    def greatest_scale(self, cells=(), works=False):
        return self._greatest


def layers(count):
    return [nn.ReLU() for _ in range(count)]


@given(count=st.integers(1, 120), data=st.data())
def test_a_stretch_of_cells_is_found_exactly_in_few_runs(count, data):
    cells = layers(count)
    first = data.draw(st.integers(0, count - 1))
    length = data.draw(st.integers(1, count - first))
    needed = set(cells[first : first + length])
    runs = Runs(cells, needed)
    found, scale = cells_in_float32(runs)
    assert set(found) == needed and scale is None
    assert runs.count <= 16 + 2 * math.ceil(math.log2(count + 1))


@given(count=st.integers(1, 40), data=st.data())
def test_any_cells_that_are_needed_are_found(count, data):
    cells = layers(count)
    needed = set(data.draw(st.lists(st.sampled_from(cells), min_size=1, unique=True)))
    runs = Runs(cells, needed)
    found, _ = cells_in_float32(runs)
    assert needed <= set(found)
    assert runs.count <= 24 + 8 * math.ceil(math.log2(count + 1))


@given(greatest=st.sampled_from([1.0, 4.0, 64.0]))
def test_a_smaller_scale_is_found_beside_the_cells(greatest):
    cells = layers(5)
    found, scale = cells_in_float32(Runs(cells, {cells[2]}, 64.0, greatest))
    assert found == [cells[2]] and scale == (None if greatest == 64.0 else greatest)


def test_without_cells_or_help_nothing_is_found():
    assert cells_in_float32(Runs([], set())) is None
    assert cells_in_float32(Runs(layers(3), set(layers(1)))) is None
