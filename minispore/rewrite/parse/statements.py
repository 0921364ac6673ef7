"""Statements: turn the body of a construct into nodes; code that is not straight-line stays as Python."""

import ast
import inspect

from minispore.rewrite.parse.control_flow import add_compound
from minispore.rewrite.resolve.local_names import parameters
from minispore.rewrite.resolve.names import COMPOUND
from minispore.rewrite.resolve.opaque_syntax import binds_what_it_has_read
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Given, Return
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue


def add_inputs(calls, syntax):
    """An Input node for each parameter but the first."""
    values = inspect.signature(calls.source.function, follow_wrapped=False).parameters
    for prefix, position, argument, default in parameters(syntax)[1:]:
        text = "" if default is None else _default_text(calls, default, values[argument.arg].default)
        node = TreeNode(NodeType.Input, f"input_{argument.arg}", Given(prefix, text, position))
        calls.attach(node, argument.arg, [argument.arg])


def _default_text(calls, default, value):
    """A default as text. Any other than a constant or an outside name is "..."; it is handed over as an object."""
    try:
        ast.literal_eval(default)
    except (ValueError, TypeError):
        return ast.unparse(default) if calls.scope.outside(default) is value else "..."
    return ast.unparse(default)


def add_statements(calls, statements):
    """Nodes for the statements, up to the first ``return``."""
    for statement in statements:
        if isinstance(statement, ast.Return):
            add_return(calls, _returned(calls, statement))
            return
        _add_statement(calls, statement)


def _returned(calls, statement):
    if statement.value is None:
        return ScopedValue.create_variable_value(None)
    if binds_what_it_has_read(statement):
        return calls.opaque_expression(statement.value).targets[0]
    return calls.value(statement.value)


def add_return(calls, value):
    """The Output node."""
    calls.block.attach(TreeNode(NodeType.Output, calls.tree.names.unique("return"), Return(), args=[value]))


def _add_statement(calls, statement):
    if isinstance(statement, ast.Pass) or (isinstance(statement, ast.AnnAssign) and statement.value is None):
        return
    if binds_what_it_has_read(statement):
        calls.opaque([statement], type(statement).__name__)
    elif isinstance(statement, ast.Expr):
        if not isinstance(statement.value, ast.Constant):
            calls.define(statement.value)
    elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
        _add_assignment(calls, statement)
    elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        held = calls.value(statement.value)
        shorter = ast.AugAssign(statement.target, statement.op, ast.Name("_held", ast.Load()))
        calls.opaque([shorter], "AugAssign", extra={"_held": held})
    elif isinstance(statement, COMPOUND):
        add_compound(calls, statement, add_statements)
    else:
        calls.opaque([statement], type(statement).__name__)


def _add_assignment(calls, statement):
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = _plain_names(targets)
    if names is not None:
        calls.define(statement.value, names)
        return
    held = calls.value(statement.value)
    shorter = ast.Assign(targets, ast.Name("_held", ast.Load()))
    calls.opaque([shorter], "Assign", extra={"_held": held})


def _plain_names(targets):
    """The names of ``x = ...`` or ``x, y = ...``; None for any other target."""
    if len(targets) != 1:
        return None
    first = targets[0]
    parts = [first] if isinstance(first, ast.Name) else first.elts if isinstance(first, ast.Tuple) else []
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    plain = len(names) == len(parts) == len(set(names)) and (isinstance(first, ast.Name) or len(names) > 1)
    return names if plain else None
