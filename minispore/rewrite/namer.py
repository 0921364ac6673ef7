"""Namer: hands out names that are taken only once: ``x``, ``x_1``, ``x_2``, ..."""

import keyword
import re

_NUMBER = re.compile(r"_\d+$")


def identifier(text):
    """``text`` as a Python name: other characters become underscores, and a keyword gets one behind."""
    name = re.sub(r"\W", "_", text) or "_"
    return f"_{name}" if name[0].isdigit() else f"{name}_" if keyword.iskeyword(name) else name


class Namer:
    """Names that are taken, and the next number to try for each.

    Args:
        taken (Iterable[str]): Names that must not be handed out. Default: none.
    """

    def __init__(self, taken=()):
        self._taken, self._next = set(taken), {}

    def unique(self, name):
        """``name``, or the first of its kin ``name_1``, ``name_2``, ... that is free; it is taken from now on."""
        if name not in self._taken:
            self._taken.add(name)
            return name
        base = _NUMBER.sub("", name)
        count = self._next.get(base, 1)
        while f"{base}_{count}" in self._taken:
            count += 1
        self._next[base] = count + 1
        self._taken.add(f"{base}_{count}")
        return f"{base}_{count}"

    def __contains__(self, name):
        return name in self._taken
