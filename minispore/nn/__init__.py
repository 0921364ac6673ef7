"""Network building: Cell, containers, layers, losses, optimizers."""

from minispore.nn.cell import Cell
from minispore.nn.container import CellList, SequentialCell

__all__ = ["Cell", "CellList", "SequentialCell"]
