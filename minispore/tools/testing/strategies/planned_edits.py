"""Edits of a straight network whose outcome is known: a cell is put in, replaced or erased, a value is read instead.

A network is a list of statements ``(value, cell, what it reads)``; an edit changes that list. Values have names of
their own in the program, or several share one, which then means the last of them.
"""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

__all__ = ["Edited", "edited_networks", "linked_networks"]

CELLS = {
    "nn.ReLU()": lambda x: np.maximum(x, 0),
    "ops.Neg()": np.negative,
    "ops.Square()": np.square,
    "ops.Add()": np.add,
    "ops.Sub()": np.subtract,
}
ONE, TWO = ("nn.ReLU()", "ops.Neg()", "ops.Square()"), ("ops.Add()", "ops.Sub()")


@dataclass(frozen=True)
class Edited:
    """A network's statements and the edits, as the verb ``edit`` takes them."""

    statements: list
    edits: list
    shared: bool = False  # whether all values but the last have one name in the program

    @property
    def label(self):
        """By which a deviation names it."""
        told = [f"{value} = {cell}({', '.join(reads)})" for value, cell, reads in self.statements]
        told += ["all but the last under one name"] if self.shared else []
        return f"{'; '.join(' '.join(edit) for edit in self.edits)} of {'; '.join(told)}"

    @property
    def size(self):
        """The number of calls that the network has."""
        return len(self.statements)

    def source(self):
        """The program that defines the network ``Net``."""
        made = [f"        self.{value}_cell = {cell}" for value, cell, _ in self.statements]
        calls = [f"        {self._name(v)} = self.{v}_cell({self._names(reads)})" for v, _, reads in self.statements]
        head = ["class Net(nn.Cell):", "    def __init__(self):", "        super().__init__()", *made, ""]
        last = self.statements[-1][0]
        return "\n".join([*head, "    def construct(self, x):", *calls, f"        return {last}", ""])

    def _name(self, value):
        return "y" if self.shared and value not in ("x", "last") else value

    def _names(self, values):
        return ", ".join(map(self._name, values))

    @property
    def edited(self):
        """The statements after the edits."""
        found = self.statements
        for number, edit in enumerate(self.edits):
            found = _after(found, edit, f"new{number}")
        return found

    def formula(self, x):
        """The edited network's result for an array."""
        known = {"x": x}
        for value, cell, reads in self.edited:
            known[value] = CELLS[cell](*(known[name] for name in reads))
        return known[self.edited[-1][0]]

    @property
    def users(self):
        """For each value the names of those that read it, ``"return"`` among them."""
        found = {"x": [], **{value: [] for value, _, _ in self.edited}}
        for value, _, reads in self.edited:
            for name in set(reads):
                found[name].append(value)
        found[self.edited[-1][0]].append("return")
        return {name: sorted(readers) for name, readers in found.items()}


def _after(statements, edit, name):
    """The statements after one edit; ``name`` is the name of a value that it makes."""
    kind, value, *rest = edit
    at = next(i for i, statement in enumerate(statements) if statement[0] == value)
    reads = statements[at][2]
    if kind == "replace":
        return [*statements[:at], (value, rest[0], reads), *statements[at + 1 :]]
    if kind == "link":
        return [_reading(each, value, rest[0]) if each[0] == rest[1] else each for each in statements]
    if kind == "erase":
        return [_reading(each, value, reads[0]) for each in statements if each[0] != value]
    later = [_reading(each, value, name) if each[0] == rest[1] else each for each in statements[at + 1 :]]
    return [*statements[: at + 1], (name, rest[0], (value,)), *later]


def _reading(statement, value, other):
    """A statement that reads another value wherever it reads one."""
    made, cell, reads = statement
    return made, cell, tuple(other if name == value else name for name in reads)


def _readers(statements, value):
    return [made for made, _, reads in statements if value in reads]


@st.composite
def edited_networks(draw, kind):
    """Networks of two to five statements, and one to three edits, the first of a kind. The last statement stays.

    Args:
        draw (Callable): Given by hypothesis.
        kind (str): "insert", "replace" or "erase".
    """
    statements, values = [("v0", draw(st.sampled_from(ONE)), ("x",))], ["x", "v0"]
    for number in range(1, draw(st.integers(2, 5))):
        reads = tuple(draw(st.lists(st.sampled_from(values), min_size=1, max_size=2)))
        statements.append((f"v{number}", draw(st.sampled_from(ONE if len(reads) == 1 else TWO)), reads))
        values.append(f"v{number}")
    statements.append(("last", "ops.Add()", tuple(draw(st.lists(st.sampled_from(values), min_size=2, max_size=2)))))
    edits, found = [], statements
    for each in [kind, *draw(st.lists(st.sampled_from(["insert", "replace", "erase"]), max_size=2))]:
        edit = draw(_edit(found, each))
        if edit is not None:
            found = _after(found, edit, f"new{len(edits)}")
            edits.append(edit)
    return Edited(statements, edits)


@st.composite
def _edit(draw, statements, kind):
    """A legal edit of a kind; None where there is no place for one."""
    if kind == "insert":
        places = [value for value, _, _ in statements if _readers(statements, value)]
        if not places:
            return None
        value = draw(st.sampled_from(places))
        return kind, value, draw(st.sampled_from(ONE)), draw(st.sampled_from(_readers(statements, value)))
    places = [value for value, _, reads in statements[:-1] if len(reads) == 1]
    if not places:
        return None
    value = draw(st.sampled_from(places))
    return (kind, value, draw(st.sampled_from(ONE))) if kind == "replace" else (kind, value)


@st.composite
def linked_networks(draw):
    """Networks whose values share a name; the last statement is linked to an earlier one, which is then replaced."""
    count, one = draw(st.integers(2, 4)), st.sampled_from(ONE)
    statements = [("v0", draw(one), ("x",))]
    for number in range(1, count):
        statements.append((f"v{number}", draw(one), (draw(st.sampled_from(("x", f"v{number - 1}"))),)))
    latest = f"v{count - 1}"
    statements.append(("last", draw(st.sampled_from(TWO)), tuple(draw(st.permutations((latest, "x"))))))
    earlier = f"v{draw(st.integers(0, count - 2))}"
    link = ("link", latest, earlier, "last")
    return Edited(statements, [link, ("replace", earlier, draw(one), "fresh")], shared=True)
