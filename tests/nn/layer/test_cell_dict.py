"""CellDict holds cells as a dict does, and names their Parameters."""

import pytest

from minispore import nn


def test_cells_are_held_by_names_in_their_order():
    cells = nn.CellDict({"a": nn.Dense(2, 3), "b": nn.ReLU()})
    cells["c"] = nn.Dense(3, 1)
    assert list(cells) == list(cells.keys()) == ["a", "b", "c"] and len(cells) == 3 and "b" in cells
    assert [p.name for p in cells.get_parameters()] == ["a.weight", "a.bias", "c.weight", "c.bias"]
    popped = cells.pop("b")
    assert isinstance(popped, nn.ReLU) and [type(c) for c in cells.values()] == [nn.Dense, nn.Dense]
    del cells["a"]
    cells.update([("d", popped)])
    assert dict(cells.items())["d"] is popped
    cells.clear()
    assert not cells


@pytest.mark.parametrize(
    ("cells", "kind"),
    [({1: nn.ReLU()}, TypeError), ({"a.b": nn.ReLU()}, ValueError), ({"a": 1}, TypeError), (3, TypeError)],
)
def test_anything_but_a_dict_of_cells_is_refused(cells, kind):
    with pytest.raises(kind, match=r"^For 'CellDict', "):
        nn.CellDict(cells)


def test_a_dict_of_cells_computes_nothing():
    with pytest.raises(NotImplementedError, match="call its cells"):
        nn.CellDict({"a": nn.ReLU()})(1)
