"""What is no network, has no source, or is written in syntax of other versions of Python: handled, or a clear error."""

import ast
import functools
import importlib.util
import itertools
import linecache
import sys
import textwrap
from collections import OrderedDict
from unittest import mock

import numpy as np
import pytest
from support.constructs.listed_calls import NEAR, Parts, identity

import minispore as ms
from minispore import nn, ops
from minispore.amp.policy.lists import AMP_WHITE_LIST
from minispore.amp.policy.white_pass import white_tree
from minispore.rewrite import Node, NodeType, SymbolTree, check
from minispore.rewrite.parse import statements

_files = itertools.count()


def made(text, **space):
    """An object of the class Net that a text defines; its source is known, as that of a notebook's cell is."""
    text = textwrap.dedent(text).lstrip()
    filename = f"<bad input {next(_files)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names = {"nn": nn, "ops": ops, "ms": ms, "Parts": Parts, "identity": identity, "NEAR": NEAR, "__name__": "made"}
    names.update(space)
    exec(compile(text, filename, "exec", dont_inherit=True), names)
    return names["Net"]()


def probe():
    return ms.Tensor(np.full((1, 1), NEAR, np.float32))


def assert_rewritten_and_converted(net):
    """It computes the same when rewritten, once and twice, and what is listed in float16 under O1."""
    expected = [part.asnumpy() for part in net(probe())]
    tree = SymbolTree.create(net)
    check(tree.get_handler())
    once = tree.get_network()
    for new in (once, SymbolTree.create(once).get_network()):
        for part, same in zip(new(probe()), expected, strict=True):
            np.testing.assert_array_equal(part.asnumpy(), same)
    low, kept = white_tree(net, list(AMP_WHITE_LIST)).get_network()(probe())
    assert low.dtype == ms.float32 and low.asnumpy() == 1.0
    assert kept.asnumpy() == np.float32(NEAR) * np.float32(NEAR)


@pytest.mark.parametrize("given", [None, 3, "net", nn.Dense, ops.ReLU(), lambda x: x, [nn.Dense(1, 1)]])
def test_what_is_no_cell_is_refused_with_its_kind(given):
    with pytest.raises(TypeError, match=f"the 'network' must be a Cell, but got {type(given).__name__}"):
        SymbolTree.create(given)


_BUILT_IN = {"len": len, "a partial": functools.partial(print), "a lambda": lambda self, x: x, "a class": nn.Dense}


@pytest.mark.parametrize("construct", _BUILT_IN.values(), ids=_BUILT_IN)
def test_a_construct_that_is_no_function_with_source_is_refused_by_name(construct):
    kind = type("Net", (nn.Cell,), {"construct": construct})
    with pytest.raises(TypeError, match=r"For 'SymbolTree\.create', the construct of 'Net' must"):
        SymbolTree.create(kind())


def test_a_cell_without_a_construct_of_its_own_has_that_of_its_base():
    class Net(nn.Dense):
        pass

    tree = SymbolTree.create(Net(1, 1))
    assert tree.get_inputs()
    np.testing.assert_array_equal(tree.get_network()(probe()).shape, (1, 1))


def test_source_that_is_not_the_functions_any_more_is_refused():
    net = made("class Net(Parts):\n    def construct(self, x):\n        return self.fc(x), x\n")
    filename = type(net).construct.__code__.co_filename
    text = "class Net(Parts):\n    def other(self, x):\n        return x\n"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    with pytest.raises(TypeError, match="the construct of 'Net' must have source that can be read"):
        SymbolTree.create(net)


_SYNTAX = {
    "match": (
        (3, 10),
        """
        match [self.k, x]:
            case [2, t] if not self.off:
                y = self.fc(t)
            case [int(), *rest] | {"k": rest}:
                y = rest
            case _:
                y = x
        return y, x * NEAR
        """,
    ),
    "contexts in parentheses": (
        (3, 10),
        """
        from contextlib import nullcontext
        with (nullcontext(x) as y, nullcontext()):
            y = self.fc(y)
        return y, x * NEAR
        """,
    ),
    "except star": (
        (3, 11),
        """
        try:
            y = self.fc(x)
            raise ExceptionGroup("two", [ValueError(), KeyError()])
        except* ValueError as group:
            y = y * len(group.exceptions)
        except* KeyError:
            y = y * 1
        return y, x * NEAR
        """,
    ),
    "a star in an index": (
        (3, 11),
        """
        index = (slice(None), slice(None))
        y = self.fc(x[*index])
        return y, x * NEAR
        """,
    ),
    "quotes inside an f-string": (
        (3, 12),
        """
        name = f"{"fc" if self.k else f"{"he"}ad"}"
        return getattr(self, name)(x), x * NEAR
        """,
    ),
    "a generic function": (
        (3, 12),
        """
        def run[T](t: T) -> T:
            return self.fc(t)
        return run(x), x * NEAR
        """,
    ),
    "a type alias": (
        (3, 12),
        """
        type Pair = tuple[ms.Tensor, ms.Tensor]
        y = self.fc(x)
        return y, x * NEAR
        """,
    ),
    "a generic class": (
        (3, 12),
        """
        class Runner[T]:
            def run(this, t: T) -> T:
                return self.fc(t)
        return Runner[int]().run(x), x * NEAR
        """,
    ),
    "a default of a type parameter": (
        (3, 13),
        """
        def run[T = int](t: T) -> T:
            return self.fc(t)
        return run(x), x * NEAR
        """,
    ),
}


@pytest.mark.parametrize("name", _SYNTAX)
def test_syntax_of_newer_pythons_runs_unchanged(name):
    version, body = _SYNTAX[name]
    if sys.version_info < version:
        pytest.skip(f"Python {'.'.join(map(str, version))} is the first that knows it")
    body = textwrap.indent(textwrap.dedent(body).strip(), " " * 8)
    assert_rewritten_and_converted(made(f"class Net(Parts):\n    def construct(self, x):\n{body}\n"))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python 3.12 is the first that knows type parameters")
@pytest.mark.parametrize("head", ["class Net[T](Parts):\n    def construct", "class Net(Parts):\n    def construct[T]"])
def test_a_generic_network_or_construct_is_rewritten(head):
    assert_rewritten_and_converted(made(f"{head}(self, x: 'T'):\n        return self.fc(x), x * NEAR\n"))


@pytest.mark.parametrize(
    "body",
    [
        "for layer in self.layers:\n    x0 = layer(x)",
        "try:\n    x0 = self.fc(x)\nfinally:\n    pass",
        "while True:\n    x0 = self.fc(x)\n    break",
        "with CONTEXT as t:\n    x0 = self.fc(x)",
        "if self.k:\n    x0 = self.fc(x)",
    ],
)
def test_a_statement_that_the_parser_does_not_know_stays_python(body, monkeypatch):
    from contextlib import nullcontext

    monkeypatch.setattr(statements, "COMPOUND", ())
    body = textwrap.indent(f"{body}\nreturn x0, x * NEAR\n", " " * 8)
    text = f"class Net(Parts):\n    def construct(self, x):\n{body}"
    net = made(text, CONTEXT=nullcontext())
    kinds = [node.get_node_type() for node in SymbolTree.create(net).nodes()]
    assert NodeType.Python in kinds and NodeType.ControlFlow not in kinds
    assert_rewritten_and_converted(net)


@pytest.mark.parametrize(
    "word", ["list", "len", "print", "type", "super", "minispore", "range", "Tensor", "isinstance"]
)
def test_names_that_shadow_builtins_or_the_package_mean_what_they_meant(word):
    text = f"""
    class Net(Parts):
        def construct(self, {word}):
            {word} = self.fc({word}) if self.k else {word}
            return {word}, x_of(self) * NEAR
    """
    assert_rewritten_and_converted(made(text, x_of=lambda cell: probe()))


@pytest.mark.parametrize("word", ["len", "relu", "fc", "ops"])
def test_a_function_of_the_module_may_be_called_as_a_builtin_or_as_a_cell_is(word):
    text = f"""
    def {word}(t):
        return t

    class Net(Parts):
        def construct(self, x):
            y = {word}(self.fc({word}(x)))
            return y, {word}(x) * NEAR
    """
    assert_rewritten_and_converted(made(text))


def test_a_thing_of_the_users_with_the_packages_name_keeps_it_and_edits_that_need_the_package_say_so():
    net = made(
        """
        def minispore(t):
            return t

        class Net(Parts):
            def construct(self, x):
                return minispore(self.fc(x)), x * NEAR
        """
    )
    tree = SymbolTree.create(net)
    np.testing.assert_array_equal(tree.get_network()(probe())[0].asnumpy(), net(probe())[0].asnumpy())
    with pytest.raises(ValueError, match=r"must be defined before it, but got 'mindspore\.float\d+', which is not"):
        white_tree(net, list(AMP_WHITE_LIST)).get_network()


@pytest.mark.parametrize("first", ["me", "this", "_", "cls", "network", "x_", "self, /"])
def test_the_first_argument_may_have_any_name(first):
    name = first.split(",")[0]
    text = f"""
    class Net(Parts):
        def construct({first}, x):
            if {name}.k:
                y = {name}.fc(x)
            z = [{name}.relu(t) for t in (y,)][0]
            return z, x * NEAR
    """
    net = made(text)
    assert f"def construct({first}, x):" in SymbolTree.create(net).get_code()
    assert_rewritten_and_converted(net)


def _imported_from(path, text):
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, {path.stem: module}):
        spec.loader.exec_module(module)
    return module


def test_source_that_changed_since_it_was_imported_is_not_taken_for_the_functions(tmp_path, monkeypatch):
    text = "from minispore import nn\n\n\nclass Net(nn.Cell):\n    def construct(self, x):\n        return x * 2\n"
    module = _imported_from(tmp_path / "changing.py", text)
    monkeypatch.setitem(sys.modules, "changing", module)
    assert SymbolTree.create(module.Net()).get_network()(ms.Tensor([3.0])).asnumpy() == 6.0
    (tmp_path / "changing.py").write_text(text.replace("x * 2", "x * 2000"))
    with pytest.raises(
        TypeError, match="the construct of 'Net' must have source that can be read and is the function's"
    ):
        SymbolTree.create(module.Net())


@pytest.mark.parametrize("name", ["in", "a b", "__x", "1x", "append", "a'b\n", "ﬁ"])
def test_a_cell_of_a_container_may_have_any_name(name):
    net = nn.SequentialCell(OrderedDict([("first", nn.Tanh())]))
    net._cells[name] = nn.ReLU()
    tree = SymbolTree.create(net)
    tree.insert(tree.after("first"), Node.create_call_cell(ops.Neg(), ["input_data"], ["input_data"], name="neg"))
    assert tree.get_network()(ms.Tensor([-3.0])).asnumpy() > 0.9


def test_a_class_may_have_any_name():
    class Net(Parts):
        def construct(self, x):
            return self.relu(x)

    Net.__name__ = 'x(int):\n    """\nraise SystemExit\nclass y'
    tree = SymbolTree.create(Net())
    tree.insert(tree.after("relu"), Node.create_call_cell(ops.Neg(), ["relu"], ["relu"]))
    assert tree.get_network()(ms.Tensor([3.0])).asnumpy() == -3.0
    ast.parse(tree.get_code())


def test_a_primitive_of_the_users_is_called_by_its_own_name_from_outside():
    class Net(nn.Cell):
        def construct(self, x):
            return _mine(x) * 2

    net = Net()
    np.testing.assert_array_equal(SymbolTree.create(net).get_network()(probe()).asnumpy(), net(probe()).asnumpy())


class _Mine(ops.Primitive):
    def infer(self, x):
        return x

    def compute(self, xp, x):
        return x + 1


_mine = _Mine()


def test_a_lambda_whose_source_changed_since_it_was_imported_is_not_looked_through(tmp_path, monkeypatch):
    text = (
        "from minispore import nn, ops\n\n\nclass Net(nn.Cell):\n    def __init__(self):\n        super().__init__()\n"
        "        self.matmul = ops.MatMul()\n        self.f = lambda x: self.matmul(x, x)\n\n"
        "    def construct(self, x):\n        return self.f(x)\n"
    )
    module = _imported_from(tmp_path / "changing_lambda.py", text)
    monkeypatch.setitem(sys.modules, "changing_lambda", module)

    assert "matmul" in str(ms.amp.explain(module.Net(), "O1"))
    (tmp_path / "changing_lambda.py").write_text(text.replace("self.matmul(x, x)", "ops.relu(ops.exp(x))"))
    linecache.checkcache(module.__file__)
    assert "ops." not in str(ms.amp.explain(module.Net(), "O1"))
