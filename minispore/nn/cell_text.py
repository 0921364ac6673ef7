"""The printed form of a Cell: its class, what it says of itself, and its child cells."""

from minispore.core.errors import escaped

__all__ = []


class Text:
    """Base of Cell: how it is printed."""

    def extend_repr(self) -> str:
        """The text before the child cells in the printed form."""
        return ""

    def __repr__(self) -> str:
        children = [escaped(f"({name}): {cell!r}").replace("\n", "\n  ") for name, cell in self._cells.items()]
        extra = self.extend_repr()
        if not children:
            return f"{type(self).__name__}<{extra}>"
        lines = [
            f"{type(self).__name__}<",
            *([f"  {extra}"] if extra else []),
            *(f"  {child}" for child in children),
            "  >",
        ]
        return "\n".join(lines)
