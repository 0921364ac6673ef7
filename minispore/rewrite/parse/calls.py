"""Calls: make the node of a call, by the kind of callee: a cell, a primitive, a function, a method."""

import ast
import re

from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.nn.layer.container import SequentialCell
from minispore.rewrite.parse.expressions import Expressions
from minispore.rewrite.parse.outside_calls import OutsideCalls
from minispore.rewrite.resolve.cell_contents import is_framework
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Call
from minispore.rewrite.tree.scoped_value import NodeType


def is_container(cell):
    """True if the cell runs its children one after another, and nothing else."""
    return isinstance(cell, SequentialCell) and type(cell).construct is SequentialCell.construct


class Calls(OutsideCalls, Expressions):
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
