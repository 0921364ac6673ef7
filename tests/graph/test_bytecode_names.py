"""The names that bytecode shows: a constant name is read off a call; any other puts all attributes in question."""

import pytest

from minispore.graph.bytecode import reads_of

CONSTANT = {
    "getattr of a local": lambda a: getattr(a, "k"),  # noqa: B009 - what is tested
    "hasattr": lambda a: hasattr(a, "k"),
    "with a default": lambda a: getattr(a, "k", None),
    "with a number as default": lambda a: getattr(a, "k", 2),
    "with a variable as default": lambda a, c: getattr(a, "k", c),
    "of an attribute": lambda a: getattr(a.b, "k"),  # noqa: B009
    "of an attribute, with a default": lambda a, c: getattr(a.b, "k", c),
}
MADE = {
    "a slice": lambda a: getattr(a, "unk"[2:]),
    "an end of a slice": lambda a: getattr(a, "kun"[:1]),
    "a sum": lambda a, name: getattr(a, "_" + name),
    "a variable": lambda a, name: getattr(a, name),
    "an attribute's": lambda a, x: getattr(a, x.name),
    "a choice": lambda a, x: getattr(a, "k" if x else "l"),
    "a call's": lambda a, x: getattr(a, x()),
    "a variable's default": lambda a, name: getattr(a, name, "k"),
}


@pytest.mark.parametrize("form", CONSTANT)
def test_a_constant_name_is_one_attribute_that_is_read(form):
    reads = reads_of(CONSTANT[form].__code__)
    assert "k" in reads.attributes and not reads.all_attributes and not reads.unseen


@pytest.mark.parametrize("form", MADE)
def test_after_a_name_that_is_made_any_attribute_may_be_read(form):
    assert reads_of(MADE[form].__code__).all_attributes
