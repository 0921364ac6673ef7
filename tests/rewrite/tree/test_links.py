"""Links: a node may be read before its name means its value; code is written only where each name means what it must.

The model of a tree is a list of steps, each of which knows the steps that it reads: no name decides what it computes.
"""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import Node, PatternEngine, Replacement, ScopedValue, SymbolTree, check
from minispore.tools.testing.strategies.edits import picture
from minispore.tools.testing.users_code import made

X = np.array([-1.5, 0.5, 2.0], np.float32)
PRELUDE = """
class Base(nn.Cell):
    def __init__(self):
        super().__init__()
        self.neg, self.relu, self.tanh, self.add = ops.Neg(), nn.ReLU(), nn.Tanh(), ops.Add()
"""
COMPUTE = {
    "neg": lambda x: -x,
    "relu": lambda x: np.maximum(x, np.float32(0)),
    "tanh": lambda x: ms.ops.tanh(ms.Tensor(x)).asnumpy(),
    "add": lambda x, y: x + y,
}
MADE = {"neg": ops.Neg, "relu": nn.ReLU, "tanh": nn.Tanh, "add": ops.Add}


@dataclass(eq=False)
class Step:
    """One line: ``target = operation(names)``, where each name stands for the value of a step."""

    operation: str
    target: str
    names: list
    read: list
    node: Node = None


@dataclass
class Model:
    """The steps in order; the first is the input ``x``, the last the output."""

    steps: list = field(default_factory=list)

    def last(self, name, place):
        """The step that defines ``name`` as read at a place in the list; None if none does."""
        return next((step for step in reversed(self.steps[:place]) if step.target == name), None)

    def readers(self, step):
        """Each reading of a step, as the reader and the index of its argument."""
        return [(each, i) for each in self.steps for i, read in enumerate(each.read) if read is step]

    def means(self, reader, index):
        """What the name means there, be it what is to be read or not."""
        return self.last(reader.names[index], self.steps.index(reader))

    def is_written_rightly(self):
        """Whether each name means what its step is to read."""
        return all(self.means(step, i) is read for step in self.steps for i, read in enumerate(step.read))

    def run(self):
        """What the steps compute."""
        known = {}
        for step in self.steps:
            values = [known[each] for each in step.read]
            known[step] = X if step.operation == "input" else values[0]
            if step.operation in COMPUTE:
                known[step] = COMPUTE[step.operation](*values)
        return known[self.steps[-1]]

    # Edits: each returns whether it is legal, and changes nothing if it is not

    def link(self, reader, index, source):
        if self.steps.index(source) >= self.steps.index(reader) or source.target is None:
            return False
        reader.names[index], reader.read[index] = source.target, source
        return True

    def name(self, reader, index, name):
        reader.names[index], reader.read[index] = name, self.last(name, self.steps.index(reader))
        return True

    def put_in(self, place, step):
        """Later readers by name read the new step, those of another step to which they are linked do not."""
        step.read = [self.last(name, place) for name in step.names]
        before = self.last(step.target, place)
        for reader, i in self.readers(before):
            behind = self.steps.index(reader) >= place
            if behind and reader.names[i] == step.target and self.means(reader, i) is before:
                reader.read[i] = step
        self.steps.insert(place, step)
        return True

    def erase(self, step):
        before = self.last(step.target, self.steps.index(step))
        if step.target is None or step.operation == "input" or (before is None and self.readers(step)):
            return False
        for reader, i in self.readers(step):
            reader.read[i] = before
        self.steps.remove(step)
        return True

    def replace(self, old, step):
        if old.target is None or old.operation == "input":
            return False
        place, readers = self.steps.index(old), self.readers(old)
        named = [self.steps.index(reader) for reader, i in readers if self.means(reader, i) is old]
        between = [each for behind in named for each in self.steps[place + 1 : behind]]
        if step.target != old.target and any(each.target == step.target for each in between):
            return False
        self.put_in(place, step)
        for reader, i in readers:
            reader.names[i], reader.read[i] = step.target, step
        self.steps.remove(old)
        return True


names = st.sampled_from("xyz")
lines = st.one_of(
    st.tuples(st.sampled_from(["neg", "relu", "tanh"]), names, names.map(lambda name: [name])),
    st.tuples(st.just("add"), names, st.lists(names, min_size=2, max_size=2)),
)
kinds = st.sampled_from(["link", "link", "link", "erase", "erase", "insert", "replace", "name", "skip"])
changes = st.lists(st.tuples(kinds, *[st.integers(0, 30)] * 3, lines), min_size=1, max_size=12)


def begun(drawn):
    """The tree of a network with these lines, and its model."""
    every = [("neg", "y", ["x"]), ("tanh", "z", ["x"]), *drawn]
    text = "".join(f"        {target} = self.{name}({', '.join(read)})\n" for name, target, read in every)
    source = f"{PRELUDE}\n\nclass Net(Base):\n    def construct(self, x):\n{text}        return x\n"
    tree, model = SymbolTree.create(made(source)["Net"]()), Model()
    for name, target, read in [("input", "x", []), *every, ("output", None, ["x"])]:
        model.steps.append(Step(name, target, list(read), [model.last(each, len(model.steps)) for each in read]))
    for step, node in zip(model.steps, tree.nodes(), strict=True):
        step.node = node
    return tree, model


def new_step(line):
    """A step, and the node that is to be it."""
    name, target, read = line
    args = ScopedValue.create_name_values(read)
    return Step(name, target, list(read), [], Node.create_call_cell(MADE[name](), [target], args, name=name))


def changed(tree, model, kind, i, j, k, line):
    """Make one edit of the tree and of the model; returns whether each takes it."""
    step, other = model.steps[i % len(model.steps)], model.steps[j % len(model.steps)]
    if kind == "skip":  # the idiom: those who read a node read what it reads, then it goes
        if not step.read or step.target is None:
            return True, True
        for reader, index in model.readers(step):
            model.link(reader, index, step.read[0])
            reader.node.set_arg_by_node(index, step.read[0].node)
        kind = "erase"
    if kind in ("link", "name") and not step.names:
        return True, True
    if kind == "link":
        index = k % len(step.names)
        return model.link(step, index, other), taken(lambda: step.node.set_arg_by_node(index, other.node))
    if kind == "name":
        index, name = k % len(step.names), "xyz"[j % 3]
        name = "x" if model.last(name, model.steps.index(step)) is None else name
        return model.name(step, index, name), taken(lambda: step.node.set_arg(index, name))
    if kind == "erase":
        return model.erase(step), taken(lambda: tree.erase(step.node))
    place = max(1, i % len(model.steps))
    defined = {each.target for each in model.steps[: model.steps.index(step) if kind == "replace" else place]}
    name, target, read = line
    new = new_step((name, target, [each if each in defined else "x" for each in read]))
    if kind == "replace":
        return model.replace(step, new), taken(lambda: tree.replace(step.node, [new.node]))
    before = model.steps[place].node
    return model.put_in(place, new), taken(lambda: tree.insert(tree.before(before), new.node))


def taken(edit):
    """Whether an edit is taken."""
    try:
        edit()
    except ValueError:
        return False
    return True


def test_drawn_edits_read_what_their_links_say_or_code_is_refused():
    done = Counter()

    @settings(max_examples=8 * settings.default.max_examples)
    @given(st.lists(lines, min_size=1, max_size=5), changes)
    def linked(drawn, edits):
        tree, model = begun(drawn)
        for change in edits:
            before = picture(tree)
            legal, was_taken = changed(tree, model, *change)
            assert legal == was_taken
            assert was_taken or picture(tree) == before
            done["legal" if legal else "refused"] += 1
            done["waiting" if not agrees(tree, model) else "written"] += 1

    linked()
    print(dict(done))
    assert min(done[each] for each in ("legal", "refused", "waiting", "written")) > 20


def agrees(tree, model):
    """See that the tree is the model; returns whether code can be written, and it computes the same if so."""
    check(tree.get_handler())
    for step in model.steps:
        assert step.node.get_inputs() == [each.node for each in step.read]
        users = {reader for reader, _ in model.readers(step)}
        assert step.node.get_users() == [each.node for each in model.steps if each in users]
    if not model.is_written_rightly():
        for make in (tree.get_code, tree.get_network):
            with pytest.raises(ValueError, match="to which it was linked, but got that of"):
                make()
        return False
    assert tree.get_network()(ms.Tensor(X)).asnumpy().tolist() == model.run().tolist()
    return True


class Chain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Tanh(), nn.Sigmoid(), nn.ReLU()

    def construct(self, x):
        x = self.a(x)
        x = self.b(x)
        x = self.c(x)
        return x


def test_users_are_linked_to_what_is_before_a_node_which_is_then_erased():
    tree = SymbolTree.create(Chain())
    node = tree.get_node("b")
    for user in node.get_users():
        user.set_arg_by_node(0, node.get_inputs()[0])
    assert [user.get_name() for user in tree.get_node("a").get_users()] == ["b", "c"] and node.get_users() == []
    tree.erase(node)
    expected = np.maximum(np.tanh(X), 0)
    np.testing.assert_allclose(tree.get_network()(ms.Tensor(X)).asnumpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("make", ["get_code", "get_network"])
def test_a_name_that_means_another_value_when_code_is_written_is_refused_with_both_nodes(make):
    tree = SymbolTree.create(Chain())
    tree.get_node("c").set_arg_by_node(0, tree.get_node("a"))
    message = f"For '{make}', 'x' in 'c' must be that of 'a', to which it was linked, but got that of 'b', which"
    with pytest.raises(ValueError, match=message):
        getattr(tree, make)()
    tree.get_node("c").set_arg(0, "x")
    assert tree.get_network()(ms.Tensor(X)).asnumpy().tolist() == Chain()(ms.Tensor(X)).asnumpy().tolist()


def test_an_output_is_linked_to_a_node_whose_name_is_assigned_anew():
    tree = SymbolTree.create(Chain())
    tree.set_output(0, tree.get_node("b"))
    with pytest.raises(ValueError, match="'x' in 'return' must be that of 'b'"):
        tree.get_network()
    tree.erase("c")
    expected = 1 / (1 + np.exp(-np.tanh(X)))
    np.testing.assert_allclose(tree.get_network()(ms.Tensor(X)).asnumpy(), expected, rtol=1e-6)


def test_a_body_is_linked_to_what_its_loop_begins_with_and_not_to_its_branch():
    class Bodies(Chain):
        def construct(self, x):
            for x in (x, x + 1):  # noqa: B020 - the loop takes over the name
                x = self.a(x)
                y = self.c(x)
            if x.ndim:
                w = self.b(x)
                x = self.c(w)
            return x + y

    tree = SymbolTree.create(Bodies())
    loop, branch = tree.get_node("For"), tree.get_node("If")
    first, second = map(Node, loop.get_handler().blocks[0].nodes())
    inside = Node(branch.get_handler().blocks[0].nodes()[1])
    second.set_arg_by_node(0, loop)
    with pytest.raises(ValueError, match="'w' of 'If' must be defined before 'c_1', but got 'b', which"):
        inside.set_arg_by_node(0, branch, [str(target) for target in branch.get_targets()].index("w"))
    tree.erase(first)
    check(tree.get_handler())
    later = 1 / (1 + np.exp(-(X + 1)))
    np.testing.assert_allclose(tree.get_network()(ms.Tensor(X)).asnumpy(), later + np.maximum(X + 1, 0), rtol=1e-6)


def test_what_is_erased_with_its_links_is_read_by_name_when_it_comes_back():
    tree = SymbolTree.create(Chain())
    node = tree.get_node("c")
    node.set_arg_by_node(0, tree.get_node("a"))
    tree.insert(tree.before("return"), tree.erase(node))
    assert [maker.get_name() for maker in node.get_inputs()] == ["b"]
    assert tree.get_network()(ms.Tensor(X)).asnumpy().tolist() == Chain()(ms.Tensor(X)).asnumpy().tolist()


def test_patterns_are_not_looked_for_where_a_name_means_another_value_than_the_linked_one():
    class Never(Replacement):
        def build(self, pattern, is_chain_pattern, matched):
            raise AssertionError

    tree = SymbolTree.create(Chain())
    tree.get_node("c").set_arg_by_node(0, tree.get_node("a"))
    with pytest.raises(ValueError, match=r"For 'PatternEngine.apply', 'x' in 'c' must be that of 'a'"):
        PatternEngine([nn.Tanh, nn.ReLU], Never()).apply(tree)
