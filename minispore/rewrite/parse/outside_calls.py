"""OutsideCalls: calls of functions, of methods, and of objects that the code makes or takes from outside."""

import ast

from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.resolve.package_functions import is_package_function
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Call
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue


class OutsideCalls:
    """Base of Calls: makes the node of a call whose callee is neither a cell nor a primitive of this cell."""

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

    def _outside_callable(self, name):
        """The cell or primitive of a name from outside; None if it has another value."""
        known = self.scope.outside(ast.Name(name, ast.Load()))
        if not isinstance(known, (Cell, Primitive)) or is_package_function(known):
            return None
        self.tree.outside[name] = known
        return known

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

    def is_known(self, callee):
        """True if the callee is a cell or a primitive."""
        called = self.scope.own(callee)
        return isinstance(called, (Cell, Primitive)) or isinstance(self.scope.outside(callee), Primitive)
