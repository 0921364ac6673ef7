"""Patterns' arguments: what is wrong is refused, and named."""

import pytest

from minispore import nn
from minispore.rewrite import PatternEngine, PatternNode, Replacement, VarNode


class Nothing(Replacement):
    def build(self, pattern, is_chain_pattern, matched):
        return []


def circle():
    """A part that reads another, which reads it."""
    first, second = PatternNode("first", nn.ReLU), PatternNode("second", nn.Tanh)
    first.add_input(second)
    second.add_input(first)
    return first


_WRONG = [
    (lambda: PatternNode(3), TypeError, "the 'pattern_node_name' must be a str, but got int"),
    (lambda: PatternNode("x", 3), TypeError, "the 'match_type' must be a type, but got int"),
    (lambda: PatternNode("x", nn.ReLU, 3), TypeError, "the 'inputs' must be a list of PatternNodes"),
    (lambda: PatternNode("x", nn.ReLU, [3]), TypeError, "each of the 'inputs' must be a PatternNode"),
    (lambda: PatternNode.create_pattern_from_list(3), TypeError, "the 'type_list' must be a list"),
    (lambda: PatternNode.create_pattern_from_list([]), ValueError, "at least one class"),
    (lambda: PatternNode.create_pattern_from_node(3), TypeError, "the 'node' must be a Node"),
    (lambda: PatternEngine(3, Nothing()), TypeError, "the 'pattern' must be a PatternNode"),
    (lambda: PatternEngine([nn.ReLU]), TypeError, "the 'replacement' must be a Replacement, but got NoneType"),
    (lambda: PatternEngine(VarNode(), Nothing()), ValueError, "must be a call"),
    (
        lambda: PatternEngine(PatternNode("x", nn.ReLU, [PatternNode("x", nn.ReLU)]), Nothing()),
        ValueError,
        "names in the 'pattern' must differ",
    ),
    (lambda: PatternEngine(circle(), Nothing()), ValueError, "no part of the 'pattern' may be an input of its inputs"),
    (lambda: PatternEngine([nn.ReLU], Nothing()).apply(3), TypeError, "the 'stree' must be a SymbolTree"),
]


@pytest.mark.parametrize(("call", "error", "message"), _WRONG)
def test_a_wrong_argument_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_replacement_must_say_what_it_builds():
    with pytest.raises(TypeError, match="abstract"):
        Replacement()
