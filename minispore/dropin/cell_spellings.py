"""MindSpore's attributes and methods of cells that have no effect here."""

from minispore.nn.wrap import TrainOneStepCell
from minispore.parallel.settings import get_auto_parallel_context

__all__ = []


class _ParallelMode:
    """The ``parallel_mode`` of a training cell: the setting, unless the cell has set its own."""

    def __get__(self, cell, kind=None):
        return get_auto_parallel_context("parallel_mode")


def add():
    """Give the classes of cells what MindSpore's have."""
    TrainOneStepCell.parallel_mode = _ParallelMode()
