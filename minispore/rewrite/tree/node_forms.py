"""Forms: the source form of each kind of node, given the texts of its targets and arguments."""

from dataclasses import dataclass, replace
from itertools import zip_longest

from minispore.rewrite.tree.compound_header import Header
from minispore.rewrite.tree.opaque_code import PythonCode


@dataclass(frozen=True)
class Given:
    """An input: a parameter of ``construct``, written in its signature."""

    prefix: str = ""
    default: str = ""
    position: str = "either"  # or "first" (before a slash) or "keyword" (after a star)

    def write(self, targets, receiver, args, kwargs):
        """No lines: an input has none of its own."""
        return []


@dataclass(frozen=True)
class Return:
    """The output: ``return x``."""

    def write(self, targets, receiver, args, kwargs):
        """The line."""
        return [f"return {args[0]}"]


@dataclass(frozen=True)
class Expression:
    """``target = template``, with the arguments filled into the template."""

    template: str

    def write(self, targets, receiver, args, kwargs):
        """The line."""
        if self.template.startswith(("{}.", "{} **")):
            args = [_grouped(args[0]), *args[1:]]
        return [f"{', '.join(targets)} = {self.template.format(*args)}"]


def is_tuple(node):
    """True if a node makes a tuple of the values it reads."""
    return isinstance(node.form, Expression) and node.form.template.startswith("(")


@dataclass(frozen=True)
class Call:
    """``target = callee(args, kwargs)``; ``{}`` in the callee stands for the receiver."""

    callee: str
    prefixes: tuple = ()  # "*" or "**" before the argument of the same index

    def write(self, targets, receiver, args, kwargs):
        """The line."""
        plain, spread = [], []
        for text, prefix in zip_longest(args, self.prefixes, fillvalue=""):
            (spread if prefix == "**" else plain).append(prefix + text)
        plain += map("=".join, kwargs.items())
        callee = self.callee if receiver is None else self.callee.format(_grouped(receiver))
        return [f"{', '.join(targets)} = {callee}({', '.join(plain + spread)})"]


@dataclass(frozen=True)
class Python:
    """Statements that stay as written."""

    code: PythonCode

    def write(self, targets, receiver, args, kwargs):
        """The lines."""
        return self.code.lines(targets, args)

    def hidden(self, targets, args):
        """The argument that the code would read after it has set that name anew; None if there is none."""
        return self.code.hidden(targets, args)

    def rewritten(self, transformer):
        """The form with the statements after a transformer of syntax."""
        return replace(self, code=self.code.rewritten(transformer))


@dataclass(frozen=True)
class Control:
    """A statement with bodies: ``if``, ``for``, ``while``, ``with``, ``try``."""

    header: Header

    def write(self, targets, receiver, args, kwargs, bodies):
        """The lines."""
        return self.header.lines(args, bodies)

    def hidden(self, targets, args):
        """The argument that the header would read after it has set that name anew; None if there is none."""
        return self.header.hidden(args)

    def rewritten(self, transformer):
        """The form with the header after a transformer of syntax; the bodies are nodes."""
        return replace(self, header=self.header.rewritten(transformer))


def _grouped(text):
    """The text, in parentheses if it is a number, which would merge with a power or an attribute."""
    return f"({text})" if text[0] in "-0123456789" else text
