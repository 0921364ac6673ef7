"""The tensor checker: the contents of every operation's output, and its losses in float16."""

from __future__ import annotations

from typing import Any, NamedTuple

from minispore.core.checks import check_bool, check_int
from minispore.core.dtype import FLOATS
from minispore.core.running import running
from minispore.ops.list_checks import check_names
from minispore.ops.object_text import of_arguments
from minispore.tools.insight.numerics import Numerics, numerics_of
from minispore.tools.insight.operation_sites import SiteObserver
from minispore.tools.insight.operator_stats import check_alone

__all__ = ["TensorChecker", "TensorRecord"]


class TensorRecord(NamedTuple):
    """The contents of one output of one operation."""

    step: int  # number of earlier calls of outermost cells in the block
    operation: str
    phase: str  # "forward" or "backward"
    cell: str  # the path of its cell; "" outside of cells
    dtype: str
    shape: tuple
    numerics: Numerics
    lines: tuple  # the user's lines, "file:line", the innermost first

    def __str__(self) -> str:
        found = self.numerics
        held = [f"{n} {name}" for name, n in (("nan", found.nan), ("inf", found.inf), ("zeros", found.zero)) if n]
        flows = (("overflows", found.float16_overflows), ("underflows", found.float16_underflows))
        in_float16 = " and ".join(f"{n} {name}" for name, n in flows if n)
        counts = [*held, f"{in_float16} in float16"] if in_float16 else held
        finite = "" if found.least is None else f", {found.least:g} to {found.greatest:g}, mean {found.mean:g}"
        place = f" in the cell {self.cell}" if self.cell else ""
        line = f" ({self.lines[0]})" if self.lines else ""
        kind = f"{self.dtype} of shape {self.shape}"
        return f"{self.operation}{place}{line}, {self.phase}: {kind}{finite}{'; ' if counts else ''}{', '.join(counts)}"


class TensorChecker:
    """Record the contents of every operation's output in a ``with`` block, on this thread.

    Outputs of floating types are looked at: the counts of nan, inf and zero, the least, the greatest and the mean. It
    also counts the numbers that float16 would round to inf or zero, for any type of the operation. The numbers of the
    network are the same bits as without. Graph mode runs operation by operation meanwhile.

    Args:
        operations (list): The names of the operations to check. Default: None, all.
        skipped_operations (list): The names of the operations not to check. Default: ().
        cells (list): The paths of the cells to check, with everything inside them, such as ``"Net.backbone"``. Default:
            None, all.
        skipped_cells (list): The paths of the cells not to check. Default: ().
        start_step (int): The first step to check, of the calls of outermost cells, counted from 0. Default: 0.
        stop_step (int): The step to end before. Default: None, never.
        abort (bool): If True, an output with a nan or an inf is an error. Default: False.
        stack_height (int): The number of the user's lines in a record. Default: 1.

    Attributes:
        records (list): The :class:`TensorRecord` of each output, in the order of execution.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is below 0.
        RuntimeError: If something else observes the operations, or graph mode records them.
        FloatingPointError: With ``abort``, at the first output with a nan or an inf.

    Examples:
        >>> import minispore as ms
        >>> with ms.insight.TensorChecker(operations=["Exp"], stack_height=0) as checker:
        ...     _ = ms.ops.exp(ms.Tensor([0.0, 20.0, -30.0]))
        >>> print(checker.records[0])
        Exp, forward: float32 of shape (3,), 9.35762e-14 to 4.85165e+08, mean 1.61722e+08; 1 overflows and 1 underflows
        in float16
    """

    __repr__ = of_arguments

    def __init__(
        self,
        operations: list[Any] | None = None,
        skipped_operations=(),
        cells: list[Any] | None = None,
        skipped_cells=(),
        start_step: int = 0,
        stop_step: int | None = None,
        abort: bool = False,
        stack_height: int = 1,
    ) -> None:
        name = "TensorChecker"
        self._operations = None if operations is None else _names("operations", operations)
        self._cells = None if cells is None else _names("cells", cells)
        self._skipped_operations = _names("skipped_operations", skipped_operations)
        self._skipped_cells = _names("skipped_cells", skipped_cells)
        self._start = check_int(name, "start_step", start_step, 0)
        self._stop = None if stop_step is None else check_int(name, "stop_step", stop_step, 0)
        self._abort = check_bool(name, "abort", abort)
        self._height = check_int(name, "stack_height", stack_height, 0)
        self.records = []

    @property
    def not_finite(self) -> Any:
        """The records of outputs with a nan or an inf."""
        return [record for record in self.records if not record.numerics.is_finite]

    def __enter__(self) -> Any:
        check_alone("TensorChecker")
        self._observing = _Checking(self, self._height)
        self._observing.__enter__()
        return self

    def __exit__(self, *error) -> None:
        self._observing.__exit__(*error)

    def _is_checked(self, step, operation, path):
        return (
            self._start <= step
            and (self._stop is None or step < self._stop)
            and (self._operations is None or operation in self._operations)
            and operation not in self._skipped_operations
            and (self._cells is None or _is_within(path, self._cells))
            and not _is_within(path, self._skipped_cells)
        )

    def _add(self, record):
        self.records.append(record)
        if self._abort and not record.numerics.is_finite:
            raise FloatingPointError(f"For 'TensorChecker', the outputs must be finite, but got: {record}.")


class _Checking(SiteObserver):
    """Hands the outputs of the operations to a checker."""

    def __init__(self, checker, height):
        super().__init__(height)
        self._checker, self._step = checker, 0

    def within_cell(self, call, cell, args):
        """Run the call; the end of an outermost cell's call is the end of a step."""
        out = super().within_cell(call, cell, args)
        self._step += len(self.cells) == 1
        return out

    def note(self, primitive, args, arrays, made, single, results):
        """Record the operation's floating outputs."""
        site, phase = self.site(primitive.name), "backward" if running.pulling_back else "forward"
        if not self._checker._is_checked(self._step, primitive.name, site.path):
            return
        lines = tuple(f"{file}:{number}" for file, number in site.lines)
        for y in made:
            if y.dtype in FLOATS:
                record = (self._step, primitive.name, phase, site.path, y.dtype.name, y.shape, numerics_of(y), lines)
                self._checker._add(TensorRecord(*record))


def _is_within(path, cells):
    return any(path == cell or path.startswith(f"{cell}.") for cell in cells)


def _names(argument, value):
    return frozenset(check_names("TensorChecker", argument, value))
