"""Functions that are chosen by the types of their arguments, and functions mapped over collections."""

import pytest

import minispore as ms
from minispore import Tensor, ops


def chosen():
    """A function that names the kinds of its arguments."""
    graph = ops.MultitypeFuncGraph("chosen")
    for kind in (ms.number, ms.tensor_type, ms.tuple_, ms.list_, ms.string, ms.type_none):
        graph.register(kind)(lambda x, kind=kind: str(kind))
    return graph


@pytest.mark.parametrize(
    ("value", "name"),
    [(2, "Number"), (2.5, "Number"), (Tensor([1.0]), "Tensor"), ((1,), "Tuple"), ([1], "List"), ("a", "String")],
)
def test_functions_are_registered_by_kinds_as_by_their_names(value, name):
    assert chosen()(value) == name
    by_name = ops.MultitypeFuncGraph("by_name")
    by_name.register(name)(lambda x: name)
    assert by_name(value) == name


def test_none_is_a_kind_and_data_types_are_the_numbers_of_their_names():
    assert chosen()(None) == "None"
    graph = ops.MultitypeFuncGraph("graph")
    graph.register(ms.tensor_type, ms.int64)(lambda x, y: x * y)
    graph.register(ms.tensor_type, ms.float32)(lambda x, y: x / y)
    assert graph(Tensor([3.0]), 2).tolist() == [6] and graph(Tensor([3.0]), 2.0).tolist() == [1.5]


@pytest.mark.parametrize("kind", ["Number of things", ms.int8, 3, None])
def test_what_names_no_kind_is_refused(kind):
    with pytest.raises(ValueError, match="For 'register', the type must be one of"):
        ops.MultitypeFuncGraph("graph").register(kind)


def test_a_kind_is_no_data_type():
    with pytest.raises(TypeError, match=r"must be a minispore dtype, but got minispore\.number"):
        Tensor([1.0], ms.number)


def test_a_tuple_and_a_list_are_mapped_together_as_the_first_is_nested():
    x, y = (Tensor([1.0]), (Tensor([2.0]),)), [Tensor([10.0]), [Tensor([20.0])]]
    first, (second,) = ops.HyperMap()(ops.add, x, y)
    assert (first.tolist(), second.tolist()) == ([11], [22])


def plus(x, y):
    return x + y


def test_maps_go_through_tuples_lists_and_dicts():
    assert ops.HyperMap()(plus, (1, [2, {"a": 3}]), (10, [20, {"a": 30}])) == (11, [22, {"a": 33}])
    assert ops.HyperMap(plus)({"a": 1, "b": 2}, {"b": 20, "a": 10}) == {"a": 11, "b": 22}
    assert ops.HyperMap(plus)((1, 2), [10, 20]) == (11, 22)
    assert ops.Map(plus)({"a": (1,)}, {"a": (2,)}) == {"a": (1, 2)}


def test_maps_refuse_collections_of_different_lengths():
    with pytest.raises(ValueError, match="For 'HyperMap', the collections must have equal lengths"):
        ops.HyperMap(plus)((1, 2), (1,))


def test_sens_may_be_a_keyword_and_a_function_may_have_no_inputs():
    x = Tensor([1.0, 2.0])
    found = ops.GradOperation(sens_param=True)(lambda a: a * a)(x, sens=Tensor([10.0, 1.0]))
    assert found.asnumpy().tolist() == [20, 4]
    assert ops.GradOperation()(lambda: x)() == ()
