"""Laws of whole networks: in float32 they compute what they compute in float64, within a few rounding errors."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minispore.testing.judge import judge, terms_by_moving
from minispore.testing.laws.law import Broken, law
from minispore.testing.oracles.float64 import network_in_float64, values_for
from minispore.testing.strategies.networks import LEAVES, calls, expression, planned, plans, source

__all__ = ["Forward", "network_formula"]

ROUNDINGS = 4  # of each call of a network


@dataclass(frozen=True, repr=False)
class Forward:
    """A drawn network, and the seed of its Parameters and inputs."""

    plan: list
    seed: int

    @property
    def label(self):
        """By which a deviation names it."""
        return expression(self.plan)

    @property
    def size(self):
        """How many calls the network has."""
        return calls(self.plan)

    @property
    def inputs(self):
        """What it is fed with."""
        return [np.random.default_rng(self.seed).uniform(-1, 1, (4, 3)).astype(np.float32)]

    def program(self):
        """The network as a program that can be pasted."""
        head = "import mindspore as ms\nimport numpy as np\nfrom mindspore import nn, ops\n\n\n"
        return f"{head}{source(self.plan)}\n\nnetwork = make().set_train(False)  # Parameters of the seed {self.seed}"

    __repr__ = __str__ = program


def _networks(target, profile):
    leaves = [leaf for leaf in LEAVES if leaf != "dropout"]
    yield "networks", st.builds(Forward, plans(leaves), st.integers(0, 999))


@law("network_formula", "forward", _networks, drawn=10)
def network_formula(target, case):
    """A network in float32 computes what it does in float64, within a few rounding errors of each call."""
    values = values_for(planned(case.plan), case.seed)

    def exact(*every):
        return network_in_float64(planned(case.plan).set_train(False), every[1:], every[:1])

    every = [x.astype(np.float64) for x in (*case.inputs, *values)]
    answer = exact(*every)
    terms = ROUNDINGS * case.size * terms_by_moving(exact, every, answer)
    verdict = judge(case.label, target.forward(source(case.plan), values, case.inputs), answer, terms, dtype="float32")
    if not verdict:
        raise Broken(str(verdict))
