"""Source as a file, and generated networks as values: saved, imported, copied, pickled, with all that they carry."""

import copy
import pickle
import sys
from types import ModuleType

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.ops import functional as F  # noqa: N812 - as users write it
from minispore.rewrite import Node, SymbolTree, TreeNodeHelper
from minispore.rewrite.generate import module_file

X = ms.Tensor(np.array([[1.0, -2.0]], np.float32))
SCALE = 3.0


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2)

    def construct(self, x):
        return F.relu(self.fc(x)) * SCALE


class Base(nn.Cell):
    def construct(self, x):
        return -x


class Net(Base):
    def __init__(self):
        super().__init__()
        self.inner, self.other, self.weight = Inner(), Inner(), ms.Parameter(X, "weight")

    def construct(self, x):
        return self.other(self.inner(super().construct(x))) + self.weight * np.e


def negate_input(tree, primitive):
    """Let the tree go on from what the primitive makes of its input."""
    before = next(tree.nodes()).get_targets()[0]
    node = tree.insert(tree.after("input_x"), Node.create_call_cell(primitive, ["x"], [before]))
    tree.redirect(before, node.get_targets()[0])


def edited(net):
    """A tree with an edit in one of two cells of one class."""
    tree = SymbolTree.create(net)
    negate_input(TreeNodeHelper.get_sub_tree(tree.get_node("inner")), ops.Neg())
    return tree


def test_the_source_imports_what_its_names_mean():
    head, inner, outer = edited(Net()).get_code().split("\n\n\n")
    assert head.split("\n") == [
        "import numpy as np",
        "from minispore.ops import functional as F",
        f"from {__name__} import Inner, Net, SCALE",
    ]
    assert inner.startswith("class InnerOpt(Inner):") and "sets: x (Neg)." in inner
    assert outer.startswith("class NetOpt(Net):") and "super(Net, self)" in outer


def test_a_network_is_saved_in_the_working_directory_by_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tree = SymbolTree.create(Net())
    tree.save_network_to_file()
    assert (tmp_path / "network_define.py").read_text() == tree.get_code()
    for name, error in ((3, TypeError), ("", ValueError)):
        with pytest.raises(error, match="the 'file_name' must"):
            tree.set_saved_file_name(name)
    tree.set_saved_file_name("nowhere/net.py")
    with pytest.raises(FileNotFoundError):
        tree.save_network_to_file()


def test_what_cannot_be_imported_is_named_in_a_comment():
    factor = 2.0

    class Local(nn.Cell):
        def construct(self, x, y=X + 0):
            return x * factor + y

    head = SymbolTree.create(Local()).get_code().split("\n\n\n")[0]
    assert head.startswith("# To be defined here") and head.split("\n")[0].endswith(": Local, factor.")
    assert "A default that is written as '...'" in head


def test_two_cells_of_one_class_with_different_edits_have_two_classes():
    tree = edited(Net())
    negate_input(TreeNodeHelper.get_sub_tree(tree.get_node("other")), ops.Abs())
    code = tree.get_code()
    assert "class InnerOpt(Inner):" in code and "class InnerOpt_1(Inner):" in code


def test_the_source_of_a_network_rewritten_again_has_both_classes():
    code = SymbolTree.create(SymbolTree.create(Net()).get_network()).get_code()
    assert code.index("class NetOpt(Net):") < code.index("class NetOpt_1(NetOpt):")
    assert code.count("super(Net, self)") == 2


def test_functions_that_were_put_in_are_imported():
    tree = SymbolTree.create(Net())
    tree.insert(tree.before("inner"), tree.create_call_function(copy.copy, ["x"], tree.get_node("input_x")))
    assert "from copy import copy" in tree.get_code()


def test_a_copy_is_of_the_same_class_and_shares_nothing():
    net = edited(Net()).get_network()
    other = copy.deepcopy(net)
    assert type(other) is type(net) and type(other.inner) is type(net.inner)
    np.testing.assert_array_equal(other(X).asnumpy(), net(X).asnumpy())
    assert other.weight is not net.weight and other.inner.fc is not net.inner.fc


def test_a_generated_network_is_pickled_and_computes_the_same():
    net = SymbolTree.create(edited(Net()).get_network()).get_network()
    other = pickle.loads(pickle.dumps(net))
    np.testing.assert_array_equal(other(X).asnumpy(), net(X).asnumpy())
    assert type(other).rewritten_source == type(net).rewritten_source and isinstance(other, Net)
    assert list(other.parameters_dict()) == list(net.parameters_dict())
    assert "NetOpt" in SymbolTree.create(other).get_code()


def test_a_generated_network_of_a_local_class_is_refused_by_pickle_as_the_original_is():
    class Local(nn.Cell):
        def construct(self, x):
            return x

    for net in (Local(), SymbolTree.create(Local()).get_network()):
        with pytest.raises((AttributeError, pickle.PicklingError), match="Local"):
            pickle.dumps(net)


def test_hooks_flags_train_mode_and_parameter_names_are_kept():
    net, seen = Net(), []
    net.set_train(True)
    net.add_flags(mine=True)
    net.inner.fc.set_train(False)
    net.register_forward_hook(lambda cell, inputs, output: seen.append(cell.split("(")[0]))
    net.inner.register_forward_pre_hook(lambda cell, inputs: seen.append(cell.split("(")[0]))
    new = edited(net).get_network()
    new(X)
    assert seen == ["Inner", "Net"]
    assert new.training and new.inner.training and not new.inner.fc.training and new.get_flags()["mine"]
    assert [p.name for p in new.get_parameters()] == [p.name for p in net.get_parameters()]
    assert all(a is b for a, b in zip(new.get_parameters(), net.get_parameters(), strict=True))


def test_hooks_of_the_new_network_are_its_own():
    net, seen = Net(), []
    new = SymbolTree.create(net).get_network()
    new.register_forward_hook(lambda cell, inputs, output: seen.append(cell))
    net(X)
    assert seen == []


def test_attributes_are_those_of_the_cell_and_what_was_noted():
    tree = SymbolTree.create(Inner())
    node = tree.get_node("fc")
    known = node.get_attributes()
    assert known["in_channels"] == 2 and known["cls"] is nn.Dense and known is node.get_attributes()
    assert node.get_attribute("has_bias") is True and node.get_attribute("nothing") is None
    node.set_attribute("has_bias", False)
    assert tree.get_node("fc").get_attribute("has_bias") is False and node.get_instance().has_bias is True
    assert tree.get_node("input_x").get_attributes() == {}
    for call in (lambda: node.get_attribute(3), lambda: node.set_attribute(3, 4)):
        with pytest.raises(TypeError, match="the 'key' of an attribute must be a str, but got int"):
            call()


def test_a_module_is_imported_by_its_path_only_where_that_gives_it(monkeypatch):
    there, ghost, odd = ModuleType("there"), ModuleType("ghost"), ModuleType("not-plain")
    for module in (there, odd):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    found = [module_file._module_import("name", module) for module in (there, ghost, odd)]
    assert found == [("", "there as name"), ("", ""), ("", "")]
    monkeypatch.setitem(sys.modules, "ghost", there)
    assert module_file._module_import("ghost", ghost) == ("", "")
