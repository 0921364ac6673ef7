"""The names that code reads, where its instructions show them, and that more is read, where they do not."""

import pytest

from minispore.graph.bytecode import reads_of


def reading(source):
    """What the body of a function of ``o`` reads."""
    namespace = {}
    exec(f"def function(o):\n    {source}", namespace)
    return reads_of(namespace["function"].__code__)


@pytest.mark.parametrize(
    ("source", "attributes"),
    [
        ("return o.k.j", {"k", "j"}),
        ("o.k = 1", {"k"}),
        ("del o.k", {"k"}),
        ("return getattr(o, 'k')", {"k"}),
        ("return getattr(o.j, 'k', None)", {"j", "k"}),
        ("return hasattr(o, 'k')", {"k"}),
        ("return '{0.k} {0.j[a]:{0.w}}'.format(o)", {"k", "j", "w", "format"}),
        ("return '{} {a}'.format(o, a=1)", {"format"}),
        ("return [v.k for v in (lambda: o.j)()]", {"k", "j"}),
        ("class C:\n        k = o.j", {"j"}),
    ],
)
def test_names_that_code_shows(source, attributes):
    reads = reading(source)
    assert reads.attributes == attributes and not reads.all_attributes and not reads.unseen


def test_a_pattern_reads_the_names_that_it_gives_and_those_that_the_class_gives():
    reads = reading("match o:\n        case C(p, k=q): return p")
    assert reads.attributes == {"k", "__match_args__"} and reads.globals == {"C"} and not reads.all_attributes
    assert reading("match o:\n        case {'k': q}: return q").attributes == {"get"}


@pytest.mark.parametrize(
    "source",
    [
        "return getattr(o, o)",
        "read = getattr; return read(o, 'k')",
        "return map(hasattr, o)",
        "return o.__dict__",
        "return object.__getattribute__(o, 'k')",
        "return o.format(o)",
        "return (lambda: getattr(o, o))()",
    ],
)
def test_any_attribute_may_be_read(source):
    assert reading(source).all_attributes


@pytest.mark.parametrize("source", ["import os", "return o.__globals__", "return o.cell_contents", "return o.f_locals"])
def test_what_cannot_be_seen(source):
    assert reading(source).unseen


def test_what_is_written_is_read():
    assert reading("global told; told = o").globals == {"told"}


def test_getattr_is_known_only_where_all_its_names_are_constants():
    assert reading("return getattr(o, 'k')").by_constants == {"getattr"}
    assert reading("return getattr(o, 'k'), getattr(o, o)").by_constants == set()
    assert reading("return getattr(o, 'k'), (lambda: getattr(o, o))").by_constants == set()
    assert reading("return (lambda: getattr(o, 'k'))").by_constants == {"getattr"}
