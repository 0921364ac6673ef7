"""Operator statistics: how often each operation ran in float16, bfloat16 and float32, forward and backward, by cell."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, NamedTuple

from minispore.core.errors import runtime_error
from minispore.core.observation import are_seen
from minispore.core.running import running
from minispore.ops.object_text import of_arguments
from minispore.tools.insight.operation_sites import SiteObserver

__all__ = ["OperatorRecord", "OperatorStats", "collect_operator_stats"]

_TYPES = ("float16", "bfloat16", "float32")


class OperatorRecord(NamedTuple):
    """The calls of one operation in one cell, in one phase, by the type of its output.

    Examples:
        >>> import minispore as ms
        >>> with ms.insight.collect_operator_stats() as stats:
        ...     _ = ms.ops.exp(ms.Tensor([1.0]))
        >>> print(stats[0].operation, stats[0].float32, stats[0].float16)
        Exp 1 0
    """

    operation: str
    phase: str  # "forward" or "backward"
    cell: str  # the cell's path; "" outside of cells
    float16: int
    bfloat16: int
    float32: int
    other: int

    @property
    def calls(self) -> Any:
        """The calls in all types."""
        return sum(self[3:])


def compute_type(primitive, made):
    """The type that an operation counts for: of its first output that is not a write."""
    outputs = made[len(primitive.writes) :] or made
    name = outputs[0].dtype.name if outputs else "other"
    return name if name in _TYPES else "other"


def check_alone(name):
    """Raise RuntimeError if something else records or observes the operations."""
    if are_seen():
        raise runtime_error(name, "one observer can run at a time, outside of jit", "another that runs")


class OperatorStats(SiteObserver):
    """The operations that ran: a sequence of :class:`OperatorRecord`, printed as a table.

    Examples:
        >>> import minispore as ms
        >>> with ms.insight.collect_operator_stats() as stats:
        ...     _ = ms.ops.exp(ms.Tensor([1.0])) + 1
        >>> print(type(stats).__name__)
        OperatorStats
    """

    __repr__ = of_arguments

    def __init__(self) -> None:
        super().__init__()
        self._calls = defaultdict(Counter)

    def note(self, primitive, args, arrays, made, single, results) -> None:
        """Count an operation."""
        phase = "backward" if running.pulling_back else "forward"
        key = primitive.name, phase, self.site(primitive.name).path
        self._calls[key][compute_type(primitive, made)] += 1

    @property
    def records(self) -> Any:
        """The records by operation, phase and cell, in the order of their first calls."""
        return [_record(*key, calls) for key, calls in self._calls.items()]

    @property
    def by_operation(self) -> Any:
        """The records by operation and phase, with "" for the cell: the sums over all cells."""
        sums = defaultdict(Counter)
        for (operation, phase, _), calls in self._calls.items():
            sums[operation, phase].update(calls)
        return [_record(operation, phase, "", calls) for (operation, phase), calls in sums.items()]

    def __iter__(self) -> Any:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self._calls)

    def __getitem__(self, index) -> Any:
        return self.records[index]

    def __str__(self) -> str:
        rows = sorted(self.by_operation, key=lambda row: (row.phase != "forward", -row.calls, row.operation))
        header = ("operation", "phase", *_TYPES, "other")
        return "\n".join(_line(row) for row in (header, *[(*row[:2], *row[3:]) for row in rows]))


def _record(operation, phase, cell, calls):
    return OperatorRecord(operation, phase, cell, *[calls[name] for name in (*_TYPES, "other")])


def _line(row):
    return f"{row[0]:<32}{row[1]:<10}" + "".join(f"{value:>10}" for value in row[2:])


class collect_operator_stats:  # noqa: N801 - it reads as a function, in `with collect_operator_stats() as stats`
    """Count the operations that run in a ``with`` block, on this thread: ``with collect_operator_stats() as stats``.

    An operation counts for the type of its first output, for its phase ("backward" while gradients are pulled back),
    and for its cell. An operation of a gradient counts for the cell of the operation that is differentiated. The
    numbers are the same bits as without. Graph mode runs operation by operation meanwhile.

    Returns:
        OperatorStats: a sequence of :class:`OperatorRecord`; ``str`` of it is a table of the sums over all cells.

    Raises:
        RuntimeError: If something else observes the operations, or graph mode records them.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.ReLU()).to_float(ms.float16)
        >>> with ms.insight.collect_operator_stats() as stats:
        ...     _ = net(ms.ops.ones((1, 2)))
        >>> [(row.cell, row.float16) for row in stats if row.operation == "ReLU"]
        [('SequentialCell.1', 1)]
    """

    __repr__ = of_arguments

    def __enter__(self) -> Any:
        check_alone("collect_operator_stats")
        stats = OperatorStats()
        self._stats = stats
        return stats.__enter__()

    def __exit__(self, *error) -> None:
        self._stats.__exit__(*error)
