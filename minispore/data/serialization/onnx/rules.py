"""The table of rules: how a primitive is said in ONNX's operators, by the primitive's class.

``rule(graph, primitive, arguments, outputs)`` adds nodes and returns the name of the result, or a tuple of names, None
for a result that ONNX does not give. An argument is an :class:`~.graph.Operand`, or a constant of Python's; an output
has its shape and dtype.
"""

__all__ = []

RULES: dict = {}


class NoRuleError(Exception):
    """The reason why ONNX's operators cannot express an operation; the text continues a sentence."""


def rule_for(*kinds):
    """Decorate the rule for some classes of primitives."""

    def decorate(function):
        RULES.update(dict.fromkeys(kinds, function))
        return function

    return decorate


def rule_of(primitive):
    """The rule for a primitive; None without one."""
    return RULES.get(type(primitive))
