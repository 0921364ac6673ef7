"""Profiler: the time and the number of calls of cells and operations, as tables and as a Chrome trace.

While one runs it observes every call, see ``observer``; otherwise nothing is measured, and nothing costs anything.
"""

from __future__ import annotations

import csv
import io
import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from minispore.core.checks import check_bool, check_choice, check_int, check_text
from minispore.core.context import settings
from minispore.core.errors import runtime_error, shown, type_error
from minispore.core.observation import are_seen
from minispore.core.tensor import Tensor
from minispore.data.atomic_file import replace_file
from minispore.ops.object_text import of_arguments
from minispore.tools import log
from minispore.tools.observer import Observer

__all__ = ["Profiler"]

_FLAGS = (
    "data_process",
    "hbm_ddr",
    "l2_cache",
    "op_time",
    "parallel_strategy",
    "pcie",
    "profile_communication",
    "profile_memory",
    "sync_enable",
)
_EVENT_BYTES = 160  # of one event in the trace, about
_active = []  # the profiler that runs


class _Event(NamedTuple):
    """One call: what was called, when, for how long, and how long of it other calls took."""

    kind: str  # "cell" or "operation"
    name: str  # the path of a cell, the name of an operation
    owner: str  # the class of a cell; the path of the cell that an operation ran in
    shapes: str
    begin: float
    seconds: float
    own: float


class _Watch(Observer):
    """Times the calls of cells and operations."""

    def __init__(self, most):
        super().__init__()
        self.events, self.most, self.left_out = [], most, 0
        self.inner = [0.0]  # the time of calls inside each call

    def within_cell(self, call, cell, args):
        """Run the call, and note an event of it."""
        return self._timed(call, "cell", self.cells[-1][1], type(cell).__name__, args)

    def within_operation(self, call, primitive, args):
        """Run the call, and note an event of it."""
        return self._timed(call, "operation", primitive.name, self.cells[-1][1] if self.cells else "", args)

    def _timed(self, call, kind, name, owner, args):
        self.inner.append(0.0)
        begin = time.perf_counter()
        try:
            return call()
        finally:
            seconds = time.perf_counter() - begin
            own = seconds - self.inner.pop()
            self.inner[-1] += seconds
            if len(self.events) < self.most:
                self.events.append(_Event(kind, name, owner, _shapes(args), begin, seconds, own))
            else:
                self.left_out += 1


def _shapes(args):
    return " ".join(str(a.shape) for a in args if isinstance(a, Tensor))


class Profiler:
    """Measures cells and operations of the thread that starts it: how often they are called, and how long they take.

    :meth:`analyse` prints a table on standard error, and writes ``profiler/cells.csv``, ``profiler/operations.csv`` and
    ``profiler/trace.json``, which chrome://tracing and Perfetto show, into ``output_path``. While a profiler runs,
    graph mode runs operation by operation.

    Args:
        **kwargs: ``output_path`` (str; default "./data"), ``start_profile`` (bool; whether it starts at once; default
            True), ``timeline_limit`` (int; the largest trace in MiB; default 500), and MindSpore's options about its
            processors, which are without effect: the bools ``op_time``, ``profile_memory``, ``profile_communication``,
            ``parallel_strategy``, ``data_process``, ``l2_cache``, ``hbm_ddr``, ``pcie``, ``sync_enable``, the int
            ``aicore_metrics`` and ``profile_framework`` ("all", "time", "memory" or None). The log warns of others.

    Raises:
        TypeError: If an option is of a wrong kind.
        ValueError: If ``timeline_limit`` is below 1, ``aicore_metrics`` not from -1 to 6, or ``profile_framework``
            unknown.
        RuntimeError: If another profiler runs.

    Examples:
        >>> import minispore as ms
        >>> profiler = ms.Profiler(output_path="./prof_result")  # doctest: +SKIP
        >>> net(x)  # doctest: +SKIP
        >>> profiler.analyse()  # doctest: +SKIP
    """

    __repr__ = of_arguments

    def __init__(self, **kwargs) -> None:
        self._path = Path(check_text("Profiler", "output_path", kwargs.pop("output_path", "./data"))) / "profiler"
        starts = check_bool("Profiler", "start_profile", kwargs.pop("start_profile", True))
        most = check_int("Profiler", "timeline_limit", kwargs.pop("timeline_limit", 500), 1)
        _check_options(kwargs)
        self._watch, self._began, self._ended = _Watch(most * 2**20 // _EVENT_BYTES), False, False
        self._observing = None
        if _active:
            raise runtime_error("Profiler", "one profiler can run at a time", "another that runs")
        if starts:
            self.start()

    def start(self) -> None:
        """Begin to measure, which a profiler does once.

        Raises:
            RuntimeError: If it has begun, another runs, or graph mode records.
        """
        if self._began:
            raise runtime_error("Profiler", "'start' must be called once, without 'start_profile'", "a second start")
        if _active or are_seen():
            raise runtime_error("Profiler", "one profiler can run at a time, outside of jit", "another that runs")
        self._began, self._observing = True, self._watch
        _active.append(self)
        self._observing.__enter__()

    def stop(self) -> None:
        """Cease to measure.

        Raises:
            RuntimeError: If it does not measure.
        """
        if self not in _active:
            raise runtime_error("Profiler", "'start' must be called before 'stop'", "no start, or a second stop")
        self._observing.__exit__()
        _active.remove(self)
        self._ended = True

    def analyse(self) -> None:
        """Cease to measure if need be, print the tables on standard error, and write them and the trace.

        Raises:
            RuntimeError: If nothing was measured.
            OSError: If the files cannot be written.
        """
        if self in _active:
            self.stop()
        if not self._ended:
            raise runtime_error("Profiler", "'start' must be called before 'analyse'", "no start")
        cells, operations = self._rows("cell"), self._rows("operation")
        self._path.mkdir(parents=True, exist_ok=True)
        _write(self._path / "cells.csv", _as_csv(("cell", "class", *_NUMBERS), cells))
        _write(self._path / "operations.csv", _as_csv(("operation", "cell", *_NUMBERS), operations))
        _write(self._path / "trace.json", json.dumps(self._trace()))
        print(_as_table(cells, operations), file=sys.stderr)  # standard output is the script's, as in MindSpore
        if self._watch.left_out:
            log.warning("the trace is full: %d calls are in no table", self._watch.left_out)

    def op_analyse(self, op_name: str | list[Any], device_id: int | None = None) -> Any:
        """The numbers of operations, for each shape of their inputs, as a text of JSON.

        Args:
            op_name (Union[str, list]): The operation's name, or several.
            device_id (int): The device. Default: None, that of the context.

        Raises:
            TypeError: If ``op_name`` is something else, or ``device_id`` is not an int.
            RuntimeError: If an operation was not called.
        """
        names = [op_name] if isinstance(op_name, str) else op_name
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise type_error("op_analyse", "the 'op_name' must be a str or a list of str", shown(op_name))
        if device_id is not None:
            check_int("op_analyse", "device_id", device_id, 0)
        found = {name: self._by_shape(name) for name in names}
        missing = [name for name, rows in found.items() if not rows]
        if missing:
            raise runtime_error("op_analyse", "the operations must have been called", shown(missing[0]))
        device = settings["device_id"] if device_id is None else device_id
        return json.dumps({**found, "device_id": str(device)})

    def _by_shape(self, name):
        total = defaultdict(list)
        for event in self._watch.events:
            if event.kind == "operation" and event.name == name:
                total[event.shapes].append(event.own * 1e6)
        side = settings["device_target"].lower()
        return [
            {
                "op_side": side,
                "input_shape": shapes,
                "op_occurrences": len(times),
                "op_total_time(us)": round(sum(times), 2),
                "op_avg_time(us)": round(sum(times) / len(times), 2),
            }
            for shapes, times in total.items()
        ]

    def _rows(self, kind):
        """``(name, owner, calls, total ms, own ms)``, by the largest share of time."""
        found = defaultdict(lambda: [0, 0.0, 0.0])
        for event in self._watch.events:
            if event.kind == kind:
                row = found[event.name, event.owner]
                row[0], row[1], row[2] = row[0] + 1, row[1] + event.seconds * 1e3, row[2] + event.own * 1e3
        return sorted([(*key, *row) for key, row in found.items()], key=lambda row: -row[3 if kind == "cell" else 4])

    def _trace(self):
        """The events in the form of Chrome's traces."""
        start = min([event.begin for event in self._watch.events], default=0.0)
        events = [
            {
                "name": event.name,
                "cat": event.kind,
                "ph": "X",
                "ts": round((event.begin - start) * 1e6, 3),
                "dur": round(event.seconds * 1e6, 3),
                "pid": 0,
                "tid": 0,
                "args": {"of": event.owner, "shapes": event.shapes},
            }
            for event in self._watch.events
        ]
        return {"traceEvents": events, "displayTimeUnit": "ms"}


_NUMBERS = ("calls", "total_ms", "own_ms")


def _check_options(options):
    for name in _FLAGS:
        check_bool("Profiler", name, options.pop(name, False))
    check_int("Profiler", "aicore_metrics", options.pop("aicore_metrics", -1), -1, 6)
    framework = options.pop("profile_framework", None)
    if framework is not None:
        check_choice("Profiler", "profile_framework", framework, ("all", "time", "memory"))
    for name in options:
        log.warning("Profiler has no option '%s'", name)


def _write(path, text):
    replace_file(path, lambda file: file.write(text.encode()), "Profiler")


def _as_csv(header, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [header, *[(*row[:3], *(f"{n:.4f}" for n in row[3:])) for row in rows]]
    )
    return text.getvalue()


def _as_table(cells, operations, most=20):
    """The cells by their whole time, and the operations by their own, as text."""
    by_name = defaultdict(lambda: [0, 0.0])
    for name, _, calls, _, own in operations:
        by_name[name] = [by_name[name][0] + calls, by_name[name][1] + own]
    lines = [f"{'cell':<48}{'calls':>8}{'total ms':>12}{'own ms':>12}"]
    lines += [
        f"{f'{name} ({kind})':<48}{calls:>8}{total:>12.3f}{own:>12.3f}"
        for name, kind, calls, total, own in cells[:most]
    ]
    lines += ["", f"{'operation':<48}{'calls':>8}{'own ms':>12}"]
    order = sorted(by_name.items(), key=lambda item: -item[1][1])
    lines += [f"{name:<48}{calls:>8}{own:>12.3f}" for name, (calls, own) in order[:most]]
    return "\n".join(lines)
