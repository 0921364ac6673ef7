"""What a node says of itself, and how the code that it keeps is changed."""

import ast
from types import SimpleNamespace

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import Node, SymbolTree
from minispore.rewrite.resolve.outside import UNKNOWN


def doubled(x):
    return x * 2


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.product, self.relu = ops.matmul, nn.ReLU()

    def construct(self, x):
        y = self.relu(x) @ x
        z = ops.abs(y) - y
        u = self.product(z, z)
        v = doubled(u)
        (w,) = [ops.abs(each) for each in (v,)]
        return w.view(1)


class Abs(ast.NodeTransformer):
    """Writes ``doubled(x)`` for ``ops.abs(x)``."""

    def __init__(self, tree):
        self.tree = tree

    def visit_Attribute(self, node):
        return ast.Name(self.tree.bring(doubled), ast.Load()) if node.attr == "abs" else node


def handlers():
    return SymbolTree.create(Net()).get_handler()


def test_only_a_matrix_product_says_that_it_is_one():
    assert [node.name for node in handlers().nodes() if node.calls_matmul] == ["binop_matmult"]


def test_a_call_of_no_cell_says_what_function_it_calls():
    called = {node.name: node.called_function for node in handlers().nodes()}
    known = {name: function for name, function in called.items() if function is not UNKNOWN}
    assert known == {"abs": ops.abs, "product": ops.matmul, "doubled": doubled}


class Paths(nn.Cell):
    """Functions of the package behind attributes and elements, and behind a local variable."""

    def __init__(self):
        super().__init__()
        self.space, self.table = SimpleNamespace(many=[ops.matmul]), {"a": ops.abs}

    def construct(self, x):
        space = self.space
        return self.space.many[0](x, self.table["a"](x)), space.many[0](x, x), x.abs()


def test_a_call_by_a_path_from_the_cell_says_what_function_it_calls():
    called = [node.called_function for node in SymbolTree.create(Paths()).get_handler().nodes()]
    assert [function for function in called if function is not UNKNOWN] == [ops.abs, ops.matmul]


def test_code_that_a_node_keeps_is_changed_and_calls_what_was_brought():
    tree = handlers()
    code = next(node for node in tree.nodes() if node.kind.name == "Python")
    code.rewrite_code(Abs(tree))
    assert tree.edited
    x = ms.Tensor([[-3.0]], ms.float32)
    before, after = Net()(x), SymbolTree(tree).get_network()(x)
    assert float(after.reshape(())) == float(before.reshape(())) * 2


def test_a_transformer_that_finds_nothing_leaves_the_tree_unedited():
    tree = handlers()
    for node in tree.nodes():
        node.rewrite_code(ast.NodeTransformer())
    assert not tree.edited


class Inside(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = Paths()

    def construct(self, x):
        self.net(x)
        return x


def test_a_node_in_no_tree_has_neither_producers_nor_users_nor_a_tree_inside():
    new = Node.create_call_cell(nn.ReLU(), ["y"], ["x", 2.0])
    assert (new.get_inputs(), new.get_users(), new.get_handler().sub_tree) == ([], [], None)
    tree = SymbolTree.create(Inside())
    node = tree.get_node("net")
    assert node.get_handler().sub_tree is not None
    tree.erase(node)
    assert (node.get_inputs(), node.get_users(), node.get_handler().sub_tree) == ([], [], None)
