"""MindSpore's private executor of graphs, which its own tests call to compile a network: here that runs it."""

from typing import Any

from minispore.core.checks import check_text
from minispore.core.errors import shown, type_error
from minispore.nn.cell import Cell

__all__ = []


class _CellGraphExecutor:
    """``_cell_graph_executor``: its ``compile`` finds the errors of a network by running it once."""

    def __init__(self) -> None:
        self._compiled = set()

    def compile(
        self, obj, *args, phase: str = "predict", do_convert: bool = True, jit_config_dict=None, **kwargs
    ) -> Any:
        """Run a cell or function on its inputs; returns its phase and True.

        Raises:
            TypeError: If ``obj`` cannot be called, or ``phase`` is no text.
        """
        check_text("compile", "phase", phase)
        if not callable(obj):
            raise type_error("compile", "the 'obj' must be a Cell or a function", shown(obj))
        obj(*args, **kwargs)
        full = f"{phase}.{id(obj)}"
        self._compiled.add(full)
        if isinstance(obj, Cell):
            obj.phase = full
        return full, True

    def has_compiled(self, phase: str = "predict") -> bool:
        """True if :meth:`compile` has returned this phase."""
        return phase in self._compiled

    def __call__(self, obj, *args, phase: str = "predict") -> Any:
        """The output of a cell or function."""
        check_text("run", "phase", phase)
        return obj(*args)

    run = __call__


_cell_graph_executor = _CellGraphExecutor()


def enable_security() -> bool:
    """False: nothing is left out for the sake of security, as in a MindSpore that is built without it."""
    return False
