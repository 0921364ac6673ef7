"""Laws of the loss scale: its course, unscaling, and that overflow is seen wherever it is."""

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.oracles.loss_scale import LARGEST, course, dialect_of, spelled, words
from minispore.tools.testing.strategies.arrays import arrays, shapes

__all__ = ["Course", "loss_scale_course", "overflow_is_seen", "unscaling_is_exact"]

# start, factor, window: the documented ones, a factor that is not 2 and divides with a rest, the ends of the range
SETTINGS = ((8.0, 2, 2), (1.0, 2, 1), (10.0, 4, 3), (2.0**24, 2, 1), (2.0**127, 2, 1))
LONGEST = {"ci": 6, "deep": 10}


@dataclass(frozen=True)
class Course:
    """A loss scale's settings, and a word of overflows."""

    face: str
    start: float
    factor: int
    window: int
    word: tuple

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.face} {self.start:g} {self.factor:g} {self.window}: {spelled(self.word)}"


def _courses(target, profile):
    """Words of one length: their beginnings are the shorter ones."""
    every = [word for word in words(LONGEST[profile]) if len(word) == LONGEST[profile]]
    for face in target.faces:
        yield face, (Course(face, *setting, word) for setting in SETTINGS for word in every)


@law("loss_scale_course", "scale_course", _courses)
def loss_scale_course(target, case):
    """The loss scale takes its dialect's course, for every word of overflows up to a length."""
    found, expected = _parting(target, case) or (None, None)
    if found is None:
        return
    shorter = (replace(case, word=word) for word in words(len(case.word)))
    short = next(each for each in shorter if _parting(target, each))
    found, expected = _parting(target, short)
    told = f"from {case.start:g}, after '{spelled(short.word)}' ('v' overflows) the scale is {found:g}"
    raise Broken(f"{told}, not {expected:g}, as of {dialect_of(target.faces[case.face]).title}", short)


def _parting(target, case):
    """The first scale that is not the dialect's, and the dialect's; None where all are."""
    settings = case.start, case.factor, case.window, case.word
    pairs = zip(target.scale_course(case.face, *settings), course(target.faces[case.face], *settings), strict=True)
    return next((pair for pair in pairs if _as_float32(pair[0]) != _as_float32(pair[1])), None)


def _as_float32(scale):
    """A scale as float32 holds it; one beyond it as it is."""
    return float(np.float32(scale)) if abs(scale) <= LARGEST else float(scale)


@dataclass(frozen=True)
class Gradients:
    """Gradients of several shapes, and where one bad element stands among them; None: nowhere."""

    arrays: list
    bad: tuple

    @property
    def label(self):
        """By which a deviation names it."""
        told = " ".join(f"{x.dtype}{list(x.shape)}" for x in self.arrays)
        return told if self.bad is None else f"{told} with {self.bad[2]} at {self.bad[1]} of array {self.bad[0]}"

    def spoiled(self):
        """The arrays with the bad element in its place."""
        if self.bad is None:
            return self.arrays
        which, at, value = self.bad
        out = [x.copy() for x in self.arrays]
        out[which].flat[at] = value
        return out


KINDS = st.sampled_from(("float16", "float32"))


@st.composite
def gradients(draw, spoil=None):
    """Gradients with at least one element each; one element of one of them is ``spoil``."""
    found = draw(st.lists(arrays(shapes(least=1), KINDS), min_size=1, max_size=3))
    if spoil is None:
        return Gradients(found, None)
    which = draw(st.integers(0, len(found) - 1))
    return Gradients(found, (which, draw(st.integers(0, found[which].size - 1)), spoil))


@st.composite
def long_gradients(draw, spoil=None):
    """A gradient of so many elements that it is looked at in blocks; one of them, often a last one, is ``spoil``."""
    length = draw(st.integers(1, 5000))
    long = np.full(length, 60000.0, draw(KINDS))  # whose sum and squares overflow in float16
    if spoil is None:
        return Gradients([long], None)
    from_the_end = draw(st.integers(1, min(length, 8)) | st.integers(1, length))
    return Gradients([long], (0, length - from_the_end, spoil))


def _spoiled(target, profile):
    for value in (None, np.inf, -np.inf, np.nan):
        name = "finite" if value is None else str(value)
        yield name, gradients(value)
        yield f"{name} of many", long_gradients(value)


@law("overflow_is_seen", "finite", _spoiled)
def overflow_is_seen(target, case):
    """An inf or nan is seen in any place, and nothing else is taken for one."""
    if target.finite(case.spoiled()) is not (case.bad is None):
        raise Broken(f"{case.label}: {'not ' if case.bad is None else ''}told to be finite")


@law("unscaling", "unscale", lambda target, profile: [("gradients", gradients())])
def unscaling_is_exact(target, case):
    """Unscaled gradients are the quotients in float32: nothing underflows that float32 holds."""
    for scale in (2.0, 1024.0, 2.0**16):
        for got, x in zip(target.unscale(scale, case.arrays), case.arrays, strict=True):
            told = f"{case.label}: unscaled by {scale:g}"
            if got.dtype != np.float32:
                raise Broken(f"{told} it is {got.dtype}, not float32")
            exact = (x.astype(np.float64) / scale).astype(np.float32)  # rounded once, to the nearest
            if not np.array_equal(got, exact):
                at = int((got != exact).argmax())
                raise Broken(f"{told}, element {at} is {got.flat[at]:g}, not {exact.flat[at]:g}")
