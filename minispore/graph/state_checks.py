"""State checks: readings of Python's state, to be repeated; many of one kind are read in one pass of C."""

from operator import is_, ne
from types import MappingProxyType

__all__ = ["StateChecks"]

_MANY = 6  # number of readings that is worth a pass


class StateChecks:
    """Readings to be repeated: a reader, its arguments, and its result, which must not change.

    A reader is a function, given with its arguments. ``changed()`` calls it with them again.

    Examples:
        >>> table, checks = {"a": 1, "b": 2}, StateChecks()
        >>> checks.keep_same(dict.get, table, "a")
        >>> checks.keep_equal(len, table)
        >>> checks.changed()
        False
        >>> table["a"] = 3
        >>> checks.changed()
        True
    """

    def __init__(self):
        self._known, self._groups = set(), {}
        self._passes = self._few = None  # the groups, arranged for reading; made by the first `changed()`

    def keep_same(self, reader, *arguments):
        """From now on, the reader must return the same object."""
        self._keep(is_, reader, arguments)

    def keep_equal(self, reader, *arguments):
        """From now on, the reader must return an equal value."""
        self._keep(ne, reader, arguments)

    def keep_contents(self, reader, *arguments):
        """From now on, the reader must return a list of the same objects."""
        self._keep(differ, reader, arguments)

    def keep_bound(self, table, name, absent):
        """From now on, a name must keep its value in a table of names; ``absent`` stands for a missing name."""
        reader = MappingProxyType.get if isinstance(table, MappingProxyType) else type(table).get
        self._keep(is_, dict.get if isinstance(table, dict) else reader, (table, name, absent))

    def _keep(self, comparison, reader, arguments):
        key = (reader, id(arguments[0]), *arguments[1:2])
        if key in self._known:
            return
        self._known.add(key)
        self._passes = None
        columns = self._groups.setdefault((comparison, reader), [[] for _ in range(len(arguments) + 1)])
        for column, x in zip(columns, (reader(*arguments), *arguments), strict=True):
            column.append(x)

    def __len__(self):
        return len(self._known)

    def changed(self):
        """True if a reader returns another value now, or raises."""
        if self._passes is None:
            self._arrange()
        try:
            for reader, arguments, value in self._few:
                if reader(*arguments) is not value:
                    return True
            for comparison, reader, columns, values in self._passes:
                found = map(comparison, map(reader, *columns), values)
                if not all(found) if comparison is is_ else any(found):
                    return True
        except Exception:  # such as a variable without a value
            return True
        return False

    def _arrange(self):
        self._few, self._passes = [], []
        for (comparison, reader), (values, *columns) in self._groups.items():
            if comparison is is_ and len(values) < _MANY:
                self._few += zip([reader] * len(values), zip(*columns, strict=True), values, strict=True)
            else:
                self._passes.append((comparison, reader, columns, values))


def differ(now, then):
    """True if two lists hold different objects."""
    return len(now) != len(then) or not all(map(is_, now, then))
