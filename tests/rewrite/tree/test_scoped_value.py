"""The kinds of nodes."""

import pytest

from minispore.rewrite import NodeType


@pytest.mark.parametrize("kind", NodeType)
def test_each_kind_of_node_says_what_it_stands_for(kind):
    assert f"``{kind.name}``" in NodeType.__doc__
