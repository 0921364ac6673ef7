"""Nested structures: leaves in order, rebuilt as they were, for every kind of container."""

from collections import OrderedDict, defaultdict, namedtuple

from hypothesis import given
from hypothesis import strategies as st

from minispore.core import nest

Pair = namedtuple("Pair", "first second")


def containers(parts):
    names = st.text("abcdef", max_size=3)
    return st.one_of(
        st.lists(parts, max_size=4),
        st.lists(parts, max_size=4).map(tuple),
        st.tuples(parts, parts).map(lambda both: Pair(*both)),
        st.dictionaries(names, parts, max_size=4),
        st.dictionaries(names, parts, max_size=4).map(OrderedDict),
    )


nests = st.recursive(st.integers() | st.text() | st.none(), containers, max_leaves=12)


@given(nests)
def test_mapping_the_identity_gives_an_equal_nest_of_the_same_types(tree):
    same = nest.map_leaves(lambda leaf: leaf, tree)
    assert same == tree
    assert type(same) is type(tree)


@given(nests)
def test_leaves_put_back_in_their_order_give_the_nest(tree):
    assert nest.replace_leaves(object, tree, nest.leaves(tree)) == tree


@given(nests)
def test_selected_leaves_are_those_of_the_kind_and_no_others_are_replaced(tree):
    assert nest.select(int, tree) == [leaf for leaf in nest.leaves(tree) if isinstance(leaf, int)]
    negated = nest.replace_leaves(int, tree, [-n for n in nest.select(int, tree)])
    assert nest.leaves(negated) == [-leaf if isinstance(leaf, int) else leaf for leaf in nest.leaves(tree)]


def test_a_default_dict_keeps_its_factory_and_the_original_its_values():
    tree = defaultdict(list, a=1)
    other = nest.map_leaves(lambda leaf: leaf + 1, tree)
    assert other == {"a": 2}
    assert other.default_factory is list
    assert tree == {"a": 1}


def test_a_named_tuple_takes_its_parts_one_by_one():
    assert nest.with_parts(Pair(1, 2), iter([3, 4])) == Pair(3, 4)
