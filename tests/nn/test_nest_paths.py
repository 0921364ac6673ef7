"""Paths of keys into a nest."""

from minispore.nn.nest_paths import keys_to


def test_the_keys_to_a_leaf_lead_to_the_very_object_and_a_list_may_hold_itself():
    leaf, endless = object(), []
    endless += [endless, 1]
    tree = [endless, {"a": (0, leaf)}]
    assert keys_to(leaf, tree) == [1, "a", 1]
    assert keys_to(leaf, leaf) == []
    assert keys_to(object(), tree) is None
