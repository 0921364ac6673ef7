"""Interpreter: runs the nodes of a tree one after another, without the source that the tree writes.

It is written to be obvious, since generated networks are compared with it.
"""

import ast
import builtins
import operator
from types import MethodType

from minispore.nn import Cell, CellList
from minispore.rewrite import NodeType
from minispore.rewrite.tree.node_forms import Expression, Python

_OPERATORS = {
    **{"{}": lambda x: x, "-{}": operator.neg, "{} * {}": operator.mul},
    **{"{} + {}": operator.add, "{} - {}": operator.sub, "{} > {}": operator.gt},
}


class Returned(Exception):  # noqa: N818 - a jump, no error
    """The interpreter met ``return``."""


class Break(Exception):  # noqa: N818
    """It met ``break``."""


class Continue(Exception):  # noqa: N818
    """It met ``continue``."""


class StandIn:
    """The interpreter's ``self``: the cell, but the cells that have trees are interpreted."""

    def __init__(self, cell, forest):
        self._cell, self._forest = cell, forest

    def __getattr__(self, name):
        return self._stands_for(getattr(self._cell, name))

    def __call__(self, x):
        tree = self._forest.trees.get(self._cell)
        return self._cell(x) if tree is None else interpret(tree, x)

    def _stands_for(self, value):
        if isinstance(value, MethodType):
            return MethodType(value.__func__, self)
        if isinstance(value, CellList):
            return [StandIn(cell, self._forest) for cell in value]
        return StandIn(value, self._forest) if isinstance(value, Cell) else value


def interpret(tree, x):
    """Compute the nodes of a tree for its one input."""
    try:
        _Run(tree, x).run(tree)
    except Returned as found:
        return found.args[0]
    return None


def undefined(tree):
    """The nodes of a tree that read a name without a definition before them, each with the name."""
    around = {*vars(builtins), *(tree.function.__globals__ if tree.function else ()), *tree.mentioned, *tree.globals}
    return _undefined(tree, around - {target.value for node in tree.nodes() for target in node.targets})


def _undefined(block, known):
    found = []
    for node in block.nodes():
        names = [value.text.split(".")[0] for value in node.reads() if value.is_name]
        found += [(node, name) for name in names if name not in known]
        targets = {target.value for target in node.targets}
        if node.blocks:
            header = node.form.header
            once = isinstance(header.statement, (ast.If, ast.With))
            inside = known | {*header.begins, *header.bound} | (set() if once else targets)
            found += [each for body in node.blocks for each in _undefined(body, inside)]
        known = known | targets
    return found


class _Run:
    """One run: the values that are known by now."""

    def __init__(self, tree, x):
        around = tree.function.__globals__ if tree.function else {}
        self.forest, self.x = tree.forest, x
        self.known = {**vars(builtins), **around, "self": StandIn(tree.network, tree.forest)}

    def run(self, block):
        for node in block.nodes():
            self.step(node)

    def value(self, scoped):
        return self.known[scoped.value] if scoped.is_name else scoped.value

    def step(self, node):
        if node.kind is NodeType.ControlFlow:
            self.control(node, node.form.header)
            return
        args = [self.value(arg) for arg in node.args]
        if node.kind is NodeType.Output:
            raise Returned(args[0])
        if isinstance(node.form, Python):
            self.python("\n".join(node.lines()))
        else:
            self.known[node.targets[0].value] = self.result(node, args)

    def python(self, text):
        if text in ("break", "continue"):
            raise Break if text == "break" else Continue
        exec(text, self.known)

    def result(self, node, args):
        if node.kind is NodeType.Input:
            return self.x
        if isinstance(node.form, Expression):
            return _OPERATORS[node.form.template](*args)
        if node.called is not None:
            called = StandIn(node.called, self.forest) if isinstance(node.called, Cell) else node.called
        elif node.receiver is not None:
            called = eval(node.form.callee.format("receiver"), {"receiver": self.value(node.receiver)})
        else:
            called = eval(node.form.callee, self.known)
        return called(*args)

    def control(self, node, header):
        first = zip(header.begins, node.args[len(header.reads) :], strict=True)
        self.known.update([(name, self.value(scoped)) for name, scoped in first if scoped.text != name])

        def evaluate(expression):
            """The value of an expression of the header, as it is now."""
            seen = {name: self.value(scoped) for name, scoped in zip(header.reads, node.args, strict=False)}
            return eval(ast.unparse(expression), {**self.known, **seen})

        run = getattr(self, f"run_{type(header.statement).__name__.lower()}")
        run(header.statement, list(node.blocks), evaluate)

    def run_if(self, statement, blocks, evaluate):
        chosen = 0 if evaluate(statement.test) else 1
        for block in blocks[chosen : chosen + 1]:
            self.run(block)

    def run_for(self, statement, blocks, evaluate):
        for value in evaluate(statement.iter):
            self.known[statement.target.id] = value
            if self.broken(blocks[0]):
                return
        for block in blocks[1:]:
            self.run(block)

    def run_while(self, statement, blocks, evaluate):
        while evaluate(statement.test):
            if self.broken(blocks[0]):
                return
        for block in blocks[1:]:
            self.run(block)

    def broken(self, block):
        """Run the body of a loop once; returns whether it met ``break``."""
        try:
            self.run(block)
        except Continue:
            return False
        except Break:
            return True
        return False

    def run_with(self, statement, blocks, evaluate):
        (item,) = statement.items
        with evaluate(item.context_expr) as entered:
            self.known[item.optional_vars.id] = entered
            self.run(blocks[0])

    def run_try(self, statement, blocks, evaluate):
        (handler,), waiting = statement.handlers, blocks[2:]
        orelse = [waiting.pop(0)] if statement.orelse else []
        try:
            try:
                self.run(blocks[0])
            except evaluate(handler.type):
                self.run(blocks[1])
            else:
                for block in orelse:
                    self.run(block)
        finally:
            for block in waiting:
                self.run(block)
