"""Names that are code, or no names at all: whatever a user or a file names so computes as ever or is refused.

Each drawn name goes into one place that takes a name. What follows is the right numbers, or a TypeError or ValueError
in the house's words; never a SyntaxError, and never a run of the code in the name, which would raise ``RAN``.
"""

import builtins
import importlib.util
import itertools
import pickle
import re

import numpy as np
import pytest
from core.test_errors import is_harmless
from hypothesis import example, given, settings
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, amp, nn, ops
from minispore.__main__ import main
from minispore.rewrite import Node, ScopedValue, SymbolTree, ValueType

X = ms.Tensor(np.array([[-1.0, 0.5, 2.0]], np.float32))
RAN = []  # what code in a name would append to

CODE = "hostile_code_ran()"  # which every module knows, and which has no dot, as names of cells have none
FORMS = [
    "x\n    {code}",
    "x\n{code}\n",
    "x; {code}",
    "x)\n    {code}\n    (x",
    "x, y={code}",
    "'; {code}; '",
    '"""\n    {code}\n    """',
    "{code}",
    "{{{code}}}",
    "x\r{code}",
    "x\x0c\n    {code}",
    "x  # \\\n{code}",
    "x\u2028{code}",
    "x.{code}",
    "x[{code}]",
    "x if {code} else x",
    "(x := {code})",
]
WORDS = [
    *("class", "def", "None", "True", "__class__", "self", "super", "minispore", "match", "lambda", "__init__"),
    *("", " ", "\n", "\x00", "'", '"', '"""', "\\", "{", "}", "{x}", "(", "[", "%s", "a-b", "1a", "a.b", "../x", "*x"),
    *("\uff58", "\u00b5", "\ufb01", "\u017felf", "\u0445", "\u00e9", "e\u0301", "\U0001d431", "\u540d\u524d"),
    *("\ud800", "\u200b", "x\u200d", "__x", "__x__"),
]
PIECES = st.text(st.sampled_from("xy_1 .,;:'\"\\\n\t(){}[]#=*@\u2028\uff58\u00b5\x00"), max_size=8)
NAMES = st.one_of(st.sampled_from([form.format(code=CODE) for form in FORMS]), st.sampled_from(WORDS), PIECES)


@pytest.fixture(autouse=True)
def sentinel(monkeypatch):
    """Fail a test in which the code of a name ran; no name means what an example of a docstring has shown last."""
    monkeypatch.delattr(builtins, "_", raising=False)
    monkeypatch.setattr(builtins, "hostile_code_ran", lambda: RAN.append(1), raising=False)
    RAN.clear()
    yield
    assert not RAN


def is_told(error):
    """Whether an error is in the house's words, or Python's own of an attribute or a keyword that is not there."""
    words = r"(?s)For '.*', |.* has no attribute '.*'"
    return re.match(words, str(error)) or "unexpected keyword" in str(error)


def told_or(make):
    """What ``make`` returns; None where it refuses in the house's words. No code of a name has run."""
    try:
        return make()
    except (TypeError, ValueError, AttributeError) as error:
        assert is_told(error), repr(error)
        return None
    finally:
        assert not RAN


def equal(out, expected):
    assert np.array_equal(np.asarray(out.asnumpy(), np.float32), expected.asnumpy())


class Net(nn.Cell):
    """A child, a primitive, a list of cells and a Parameter; what they are called is set from outside."""

    def __init__(self):
        super().__init__()
        self.child, self.act = nn.ReLU(), ops.Neg()
        self.inner = nn.SequentialCell(nn.ReLU(), nn.Tanh())
        self.w = ms.Parameter(np.ones(3, np.float32), name="w")

    def construct(self, x):
        y = self.act(self.child(x))
        return self.inner(y) + self.w * x


def with_child(net, name):
    net.insert_child_to_cell(name, nn.Tanh())


def with_param(net, name):
    net.insert_param_to_cell(name, ms.Parameter(np.ones(3, np.float32), name="free"), False)


def with_attribute(net, name):
    setattr(net, name, nn.Tanh())


def with_primitive_attribute(net, name):
    setattr(net, name, ops.Tanh())
    net.act.add_prim_attr(name, name)


def with_class(net, name):
    kind = type(type(net))
    net.__class__ = kind(name, (type(net),), {"__module__": type(net).__module__})


def with_module(net, name):
    with_class(net, "Plain")
    type(net).__module__ = name


def with_qualname(net, name):
    with_class(net, "Plain")
    type(net).__qualname__ = name


def with_child_class(net, name):
    net.child = type(name, (nn.ReLU,), {})()


def with_primitive_name(net, name):
    net.act.name = name
    net.act.__dict__["name"] = name


def with_primitive_class(net, name):
    net.act = type(name, (ops.Neg,), {})()


def with_parameter_name(net, name):
    net.w.name = name


def with_prefix(net, name):
    net.update_parameters_name(name)


def with_container_entry(net, name):
    net.inner.insert_child_to_cell(name, nn.ReLU())


def with_cell_type(net, name):
    net.cls_name = name


PLACES = [value for key, value in globals().copy().items() if key.startswith("with_")]


def computations(net, tmp_path):
    """Each way in which generated source comes about, with the same network."""
    tree = SymbolTree.create(net)
    node = Node.create_call_cell(nn.ReLU(), ["x"], ScopedValue.create_name_values(["x"]), name="put_in")
    tree.insert(tree.before(tree.nodes().__next__().get_users()[0]), node)
    yield tree.get_network()(X)
    text = tree.get_code()
    compile(text, "<code>", "exec")
    again = SymbolTree.create(tree.get_network())
    yield again.get_network()(X)
    str(again.to_graphviz())


def saved_and_imported(tree, tmp_path):
    """The module that ``save_network_to_file`` writes, run."""
    tree.set_saved_file_name(str(tmp_path / "saved.py"))
    tree.save_network_to_file()
    spec = importlib.util.spec_from_file_location("saved", tmp_path / "saved.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def importable(tree, tmp_path):
    """Whether the saved file can be run; what it cannot import is a comment in it, and no reason for a SyntaxError."""
    try:
        saved_and_imported(tree, tmp_path)
    except (NameError, ImportError):
        return False
    finally:
        assert not RAN
    return True


@settings(max_examples=4 * settings.default.max_examples)
@given(place=st.sampled_from(PLACES), name=NAMES)
def test_a_network_with_a_hostile_name_is_rewritten_saved_and_replayed(place, name, tmp_path_factory):
    net = Net()
    try:
        place(net, name)
    except (TypeError, ValueError, AttributeError, KeyError):  # Python's own no to such a name, or the house's
        return
    folder = tmp_path_factory.mktemp("hostile")
    expected = told_or(lambda: net(X))
    if expected is None:
        return
    changed = told_or(lambda: list(computations(net, folder)))
    for out in changed or ():
        assert out.shape == X.shape
    tree = told_or(lambda: SymbolTree.create(net))
    if tree is not None:
        told_or(lambda: importable(tree, folder))
        tree.print_node_tabulate()
        tree.dump()
    jitted = ms.jit(net.construct)
    for _ in range(5):
        out = told_or(lambda: jitted(X))
        assert out is None or np.array_equal(out.asnumpy(), expected.asnumpy())
    lowered = told_or(lambda: amp.auto_mixed_precision(net, "O1"))
    if lowered is not None:
        assert lowered(X).shape == X.shape
        str(lowered.amp_report)
        lowered.amp_report.diff()
    told_or(lambda: round_trip(net))


def round_trip(net):
    """The generated network, pickled where its class can be found again."""
    try:
        return pickle.loads(pickle.dumps(SymbolTree.create(net).get_network()))
    except (pickle.PicklingError, AttributeError, ImportError):  # a class that no module has under its name
        return None
    except (TypeError, ValueError) as error:
        return None if is_told(error) or "pickle" in str(error) or isinstance(error, UnicodeError) else 1 / 0


@given(name=NAMES, scope=NAMES | st.just(""))
@example(name="minispore", scope="minispore")
@example(name="self", scope="")
def test_a_node_with_hostile_names_is_refused_or_computes(name, scope):
    def edited(target, argument, keyword, called):
        tree = SymbolTree.create(Net())
        first = next(node for node in tree.nodes() if node.get_name() == "child")
        node = Node.create_call_cell(nn.ReLU(), [target], [argument], keyword, called)
        tree.insert(tree.after(first), node)
        compile(tree.get_code(), "<code>", "exec")
        return tree.get_network()(X)

    def function(target, keyword):
        def call(x, **_):
            return x

        call.__name__ = call.__qualname__ = name
        tree = SymbolTree.create(Net())
        node = tree.create_call_function(call, [target], ScopedValue.create_naming_value("x"), **keyword)
        tree.insert(tree.before("child"), node)
        compile(tree.get_code(), "<code>", "exec")
        return tree.get_network()(X)

    x, value = ScopedValue.create_naming_value("x"), ScopedValue.create_naming_value(name, scope)
    for arguments in itertools.chain(
        [(name, x, {}, ""), (value, x, {}, ""), ("z", value, {}, ""), ("z", name, {}, ""), ("z", x, {}, name)],
        [("z", x, {name: x}, ""), ("z", ScopedValue(ValueType.NamingValue, scope, name), {}, "")],
        [("z", ScopedValue(ValueType.IntValue, scope, name), {}, ""), ("z", (name,), {}, "")],
    ):
        told_or(lambda arguments=arguments: edited(*arguments))
    told_or(lambda: function("z", {}))
    told_or(lambda: function(name, {}))
    told_or(lambda: function("z", {name: 1}))


@settings(max_examples=settings.default.max_examples // 2)
@given(name=NAMES)
def test_verbs_of_a_tree_take_hostile_names_for_no_code(name):
    def tree():
        return SymbolTree.create(Net())

    for verb in (
        lambda t: t.get_node(name),
        lambda t: t.unique_name(name),
        lambda t: t.before(name),
        lambda t: t.erase(name),
        lambda t: t.redirect("x", name),
        lambda t: t.redirect(name, "y"),
        lambda t: t.set_output(0, name),
        lambda t: t.get_node("child").set_arg(0, name),
        lambda t: t.get_node("child").set_attribute(name, name),
        lambda t: t.to_graphviz(name),
        lambda t: t.notes.append(name),
    ):
        made = tree()
        told_or(lambda made=made, verb=verb: verb(made))
        told_or(lambda made=made: compile(made.get_code(), "<code>", "exec"))


@given(name=NAMES)
def test_a_primitive_of_a_hostile_name_is_replayed(name):
    primitive = ops.Abs()
    primitive.name = name
    jitted = ms.jit(lambda x: primitive(x) + primitive(x * 2))
    for _ in range(5):
        out = told_or(lambda: jitted(X))
        assert out is None or np.array_equal(out.asnumpy(), 3 * abs(X.asnumpy()))


@given(name=NAMES)
def test_a_checkpoint_with_hostile_entries_is_written_and_read_back(name, tmp_path_factory):
    path = str(tmp_path_factory.mktemp("hostile") / "net.ckpt")
    entry = {"name": name, "data": X}
    if told_or(lambda: ms.save_checkpoint([entry], path) or True):
        read = told_or(lambda: ms.load_checkpoint(path))
        assert read is None or list(read) == [name]
        told_or(lambda: ms.load_param_into_net(Net(), read or {}))


@pytest.mark.parametrize("where", ["name", "file", "class"])
@given(name=NAMES)
@example(name="Net\n    print('ran')")
def test_explain_takes_a_hostile_argument_for_no_code(where, name, tmp_path_factory, capsys):
    folder = tmp_path_factory.mktemp("hostile")
    path = folder / "net.py"
    path.write_text(
        "from minispore import nn\n\n\nclass Net(nn.Cell):\n    def construct(self, x):\n        return x\n\n\n"
        f"def named():\n    return type({name!a}, (Net,), {{}})()\n"
    )
    argument = {"name": f"{path}:{name}", "file": f"{folder}/{name}:Net", "class": f"{path}:named"}[where]
    try:
        assert main(["explain", argument]) == 0
    except SystemExit as end:
        assert end.code == 2
    except UnicodeEncodeError:  # a terminal that cannot show the name
        assert name == "\ud800"
    assert not RAN
    assert "Traceback" not in capsys.readouterr().err


def test_a_hostile_checkpoint_clears_no_screen(tmp_path):
    title = "\x1b]0;PWNED\x07"
    path = str(tmp_path / "e.ckpt")
    ms.save_checkpoint([{"name": title, "data": Tensor(np.ones(1, np.float32))}], path)
    with pytest.raises((RuntimeError, ValueError)) as found:
        ms.load_checkpoint(path, nn.Dense(2, 2), True)
    assert is_harmless(str(found.value))
    assert "PWNED" in str(found.value)
