"""The picture: each level's loss over the steps, and below it the loss scale with the steps that were skipped."""

import importlib

import numpy as np

from minispore import amp
from minispore.amp.policy import levels
from minispore.data.atomic_file import replace_file

__all__ = ["INSTALL", "draw"]

INSTALL = 'pip install "matplotlib>=3.8"'
_STYLES = ("-", "-", "--", ":")  # a curve stays visible under an equal one, such as O1's and O3's of LeNet-5


def draw(results, path):
    """Draw the curves into a PNG file, atomically; returns False if matplotlib is not installed."""
    try:
        figures = importlib.import_module("matplotlib.figure")
    except ImportError:
        return False
    scaled = [result for result in results if result.history.scales]
    figure = figures.Figure(figsize=(8, 7 if scaled else 4), layout="constrained")
    axes = figure.subplots(2 if scaled else 1, 1, sharex=True, squeeze=False)[:, 0]
    _draw_losses(axes[0], results)
    if scaled:
        _draw_scales(axes[1], scaled)
    axes[-1].set_xlabel("step")
    replace_file(path, lambda file: figure.savefig(file, format="png", dpi=120))
    return True


def smoothed(values, window):
    """The running mean over ``window`` values; the first means are over fewer."""
    sums = np.cumsum(np.asarray(values, np.float64))
    counts = np.minimum(np.arange(1, len(sums) + 1), window)
    return (sums - np.concatenate([np.zeros(min(window, len(sums))), sums[:-window]])) / counts


def _look(result):
    """The label, colour and line style of a level, the same in both plots."""
    number = levels.all_names().index(result.level)
    return {"label": result.level, "color": f"C{number}", "linestyle": _STYLES[number % len(_STYLES)], "linewidth": 1.6}


def _draw_losses(axes, results):
    for result in results:
        losses = result.history.losses
        axes.plot(smoothed(losses, max(1, len(losses) // 40)), **_look(result))
    axes.set_ylabel("training loss (running mean)")
    axes.grid(alpha=0.3)
    axes.legend()


def _draw_scales(axes, results):
    for result in results:
        history, look = result.history, _look(result)
        axes.step(range(len(history.scales)), history.scales, where="post", **look)
        skipped = np.flatnonzero(history.overflows)
        if skipped.size:
            at = np.asarray(history.scales)[skipped]
            axes.plot(
                skipped, at, linestyle="", marker="x", color=look["color"], label=f"{result.level} skipped a step"
            )
    axes.set_yscale("log", base=2)
    axes.set_ylabel("loss scale")
    moved = any(len({*result.history.scales, result.loss_scale}) > 1 for result in results)
    axes.set_title("\n".join([*map(settling, results), *([_rule()] if moved else [])]), loc="left", fontsize="small")
    axes.grid(alpha=0.3)
    axes.legend()


def _rule():
    """The rule of a scale that moves: it is that of a manager without arguments."""
    manager = amp.DynamicLossScaleManager()
    factor, window = manager.scale_factor, manager.scale_window
    return f"A skip divides the scale by {factor:g}; {window} good steps in a row multiply it by {factor:g}."


def settling(result):
    """The reason, in a line, for which the loss scale of a level stands where it does."""
    history, last = result.history, _power(result.loss_scale)
    skipped = np.flatnonzero(history.overflows)
    if not skipped.size:
        return f"{result.level}: no step was skipped, the scale ends at {last}"
    many = f"{skipped.size} step{'s' if skipped.size > 1 else ''} skipped"
    at, number = history.scales[skipped[-1]], skipped[-1] + 1
    if at > result.loss_scale:
        return f"{result.level}: {many}; the scale ends at {last}, since {_power(at)} overflowed at step {number}"
    grown = "has grown again" if at < result.loss_scale else "stays the same"
    return f"{result.level}: {many}, the last at step {number}; the scale {grown}, and ends at {last}"


def _power(scale):
    """A loss scale as a power of two, where it is one."""
    power = np.log2(scale)
    return f"2**{power:.0f}" if power == round(power) else f"{scale:g}"
