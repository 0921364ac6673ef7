"""Laws of training: steps, statistics, skipped steps, overflow checks, resumed runs."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.oracles.loss_scale import course as scales_of
from minispore.tools.testing.oracles.training import trained_in_float64
from minispore.tools.testing.strategies.courses import OPTIMIZERS, PLACES, SCALES, Run, runs
from minispore.tools.testing.strategies.listed import LEVELS
from minispore.tools.testing.strategies.networks import LEAVES, planned, plans
from minispore.tools.testing.targets import offers
from minispore.tools.testing.targets.of_mindspore import batch
from minispore.tools.testing.users_code import made

__all__ = [
    "Faint",
    "Statistics",
    "batch_norm_statistics",
    "checkpoints_round_trip",
    "resume",
    "skipped_step",
    "step_follows_the_scale",
    "step_sees_overflow",
    "training_formula",
    "vanishing_gradients",
]


def _trained(target, run):
    return target.train(run.source(), OPTIMIZERS[run.optimizer], run.level, run.scale, list(run.course))


def _moved(before, after):
    """The names in which the states of two records differ."""
    names = {name for name in before["state"] if before["state"][name].tobytes() != after["state"][name].tobytes()}
    return sorted(names | ({"the random streams"} if before["streams"] != after["streams"] else set()))


def _spoiled(target, profile):
    """Runs of a good step, an overflow in one place, and whatever comes then."""
    for place in PLACES:
        drawn = runs(target, ("good", *PLACES), least=0, most=2)
        yield place, drawn.map(lambda run, place=place: run.with_course(("good", place, *run.course)))


@law("skipped_step", "train scales_losses", _spoiled, drawn=10)
def skipped_step(target, run):
    """A skipped step changes nothing but the state of the loss scale."""
    for before, after in pairwise(_trained(target, run)):
        moved = _moved(before["state"], after["state"]) if after["overflow"] else []
        if moved:
            raise Broken(f"{run.label}: the step that was skipped for an overflow in {after['event']} moved {moved}")


@law("step_sees_overflow", "train scales_losses", _spoiled, drawn=10)
def step_sees_overflow(target, run):
    """A step reports an overflow in any place, and reports none without one."""
    for record in _trained(target, run):
        if record["overflow"] is not (record["event"] != "good"):
            raise Broken(f"{run.label}: the step '{record['event']}' says that it overflows: {record['overflow']}")


@law("step_follows_the_scale", "train scales_losses", _spoiled, drawn=10)
def step_follows_the_scale(target, run):
    """The loss scale of a training step takes its dialect's course."""
    records = _trained(target, run)
    dialect = target.faces.get("update cell", next(iter(target.faces.values())))
    expected = scales_of(dialect, *run.scale, [record["event"] != "good" for record in records])
    found = [record["scale"] for record in records]
    if found != expected:
        raise Broken(f"{run.label}: the scales are {found}, not {expected}")


def _resuming(target, profile):
    events = ("good", *PLACES) if offers(target, "scales_losses") else ("good",)
    yield "resume", st.builds(_with_resume, runs(target, events, least=2, most=4), st.integers(1, 3))


def _with_resume(run, at):
    """The run, cut after at least one step and before at least one good one."""
    at = min(at, len(run.course) - 1)
    return run.with_course(("good", *run.course[1:at], "resume", "good", *run.course[at + 1 :]))


@law("checkpoint", "train", _resuming, drawn=10)
def checkpoints_round_trip(target, run):
    """A checkpoint is loaded bit for bit, the state of the optimizer and of the loss scale too."""
    for before, after in pairwise(_trained(target, run)):
        if after["event"] == "resume":
            one, other = before["state"], after["state"]
            scale = [name for name in one["scale"] if one["scale"][name].tobytes() != other["scale"][name].tobytes()]
            moved = _moved(one, other) + scale
            if moved:
                raise Broken(f"{run.label}: after the checkpoint was loaded, {moved} differ")


@law("resume", "train", _resuming, drawn=10)
def resume(target, run):
    """A run that is resumed from a checkpoint equals an uninterrupted run, bit for bit."""
    at = run.course.index("resume")
    cut = [record for record in _trained(target, run) if record["event"] != "resume"]
    whole = _trained(target, run.with_course((*run.course[:at], "pause", *run.course[at + 1 :])))
    whole = [record for record in whole if record["event"] != "pause"]
    for one, other in zip(whole, cut, strict=True):
        if one["loss"].tobytes() != other["loss"].tobytes() or _moved(one["state"], other["state"]):
            differ = _moved(one["state"], other["state"])
            raise Broken(f"{run.label}: a later '{one['event']}' gives another loss, or {differ} differ")


STEPS = 3
SHARES = {"O0": 2e-3, "O1": 0.1, "O2": 0.1, "O3": 0.1}  # share of an update that a level's roundings may change
OF_OTHERS = 0.1  # of the largest update of the network, for what cancels in one Parameter
UNIT = 2.0**-22  # of a value in float32, after a few additions


def _short_runs(target, profile):
    scale = SCALES[0] if offers(target, "scales_losses") else None
    leaves = [leaf for leaf in LEAVES if leaf != "dropout"]
    for level in LEVELS:
        yield level, plans(leaves).map(lambda plan, level=level: _short_run(plan, level, scale))


def _short_run(plan, level, scale):
    return Run(plan, "Momentum in small steps", level, scale, ("pause", *["good"] * STEPS))


@law("training_formula", "train", _short_runs, drawn=8)
def training_formula(target, run):
    """A short training takes the steps that it takes in float64: small updates are not lost, at any level."""
    moves = _moves(_trained(target, run), planned(run.plan))
    largest = max(_size(exact) for _, _, exact in moves.values())
    for name, (first, found, exact) in moves.items():
        share = SHARES[run.level] * (_size(exact) + OF_OTHERS * largest)
        if not _size(found - exact) <= share + UNIT * _size(first):
            told = f"it is moved by {_size(found):.3g} in {STEPS} steps, and its difference from the exact move"
            raise Broken(f"{run.label}: of {name}, {told} of {_size(exact):.3g} is {_size(found - exact):.3g}")


def _moves(records, network, **how):
    """For each trained Parameter its first value, how far a training moved it, and how far it is moved in float64.

    The first record is of a pause, each other one of a step; ``how`` are the rate, momentum and decay.
    """
    first, *_, last = (record["state"]["state"] for record in records)
    names = [parameter.name for parameter in network.get_parameters()]
    paths = dict(zip(names, _paths(names, first), strict=True))
    batches = [batch(number) for number in range(1, len(records))]
    expected = trained_in_float64(network, [first[paths[name]] for name in names], batches, **how)
    starts = {name: first[paths[name]] for name in expected}
    return {
        name: (start, last[paths[name]].astype(np.float64) - start, expected[name] - start.astype(np.float64))
        for name, start in starts.items()
    }


FAINT = '''class Small(nn.Cell):
    """Hands on its input times a small number, and so its gradient; it counts for little in the loss."""

    def construct(self, x):
        return x * 2.0**-12 * 2.0**-{exponent}


def make():
    return nn.SequentialCell([nn.Dense(3, 3), Small()])
'''


@dataclass(frozen=True)
class Faint:
    """A step of a network with tiny gradients: float16 holds them only with a loss scale."""

    exponent: int
    level: str
    size = 2
    scale = (2.0**14, 2, 100)

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.level} with gradients of about 2**-{self.exponent + 15}"

    def source(self):
        """The program whose ``make()`` makes the network."""
        return FAINT.format(exponent=self.exponent)

    @property
    def rate(self):
        """A learning rate that makes a step of ordinary size of them."""
        return 2.0 ** (12 + self.exponent)


def _faint(target, profile):
    for level in LEVELS:
        yield level, st.builds(Faint, st.integers(10, 13), st.just(level))


@law("vanishing_gradients", "train scales_losses", _faint, drawn=4)
def vanishing_gradients(target, case):
    """A loss scale keeps what vanishes in float16: a step moves the Parameters as far as in float64."""
    optimizer = f"nn.SGD(params, learning_rate={case.rate})"
    records = target.train(case.source(), optimizer, case.level, case.scale, ["pause", "good"])
    moves = _moves(records, made(case.source())["make"](), rate=case.rate, momentum=0.0, decay=0.0)
    for name, (_, found, exact) in moves.items():
        if not _size(found - exact) <= SHARES[case.level] * _size(exact):
            told = f"a step moves {name} by {_size(found):.3g}, not by {_size(exact):.3g}"
            raise Broken(f"{case.label} and the loss scale {case.scale[0]:g}: {told}")


def _size(move):
    return float(np.linalg.norm(move.astype(np.float64)))


def _paths(names, state):
    """The path in a training step's state of each Parameter of the network, whatever cells are around its cells."""
    bare = {path: f".{path}".replace("._backbone", "") for path in state if not path.startswith("optimizer.")}
    return [min((path for path in bare if bare[path].endswith(f".{name}")), key=len) for name in names]


@dataclass(frozen=True)
class Statistics:
    """A BatchNorm that is trained for so many steps, its momentum, and a level."""

    momentum: float
    level: str
    steps: int
    size = 1

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.level} nn.BatchNorm1d(3, momentum={self.momentum}): {self.steps} steps"

    def source(self):
        """The program whose ``make()`` makes the network."""
        return f"def make():\n    return nn.SequentialCell([nn.BatchNorm1d(3, momentum={self.momentum})])\n"


def _statistics(target, profile):
    for level in LEVELS:
        momenta = st.sampled_from([0.9, 0.5, 0.99])
        yield level, st.builds(Statistics, momenta, st.just(level), st.integers(1, 3))


@law("batch_norm_statistics", "train", _statistics, drawn=4)
def batch_norm_statistics(target, case):
    """A BatchNorm's statistics keep the share momentum of themselves, and take the rest from the batch."""
    scale = SCALES[0] if offers(target, "scales_losses") else None
    optimizer = OPTIMIZERS["Momentum in small steps"]
    records = target.train(case.source(), optimizer, case.level, scale, ["pause", *["good"] * case.steps])
    mean, variance = np.zeros(3), np.ones(3)
    for number in range(1, case.steps + 1):
        x = batch(number)[0].astype(np.float64)
        mean = case.momentum * mean + (1 - case.momentum) * x.mean(0)
        variance = case.momentum * variance + (1 - case.momentum) * x.var(0, ddof=1)
    state = records[-1]["state"]["state"]
    for name, exact in (("moving_mean", mean), ("moving_variance", variance)):
        found = next(value for path, value in state.items() if path.endswith(name))
        if not np.allclose(found, exact, rtol=5e-3, atol=5e-3):
            raise Broken(f"{case.label}: {name} is {found}, not {exact.round(4)}")
