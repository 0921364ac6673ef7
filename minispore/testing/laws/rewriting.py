"""Laws of rewriting: what a SymbolTree makes of a network computes what the network did."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minispore.testing.laws.law import Broken, law
from minispore.testing.strategies.constructs import PRELUDE, programs, source

__all__ = ["Construct", "rewritten_network"]


@dataclass(frozen=True, repr=False)
class Construct:
    """The lines of a drawn construct."""

    lines: list

    @property
    def label(self):
        """By which a deviation names it."""
        return "; ".join(line.strip() for line in self.lines)

    def source(self):
        """The program that defines the network ``Net``."""
        return f"from contextlib import nullcontext\n\n\n{PRELUDE}\n\n{source(self.lines)}"

    def program(self):
        """The network as a program that can be pasted."""
        head = "import mindspore as ms\nfrom mindspore import nn, ops\nfrom mindspore.rewrite import SymbolTree\n"
        return f"{head}{self.source()}\n\nonce = SymbolTree.create(Net()).get_network()"

    __repr__ = __str__ = program


X = np.array([-1.5, 0.5, 2.0], np.float32)
INPUTS = [X, -X, X * 0]


@law("rewritten_network", "rewrite", lambda target, profile: [("constructs", st.builds(Construct, programs))])
def rewritten_network(target, case):
    """A rewritten network computes what it did, and so does one that is rewritten twice."""
    before, once, twice = target.rewrite(case.source(), INPUTS)
    for told, outputs in (("once", once), ("twice", twice)):
        for x, y, z in zip(INPUTS, before, outputs, strict=True):
            if not _same(y, z):
                raise Broken(f"rewritten {told}, it gives {z} for {x}, not {y}")


def _same(y, z):
    return y is None and z is None if y is None or z is None else np.array_equal(y, z, equal_nan=True)
