"""Laws of whole networks: float32 agrees with float64, and gradients are the slope.

So are the gradients that are added up over the parts of a batch.
"""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.dialects import expression as said_by
from minispore.tools.testing.judge import judge, terms_by_moving
from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.laws.layers import assert_slope
from minispore.tools.testing.oracles.float64 import network_in_float64, values_for
from minispore.tools.testing.strategies.networks import LEAVES, calls, expression, planned, plans, source
from minispore.tools.testing.targets import has

__all__ = ["Accumulated", "Forward", "accumulated_gradient", "network_formula", "network_gradient"]

ROUNDINGS = 4  # of each call of a network
SHARE = 1e-3  # share of the size of a network derivative's terms


@dataclass(frozen=True)
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
        """The number of calls that the network has."""
        return calls(self.plan)

    @property
    def inputs(self):
        """The inputs of the network."""
        return [np.random.default_rng(self.seed).uniform(-1, 1, (4, 3)).astype(np.float32)]

    def said_in(self, speaks):
        """The network as a program of MindSpore's API."""
        head = "import mindspore as ms\nimport numpy as np\nfrom mindspore import nn, ops\n\n\n"
        return f"{head}{source(self.plan)}\n\nnetwork = make().set_train(False)  # Parameters of the seed {self.seed}"


def _networks(target, profile):
    leaves = [leaf for leaf in LEAVES if leaf != "dropout"]
    yield "networks", st.builds(Forward, plans(leaves), st.integers(0, 999))


@law("network_formula", "forward", _networks, drawn=10)
def network_formula(target, case):
    """A network in float32 computes its formula in float64, within a few rounding errors of each call."""
    values, exact = values_for(planned(case.plan), case.seed), _in_float64(case)
    every = [x.astype(np.float64) for x in (*case.inputs, *values)]
    answer = exact(*every)
    terms = ROUNDINGS * case.size * terms_by_moving(exact, every, answer)
    verdict = judge(case.label, target.forward(source(case.plan), values, case.inputs), answer, terms, dtype="float32")
    if not verdict:
        raise Broken(str(verdict))


def _in_float64(case):
    """The network as a function of its input and of its Parameters' values, in float64."""
    return lambda *every: network_in_float64(planned(case.plan).set_train(False), every[1:], every[:1])


@law("network_gradient", "backward", _networks, drawn=10)
def network_gradient(target, case):
    """A network's gradients by its input and Parameters are the difference quotient."""
    network, exact = planned(case.plan), _in_float64(case)
    values = values_for(network, case.seed)
    every, rng = [x.astype(np.float64) for x in (*case.inputs, *values)], np.random.default_rng(case.seed + 1)
    moves = [True, *(parameter.requires_grad for parameter in network.get_parameters())]
    ways = [rng.standard_normal(x.shape) if on else None for x, on in zip(every, moves, strict=True)]
    weights = rng.standard_normal((4, 3)).astype(np.float32)
    found = target.backward(source(case.plan), values, case.inputs, weights)
    assert_slope(case.label, found, lambda xs: float((exact(*xs) * weights).sum()), every, ways, SHARE)


@dataclass(frozen=True)
class Accumulated:
    """A drawn network that gets a batch in so many parts: ``said`` is what adds up the losses of ``network``."""

    name: str
    said: str
    plan: list
    parts: int
    seed: int

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.name} in {self.parts} parts: {expression(self.plan)}"

    @property
    def size(self):
        """The number of calls in the network."""
        return calls(self.plan)

    @property
    def batch(self):
        """Its data and labels: two rows for each part."""
        return np.random.default_rng(self.seed).uniform(-1, 1, (2, 2 * self.parts, 3)).astype(np.float32)

    def loss(self, *values):
        """The sum of the parts' mean squares, in float64, for these values of the Parameters."""
        network = planned(self.plan).set_train(False)
        rows = zip(*(np.split(x.astype(np.float64), self.parts) for x in self.batch), strict=True)
        return sum(float(((network_in_float64(network, values, [x]) - y) ** 2).mean()) for x, y in rows)


SUMMING = {
    name: {"mindspore": f"nn.{name}(network, {{parts}})"}
    for name in ("GradAccumulationCell", "PipelineCell", "MicroBatchInterleaved")
}


def _in_parts(target, profile):
    leaves = [leaf for leaf in LEAVES if leaf != "dropout"]
    for name, spoken in SUMMING.items():
        said = said_by(target, name, spoken)
        if has(target, said):
            yield (
                name,
                st.builds(
                    Accumulated, st.just(name), st.just(said), plans(leaves), st.integers(1, 3), st.integers(0, 999)
                ),
            )


@law("accumulated_gradient", "accumulate", _in_parts, drawn=5)
def accumulated_gradient(target, case):
    """Over the parts of a batch losses add up, and so do their gradients."""
    network = planned(case.plan)
    values, rng = values_for(network, case.seed), np.random.default_rng(case.seed + 1)
    said = case.said.format(parts=case.parts)
    loss, found = target.accumulate(source(case.plan), said, values, *case.batch)
    every = [x.astype(np.float64) for x in values]
    exact = np.asarray(case.loss(*every))
    verdict = judge(f"{case.label}: the loss", loss, exact, ROUNDINGS * case.size * (1 + exact), dtype="float32")
    if not verdict:
        raise Broken(str(verdict))
    trained = [parameter.requires_grad for parameter in network.get_parameters()]
    ways = [rng.standard_normal(x.shape) if on else None for x, on in zip(every, trained, strict=True)]
    assert_slope(case.label, found, lambda xs: case.loss(*xs), every, ways, SHARE)
