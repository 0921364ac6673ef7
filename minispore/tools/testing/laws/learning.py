"""Laws of learning: losses compute their formulas, optimizers take the steps of theirs, as NumPy writes them."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.dialects import expression
from minispore.tools.testing.judge import judge
from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.oracles import learning as exact
from minispore.tools.testing.strategies.arrays import arrays
from minispore.tools.testing.strategies.calls import in_mindspore, in_torch
from minispore.tools.testing.targets import has

__all__ = ["Descent", "Grouped", "Loss", "group_formula", "loss_formula", "optimizer_formula"]

SMALL = arrays((4, 3), "float32", edge=False)


@dataclass(frozen=True)
class Loss:
    """A loss, its logits and its targets."""

    name: str
    logits: np.ndarray
    targets: np.ndarray
    said: str

    @property
    def label(self):
        """By which a deviation names it."""
        return self.name

    def said_in(self, speaks):
        """The loss as a program of an API."""
        return (in_torch if speaks == "torch" else in_mindspore)(self.inputs, self.said)

    @property
    def inputs(self):
        """Logits and targets, probabilities where the loss takes them."""
        return exact.LOSSES[self.name].given(self.logits, self.targets)


def _losses(target, profile):
    for name, loss in exact.LOSSES.items():
        said = expression(target, name, loss.said)
        if has(target, said):
            yield name, st.builds(Loss, st.just(name), SMALL, SMALL, st.just(said))


@law("loss_formula", "compute gradient", _losses, drawn=10, refusable=True)
def loss_formula(target, case):
    """A loss and its gradient compute their formulas."""
    wide = [x.astype(np.float64) if x.dtype.kind == "f" else x for x in case.inputs]
    answer, slope = exact.LOSSES[case.name].formula(*wide)
    (found,) = target.compute(case.said, case.inputs)
    size = exact.LOSSES[case.name].size(*wide)
    verdict = judge(case.name, np.asarray(found).reshape(()), np.asarray(answer), size, found.size)
    (gradient,) = target.gradient(case.said, case.inputs, [0], [np.ones(found.shape, np.float32)])
    for each in (verdict, judge(f"the gradient of {case.name}", gradient, slope, 1.0, gradient=True)):
        if not each:
            raise Broken(str(each))


@dataclass(frozen=True)
class Descent:
    """An optimizer, a Parameter's first value and the gradients of its steps."""

    name: str
    start: np.ndarray
    gradients: list
    said: str

    @property
    def label(self):
        """By which a deviation names it."""
        return self.name


def _descents(target, profile):
    start = arrays((3,), "float32", edge=False)
    for name, optimizer in exact.OPTIMIZERS.items():
        said = expression(target, name, optimizer.said)
        if said is not None:
            steps = st.lists(start, min_size=1, max_size=4)
            yield name, st.builds(Descent, st.just(name), start, steps, st.just(said))


@law("optimizer_formula", "descend", _descents, drawn=10)
def optimizer_formula(target, case):
    """An optimizer takes the steps of its formula."""
    expected = exact.OPTIMIZERS[case.name].steps(case.start, case.gradients)
    found = target.descend(case.said, case.start, case.gradients)
    for number, (got, wished) in enumerate(zip(found, expected, strict=True)):
        verdict = judge(f"after step {number + 1} of {case.name}, the Parameter", got, wished, 1.0 + number)
        if not verdict:
            raise Broken(str(verdict))


@dataclass(frozen=True)
class Grouped:
    """Several Parameters in as many groups, with each group's own settings, and the gradients of their steps.

    Attributes:
        name (str): The optimizer's, one of ``oracles.learning.GROUPED``.
        own (list[dict]): For each group its "lr" and its "weight_decay", or only what differs from the optimizer's.
        starts (list[numpy.ndarray]): Each Parameter's first value.
        gradients (list[list[numpy.ndarray]]): For each step the gradient of each Parameter.
    """

    name: str
    said: str
    own: list
    starts: list
    gradients: list

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.name} of {', '.join(map(str, self.own))}"

    @property
    def size(self):
        """The number of groups."""
        return len(self.own)

    @property
    def optimizer(self):
        """The optimizer's expression, over ``params``."""
        groups = [{"params": f"params[{i}:{i + 1}]", **own} for i, own in enumerate(self.own)]
        told = ["{" + ", ".join(f'"{key}": {value}' for key, value in group.items()) + "}" for group in groups]
        return self.said.format(groups=f"[{', '.join(told)}]")


VALUES = arrays((2,), "float32", edge=False)
OWN = st.fixed_dictionaries({}, optional={"lr": st.sampled_from([0.05, 0.2]), "weight_decay": st.sampled_from([0.5])})


@st.composite
def _grouped(draw, name, said):
    own = draw(st.lists(OWN, min_size=2, max_size=3))
    values = st.lists(VALUES, min_size=len(own), max_size=len(own))
    return Grouped(name, said, own, draw(values), draw(st.lists(values, min_size=1, max_size=3)))


def _in_groups(target, profile):
    for name, optimizer in exact.GROUPED.items():
        said = expression(target, f"{name} in groups", optimizer.said)
        if said is not None:
            yield name, _grouped(name, said)


@law("group_formula", "descend_groups", _in_groups, drawn=15)
def group_formula(target, case):
    """Each group of Parameters takes the steps of its own learning rate and weight decay."""
    found = target.descend_groups(case.optimizer, case.starts, case.gradients)
    for i, (own, start) in enumerate(zip(case.own, case.starts, strict=True)):
        expected = exact.GROUPED[case.name].steps(start, [step[i] for step in case.gradients], **own)
        for number, (step, wished) in enumerate(zip(found, expected, strict=True)):
            told = f"after step {number + 1} of {case.name}, the Parameter of group {i}, {own or 'without its own'},"
            verdict = judge(told, step[i], wished, 1.0 + number)
            if not verdict:
                raise Broken(str(verdict))
