"""Paths of cells in the user's network, without the wrappers of mixed precision."""

from minispore.amp.policy.cast_cells import WithLossCell as WithLossCell16
from minispore.amp.policy.cast_cells import _CastOutput
from minispore.nn.with_loss import WithLossCell

__all__ = []

_AROUND = (_CastOutput, WithLossCell, WithLossCell16)


def path_of(site, name):
    """The path of a site's cells in the network, beginning with the network's ``name``: ``Net.layers.0``.

    The loss's cells are in ``loss_fn``.
    """
    path, before, around = name, "", True
    for cell, full in site.cells:
        part = full.removeprefix(before)
        if around and part == "._loss_fn":
            path = "loss_fn"
        elif before and not (around and part == "._backbone"):
            path += part
        before, around = full, isinstance(cell, _AROUND)
    return path
