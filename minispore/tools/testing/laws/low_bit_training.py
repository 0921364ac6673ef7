"""Laws of training by a recipe of few bits: the same bits whatever way a step is run, and whatever stands between."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.laws.law import Broken, law

__all__ = ["LowBitRun", "low_bit_absent", "low_bit_modes", "low_bit_state"]

RECIPES = (
    "delayed_fp8(scale=delayed(0,3,max); keep=none)",
    "current_fp8(keep=none)",
    "block_fp8(keep=none)",
    "mxfp8(keep=none)",
    "mxfp4(keep=none)",
    "nvfp4(keep=none)",
)
LEVELS = st.sampled_from(["O0", "O2"])
BETWEEN = ("skip", "evaluate", "resume")
PAIRS = (("eager", "graph"), ("eager", "recomputed"), ("parts", "parts in graph"))


@dataclass(frozen=True)
class LowBitRun:
    """A training run of a small network by a recipe; ``events`` are "step", "skip", "evaluate" and "resume"."""

    recipe: str
    level: str
    events: list
    ways: tuple
    seed: int

    @property
    def label(self):
        """The recipe, the level, and the course."""
        return f"{self.recipe} at {self.level}: {' and '.join(self.ways)}: {', '.join(self.events)}"

    @property
    def size(self):
        """The number of events."""
        return len(self.events)

    def states(self, target, **other):
        """The states after the run, in each of its ways; ``other`` fields are as they are given."""
        given = {"recipe": self.recipe, "level": self.level, "events": self.events, **other}
        rows = list(rows_of(self.seed, given["events"]))
        return [target.low_bit_state(way=way, rows=rows, **given) for way in self.ways]


def _runs(events, ways):
    def groups(target, profile):
        for recipe in RECIPES:
            yield recipe, st.builds(LowBitRun, st.just(recipe), LEVELS, events, ways, st.integers(0, 2**16))

    return groups


def _differing(one, other):
    """The names whose arrays differ, or that one of the two states lacks."""
    same = {name for name in one.keys() & other.keys() if one[name].tobytes() == other[name].tobytes()}
    return sorted((one.keys() | other.keys()) - same)


STEPS = st.integers(1, 4).map(lambda count: ["step"] * count)
ANY = st.lists(st.sampled_from(["step", *BETWEEN]), min_size=1, max_size=6)


@law("low_bit_state", "low_bit_state", _runs(ANY, st.just(("eager",)) | st.just(("graph",))), drawn=4)
def low_bit_state(target, case):
    """A step that is skipped, an evaluation and a resume leave no trace in a run by a recipe, scales included."""
    (found,), (plain,) = case.states(target), case.states(target, events=[e for e in case.events if e == "step"])
    if _differing(found, plain):
        raise Broken(f"{case.label}: without what stands between the steps other are {_differing(found, plain)}")


@law("low_bit_modes", "low_bit_state", _runs(STEPS, st.sampled_from(PAIRS)), drawn=4)
def low_bit_modes(target, case):
    """Graph mode and recomputation have the bits of eager mode by every recipe, in parts of a batch too."""
    one, other = case.states(target)
    if _differing(one, other):
        raise Broken(f"{case.label}: other are {_differing(one, other)}")


@law("low_bit_absent", "low_bit_state", _runs(STEPS, st.just(("eager",)) | st.just(("graph",))), drawn=2)
def low_bit_absent(target, case):
    """A recipe that no cell takes changes no bit of a run."""
    kept = f"{case.recipe.partition('(')[0]}(keep=0+2)"
    (found,), (plain,) = case.states(target, recipe=kept), case.states(target, recipe="")
    if _differing(found, plain):
        raise Broken(f"{case.label}: without the recipe other are {_differing(found, plain)}")


def rows_of(seed, events):
    """The inputs and labels of each event: drawn ones of a step, ones of an evaluation, infinite ones of a skip."""
    rng, plain = np.random.default_rng(seed), {"skip": np.inf}
    for event in events:
        if event == "step":
            yield [rng.standard_normal((16, n)).astype(np.float32) for n in (40, 8)]
        else:
            yield [np.full((16, 40), plain.get(event, 1.0), np.float32), np.zeros((16, 8), np.float32)]
