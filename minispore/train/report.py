"""The report: what each level's training came to, as a record, as a table and as a JSON file."""

import json
import math
from typing import NamedTuple

from minispore.atomic_file import replace_file
from minispore.train.course import Course
from minispore.train.precisions import count_cells, describe

__all__ = ["Result", "result_of", "table", "write_json"]

_HEADINGS = ("level", "cells", "test accuracy", "seconds", "skipped steps", "loss scale")
_OPTIONS = ("net", "epochs", "batch_size", "lr", "device", "seed", "loss_scale")


class Result(NamedTuple):
    """One level at its end: which cells compute in which dtype, its course, and its last loss scale or None."""

    level: str
    cells: dict
    course: Course
    loss_scale: float | None

    def numbers(self):
        """What stands in the JSON file; None for what is not finite, which JSON cannot say."""
        return {
            "cells": self.cells,
            "test_accuracy": self.course.accuracies[-1],
            "seconds": sum(self.course.seconds),
            "skipped_steps": self.course.skipped,
            "final_loss_scale": self.loss_scale,
            "losses": [loss if math.isfinite(loss) else None for loss in self.course.losses],
            "loss_scales": self.course.scales or None,
            "test_accuracies": self.course.accuracies,
        }


def result_of(training):
    """What a level that has been trained came to."""
    scale = getattr(training.step, "scale_sense", None)
    cells = count_cells(training.network)
    return Result(training.level, cells, training.course, None if scale is None else float(scale))


def _rows(result):
    """A level's lines in the table: one for each dtype, the numbers in the first."""
    first, *others = describe(result.cells)
    course, scale = result.course, result.loss_scale
    numbers = f"{100 * course.accuracies[-1]:.2f} %", f"{sum(course.seconds):.1f}", str(course.skipped)
    yield result.level, first, *numbers, "-" if scale is None else f"{scale:g}"
    for text in others:
        yield "", text, "", "", "", ""


def table(results):
    """The results as text in columns, a line of headings first."""
    rows = [_HEADINGS, *(row for result in results for row in _rows(result))]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADINGS))]
    places = [f"{{:{'<' if i < 2 else '>'}{width}}}" for i, width in enumerate(widths)]
    return "\n".join("  ".join(places).format(*row).rstrip() for row in rows)


def write_json(job, results):
    """Write the job's options and each level's numbers; the file changes wholly or not at all."""
    options = {name: getattr(job, name) for name in _OPTIONS}
    options["data_dir"] = None if job.data_dir is None else str(job.data_dir)
    levels = {r.level: r.numbers() for r in results}
    text = json.dumps({"options": options, "levels": levels}, indent=1, allow_nan=False)
    replace_file(job.results, lambda file: file.write(f"{text}\n".encode()))
