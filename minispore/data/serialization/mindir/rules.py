"""The table of rules: how a primitive is said in MindSpore's own, by the primitive's class.

``rule(graph, step, arguments, outputs)`` adds nodes and returns the name of the result, or a tuple of names, None
for a result that MindSpore has not. An argument is an :class:`~.graph.Operand`, or a constant of Python's; an output
has its shape and dtype.
"""

__all__ = []

RULES: dict = {}


def rule_for(*kinds):
    """Decorate the rule for some classes of primitives."""

    def decorate(function):
        RULES.update(dict.fromkeys(kinds, function))
        return function

    return decorate


def rule_of(primitive):
    """The rule for a primitive; None without one."""
    return RULES.get(type(primitive))
