"""The histogram of a network's gradients beside the range of float16: pictures at two scales, and a page with a slider.

The network is LeNet-5 in float32 on a batch of the embedded images: the gradients of all its cells' outputs, and of its
Parameters.
"""

import json
import re
from collections import Counter

import numpy as np
from canvas import save_both

import minispore as ms
from minispore import insight, nn
from minispore.dataset import embedded_fashion_mnist
from minispore.tools.cli.networks import LeNet5

LOW, HIGH = -60, 24  # exponents of two that are drawn
ZERO, SUBNORMAL, TOO_LARGE = -25, -14, 16  # below, below, and from there on: what float16 makes of a number
LEFT, WIDTH, TALL, PAGE = 20, 820, 130, "gradient_histogram.html"
SHIFT = 14
TITLE = "A histogram of LeNet-5's gradients beside float16's range: unscaled, and times a loss scale of 2**14"


def histogram():
    """The number of gradients in each power of two, a dict; zeros are left out."""
    ms.set_seed(1)
    (images, labels), _ = embedded_fashion_mnist()
    batch = ms.Tensor(images[:64, None] / 255, ms.float32), ms.Tensor(labels[:64], ms.int32)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    found = Counter()
    for row in insight.precision_report(LeNet5(), loss, batch, "O0"):
        if "gradients" in row.kind:
            found.update(row.histogram)
    return {power: count for power, count in sorted(found.items()) if count}


def place(exponent):
    """The x of a power of two."""
    return LEFT + (exponent - LOW) / (HIGH - LOW) * WIDTH


def draw_one(canvas, counts, shift, top):
    """One histogram, moved by a scale; what float16 loses stands on coloured ground."""
    base, most = top + TALL, max(counts.values())
    for low, high, colour in ((LOW, ZERO, "bad"), (ZERO, SUBNORMAL, "float16"), (TOO_LARGE, HIGH, "bad")):
        canvas.box(place(low), top, place(high) - place(low), TALL, colour, round_by=0, faint=0.16)
    for power, count in counts.items():
        height = count / most * (TALL - 22)
        if LOW <= power + shift < HIGH:
            canvas.box(
                place(power + shift) + 0.5, base - height, place(1) - place(0) - 1, height, "float32", round_by=0
            )
    canvas.line((LEFT, base), (LEFT + WIDTH, base), colour="soft")
    for exponent in range(LOW, HIGH + 1, 12):
        canvas.text(place(exponent), base + 15, f"2^{exponent}", 11, "soft", "middle")


def shares(counts, shift):
    """The shares of gradients that float16 makes zero, holds with fewer digits, and makes inf."""
    powers, each = np.array(list(counts)) + shift, np.array(list(counts.values())) / sum(counts.values())
    return (
        each[powers < ZERO].sum(),
        each[(powers >= ZERO) & (powers < SUBNORMAL)].sum(),
        each[powers >= TOO_LARGE].sum(),
    )


def draw_with(counts):
    """The function that draws the histogram at two scales."""

    def draw(canvas):
        for shift, top in ((0, 40), (SHIFT, 236)):
            zero, few, large = shares(counts, shift)
            said = f"{zero:.1%} become zero, {few:.1%} lose digits, {large:.1%} become inf"
            canvas.text(LEFT, top - 12, f"loss scale 2^{shift}" if shift else "no loss scale", 14, bold=True)
            canvas.text(LEFT + 140, top - 12, said, 13, "soft")
            draw_one(canvas, counts, shift, top)
            for exponent, text in ((-42, "zero"), (-19.5, "subnormal"), (20, "inf")):
                canvas.text(place(exponent), top + 16, text, 12, "soft", "middle")

    return draw


def page(text, counts):
    """The page with a slider, which is a file of its own, with these numbers in it."""
    made, found = re.subn(r"(?m)^const counts = .*;$", f"const counts = {json.dumps(counts)};", text)
    if found != 1:
        raise ValueError(f"{PAGE} must have one line 'const counts = ...;', but has {found}.")
    return made


def main(folder):
    """Make the picture in ``folder``, and put its numbers into the page with a slider."""
    counts, slider = histogram(), folder.parent / "static" / PAGE  # the site copies that folder
    save_both("gradient_histogram", (860, 390), TITLE, draw_with(counts), folder)
    slider.write_text(page(slider.read_text(encoding="utf-8"), counts), encoding="utf-8")
