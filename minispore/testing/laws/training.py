"""Laws of training: a skipped step changes nothing, overflow is seen where it is, a resumed run goes on bit for bit."""

from itertools import pairwise

from hypothesis import strategies as st

from minispore.testing.laws.law import Broken, law
from minispore.testing.oracles.loss_scale import course as scales_of
from minispore.testing.strategies.courses import OPTIMIZERS, PLACES, runs
from minispore.testing.targets import offers

__all__ = ["checkpoints_round_trip", "resume", "skipped_step", "step_follows_the_scale", "step_sees_overflow"]


def _trained(target, run):
    return target.train(run.source(), OPTIMIZERS[run.optimizer], run.level, run.scale, list(run.course))


def _moved(before, after):
    """The names of what a record's state has otherwise than another's."""
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
    """A step that overflows in any place says so, and a step that does not overflow does not."""
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
    """What a checkpoint saves is loaded bit for bit, the state of the optimizer and of the loss scale too."""
    for before, after in pairwise(_trained(target, run)):
        if after["event"] == "resume":
            one, other = before["state"], after["state"]
            scale = [name for name in one["scale"] if one["scale"][name].tobytes() != other["scale"][name].tobytes()]
            moved = _moved(one, other) + scale
            if moved:
                raise Broken(f"{run.label}: after the checkpoint was loaded, {moved} differ")


@law("resume", "train", _resuming, drawn=10)
def resume(target, run):
    """A run that goes on from a checkpoint is the run that was never cut, bit for bit."""
    at = run.course.index("resume")
    cut = [record for record in _trained(target, run) if record["event"] != "resume"]
    whole = _trained(target, run.with_course((*run.course[:at], "pause", *run.course[at + 1 :])))
    whole = [record for record in whole if record["event"] != "pause"]
    for one, other in zip(whole, cut, strict=True):
        if one["loss"].tobytes() != other["loss"].tobytes() or _moved(one["state"], other["state"]):
            differ = _moved(one["state"], other["state"])
            raise Broken(f"{run.label}: a later '{one['event']}' gives another loss, or {differ} differ")
