"""Showing a tree: the table, the dump, and the picture as text for Graphviz."""

import re
import textwrap

import pytest

from minispore import nn, ops
from minispore.rewrite import SymbolTree


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2)

    def construct(self, x):
        return self.fc(x) * 2


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.block, self.matmul, self.relu = Block(), ops.MatMul(transpose_b=True), ops.ReLU()

    def construct(self, x, y):
        z = self.matmul(self.block(x), y)
        return self.relu(self.block(z))


class Branching(Net):
    def construct(self, x, y):
        if y:
            x = self.relu(x)
        return x


@pytest.fixture
def tree():
    return SymbolTree.create(Net())


def test_the_table_has_a_line_for_each_node(tree, capsys):
    tree.print_node_tabulate()
    assert capsys.readouterr().out == textwrap.dedent(
        """\
        node type      name     targets  args      kwargs  users
        -------------  -------  -------  --------  ------  -------
        Input          input_x  x                          block
        Input          input_y  y                          matmul
        Tree           block    block    x                 matmul
        CallPrimitive  matmul   z        block, y          block_1
        Tree           block_1  block_1  z                 relu
        CallPrimitive  relu     relu     block_1           return
        Output         return            relu
        """
    )


def test_the_table_of_all_nodes_has_the_trees_inside_too(tree, capsys):
    tree.print_node_tabulate(all_nodes=True)
    tables = capsys.readouterr().out.split("\n\n")
    assert len(tables) == 2 and tables[1].startswith("Block\nnode type") and "binop_mult" in tables[1]


def test_bodies_of_control_flow_are_indented(capsys):
    made = SymbolTree.create(Branching())
    made.print_node_tabulate()
    assert re.search(r"^CallPrimitive +  relu", capsys.readouterr().out, re.MULTILINE)
    made.dump()
    assert re.search(r"^    %\d+\(x.*CallPrimitive relu ReLU", capsys.readouterr().out, re.MULTILINE)


class Nested(Net):
    def construct(self, x, y):
        while y:
            if y:
                for _ in range(2):
                    x = self.relu(x)
        return x


def test_each_body_is_indented_by_one_step_more(capsys):
    made = SymbolTree.create(Nested())
    made.print_node_tabulate()
    head, _, *rows = capsys.readouterr().out.split("\n")
    table = [row[head.index("name") :] for row in rows[2:6]]
    made.dump()
    dumped = [line[2:] for line in capsys.readouterr().out.split("\n")[3:7]]
    for depth, (row, line, name) in enumerate(zip(table, dumped, ("While", "If", "For", "relu"), strict=True)):
        assert row.startswith("  " * depth + name) and line.startswith("  " * depth + "%") and name in line


def test_the_dump_numbers_what_nodes_read_and_tells_their_attributes(tree, capsys):
    tree.get_node("block").set_attribute("seen", 3)
    tree.dump()
    lines = capsys.readouterr().out.split("\n")
    assert lines[0] == "tree of Net, inputs: 2, nodes: 7"
    assert lines[1] == "  %0(x) = Input input_x()"
    assert lines[3] == "  %2(block) = Tree block Block(%0) {seen: 3}"
    assert lines[4].startswith("  %3(z) = CallPrimitive matmul MatMul(%2, %1) {")
    assert "transpose_b: True" in lines[4]


def test_the_picture_frames_each_tree_once_and_joins_makers_to_readers(tree):
    text = tree.to_graphviz()
    assert text.startswith('digraph "Net" {') and text.count("{") == text.count("}")
    assert re.findall(r'label="(Net|Block)";', text) == ["Net", "Block"]
    number = dict(re.findall(r'^ +(n\d+) \[label="(\w+)', text, re.MULTILINE))
    ids = {name: each for each, name in number.items()}
    edges = re.findall(r"(n\d+) -> (n\d+) \[label", text)
    named = {(number[a], number[b]) for a, b in edges}
    assert {("input_x", "block"), ("block", "matmul"), ("input_y", "matmul"), ("relu", "return")} <= named
    assert text.count("[style=dashed]") == 2  # both calls lead into the one frame
    assert f'{ids["matmul"]} [label="matmul\\nMatMul", fillcolor="palegreen"];' in text


def test_a_picture_has_frames_for_bodies():
    assert 'label="If, body 0";' in SymbolTree.create(Branching()).to_graphviz().replace("if", "If")


def test_an_unknown_colouring_is_refused(tree):
    with pytest.raises(ValueError, match=r"the 'color_by' must be one of .*type.*dtype.*but got 'size'"):
        tree.to_graphviz("size")
