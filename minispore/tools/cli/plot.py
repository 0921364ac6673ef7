"""The picture: each level's loss over the steps, and below it the history of the loss scale."""

import importlib

import numpy as np

from minispore.amp.policy import levels
from minispore.core.atomic_file import replace_file

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
        axes.step(range(len(result.history.scales)), result.history.scales, where="post", **_look(result))
    axes.set_yscale("log", base=2)
    axes.set_ylabel("loss scale")
    axes.grid(alpha=0.3)
    axes.legend()
