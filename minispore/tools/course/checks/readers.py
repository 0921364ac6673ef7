"""Exercise 10.1: the lines that read the value of a line, beside the users of a SymbolTree's nodes."""

import random

from minispore.rewrite import NodeType, SymbolTree
from minispore.testing.users_code import made
from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("readers",)


def cases():
    """Straight lines of a network: a few by hand, then drawn ones, the shortest first."""
    yield ([("y", "relu", ("x",))],)
    yield ([("y", "relu", ("x",)), ("z", "tanh", ("y",))],)
    yield ([("y", "relu", ("x",)), ("y", "tanh", ("x",)), ("z", "relu", ("y",))],)
    yield ([("x", "relu", ("x",)), ("x", "tanh", ("x",))],)
    yield ([("y", "relu", ("x",)), ("z", "add", ("y", "y"))],)
    drawn = random.Random(0)
    for length in (3, 4, 5, 6, 7, 8):
        yield ([_line(drawn, ["x"]), *(_line(drawn, ["x", "x"]) for _ in range(length - 1))],)


def _line(drawn, known):
    """A line that reads x, or what ``known`` says is assigned by then."""
    operation = drawn.choice(["relu", "tanh", "add"])
    arguments = tuple(drawn.choice(known) for _ in range(2 if operation == "add" else 1))
    return drawn.choice(["x", "x", "y"]), operation, arguments


def check(mine, lines):
    """Raise :class:`Wrong` unless the readers are those of the tree."""
    found, wished = mine.readers([tuple(line) for line in lines]), _of_tree(lines)
    if found != wished:
        raise Wrong(f"the readers of {lines} are {found}, not {wished}")


def _of_tree(lines):
    body = "\n".join(f"        {target} = self.{op}({', '.join(names)})" for target, op, names in lines)
    text = (
        "class Net(nn.Cell):\n    def __init__(self):\n        super().__init__()\n"
        "        self.relu, self.tanh, self.add = nn.ReLU(), nn.Tanh(), ops.Add()\n\n"
        f"    def construct(self, x):\n{body}\n        return x\n"
    )
    nodes = list(SymbolTree.create(made(text)["Net"]()).nodes())
    calls = [n for n in nodes if n.get_node_type() not in (NodeType.Input, NodeType.Output)]
    names = [node.get_name() for node in calls]
    users = [{user.get_name() for user in node.get_users()} for node in calls]
    return [[i for i, name in enumerate(names) if name in each] for each in users]
