"""The report: each level's results as a record, as a table and as a JSON file."""

import json
import math
import textwrap
from typing import NamedTuple

from minispore.data.atomic_file import replace_file
from minispore.tools.cli.history import History
from minispore.tools.cli.precision_summary import count_cells, describe

__all__ = ["Result", "result_of", "table", "write_json"]

_HEADINGS = ("level", "cells", "test accuracy", "seconds", "skipped steps", "loss scale")
_CELLS, _WIDTH = 1, 80  # the column that is wrapped, and the largest width of the table
_OPTIONS = ("net", "epochs", "batch_size", "lr", "device", "seed", "loss_scale", "image_size", "color")


class Result(NamedTuple):
    """The results of one level: the cells by their dtype, the history, and the last loss scale or None."""

    level: str
    cells: dict
    history: History
    loss_scale: float | None

    def numbers(self):
        """The entries of the JSON file; None for inf and nan, which JSON lacks."""
        return {
            "cells": self.cells,
            "test_accuracy": self.history.accuracies[-1],
            "seconds": sum(self.history.seconds),
            "skipped_steps": self.history.skipped,
            "final_loss_scale": self.loss_scale,
            "losses": [loss if math.isfinite(loss) else None for loss in self.history.losses],
            "loss_scales": self.history.scales or None,
            "test_accuracies": self.history.accuracies,
        }


def result_of(training):
    """The results of a trained level."""
    scale = getattr(training.step, "scale_sense", None)
    cells = count_cells(training.network)
    return Result(training.level, cells, training.history, None if scale is None else float(scale))


def _row(result):
    """A level's row of the table; its cells are a list of texts, one for each dtype."""
    history, scale = result.history, result.loss_scale
    numbers = f"{100 * history.accuracies[-1]:.2f} %", f"{sum(history.seconds):.1f}", str(history.skipped)
    return result.level, describe(result.cells), *numbers, "-" if scale is None else f"{scale:g}"


def table(results):
    """The results as text in columns, at most 80 characters wide, below a row of headings."""
    rows = [_HEADINGS, *map(_row, results)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADINGS))]
    widths[_CELLS] = max(20, _WIDTH - sum(width + 2 for i, width in enumerate(widths) if i != _CELLS))
    places = [f"{{:{'<' if i <= _CELLS else '>'}{width}}}" for i, width in enumerate(widths)]
    lines = [line for row in rows for line in _lines(row, widths[_CELLS])]
    return "\n".join("  ".join(places).format(*line).rstrip() for line in lines)


def _lines(row, width):
    """The row with its cells wrapped into lines; the other columns are in the first line."""
    texts = [row[_CELLS]] if isinstance(row[_CELLS], str) else row[_CELLS]
    whole = [text.replace(" x", "\N{NO-BREAK SPACE}x") for text in texts]  # a name stays with its count
    wrapped = [line for text in whole for line in textwrap.wrap(text, width, subsequent_indent="  ")]
    first, *others = (line.replace("\N{NO-BREAK SPACE}", " ") for line in wrapped)
    yield *row[:_CELLS], first, *row[_CELLS + 1 :]
    for text in others:
        yield "", text, *[""] * (len(row) - 2)


def write_json(job, results):
    """Write the job's options and each level's numbers, atomically."""
    options = {name: getattr(job, name) for name in _OPTIONS}
    options["data_dir"] = None if job.data_dir is None else str(job.data_dir)
    levels = {r.level: r.numbers() for r in results}
    text = json.dumps({"options": options, "levels": levels}, indent=1, allow_nan=False)
    replace_file(job.results, lambda file: file.write(f"{text}\n".encode()))
