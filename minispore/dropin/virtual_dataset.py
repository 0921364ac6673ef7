"""Cells by which MindSpore gives each device its share of a batch; one process has the whole."""

from __future__ import annotations

from typing import Any

from minispore.nn.cell import Cell
from minispore.nn.wrap import check_cell

__all__ = ["VirtualDatasetCellTriple"]


class _VirtualDatasetCell(Cell):
    """A network that MindSpore would give its share of each batch; one process has the whole: ``backbone(*inputs)``."""

    def __init__(self, backbone) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = check_cell(type(self).__name__, "backbone", backbone)

    def construct(self, *inputs) -> Any:
        """Run the network."""
        return self._backbone(*inputs)


class VirtualDatasetCellTriple(_VirtualDatasetCell):
    """The same of three inputs: ``backbone(a, b, c)``."""

    def construct(self, a, b, c) -> Any:
        """Run the network."""
        return self._backbone(a, b, c)
