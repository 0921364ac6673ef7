"""Namer: hands out unique names: ``x``, ``x_1``, ``x_2``, ..."""

import keyword
import re
import unicodedata

_NUMBER = re.compile(r"_\d+$")


def is_plain_name(text):
    """True if Python reads the text as this very name: an identifier in NFKC form that is not a keyword."""
    return text.isidentifier() and not keyword.iskeyword(text) and unicodedata.normalize("NFKC", text) == text


def identifier(text):
    """``text`` as a Python name: other characters become underscores, and a keyword gets a trailing one."""
    name = re.sub(r"\W", "_", unicodedata.normalize("NFKC", text)) or "_"
    name = name if f"_{name}".isidentifier() else re.sub(r"\W", "_", name, flags=re.ASCII)
    return name if is_plain_name(name) else f"{name}_" if keyword.iskeyword(name) else f"_{name}"


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

    def take(self, names):
        """Let these names be taken from now on."""
        self._taken.update(names)

    def __contains__(self, name):
        return name in self._taken
