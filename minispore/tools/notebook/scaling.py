"""Loss scales: managers, scalers and update cells, each with its numbers."""

from math import log2

from minispore.amp import DynamicLossScaleManager, FixedLossScaleManager
from minispore.tools.notebook.markup import heading, note, table, whole

__all__ = []


_FIXED = "The scale stays as it is."


def _of_scale(name, scale, factor=None, window=None, rows=(), rule=_FIXED):
    """A loss scale with its rule, and rows of further numbers."""
    if window is not None:
        rule = f"An overflow divides it by {factor:g}; {window} good steps in a row multiply it by {factor:g}."
    return whole(heading(name, f"loss scale {_power(scale)}"), note(rule), table(("", ""), rows) if rows else "")


def _power(scale):
    """A scale, with the power of two that it is."""
    exponent = log2(scale) if scale > 0 else 0.5
    return f"{scale:,.10g} = 2**{exponent:g}" if exponent == int(exponent) else f"{scale:g}"


def of_manager(manager):
    """The form of a manager; one of a user's own may lack its methods."""
    name = type(manager).__name__
    if isinstance(manager, FixedLossScaleManager):
        rows = [("overflowed steps", "are skipped" if manager.get_drop_overflow_update() else "are not looked for")]
        return _of_scale(name, float(manager.get_loss_scale()), rows=rows)
    if not isinstance(manager, DynamicLossScaleManager):
        return _of_scale(name, float(manager.get_loss_scale()), rule="The rule is the class's own.")
    rows = [("coming step", manager.cur_iter), ("last change at step", manager.last_overflow_iter or "none")]
    rows += [("overflows in a row", manager.bad_step)]
    return _of_scale(name, manager.loss_scale, manager.scale_factor, manager.scale_window, rows)


def of_scaler(scaler):
    """The form of a scaler; one of a user's own is told by its class and arguments."""
    if not hasattr(scaler, "scale_value"):
        return whole(heading(repr(scaler)))
    scale = float(scaler.scale_value.asnumpy())
    if not hasattr(scaler, "counter"):
        return _of_scale(type(scaler).__name__, scale)
    rows = [("steps since the last change", int(scaler.counter.asnumpy()))]
    return _of_scale(type(scaler).__name__, scale, scaler.scale_factor, scaler.scale_window, rows)


def of_update_cell(cell):
    """The form of an update cell: the initial scale; the present one is the training step's."""
    rows = [("present scale", "the step's Parameter scale_sense")]
    factor, window = getattr(cell, "_factor", None), getattr(cell, "scale_window", None)
    return _of_scale(f"{type(cell).__name__}, at first", cell.get_loss_scale(), factor, window, rows)
