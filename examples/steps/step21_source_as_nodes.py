"""Step 21: a network's source as nodes. To cast some calls and leave others, a program must see the calls.

``ast``, of Python's own library, reads the source of ``construct``. Each call becomes a node: the name that it defines,
what it calls, the names that it reads. Nested calls come apart, innermost first: so the nodes stand in the order of
evaluation. What this small parser cannot read it refuses; it never guesses.

    python examples/steps/step21_source_as_nodes.py
"""

import ast
import inspect
import textwrap

import numpy as np
from step06_cell import Cell
from step07_dense import Dense, ReLU
from step19_layer_norm import LayerNorm


class Node:
    """``target = self.name(*args)``: one call; ``called`` is the object, ``line`` stands in the source."""

    def __init__(self, target, name, args, called, line=None):
        self.target, self.name, self.args, self.called, self.line = target, name, args, called, line

    def __str__(self):
        return f"{self.target} = self.{self.name}({', '.join(self.args)})"


class Tree:
    """The nodes of a network's ``construct``, its inputs, and the name that it returns."""

    def __init__(self, network):
        lines, first = inspect.getsourcelines(type(network).construct)
        function = ast.parse(textwrap.dedent("".join(lines))).body[0]
        self.network, self.nodes, self.first = network, [], first - 1
        self.inputs = [arg.arg for arg in function.args.args[1:]]
        for statement in function.body:
            if isinstance(statement, ast.Return):
                self.output = self.define(statement.value)
            elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                self.define(statement.value, statement.targets[0].id)
            elif not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant):
                raise TypeError(f"line {self.first + statement.lineno} is neither an assignment nor a return")

    def define(self, expression, target=None):
        """The name that holds an expression's value; a call gets a node."""
        if isinstance(expression, ast.Name):
            return expression.id
        callee = ast.unparse(expression.func) if isinstance(expression, ast.Call) else ""
        if not callee.startswith("self."):
            raise TypeError(f"'{ast.unparse(expression)}' is no call of a cell")
        args, name = [self.define(arg) for arg in expression.args], callee[len("self.") :]
        called = getattr(self.network, name)
        self.nodes.append(Node(target or name, name, args, called, self.first + expression.lineno))
        return target or name


class Network(Cell):
    """The network of the next steps."""

    def __init__(self, seed=6):
        rng = np.random.default_rng(seed)
        self.first, self.norm, self.relu = Dense(4, 8, rng), LayerNorm(8), ReLU()
        self.middle, self.last = Dense(8, 8, rng), Dense(8, 2, rng)

    def construct(self, x):
        x = self.relu(self.norm(self.first(x)))
        return self.last(self.middle(x))


def main():
    print(inspect.getsource(Network.construct))
    tree = Tree(Network())
    for node in tree.nodes:
        print(f"{node!s:24} {type(node.called).__name__}")
    print("returns", tree.output)


if __name__ == "__main__":
    main()
