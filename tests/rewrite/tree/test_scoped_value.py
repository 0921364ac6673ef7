"""The kinds of nodes, and values: what takes the place of a name in them."""

import pytest

import minispore as ms
from minispore.rewrite import NodeType, ScopedValue, ValueType


@pytest.mark.parametrize("kind", NodeType)
def test_each_kind_of_node_says_what_it_stands_for(kind):
    assert f"``{kind.name}``" in NodeType.__doc__


def name(text):
    return ScopedValue.create_naming_value(text)


@pytest.mark.parametrize(
    ("value", "old", "new", "found"),
    [
        (name("x"), name("x"), name("y"), name("y")),
        (name("x.shape"), name("x"), name("y"), name("y.shape")),
        (name("x.shape.n"), name("x.shape"), name("y"), name("y.n")),
        (name("xs.shape"), name("x"), name("y"), name("xs.shape")),
        (name("x"), name("x.shape"), name("y"), name("x")),
        (name("x"), name("x"), ScopedValue.create_variable_value(2), ScopedValue.create_variable_value(2)),
        (name("x.shape"), name("x"), ScopedValue.create_variable_value(2), name("x.shape")),
        (name("x.shape"), ScopedValue.create_variable_value("x"), name("y"), name("x.shape")),
        (
            name("minispore.float16.x"),
            ScopedValue.create_variable_value(ms.float16),
            name("y"),
            name("minispore.float16.x"),
        ),
    ],
)
def test_a_name_takes_the_place_of_another_in_what_is_read_by_it(value, old, new, found):
    assert value.instead(old, new) == found


@pytest.mark.parametrize("value", [ms.float16, 1.5, "minispore.float16", "x.y", None, (1, 2), ms.Tensor([1.0])])
@pytest.mark.parametrize("old", ["minispore", "1", "x"])
def test_no_name_takes_a_place_in_a_constant_however_it_is_written(value, old):
    constant = ScopedValue.create_variable_value(value)
    assert constant.instead(name(old), name("y")) is constant


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((1,), "the 'arg_type' must be a ValueType"),
        ((ValueType.NamingValue, 1, "x"), "the 'scope' must be a str"),
        ((ValueType.IntValue, None, 1), "the 'scope' must be a str"),
        ((ValueType.NamingValue, "", 1), "the 'value' must be a str"),
        ((ValueType.NamingValue,), "the 'value' must be a str"),
    ],
)
def test_a_value_of_wrong_parts_is_refused(arguments, told):
    with pytest.raises(TypeError, match=told):
        ScopedValue(*arguments)
