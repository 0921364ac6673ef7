"""The histogram of a network's gradients beside the range of float16: pictures at two scales, and a page with a slider.

The network is LeNet-5 in float32 on a batch of the embedded images: the gradients of all its cells' outputs, and of its
Parameters.
"""

import json
from collections import Counter
from string import Template

import numpy as np
from canvas import THEMES, save_both

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


def page(counts):
    """The page with a slider: the numbers, a few lines of script, and nothing from elsewhere."""
    names = {"low": LOW, "high": HIGH, "zero": ZERO, "subnormal": SUBNORMAL, "large": TOO_LARGE}
    colours = {f"{theme}_{name}": value for theme, table in THEMES.items() for name, value in table.items()}
    return Template(_PAGE).substitute(counts=json.dumps(counts), limits=json.dumps(names), **colours)


_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gradients and the loss scale</title>
<style>
:root { --ink: $light_ink; --soft: $light_soft; --ground: $light_on; --bar: $light_float32; --bad: $light_bad;
  --few: $light_float16 }
@media (prefers-color-scheme: dark) { :root { --ink: $dark_ink; --soft: $dark_soft; --ground: $dark_on;
  --bar: $dark_float32; --bad: $dark_bad; --few: $dark_float16 } }
body { margin: 0 auto; max-width: 860px; padding: 0 4px; font-family: system-ui, sans-serif; color: var(--ink);
  background: var(--ground) }
svg { width: 100%; height: auto } input { width: 100% } text { fill: var(--soft); font-size: 12px }
</style>
<p>The gradients of LeNet-5 on 64 images, counted by powers of two. Move the loss scale.</p>
<label>loss scale 2<sup id="power">0</sup>
<input id="scale" type="range" min="0" max="40" value="0" aria-label="the exponent of the loss scale"></label>
<p id="said" aria-live="polite"></p>
<svg id="picture" viewBox="0 0 840 240" role="img" aria-label="histogram of the gradients"></svg>
<p>Red ground: zero, or inf. Orange ground: subnormal numbers, which lose digits. One inf is enough to skip a step.</p>
<script>
const counts = $counts, limit = $limits, wide = 800, tall = 200;
const x = p => 20 + (p - limit.low) / (limit.high - limit.low) * wide;
const box = (left, right, top, fill, opacity) =>
  `<rect x="$${left}" y="$${top}" width="$${Math.max(0, right - left)}" height="$${tall - top}" fill="var($${fill})" ` +
  `opacity="$${opacity}"/>`;
function draw() {
  const shift = Number(document.getElementById("scale").value), most = Math.max(...Object.values(counts));
  const all = Object.values(counts).reduce((a, b) => a + b), lost = [0, 0, 0];
  let shapes = box(x(limit.low), x(limit.zero), 0, "--bad", 0.16) +
    box(x(limit.zero), x(limit.subnormal), 0, "--few", 0.16) + box(x(limit.large), x(limit.high), 0, "--bad", 0.16);
  for (const [power, count] of Object.entries(counts)) {
    const p = Number(power) + shift;
    if (p < limit.zero) lost[0] += count; else if (p < limit.subnormal) lost[1] += count;
    if (p >= limit.large) lost[2] += count;
    const top = tall - count / most * 180;
    if (p >= limit.low && p < limit.high) shapes += box(x(p) + 0.5, x(p + 1) - 0.5, top, "--bar", 1);
  }
  for (let p = limit.low; p <= limit.high; p += 12)
    shapes += `<text x="$${x(p)}" y="218" text-anchor="middle">2^$${p}</text>`;
  document.getElementById("picture").innerHTML = shapes;
  document.getElementById("power").textContent = shift;
  const share = i => (100 * lost[i] / all).toFixed(1) + " %";
  document.getElementById("said").textContent = share(0) + " become zero, " + share(1) + " lose digits, " + share(2) +
    " become inf: the step would " + (lost[2] ? "be skipped." : "be made.");
}
document.getElementById("scale").addEventListener("input", draw);
draw();
</script>
</html>
"""


def main(folder):
    """Make the picture in ``folder``."""
    counts = histogram()
    save_both("gradient_histogram", (860, 390), TITLE, draw_with(counts), folder)
    (folder.parent / "static" / PAGE).write_text(page(counts), encoding="utf-8")  # the site copies that folder
