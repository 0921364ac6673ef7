"""Random networks: straight lines, branches, loops, contexts, exceptions, containers, methods and nested cells."""

import contextlib
import itertools
import re

from hypothesis import strategies as st

from minispore.tools.testing.users_code import made

__all__ = ["PRELUDE", "Fails", "Part", "network", "programs", "source", "whole_source"]

# Names in the constructs of random networks
PRELUDE = '''class Fails(Exception):
    """What the cells of random networks raise."""


class Part(nn.Cell):
    """A cell of a random network."""

    def __init__(self):
        super().__init__()
        self.neg = ops.Neg()

    def construct(self, x):
        if x.ndim > 1:
            return x
        return self.neg(x) * 0.5 + 1


class Random(nn.Cell):
    """What the constructs of random networks use."""

    def __init__(self):
        super().__init__()
        self.relu, self.neg, self.part, self.yes, self.no = ops.ReLU(), ops.Neg(), Part(), True, False
        self.chain, self.layers = nn.SequentialCell(Part(), nn.ReLU()), nn.CellList([Part(), nn.ReLU()])

    def helper(self, t):
        return self.part(self.neg(t))

    def fails(self, t):
        if t.sum() > 0:
            raise Fails
        return t

    def turns(self):
        return iter([True, True])
'''
_parts = made(PRELUDE)
Fails, Part = _parts["Fails"], _parts["Part"]


def _construct(lines):
    body = "".join(f"        {line}\n" for line in ["y = -x", "z = x", *lines, "return x + y - z"])
    return f"    def construct(self, x):\n{body}"


def source(lines):
    """The class ``Net`` whose construct has these lines, as text."""
    return f"class Net(Random):\n{_construct(lines)}"


def whole_source(lines):
    """The source of the same class without inheritance, with the definitions that it uses."""
    return f"{PRELUDE.replace('class Random(', 'class Net(')}\n{_construct(lines)}"


def network(lines):
    """A network whose construct has these lines."""
    return made(source(lines), **_parts, nullcontext=contextlib.nullcontext)["Net"]()


names = st.sampled_from(["x", "y", "z"])
_callees = st.sampled_from(["relu", "neg", "part", "chain", "layers[0]", "helper"])
expressions = st.recursive(
    names,
    lambda inner: st.one_of(
        st.builds("self.{}({})".format, _callees, inner),
        st.builds("({} {} {})".format, inner, st.sampled_from("+-"), inner),
        st.builds("-({})".format, inner),
        st.builds("({0} if self.{1} else self.relu({2}))".format, inner, st.sampled_from(["yes", "no"]), inner),
    ),
    max_leaves=4,
)
_signs = st.sampled_from(["=", "+="])
assignments = st.builds(lambda name, sign, value: [f"{name} {sign} {value}"], names, _signs, expressions)
tests = st.one_of(
    st.sampled_from(["self.yes", "self.no"]),
    st.builds("{}.sum() > 0".format, names),
    st.builds("(self.relu({}) - 1).sum() > 0".format, names),
)
returns = st.builds(lambda test, value: [f"if {test}:", f"    return {value}"], tests, expressions)
failures = st.builds(lambda name, value: [f"{name} = self.fails({value})"], names, expressions)
_jumps = st.one_of(
    st.just([]),
    st.builds(lambda test, jump: [f"if {test}:", f"    {jump}"], tests, st.sampled_from(["break", "continue"])),
)


def _indented(lines):
    return [f"    {line}" for line in itertools.chain.from_iterable(lines)]


def _counted(body, last):
    """A loop of two turns; a loop inside it counts on an iterator of another name, so its ``break`` ends it alone."""
    inside = [re.sub(r"(?<!\.)\bturns", "turns_", line) for line in (*body, *last)]
    return ["turns = self.turns()", "while next(turns, False):", *inside]


def compound(inner):
    """Statements with bodies; ``inner`` makes the statements of a body."""
    bodies = st.lists(inner, min_size=1, max_size=3).map(_indented)
    looped = st.builds(lambda a, jump, b: [*a, *_indented([jump]), *b], bodies, _jumps, bodies)
    last = st.one_of(st.just([]), bodies.map(lambda lines: ["else:", *lines]))
    finally_ = st.one_of(st.just([]), bodies.map(lambda lines: ["finally:", *lines]))
    ranges = st.sampled_from(["for i in range(2):", "for i in range(0):"])
    return st.one_of(
        st.builds(lambda test, a, b: [f"if {test}:", *a, *b], tests, bodies, last),
        st.builds(lambda head, a, b: [head, *a, *b], ranges, looped, last),
        st.builds(lambda a, name: ["for layer in self.layers:", *a, f"    {name} = layer({name})"], bodies, names),
        st.builds(_counted, looped, last),
        st.builds(lambda a, one, other: [f"with nullcontext({one}) as {other}:", *a], bodies, names, names),
        st.builds(
            lambda a, failure, b, c, d: ["try:", *a, *_indented([failure]), "except Fails:", *b, *c, *d],
            bodies,
            st.one_of(st.just([]), failures),
            bodies,
            last,
            finally_,
        ),
    )


statements = st.recursive(st.one_of(assignments, assignments, returns), compound, max_leaves=5)
programs = st.lists(statements, min_size=1, max_size=4).map(lambda parts: list(itertools.chain.from_iterable(parts)))
