"""Random edits of random networks: the tree stays sound, and what it makes computes what its nodes say."""

import ast
import itertools
import linecache
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import Node, NodeType, ScopedValue, SymbolTree, check
from minispore.rewrite.forms import Python, Store

_files = itertools.count()
_X = ms.Tensor(np.array([-1.5, 0.5, 2.0], np.float32))
_OPERATORS = {
    **{"{}": lambda x: x, "-{}": operator.neg},
    **{"{} + {}": operator.add, "{} - {}": operator.sub, "{} > {}": operator.gt},
}


class Part(nn.Cell):
    """A cell of a random network."""

    def __init__(self):
        super().__init__()
        self.neg = ops.Neg()

    def construct(self, x):
        if x.ndim > 1:
            return x
        return self.neg(x) * 0.5 + 1


def network(lines):
    """A network whose construct has these lines."""
    body = "".join(f"        {line}\n" for line in ["y = -x", "z = x", *lines, "return x + y - z"])
    text = f"class Random(nn.Cell):\n    def construct(self, x):\n{body}"
    filename = f"<random network {next(_files)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space = {"nn": nn, "__name__": __name__}
    exec(compile(text, filename, "exec"), space)
    net = space["Random"]()
    net.relu, net.neg, net.part, net.yes, net.no = ops.ReLU(), ops.Neg(), Part(), True, False
    net.chain, net.layers = nn.SequentialCell(Part(), nn.ReLU()), nn.CellList([Part(), nn.ReLU()])
    return net


class Returned(Exception):  # noqa: N818 - a jump, no error
    """The interpreter met ``return``."""


class Interpreter:
    """Runs the nodes of a tree one after another, without the source that the tree writes."""

    def __init__(self, tree, x):
        self.net, self.known, self.x = tree.get_origin_network(), {}, x

    def run(self, nodes):
        for node in nodes:
            self.step(node)

    def value(self, scoped):
        return self.known[scoped.value] if scoped.is_name else scoped.value

    def step(self, node):
        args = [self.value(arg) for arg in node.args]
        if node.kind is NodeType.Output:
            raise Returned(args[0])
        if node.kind is NodeType.ControlFlow:
            self.control(node, args)
        elif isinstance(node.form, Python):
            exec("\n".join(node.lines()), {"self": self.net}, self.known)
        elif isinstance(node.form, Store):
            self.known.update(zip([target.value for target in node.targets], args, strict=True))
        else:
            self.known[node.targets[0].value] = self.result(node, args)

    def result(self, node, args):
        if node.kind is NodeType.Input:
            return self.x
        if hasattr(node.form, "template"):
            return _OPERATORS[node.form.template](*args)
        called = self.value(node.receiver) if node.receiver else node.instance
        return (called.sum if node.form.callee == "{}.sum" else called)(*args)

    def control(self, node, args):
        header, statement = node.form.header, node.form.header.statement
        own = dict(zip(header.owned, [target.value for target in node.targets], strict=True))
        first = zip(header.begins, args[len(header.reads) :], strict=True)
        self.known.update((own[name], value) for name, value in first)
        seen = dict(zip(header.reads, args, strict=False))
        if isinstance(statement, ast.If):
            seen.update((name, self.known[variable]) for name, variable in own.items() if variable in self.known)
            bodies = [*node.blocks, None]
            chosen = bodies[0 if self.evaluate(statement.test, seen) else 1]
            self.run(chosen.nodes() if chosen else [])
            return
        target = {**own, **header.assigned}[statement.target.id]
        for value in self.evaluate(statement.iter, seen):
            self.known[target] = value
            self.run(node.blocks[0].nodes())

    def evaluate(self, expression, seen):
        return eval(ast.unparse(expression), {"self": self.net, "range": range}, seen)


def interpret(tree, x):
    try:
        Interpreter(tree, x).run(tree.get_handler().nodes())
    except Returned as found:
        return found.args[0]
    return None


def outcome(run):
    """What a run returns, as numbers; "fails" if an edit has put a number or a cell where a Tensor belongs."""
    try:
        with np.errstate(all="ignore"):
            return run().asnumpy().tolist()
    except (TypeError, AttributeError, KeyError, UnboundLocalError, ValueError):
        return "fails"


names = st.sampled_from(["x", "y", "z"])
expressions = st.recursive(
    names,
    lambda inner: st.one_of(
        st.builds("self.{}({})".format, st.sampled_from(["relu", "neg", "part", "chain", "layers[0]"]), inner),
        st.builds("({} {} {})".format, inner, st.sampled_from("+-"), inner),
        st.builds("-({})".format, inner),
        st.builds("({0} if self.{1} else self.relu({2}))".format, inner, st.sampled_from(["yes", "no"]), inner),
    ),
    max_leaves=4,
)
signs = st.sampled_from(["=", "+="])
assignments = st.builds(lambda name, sign, value: [f"{name} {sign} {value}"], names, signs, expressions)
tests = st.one_of(
    st.sampled_from(["self.yes", "self.no"]),
    st.builds("{}.sum() > 0".format, names),
    st.builds("(self.relu({}) - 1).sum() > 0".format, names),
)
returns = st.builds(lambda test, value: [f"if {test}:", f"    return {value}"], tests, expressions)


def indented(lines):
    return [f"    {line}" for line in itertools.chain.from_iterable(lines)]


def compound(inner):
    bodies = st.lists(inner, min_size=1, max_size=3).map(indented)
    loops = st.sampled_from(["for i in range(2):", "for i in range(0):"])
    return st.one_of(
        st.builds(lambda test, a, b: [f"if {test}:", *a, "else:", *b], tests, bodies, bodies),
        st.builds(lambda test, a: [f"if {test}:", *a], tests, bodies),
        st.builds(lambda head, a: [head, *a], loops, bodies),
        st.builds(lambda a, name: ["for layer in self.layers:", *a, f"    {name} = layer({name})"], bodies, names),
    )


statements = st.recursive(st.one_of(assignments, assignments, returns), compound, max_leaves=5)
programs = st.lists(statements, min_size=1, max_size=4).map(lambda parts: list(itertools.chain.from_iterable(parts)))
kinds = st.sampled_from(["insert", "insert", "set", "erase", "replace"])
edits = st.lists(st.tuples(kinds, *[st.integers(0, 40)] * 3), max_size=10)


def edit(tree, kind, i, j, k):
    """One edit, legal or not, at any node, those in the bodies of control flow too."""
    nodes = [Node(handler) for handler in tree.get_handler().all_nodes()]
    node, other = nodes[i % len(nodes)], nodes[j % len(nodes)]
    value = other.get_targets()[0] if other.get_targets() else ScopedValue.create_naming_value("missing")
    made = Node.create_call_cell([ops.ReLU(), ops.Neg(), Part()][k % 3], ["x"], [value], name="made")
    if kind == "insert":
        tree.insert(tree.after(node) if k % 2 else tree.before(node), made)
    elif kind == "set":
        node.set_arg(k % 3, value)
    elif kind == "erase":
        tree.erase(node)
    else:
        tree.replace(node, [made])


def picture(tree):
    """Everything that an edit may change."""
    return [(n.name, n.place, n.lines(), [u.name for u in n.users]) for n in tree.get_handler().all_nodes()]


@given(programs, edits)
def test_random_edits_keep_a_tree_sound(lines, changes):
    net = network(lines)
    expected = net(_X).asnumpy().tolist()
    tree = SymbolTree.create(net)
    assert tree.get_network()(_X).asnumpy().tolist() == expected
    for change in changes:
        before = picture(tree)
        try:
            edit(tree, *change)
        except ValueError:
            assert picture(tree) == before
        check(tree.get_handler())
        new = tree.get_network()
        assert outcome(lambda new=new: new(_X)) == outcome(lambda: interpret(tree, _X))
    assert net(_X).asnumpy().tolist() == expected


@given(programs)
def test_a_random_network_that_is_rewritten_twice_computes_the_same(lines):
    net = network(lines)
    once = SymbolTree.create(net).get_network()
    twice = SymbolTree.create(once).get_network()
    for x in (_X, -_X, _X * 0):
        assert net(x).asnumpy().tolist() == once(x).asnumpy().tolist() == twice(x).asnumpy().tolist()


@pytest.mark.parametrize("count", [1000])
def test_many_insertions_at_one_place_keep_their_order(count):
    tree = SymbolTree.create(network(["x = self.neg(x)"]))
    place = tree.get_node("neg")
    for _ in range(count):
        args = ScopedValue.create_name_values(["x"])
        tree.insert(tree.after(place), Node.create_call_cell(ops.ReLU(), ["x"], args))
    check(tree.get_handler())
    names = [node.get_name() for node in tree.nodes()]
    assert names[names.index("neg") + 1 :][:3] == [f"ReLU_{count - 1 - i}" for i in range(3)]
