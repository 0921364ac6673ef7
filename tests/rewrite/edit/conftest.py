"""The tree that tests of edits begin with."""

import pytest
from rewrite.edit.test_edit import Net, lines

from minispore.rewrite import SymbolTree


@pytest.fixture
def tree():
    made = SymbolTree.create(Net())
    assert lines(made) == [
        "y = self.neg(x)",
        "x = self.relu(y)",
        "add_var = y + x",
        "tuple_var = (x, add_var)",
        "return tuple_var",
    ]
    return made
