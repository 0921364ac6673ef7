"""New nodes, not yet in a tree, from the user's callee, targets and arguments."""

from minispore.core.dtype import DType
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Call
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue
from minispore.rewrite.tree.unique_names import identifier


def call_cell(cell, targets, args, kwargs, name):
    """A new node that calls a Cell or Primitive."""
    if not isinstance(cell, (Cell, Primitive)):
        raise type_error("create_call_cell", "the 'cell' must be a Cell or a Primitive", type(cell).__name__)
    if not isinstance(name, str):
        raise type_error("create_call_cell", "the 'name' must be a str", type(name).__name__)
    kind = NodeType.CallPrimitive if isinstance(cell, Primitive) else NodeType.CallCell
    return _made(kind, name, cell, _checked(kind, "create_call_cell", targets, args, kwargs))


def with_trees(node, forest, is_container):
    """The new node, to be entered: the trees of the cell that it calls are a Forest; None for a leaf."""
    if forest is not None:
        node.inside, node.kind = forest, NodeType.CellContainer if is_container else NodeType.Tree
    return node


def call_function(function, targets, args, kwargs):
    """A new node that calls a function."""
    if not callable(function) or isinstance(function, (Cell, Primitive)):
        raise type_error("create_call_function", "the 'func' must be a function", type(function).__name__)
    name = getattr(function, "__name__", "function")
    args, kwargs = [_constant(arg) for arg in args], {key: _constant(value) for key, value in kwargs.items()}
    kind = NodeType.CallFunction
    return _made(kind, name, function, _checked(kind, "create_call_function", targets, args, kwargs))


def _constant(value):
    """A str as a constant, since a function's argument may be one; anything else unchanged."""
    return ScopedValue.create_variable_value(value) if isinstance(value, str) else value


def _made(kind, name, called, values):
    """A node of the checked ``values``, marked as one that the user brings."""
    targets, args, kwargs = values
    node = TreeNode(kind, name or targets[0].value, Call(""), targets, args, kwargs, instance=called)
    node.brought = True
    return node


def _checked(kind, operation, targets, args, kwargs):
    """The targets as plain names, and the arguments as ScopedValues."""
    targets = [_target(target, operation) for target in _listed(targets, operation, "targets")]
    if not targets or not all(target.is_name for target in targets):
        raise value_error(operation, "the 'targets' must be at least one name", targets)
    args = [value_of(arg, operation, "args") for arg in _listed([] if args is None else args, operation, "args")]
    kwargs = {} if kwargs is None else kwargs
    if not isinstance(kwargs, dict):
        raise type_error(operation, "the 'kwargs' must be a dict", type(kwargs).__name__)
    for key in kwargs:
        if not isinstance(key, str):
            raise type_error(operation, "the keys of 'kwargs' must be str", type(key).__name__)
        if identifier(key) != key or (key == "self" and kind is not NodeType.CallFunction):  # which is the callee
            raise value_error(operation, "the keys of 'kwargs' must be names of parameters", shown(key))
    kwargs = {key: value_of(value, operation, "kwargs") for key, value in kwargs.items()}
    plain = [ScopedValue.create_naming_value(target.value) for target in targets]
    if not all(identifier(target.value) == target.value for target in plain):
        raise value_error(operation, "the 'targets' must be names of variables", plain)
    return plain, args, kwargs


def _target(value, operation):
    named = isinstance(value, str)
    return ScopedValue.create_naming_value(value) if named else value_of(value, operation, "targets")


def _listed(values, operation, argument):
    if not isinstance(values, (list, tuple)):
        raise type_error(operation, f"the '{argument}' must be a list", type(values).__name__)
    return values


def value_of(value, operation, argument):
    """The ScopedValue for a user's value: a str is a name, a node its first target, a constant itself."""
    if isinstance(value, TreeNode):
        return output_of(value, 0, operation)
    if isinstance(value, str):
        value = ScopedValue.create_naming_value(value)
    elif isinstance(value, (bool, int, float, tuple, DType, Tensor)) or value is None:
        value = ScopedValue.create_variable_value(value)
    if not isinstance(value, ScopedValue):
        raise type_error(operation, f"each of the '{argument}' must be a ScopedValue", type(value).__name__)
    if isinstance(value.value, DType):
        return ScopedValue.create_naming_value(value.value.name.lower(), "minispore")
    if not value.is_legible and not value.is_carried:
        expected = f"each of the '{argument}' must be a name or a constant that Python can read"
        raise value_error(operation, expected, value.text)
    return value


def output_of(node, index, operation):
    """The target ``index`` of a node."""
    if not isinstance(node, TreeNode):
        raise type_error(operation, "the 'src_node' must be a Node", type(node).__name__)
    if isinstance(index, bool) or not isinstance(index, int):
        raise type_error(operation, "the index of an output must be an int", type(index).__name__)
    if not 0 <= index < len(node.targets):
        raise value_error(operation, f"the index must be in [0, {len(node.targets)}) for '{node.name}'", index)
    return node.targets[index]
