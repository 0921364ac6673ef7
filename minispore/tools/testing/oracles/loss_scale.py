"""The dynamic loss scale, counted naively, in the dialects of MindSpore, PyTorch, Apex, Keras, Paddle and DeepSpeed.

A dialect is a record of what differs; :func:`course` reads it as the documentation of each says it. Whoever implements
a loss scale compares with it over every word of overflows up to a length: :func:`words`.
"""

import itertools
from dataclasses import dataclass

__all__ = ["DIALECTS", "Dialect", "course", "dialect_of", "parting", "table", "words"]

LARGEST = 3.4028234663852886e38  # of float32


@dataclass(frozen=True)
class Dialect:
    """The way in which one framework moves its loss scale.

    Attributes:
        title (str): The framework's name for it.
        source (str): The documentation or paper that says so.
        floor (float): The smallest scale that an overflow leaves.
        beyond (str): The result of a growth beyond ``ceiling``: "kept" the scale as it is, "ceiling" the ceiling
            itself, "inf" infinity.
        ceiling (float): The largest scale.
        patience (int): How many overflows it takes to reduce the scale.
        calmed (str): The event that starts that count anew: "good", a good step, or "growth".
    """

    title: str
    source: str
    floor: float = 0.0
    beyond: str = "kept"
    ceiling: float = LARGEST
    patience: int = 1
    calmed: str = "good"


_MINDSPORE = "observed in MindSpore 2.0.0 and 2.7.0"
DIALECTS = {
    "minispore": Dialect("minispore, all faces", "docs/reference/quirks.md", floor=1.0),
    "mindspore manager": Dialect(
        "MindSpore amp.DynamicLossScaleManager", _MINDSPORE, floor=1.0, beyond="inf", ceiling=float("inf")
    ),
    "mindspore update cell": Dialect("MindSpore nn.DynamicLossScaleUpdateCell", _MINDSPORE, floor=1.0, beyond="inf"),
    "mindspore scaler": Dialect("MindSpore amp.DynamicLossScaler", _MINDSPORE, floor=1.0),
    "torch": Dialect("torch.amp.GradScaler", "https://pytorch.org/docs/stable/amp.html"),
    "apex": Dialect(
        "apex.amp, loss_scale='dynamic'",
        "https://nvidia.github.io/apex/amp.html",
        beyond="ceiling",
        ceiling=2.0**24,
    ),
    "keras": Dialect(
        "tf.keras.mixed_precision.LossScaleOptimizer",
        "https://www.tensorflow.org/api_docs/python/tf/keras/mixed_precision/LossScaleOptimizer",
        floor=1.0,
    ),
    "paddle": Dialect(
        "paddle.amp.GradScaler(decr_every_n_nan_or_inf=2)",
        "https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/amp/GradScaler_en.html",
        floor=1.0,
        patience=2,
    ),
    "deepspeed": Dialect(
        "DeepSpeed fp16, hysteresis 2",
        "https://www.deepspeed.ai/docs/config-json/#fp16-training-options",
        floor=1.0,
        beyond="inf",
        ceiling=float("inf"),
        patience=2,
        calmed="growth",
    ),
}


def dialect_of(dialect):
    """The record of a dialect, by its name in ``DIALECTS``; a record is its own."""
    return dialect if isinstance(dialect, Dialect) else DIALECTS[dialect]


def course(dialect, start, factor, window, word):
    """The scales after each step of a word of overflows.

    An overflow divides the scale by ``factor``, and starts the window anew; ``window`` good steps in a row multiply it.

    Args:
        dialect (Union[str, Dialect]): A name in ``DIALECTS``, or a dialect of one's own.
        start (float): The scale before the first step.
        factor (float): The factor of each change.
        window (int): How many good steps in a row it takes to grow.
        word (Iterable[bool]): For each step whether it overflowed.

    Examples:
        >>> from minispore.testing.oracles.loss_scale import course
        >>> course("torch", 8.0, 2, 2, [False, False, True, True])
        [8.0, 16.0, 8.0, 4.0]
        >>> course("paddle", 8.0, 2, 2, [False, False, True, True])
        [8.0, 16.0, 16.0, 8.0]
    """
    rule = dialect_of(dialect)
    scale, good, left, scales = start, 0, rule.patience, []
    for overflow in word:
        if overflow:
            good, left = 0, left - 1
            if left <= 0:
                scale = max(scale / factor, rule.floor)
                left = rule.patience if rule.calmed == "good" else 1
        else:
            good += 1
            left = rule.patience if rule.calmed == "good" else left
            if good == window:
                scale, good, left = _grown(rule, scale, factor), 0, rule.patience
        scales.append(scale)
    return scales


def _grown(rule, scale, factor):
    if scale * factor <= rule.ceiling:
        return scale * factor
    return {"kept": scale, "ceiling": rule.ceiling, "inf": float("inf")}[rule.beyond]


def words(longest):
    """Every word of overflows of length 1 to ``longest``, the shortest first, good steps before overflows."""
    for length in range(1, longest + 1):
        yield from itertools.product([False, True], repeat=length)


def spelled(word):
    """A word as text: a dot for a good step, ``v`` for an overflow."""
    return "".join(".v"[overflow] for overflow in word)


def parting(one, other, longest=6, settings=((8.0, 2.0, 2), (1.0, 2.0, 1), (2.0**24, 2.0, 1), (2.0**127, 2.0, 1))):
    """The first settings and word on which two dialects part, with both scales after it; None where none does."""
    for start, factor, window in settings:
        for word in words(longest):
            ends = [course(name, start, factor, window, word)[-1] for name in (one, other)]
            if ends[0] != ends[1]:
                return f"{start:g}, {factor:g}, {window}: {spelled(word)}", *ends
    return None


def table(beside="mindspore scaler"):
    """The dialects as a table of Markdown: a description of each, and its first difference from one of them."""
    lines = [
        "| dialect | of | floor | beyond the largest | reduced by | parts from `" + beside + "` at | source |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, rule in DIALECTS.items():
        lines.append(f"| `{name}` | {rule.title} | {rule.floor:g} | {_beyond_text(rule)} | {_patience(rule)} | "
                     f"{_parted(name, beside)} | {rule.source} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def _beyond_text(rule):
    if rule.ceiling == float("inf"):
        return "grows on"
    return {"kept": "stays", "ceiling": f"{rule.ceiling:g}", "inf": "inf"}[rule.beyond]


def _patience(rule):
    if rule.patience == 1:
        return "every overflow"
    return "the second in a row" if rule.calmed == "good" else "every overflow but the first after a growth"


def _parted(name, beside):
    found = parting(name, beside)
    return "nowhere" if found is None else f"`{found[0]}`: {found[1]:g}, not {found[2]:g}"
