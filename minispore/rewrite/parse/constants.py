"""Constants: the expressions whose value is written in the code as it is."""

import ast
import math

from minispore.rewrite.tree.scoped_value import ScopedValue


def constant(expression):
    """The expression's constant value, or None. A list is not constant: each evaluation makes a new one."""
    if not isinstance(expression, (ast.Constant, ast.UnaryOp, ast.Tuple)):
        return None
    try:
        value = ast.literal_eval(expression)
        legible = ast.literal_eval(repr(value)) == value  # infinity is not
    except (ValueError, TypeError):
        return None
    mutable = any(isinstance(n, (ast.List, ast.Dict, ast.Set)) for n in ast.walk(expression))
    zero = isinstance(value, float) and value == 0 and math.copysign(1, value) < 0
    return ScopedValue.create_variable_value(value) if legible and not mutable and not zero else None
