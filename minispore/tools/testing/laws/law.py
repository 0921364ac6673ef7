"""Laws: each is a sentence, the verbs that it needs, its cases, and a check of one case."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["LAWS", "Broken", "Law", "law"]


class Broken(AssertionError):  # noqa: N818 - a finding
    """A law does not hold of a case; it says how, and may have a smaller case that shows it."""

    def __init__(self, words, case=None):
        super().__init__(words)
        self.case = case


@dataclass(frozen=True)
class Law:
    """One law.

    Attributes:
        name (str): Its name on the command line.
        sentence (str): The law in words.
        needs (tuple): The verbs of a target that it calls.
        groups (Callable): A function of a target and a profile. It gives pairs of a label and its cases. Cases are a
            strategy, or an iterable in the order of size, so the first that fails is the smallest.
        check (Callable): Of a target and a case: raises :class:`Broken` where the law does not hold.
        drawn (int): How many cases of a strategy the profile ci draws for each group.
        refusable (bool): Whether a target elsewhere may refuse a case by an exception, which is counted.
    """

    name: str
    sentence: str
    needs: tuple
    groups: Callable
    check: Callable
    drawn: int = 30
    refusable: bool = False

    def __call__(self, target, case):
        """Raise :class:`Broken` unless it holds of a case."""
        return self.check(target, case)


LAWS = {}  # name -> Law, in the order of the table that is printed


def law(name, needs, groups, drawn=30, refusable=False):
    """Decorate a check: its docstring's first sentence is the law."""

    def register(check):
        sentence = check.__doc__.splitlines()[0].rstrip(".")
        LAWS[name] = Law(name, sentence, tuple(needs.split()), groups, check, drawn, refusable)
        return LAWS[name]

    return register
