"""Drawn edits around aliases, augmented, tuple, starred, element and attribute targets, against a model in Python.

In the model a step first reads all its arguments, then computes, then binds. Its values are lists, which keep how they
were made, and which ``+=`` and ``y[0] = ...`` change in place, under each of their names.
"""

import re
from collections import Counter
from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from minispore import nn
from minispore.rewrite import Node, ScopedValue, SymbolTree, check
from minispore.tools.testing.users_code import made

_PROGRAMS = min(settings.default.max_examples * 5, 1000)
_NAMES = ["x", "y", "z"]


class Step(nn.Cell):
    """A cell that makes a list of its name and its input."""

    def __init__(self, tag):
        super().__init__()
        self.tag = tag

    def construct(self, x):
        return [self.tag, x]


class Parts(nn.Cell):
    """The cells of the drawn networks."""

    def __init__(self):
        super().__init__()
        self.a = Step("a")

    def start(self):
        return SimpleNamespace(p=["p"])


def _augmented(value, held):
    held += value
    return [held]


def _set_element(into, value):
    into[0] = value
    return []


def _set_attribute(box, value):
    box.p = value
    return []


def _starred(value):
    first, *rest = value
    return [first, rest]


def _name_and_element(into, value):
    first, into[0] = value
    return [first]


# kind: its text, how many names it binds and reads, in the order of the node's arguments, and what it computes
_KINDS = {
    "call": ("{0} = self.a({1})", 1, 1, lambda value: [["a", value]]),
    "alias": ("{0} = {1}", 1, 1, lambda value: [value]),
    "augmented": ("{0} += {1}", 1, 1, _augmented),
    "tuple": ("{0}, {1} = {2}, {3}", 2, 2, lambda one, other: [one, other]),
    "unpacked": ("{0}, {1} = {2}", 2, 1, lambda value: list(_both(value))),
    "starred": ("{0}, *{1} = {2}", 2, 1, _starred),
    "chained": ("{0} = {1} = {2}", 2, 1, lambda value: [value, value]),
    "element": ("{0}[0] = {1}", 0, 2, _set_element),
    "name and element": ("{0}, {1}[0] = {2}", 1, 2, _name_and_element),
    "attribute": ("box.p = {0}", 0, 1, _set_attribute),
    "read attribute": ("{0} = box.p", 1, 0, lambda box: [box.p]),
}


_HEADS = {"if": "if {}:", "for": "for _ in range(2):", "try": "try:"}


def _both(value):
    one, other = value
    return one, other


class Model:
    """One statement: the names that it reads and binds, and how it computes; or a compound one with its body."""

    def __init__(self, kind, targets, args, compute, body=()):
        self.kind, self.targets, self.args, self.compute, self.body = kind, targets, args, compute, list(body)
        self.begins, self.test = [], (*args, None)[0]
        self.node = None

    def run(self, env):
        """Run the statement in the environment."""
        values = [env[name] for name in self.args]
        if self.kind in _HEADS:
            reads = len(values) - len(self.begins)
            env.update(zip(self.begins, values[reads:], strict=True))
            test = values[0] if reads else env.get(self.test)
            for turn in range({"if": bool(test), "for": 2, "try": 1}[self.kind]):
                env.update({"_": turn} if self.kind == "for" else {})
                for step in self.body:
                    step.run(env)
        else:
            env.update(zip(self.targets, self.compute(*values), strict=True))


def _plain(kind, names):
    text, binds, reads, compute = _KINDS[kind]
    names = names[: binds + reads]
    if binds == 2 and names[0] == names[1]:
        names[1] = _NAMES[(_NAMES.index(names[0]) + 1) % 3]
    targets, args = names[:binds], names[binds:]
    if kind == "augmented":
        args = [args[0], targets[0]]
    if kind == "name and element" and args[0] == targets[0]:
        args[0] = names[1] = _NAMES[(_NAMES.index(names[0]) + 1) % 3]
    if kind in ("attribute", "read attribute"):
        args = ["box", *args]
    return [text.format(*names)], Model(kind, targets, args, compute)


_names = st.sampled_from(_NAMES)
_plain_statements = st.builds(_plain, st.sampled_from([*_KINDS]), st.lists(_names, min_size=4, max_size=4))


def _compound(kind, name, inside):
    lines = [f"    {line}" for part, _ in inside for line in part]
    ends = ["except KeyError:", "    pass"] if kind == "try" else []
    return [_HEADS[kind].format(name), *lines, *ends], Model(
        kind, [], [name] if kind == "if" else [], None, [model for _, model in inside]
    )


_bodies = st.lists(_plain_statements, min_size=1, max_size=3)
_compound_statements = st.builds(_compound, st.sampled_from([*_HEADS]), _names, _bodies)
_statements = st.one_of(_plain_statements, _plain_statements, _compound_statements)


def _network(lines):
    body = "".join(f"        {line}\n" for line in ["box = self.start()", *lines, "return x, y, z, box"])
    return made(f"class Net(Parts):\n    def construct(self, x, y, z):\n{body}", Parts=Parts)["Net"]()


def _paired(models, nodes):
    """Give each statement its node; a compound one reads what its node does, by the names of now."""
    for model, node in zip(models, nodes, strict=True):
        model.node = node
        if model.body:
            inside = node.get_handler()
            model.begins = list(inside.form.header.begins)
            model.args = [value.text for value in inside.args]
            _paired(model.body, [Node(each) for each in inside.blocks[0].nodes()])
        assert [value.text for value in node.get_args()] == model.args, model.kind


def _all(models):
    return [each for model in models for each in (model, *_all(model.body))]


def _around(models, wanted):
    """The list that holds a statement."""
    lists = [models, *(model.body for model in _all(models) if model.body)]
    return next(each for each in lists if wanted in each)


def _computed(run):
    try:
        return repr(run(["x", 1], ["y", 2], ["z", 3]))
    except (TypeError, ValueError, AttributeError, KeyError, UnboundLocalError, IndexError):
        return "fails"


def _run(models, *given):
    env = {**dict(zip(_NAMES, given, strict=True)), "box": SimpleNamespace(p=["p"])}
    for model in models:
        model.run(env)
    return tuple(env[name] for name in (*_NAMES, "box"))


def _edited(tree, models, change, number):
    """Make one edit of the tree, and of the model if it was legal."""
    kind, i, j, name = change
    old = _all(models)[i % len(_all(models))]
    steps = _around(models, old)
    new = Model("call", [_NAMES[j % 3]], [name], lambda value: [[f"new{number}", value]])
    defined = [target.value for target in old.node.get_targets()]
    if kind == "same":
        new.targets = defined[:1] or new.targets
    made_node = Node.create_call_cell(
        Step(f"new{number}"), new.targets, ScopedValue.create_name_values(new.args), name="new"
    )
    if kind == "set":
        if not old.args:
            return
        old.node.set_arg(j % len(old.args), ScopedValue.create_naming_value(name))
        old.args[j % len(old.args)] = name
    elif kind == "link":
        source = _all(models)[j % len(_all(models))]
        defined = source.node.get_targets()
        if defined and old.args:
            old.node.set_arg_by_node(i % len(old.args), source.node)
            old.args[i % len(old.args)] = defined[0].value
    elif kind == "insert":
        new.node = tree.insert(tree.after(old.node), made_node)
        steps.insert(steps.index(old) + 1, new)
    elif kind == "erase":
        tree.erase(old.node)
        steps.remove(old)
    else:
        new.node = tree.replace(old.node, [made_node])
        if kind == "replace":
            new.targets, new.compute = [*new.targets, *defined], _repeated(new, len(defined) + 1)
        steps[steps.index(old)] = new


def _repeated(new, times):
    compute = new.compute
    return lambda value: compute(value) * times


_numbers = st.integers(0, 30)
_edits = st.sampled_from(["set", "set", "link", "insert", "erase", "same"])
_changes = st.tuples(_edits, _numbers, _numbers, _names)
_last = st.tuples(st.just("replace"), _numbers, _numbers, _names)


def test_drawn_edits_beside_all_kinds_of_targets_compute_what_the_steps_say():
    done = Counter()

    @settings(max_examples=_PROGRAMS)
    @given(
        st.lists(_statements, min_size=1, max_size=6),
        st.lists(_changes, min_size=1, max_size=6),
        st.one_of(st.none(), _last),
    )
    def drawn(statements, changes, last):
        models = [model for _, model in statements]
        net = _network([line for lines, _ in statements for line in lines])
        tree = SymbolTree.create(net)
        nodes = list(tree.nodes())[4:-2]
        _paired(models, nodes)
        assert _computed(tree.get_network()) == _computed(lambda *given: _run(models, *given)) == _computed(net)
        for number, change in enumerate([*changes, *([last] if last else [])]):
            if not models:
                return
            done["edits"] += 1
            try:
                _edited(tree, models, change, number)
            except ValueError:
                done["illegal"] += 1
                continue
            check(tree.get_handler())
            try:
                new = tree.get_network()
            except ValueError as error:
                done["refused"] += 1
                assert re.search("that it sets before it reads that|to which it was linked", str(error))
                continue
            computed = _computed(new)
            done["computed"] += computed != "fails"
            assert computed == _computed(lambda *given: _run(models, *given)), tree.get_code()

    drawn()
    print(dict(done))
    assert done["computed"] > done["edits"] / 3
