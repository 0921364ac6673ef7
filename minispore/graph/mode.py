"""Graph mode: a layer of all threads that replays the computations of cells (see ``JitFunction``)."""

from minispore.core import backend, context, layers
from minispore.core.context import GRAPH_MODE
from minispore.core.layers import Layer
from minispore.core.tracebacks import is_hidden
from minispore.graph.jit_function import JitFunction, may_replay
from minispore.nn.error_location import code_of

__all__ = []


class GraphMode(Layer):
    """Replays the outermost cell; if the host decides something in it, replays its regions without decisions."""

    without_hooks = True  # users' hooks have no effect, as in MindSpore

    def around_region(self, call, method, args, kwargs):
        """Replay a method of a cell, or run it.

        Raises:
            ValueError: If two Parameters of the cell have the same name.
        """
        if not may_replay() or _is_left_alone(method):
            return call(method, args, kwargs)
        recorded = _recorded(method)
        return call(method, args, kwargs) if recorded.reason else recorded(*args, **kwargs)

    @staticmethod
    def captures():
        """True if a replay is one CUDA graph."""
        return may_replay() and backend.has_kernels()


def _is_whole(method):
    """True if the method is a cell's whole computation, not a part of it."""
    return method.__name__ in ("_run", "_compute")  # `_compute` is the part between hooks


def _is_left_alone(method):
    """True for a cell that decides on the host, or has a hook there: only its inner regions are replayed."""
    cell = method.__self__
    if _is_whole(method) and not getattr(cell, "recordable", True):
        return True
    return method.__name__ == "_run" and any(getattr(hook, "on_host", False) for hook in cell._forward_hooks.values())


def _recorded(method):
    """The JitFunction of a method; the cell keeps it."""
    cell, name = method.__self__, method.__name__
    kept = vars(cell).setdefault("_recorded", {})
    found = kept.get(name)
    if found is None or found.function.__self__ is not cell:  # a copy of the cell needs its own recordings
        cell.check_names()
        owner = cell if _ends_with(cell, method) else None
        found = kept[name] = JitFunction(method, f"{type(cell).__name__}.{name}", owner)
    return found


def recordings_of(cell):
    """The JitFunctions of a cell, by the names of its methods."""
    return vars(cell).get("_recorded", {})


def _ends_with(cell, method):
    """True if a call of the cell ends with the method: in a ``construct`` of the user's own more may follow."""
    code = code_of(cell)
    return _is_whole(method) or (code is not None and is_hidden(code))


_graph_mode = GraphMode()


def _follow(new):
    """Install the layer while the mode is GRAPH_MODE."""
    (layers.install if new["mode"] == GRAPH_MODE else layers.remove)(_graph_mode)


context.settings.watch("mode", _follow)
