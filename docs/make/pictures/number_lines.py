"""The number lines of float16 and bfloat16: how far they reach, and how close their numbers lie near 1."""

import ml_dtypes
import numpy as np
from canvas import save_both

LEFT, RIGHT, LOW, HIGH = 96, 780, -180, 140  # of the axis: pixels, and exponents of two
FORMATS = {"float32": np.finfo(np.float32), "bfloat16": ml_dtypes.finfo("bfloat16"), "float16": np.finfo(np.float16)}
TITLE = "Number lines: float16 reaches from 6e-8 to 65504 in fine steps, bfloat16 as far as float32 in coarse steps"


def place(exponent):
    """The x of a power of two."""
    return LEFT + (exponent - LOW) / (HIGH - LOW) * (RIGHT - LEFT)


def power(number):
    """The logarithm of a number to base two."""
    return float(np.log2(float(number)))


def draw_range(canvas, y, name, info):
    """The range of a format: full where it has all its digits, faint where it loses them one by one."""
    lost, full, end = (place(power(n)) for n in (info.smallest_subnormal, info.tiny, info.max))
    canvas.text(LEFT - 10, y + 14, name, at="end", colour=name, bold=True)
    canvas.box(lost, y, full - lost, 18, name, faint=0.35)
    canvas.box(full, y, end - full, 18, name)
    canvas.text(lost - 4, y + 14, f"{float(info.smallest_subnormal):.1g}", 11, "soft", "end")
    canvas.text(end + 4, y + 14, f"{float(info.max):.5g}", 11, "soft")
    if name == "float16":
        canvas.text(full, y + 31, f"{float(info.tiny):.1g}", 11, "soft", "middle")


def draw_ticks(canvas, y, name, step):
    """The numbers of a format from 1 to 1 + 1/16."""
    canvas.text(LEFT - 10, y + 5, name, at="end", colour=name, bold=True)
    canvas.line((LEFT, y), (RIGHT, y))
    for number in np.arange(1, 1.0625 + step / 2, step):
        x = LEFT + (number - 1) / 0.0625 * (RIGHT - LEFT)
        canvas.line((x, y - 9), (x, y + 9), colour=name, width=1.5)


def draw(canvas):
    """Both lines: how far, and how fine."""
    canvas.text(LEFT, 26, "How far: powers of two on one line", 14, bold=True)
    for row, (name, info) in enumerate(FORMATS.items()):
        draw_range(canvas, 42 + 30 * row, name, info)
    for exponent in range(-150, 140, 25):
        canvas.line((place(exponent), 142), (place(exponent), 147), colour="soft")
        canvas.text(place(exponent), 160, f"2^{exponent}", 11, "soft", "middle")
    canvas.text(LEFT, 182, "faint: subnormal numbers, which lose digits; below them all is zero", 11, "soft")
    canvas.text(LEFT, 216, "How fine: all numbers from 1 to 1.0625", 14, bold=True)
    for row, name in enumerate(("float16", "bfloat16")):
        step = float(FORMATS[name].eps)
        draw_ticks(canvas, 242 + 34 * row, name, step)
        canvas.text(RIGHT + 8, 246 + 34 * row, f"1/{round(1 / step)}", 11, "soft")
    canvas.text(LEFT, 306, "1", 11, "soft", "middle")
    canvas.text(RIGHT, 306, "1.0625", 11, "soft", "middle")


def main(folder):
    """Make the picture in ``folder``."""
    save_both("number_lines", (880, 318), TITLE, draw, folder)
