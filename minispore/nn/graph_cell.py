"""GraphCell: MindSpore's cell around a graph of a MINDIR file, which nothing here runs."""

from __future__ import annotations

from typing import Any

from minispore.nn.cell import Cell

__all__ = ["GraphCell"]


class GraphCell(Cell):
    """Refused: only MindSpore's compiler runs the graph that a MINDIR file holds.

    Args:
        graph (object): What ``load`` returns in MindSpore.
        params_init (dict): Initial values by name. Default: None.
        obf_random_seed (int): The seed of an obfuscated graph. Default: None.

    Raises:
        NotImplementedError: Always; the message says what to do instead.

    Examples:
        >>> import minispore as ms
        >>> try:
        ...     ms.nn.GraphCell(None)
        ... except NotImplementedError as error:
        ...     print(type(error).__name__)
        NotImplementedError
    """

    def __init__(
        self, graph: object, params_init: dict[str, Any] | None = None, obf_random_seed: int | None = None
    ) -> None:
        raise NotImplementedError(
            "For 'GraphCell', a graph of MindSpore's compiler cannot be run: build the network of Cells, and load "
            "its Parameters by load_checkpoint."
        )
