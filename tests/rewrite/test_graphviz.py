"""Graphviz: draws a tree as text for Graphviz's ``dot``, coloured by type or by dtype."""

import re

import pytest
from rewrite.test_show import Net

import minispore as ms
from minispore import amp
from minispore.amp.policy.white_pass import white_tree_and_source
from minispore.rewrite import SymbolTree
from minispore.rewrite.graphviz import dtype_of


@pytest.fixture
def tree():
    return SymbolTree.create(Net())


@pytest.mark.parametrize(("dtype", "color"), [(ms.float16, "lightsalmon"), (ms.bfloat16, "gold")])
def test_a_picture_by_dtype_colours_what_is_marked(tree, dtype, color):
    made, _ = white_tree_and_source(Net(), amp.get_white_list(), dtype=dtype)
    text = made.to_graphviz(color_by="dtype")
    narrow, float32 = (re.findall(rf'label="(\w+)\\n\w+\\n{name}", fillcolor', text) for name in (dtype, ms.float32))
    assert {"fc", "matmul", "relu"} <= set(narrow) and all(name.startswith("outcast") for name in float32)
    assert color in text
    assert "Float16" not in tree.to_graphviz("dtype")
    assert dtype_of(tree.get_node("matmul").get_handler()) is None
