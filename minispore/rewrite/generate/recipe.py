"""Recipe: what a generated class is made of: the class it subclasses, its text, and what the names in that mean."""

import sys
from dataclasses import dataclass, field
from types import CellType, FunctionType

from minispore.rewrite.resolve.outside import captured_variables, names_otherwise


@dataclass(frozen=True, eq=False)
class Recipe:
    """The base, the text, and what gives the names in the text a meaning; a value, of which no copy is ever needed.

    Args:
        base (type): The class that is subclassed.
        name (str): The name of the class that is made.
        text (str): Its source.
        function (Function): The construct whose globals, captured variables and defaults the new one has; None where
            the text stands alone.
        decorators (tuple[str]): The decorators of ``construct`` as text.
        globals (dict): What edits brought, by name.
    """

    base: type
    name: str
    text: str
    function: FunctionType
    decorators: tuple = ()
    globals: dict = field(default_factory=dict)

    def captured(self):
        """The variables around the class, by name: the original's own, which so stay alive, and what edits brought."""
        captured = {"__class__": CellType()}
        if not names_otherwise(self.function, "minispore"):
            captured["minispore"] = CellType(sys.modules["minispore"])
        if self.function is not None:
            captured.update(captured_variables(self.function))
        return {**captured, **{name: CellType(value) for name, value in self.globals.items()}}

    def __deepcopy__(self, memo):
        return self
