"""Calls: make the node of a call, by the kind of callee: a cell, a primitive, a function, a method."""

import ast
import re

from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.nn.layer.container import SequentialCell
from minispore.rewrite.parse.expressions import Expressions
from minispore.rewrite.resolve.cell_contents import is_framework
from minispore.rewrite.resolve.package_functions import is_package_function
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Call
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue


def is_container(cell):
    """True if the cell runs its children one after another, and nothing else."""
    return isinstance(cell, SequentialCell) and type(cell).construct is SequentialCell.construct


class Calls(Expressions):
    """Expressions and calls; ``enter`` parses the cells that are called and returns their trees, or None for leaves."""

    def __init__(self, tree, source, bound, enter):
        super().__init__(tree, source, bound)
        self.enter = enter

    def define(self, expression, names=None):
        """Make the node that computes an expression."""
        if isinstance(expression, ast.Call):
            return self._call(expression, names)
        return super().define(expression, names)

    def attach(self, node, target, names=None):
        """Put a node at the end of the block; it may call an object that it reads by a name from outside."""
        loose = [value.value for value in node.reads() if value.is_name and self.block.producer(value.root) is None]
        own = {self.tree.self_name, *self.bound}
        outside = [ast.Name(name, ast.Load()) for name in loose if name not in own]
        node.reaches = (*node.reaches, *(self.reached(outside) if outside else ()))
        return super().attach(node, target, names)

    def _call(self, call, names):
        callee = call.func
        called = self.scope.own(callee)
        if isinstance(called, (Cell, Primitive)) and _is_direct(callee):
            return self._call_known(called, callee, call, names)
        if self.outside_path(callee) or isinstance(callee, ast.Name):
            return self._call_outside(callee, call, names)
        return self._call_method(callee, call, names)

    def _outside_callable(self, name):
        """The cell or primitive of a name from outside; None if it has another value."""
        known = self.scope.outside(ast.Name(name, ast.Load()))
        if not isinstance(known, (Cell, Primitive)) or is_package_function(known):
            return None
        self.tree.outside[name] = known
        return known

    def is_known(self, callee):
        """True if the callee is a cell or a primitive."""
        called = self.scope.own(callee)
        return isinstance(called, (Cell, Primitive)) or isinstance(self.scope.outside(callee), Primitive)

    def _call_known(self, called, callee, call, names):
        """``self.conv(x)``: a cell or a primitive that is known now."""
        args, prefixes, kwargs = self._arguments(call)
        name = ast.unparse(callee).removeprefix(self.tree.self_name + ".")
        form = Call(ast.unparse(callee), prefixes)
        node = TreeNode(self.kind_of(called), _legible(name), form, args=args, kwargs=kwargs, instance=called)
        return self.attach(node, _legible(name), names)

    def reached(self, nodes):
        """The cells and primitives that code may call; the cells of the user's are entered."""
        names = {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)} - self.bound
        found = (*super().reached(nodes), *filter(None, map(self._outside_callable, sorted(names))))
        for called in found:
            if isinstance(called, Cell):
                self.kind_of(called)
        return found

    def kind_of(self, called):
        """The kind of node that calls a cell or primitive; a user's cell is entered."""
        if isinstance(called, Primitive):
            return NodeType.CallPrimitive
        if is_container(called):
            return NodeType.CellContainer if self.enter(called) is not None else NodeType.CallCell
        return NodeType.CallCell if is_framework(called) or self.enter(called) is None else NodeType.Tree

    def _call_outside(self, callee, call, names):
        """``ops.relu(x)``, or ``f(x)`` of a local ``f``: a function, or a primitive that stands outside."""
        local = self.names.get(callee.id) if isinstance(callee, ast.Name) else None
        known = self.scope.outside(callee)
        if local is not None and self._maker(local):
            return self._call_made(local, call, names)
        if isinstance(known, Cell) and isinstance(callee, ast.Name) and self._outside_callable(callee.id):
            return self._call_known(known, callee, call, names)
        args, prefixes, kwargs = self._arguments(call)
        primitive = known if isinstance(known, Primitive) else None
        functional = primitive is None or is_package_function(primitive)
        kind = NodeType.CallFunction if functional else NodeType.CallPrimitive
        name = callee.id if isinstance(callee, ast.Name) else callee.attr
        form = Call(ast.unparse(callee) if local is None else "{}", prefixes)
        reaches = self._reached_by_own_self(callee, args, kwargs)
        node = TreeNode(kind, name, form, (), args, kwargs, local, primitive, reaches)
        node.makes = known if isinstance(known, type) and issubclass(known, (Cell, Primitive)) else None
        return self.attach(node, name, names)

    def _maker(self, value):
        """The node that makes a value, a primitive; None if there is none."""
        producer = self.block.producer(value.root)
        return producer if producer and producer.makes and issubclass(producer.makes, Primitive) else None

    def _call_made(self, receiver, call, names):
        """``ops.MatMul()(x, y)``: a primitive that the code makes itself."""
        args, prefixes, kwargs = self._arguments(call)
        name = self._maker(receiver).makes.__name__
        form = Call("{}", prefixes)
        return self.attach(TreeNode(NodeType.CallPrimitive, name, form, (), args, kwargs, receiver), name, names)

    def _reached_by_own_self(self, callee, args, kwargs):
        """Every cell, if the cell itself is handed over, or ``super()`` is called."""
        own = ScopedValue.create_naming_value(self.tree.self_name)
        bare = own in (*args, *kwargs.values()) or (isinstance(callee, ast.Name) and callee.id == "super")
        return self.reached([ast.Name(self.tree.self_name, ast.Load())]) if bare else ()

    def _call_method(self, callee, call, names):
        """``x.view(1)``, ``self.helper(x)``, ``make()(x)``."""
        if not isinstance(callee, ast.Attribute):
            receiver, form, name = self.value(callee), "{}", "call"
            if self._maker(receiver):
                return self._call_made(receiver, call, names)
        elif isinstance(callee.value, ast.Name) and callee.value.id == self.tree.self_name:
            receiver, form, name = None, ast.unparse(callee), callee.attr
        else:
            receiver, form, name = self.value(callee.value), "{}." + callee.attr, callee.attr
        args, prefixes, kwargs = self._arguments(call)
        reaches = self._reached_by_own_self(callee, args, kwargs)
        if receiver is None:
            reaches = (*reaches, *self.reached([callee]))
        kind = NodeType.CallMethod if isinstance(callee, ast.Attribute) else NodeType.CallFunction
        node = TreeNode(kind, name, Call(form, prefixes), (), args, kwargs, receiver, reaches=reaches)
        return self.attach(node, name, names)

    def _arguments(self, call):
        """The arguments of a call as values, with ``*`` and ``**`` before those that are spread, and the keywords."""
        args, prefixes, kwargs = [], [], {}
        for argument in call.args:
            spread = isinstance(argument, ast.Starred)
            args.append(self.value(argument.value if spread else argument))
            prefixes.append("*" if spread else "")
        for keyword in call.keywords:
            value = self.value(keyword.value)
            if keyword.arg is None:
                args.append(value)
                prefixes.append("**")
            else:
                kwargs[keyword.arg] = value
        return args, tuple(prefixes), kwargs


def _is_direct(callee):
    """True if the callee is an attribute of ``self``, or an element of one, not a part of another cell."""
    while isinstance(callee, ast.Subscript):
        callee = callee.value
    return isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name)


def _legible(path):
    return re.sub(r"\W+", "_", path).strip("_")
