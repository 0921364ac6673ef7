"""Forms of a network: copies converted to mixed precision, with their loss; and runs of them."""

from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np

from minispore.amp.lowbit.convert import recipe_of
from minispore.amp.policy import cast_cells
from minispore.amp.policy.black_pass import black_pass
from minispore.amp.policy.convert import auto_mixed_precision
from minispore.amp.policy.converted import check_network, is_repeated
from minispore.amp.policy.white_pass import copied
from minispore.core import nest
from minispore.core.dtype import float16, float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.journal import noted
from minispore.core.tensor import Tensor
from minispore.core.trace import Trace
from minispore.nn.cell import Cell
from minispore.nn.nest_paths import keys_to, written
from minispore.nn.with_loss import WithLossCell
from minispore.nn.wrap import sens_like
from minispore.tools.insight.in_float64 import on_host

__all__ = []

MOST = 24  # the exponent of the greatest loss scale to try: dynamic loss scales begin with it


class Subject(NamedTuple):
    """The subject of a measurement: a network, its loss (None if the network gives it), and a batch of inputs."""

    network: Any
    loss_fn: Any
    batch: tuple

    @property
    def weights(self):
        """The Parameters to differentiate the loss by."""
        return self.network.trainable_params()

    def inputs(self):
        """The Tensors of the batch with their names: ``("inputs[0]", x)``."""
        tensors = nest.select(Tensor, self.batch)
        return [(f"inputs{written(keys_to(x, self.batch))}", x) for x in tensors]

    def at_level(self, level):
        """The network at a level with its loss, in training mode."""
        return self._with_loss(auto_mixed_precision(copied(self.network), level), WithLossCell)

    def by_recipe(self, recipe):
        """The network with a recipe of low bits and its loss, in training mode, and the cells that took the recipe."""
        low = auto_mixed_precision(copied(self.network), recipe=recipe)
        found = {path: cell for path, cell in low.cells_and_names() if hasattr(cell, "weight") and recipe_of(cell)}
        return self._with_loss(low, WithLossCell), found

    def all_but(self, black_list, dtype=float16):
        """The network with its loss in a narrow type, except the classes of a black list."""
        lowered = copied(self.network)
        black_pass(lowered, tuple(black_list), dtype)
        return self._with_loss(lowered, cast_cells.WithLossCell)

    def _with_loss(self, network, kind):
        loss_fn = copied(self.loss_fn) if isinstance(self.loss_fn, Cell) else self.loss_fn
        return (network if loss_fn is None else kind(network, loss_fn)).set_train()


def checked_subject(operation, network, loss_fn, batch):
    """The :class:`Subject` of the arguments ``network``, ``loss_fn`` and ``batch`` of a function.

    Raises:
        TypeError: If one is of a wrong kind.
        ValueError: If the network has been converted, or has nothing to train, or ``batch`` is no pair with a loss.
    """
    check_network(operation, network)
    if loss_fn is not None and not callable(loss_fn):
        raise type_error(operation, "the 'loss_fn' must be a Cell or None", type(loss_fn).__name__)
    if not isinstance(batch, (tuple, list)) or not nest.select(Tensor, batch):
        raise type_error(operation, "the 'batch' must be a tuple of Tensors", shown(batch))
    if loss_fn is not None and len(batch) != 2:
        raise value_error(operation, "the 'batch' must be a pair of data and label where there is a loss", len(batch))
    is_repeated(operation, network, None)
    if not network.trainable_params():
        raise value_error(operation, "the 'network' must have Parameters to train", "none")
    return Subject(network, loss_fn, tuple(batch))


class Run(NamedTuple):
    """The result of one run of a form; the gradients are multiplied by the scale."""

    loss: Tensor
    gradients: tuple
    scale: float

    @property
    def is_finite(self):
        """True if all gradients are finite."""
        return all(np.isfinite(on_host(g.array)).all() for g in self.gradients)

    def unscaled(self, of=on_host):
        """The gradients without the scale; ``of`` turns each into an array of the host."""
        return [of(g.array) / self.scale for g in self.gradients]


def run_of(form, subject, scale=1.0, observer=None):
    """The :class:`Run` of a form at a loss scale, perhaps with an observer; then everything is restored."""

    def run():
        trace = Trace(form, subject.batch, weights=subject.weights)
        loss = trace.out
        if not isinstance(loss, Tensor):
            raise type_error(form.cls_name, "the loss must be a Tensor", type(loss).__name__)
        start = sens_like(loss, Tensor(scale, float32).astype(loss.dtype))
        if observer is not None:
            observer.begin_gradients(start)
        return Run(loss, trace.gradients([(loss, start)])[1], scale)

    with nullcontext() if observer is None else observer:
        found, journal = noted(run)
    journal.undo()
    return found


def run_at_greatest_scale(form, subject, first=MOST, observer=None):
    """The :class:`Run` at the greatest power of two up to ``2**MOST`` at which the gradients are finite, or at 1.

    The search begins at ``2**first``; the observer sees the run at that scale.
    """
    power = min(max(first, 0), MOST)
    found = run_of(form, subject, 2.0**power, observer)
    if found.is_finite:
        return _risen(form, subject, found, power)
    low, found = 0, run_of(form, subject)
    while found.is_finite and power - low > 1:  # finite at low, not at power
        middle = (low + power) // 2
        tried = run_of(form, subject, 2.0**middle)
        low, power, found = (middle, power, tried) if tried.is_finite else (low, middle, found)
    return found


def _risen(form, subject, found, power):
    """The last finite run from ``found`` on; the scale doubles each time."""
    while power < MOST:
        power += 1
        above = run_of(form, subject, 2.0**power)
        if not above.is_finite:
            break
        found = above
    return found
