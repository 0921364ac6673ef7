"""A primitive as a value: a name, a table of attributes, and what is remembered until one of them changes."""

from __future__ import annotations

from typing import Any, Self

from minispore.core.running import changes

__all__ = []


class Attributes:
    """Base of Primitive: its name, its attributes, and whose it is."""

    ours = True  # whether it is of this package: a user's own may count its calls, or keep what it made

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let primitives from outside the package record a rule that is checked; the package's own have tests."""
        super().__init_subclass__(**kwargs)
        cls.ours = cls.__module__.partition(".")[0] == __name__.partition(".")[0]
        cls._rule = cls.bprop if cls.ours else cls._checked_bprop

    def __new__(cls, *args, **kwargs):
        # A comment, as an editor would show a docstring in the place of the class's: the arguments are checked here,
        # whether or not a subclass calls its base.
        if (args or kwargs) and cls.ours:
            cls._check_arguments(args, kwargs)
        self = object.__new__(cls)
        self.__dict__.update(name=cls.__name__, attrs={}, _known={})
        return self

    @classmethod
    def _check_arguments(cls, args, kwargs):
        """Check what a primitive of the package is made with: ``ops/attribute_checks.py`` puts its table here."""

    def __init__(self, name: str | None = None) -> None:
        if name is not None:
            self.name = name

    def cached_primitive(self, kind, *arguments):
        """The primitive ``kind(*arguments)``, made once until an attribute of this one changes."""
        key = (kind, arguments)
        if key not in self._known:
            self._known[key] = kind(*arguments)
        return self._known[key]

    def add_prim_attr(self, name: str, value: Any) -> Self:
        """Set an attribute that ``attrs`` lists; returns the primitive."""
        self.__dict__[name] = value
        self.attrs[name] = value
        self._changed()
        return self

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        self._changed()

    def _changed(self):
        """Forget what was checked, made or recorded under other attributes."""
        if self._known:
            self._known.clear()
            changes.count += 1

    def __getstate__(self):
        """The attributes, without what was checked or made under them: what a copy or a pickle starts with."""
        state = {**self.__dict__, "attrs": dict(self.attrs)}
        del state["_known"]
        return state

    def __repr__(self) -> str:
        attributes = ", ".join(f"{k}={v}" for k, v in self.attrs.items())
        return f"Prim[{self.name}]" + (f"<{attributes}>" if attributes else "")
