"""Laws of rewriting: a rewritten network computes as before, an edited one as its edits say."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.strategies.constructs import PRELUDE, programs, source, whole_source
from minispore.tools.testing.strategies.planned_edits import edited_networks, linked_networks

__all__ = ["Construct", "edited_network", "rewritten_network", "rewritten_twice"]


@dataclass(frozen=True)
class Construct:
    """The lines of a drawn construct. Its class inherits the cells that it uses, or has them itself."""

    lines: list
    inherits: bool = False

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{'inherits: ' if self.inherits else ''}{'; '.join(line.strip() for line in self.lines)}"

    def source(self):
        """The program that defines the network ``Net``."""
        told = f"{PRELUDE}\n\n{source(self.lines)}" if self.inherits else whole_source(self.lines)
        return f"from contextlib import nullcontext\n\n\n{told}"

    def said_in(self, speaks):
        """The network as a program of MindSpore's API."""
        head = "import mindspore as ms\nfrom mindspore import nn, ops\nfrom mindspore.rewrite import SymbolTree\n"
        return f"{head}{self.source()}\n\nonce = SymbolTree.create(Net()).get_network()"


X = np.array([-1.5, 0.5, 2.0], np.float32)
INPUTS = [X, -X, X * 0]


def _constructs(target, profile):
    yield "constructs", st.builds(Construct, programs, st.booleans())


@law("rewritten_network", "rewrite", _constructs, refusable=True)
def rewritten_network(target, case):
    """A rewritten network computes as before."""
    _hold(target, case, 1)


@law("rewritten_twice", "rewrite", _constructs, drawn=15, refusable=True)
def rewritten_twice(target, case):
    """A network that is rewritten twice computes as before."""
    _hold(target, case, 2)


def _hold(target, case, times):
    for x, y, z in zip(INPUTS, *target.rewrite(case.source(), INPUTS, times), strict=True):
        if not _same(y, z):
            raise Broken(f"rewritten {times} times, it gives {z} for {x}, not {y}")


def _same(y, z):
    return y is None and z is None if y is None or z is None else np.array_equal(y, z, equal_nan=True)


def _edited(target, profile):
    for kind in ("insert", "replace", "erase"):
        yield kind, edited_networks(kind)
    yield "link", linked_networks()


@law("edited_network", "edit", _edited, drawn=15, refusable=True)
def edited_network(target, case):
    """An edited network computes as the edits say, and each value has the readers that they leave."""
    outputs, users = target.edit(case.source(), case.edits, INPUTS)
    for x, found in zip(INPUTS, outputs, strict=True):
        if not _same(found, case.formula(x)):
            raise Broken(f"{case.label}: it gives {found} for {x}, not {case.formula(x)}")
    for value, readers in case.users.items():
        if sorted(set(users.get(value, ()))) != readers:
            raise Broken(f"{case.label}: the users of {value} are {sorted(users.get(value, ()))}, not {readers}")
