"""Recipe: the parts of a generated class: its base class, its text, and the values of the names in the text."""

import sys
from dataclasses import dataclass, field
from types import CellType, FunctionType

from minispore.rewrite.resolve.outside import captured_variables, names_otherwise


@dataclass(frozen=True, eq=False)
class Recipe:
    """The base, the text, and the values of its names; immutable, so it is never copied.

    Args:
        base (type): The base class.
        name (str): The name of the new class.
        text (str): Its source.
        function (Function): The construct whose globals, captured variables and defaults the new one takes over; None
            if the text stands alone.
        decorators (tuple[str]): The decorators of ``construct`` as text.
        globals (dict): The objects that edits brought, by name.
    """

    base: type
    name: str
    text: str
    function: FunctionType
    decorators: tuple = ()
    globals: dict = field(default_factory=dict)

    def captured(self):
        """The variables around the class, by name: the original's closure cells, kept alive, and those of edits."""
        captured = {"__class__": CellType()}
        if not names_otherwise(self.function, "minispore"):
            captured["minispore"] = CellType(sys.modules["minispore"])
        if self.function is not None:
            captured.update(captured_variables(self.function))
        return {**captured, **{name: CellType(value) for name, value in self.globals.items()}}

    def __deepcopy__(self, memo):
        return self
