"""Errors of forms: the distance of a converted network's loss and gradients from float64's, by layer too."""

from __future__ import annotations

import math
import time
from typing import Any, NamedTuple

import numpy as np

from minispore.amp.policy.levels import AS_IT_IS
from minispore.core import backend
from minispore.core.dtype import FLOATS, NARROW_FLOATS
from minispore.core.running import running
from minispore.devices.device_memory import meter_of
from minispore.ops.casting import Cast
from minispore.tools.insight.cell_paths import path_of
from minispore.tools.insight.float64_reference import Float64Reference
from minispore.tools.insight.forms import MOST, run_at_greatest_scale, run_of
from minispore.tools.insight.in_float64 import on_host
from minispore.tools.insight.operation_sites import SiteObserver

__all__ = ["FormError"]

_TIMED = 3  # number of runs; the fastest counts


class FormError(NamedTuple):
    """The distance of a form's numbers from the float64 reference: L2 differences over L2 norms; inf if not finite.

    Examples:
        >>> import minispore as ms
        >>> print(ms.insight.FormError._fields)
        ('name', 'error', 'loss', 'gradients', 'layers', 'float32_share', 'scale', 'seconds', 'bytes')
    """

    name: str  # "float32", a level, "bfloat16", or the classes that stay in float32
    error: float  # the larger of the next two
    loss: float
    gradients: float  # the error of all gradients as one vector
    layers: dict  # the path of each cell that owns Parameters -> the error of their gradients
    float32_share: float  # the share of the forward pass's numbers that are not narrow
    scale: float  # the loss scale: the greatest power of two up to 2**24 at which the gradients are finite; or None
    seconds: float  # time of a run forward and backward, on a GPU; else None
    bytes: int  # memory of such a run beside the Parameters, on a GPU; else None

    @property
    def worst_layer(self) -> Any:
        """The layer with the largest error, and that error."""
        return max(self.layers.items(), key=lambda pair: pair[1])


class Exact(NamedTuple):
    """The float64 reference: the loss, and the gradient of each weight."""

    loss: np.ndarray
    gradients: list


class _Types(SiteObserver):
    """Counts the numbers of a network's forward pass by the width of their type, and notes which cells run."""

    def __init__(self):
        super().__init__()
        self.narrow = self.wide = 0
        self.ran = set()

    def within_cell(self, call, cell, args):
        self.ran.add(cell)
        return super().within_cell(call, cell, args)

    def note(self, primitive, args, arrays, made, single, results):
        """Count the outputs of an operation of the network, except casts."""
        if running.pulling_back or not self.cells or isinstance(primitive, Cast) or self._in_loss(primitive):
            return
        for y in made[len(primitive.writes) :]:
            self.narrow += y.size if y.dtype in NARROW_FLOATS else 0
            self.wide += y.size if y.dtype in FLOATS and y.dtype not in NARROW_FLOATS else 0

    def _in_loss(self, primitive):
        return path_of(self.site(primitive.name), "").startswith("loss_fn")

    @property
    def share(self):
        """The share of wide numbers."""
        return self.wide / ((self.wide + self.narrow) or 1)


def exact(subject):
    """Compute the float64 reference of a subject."""
    reference = Float64Reference()
    run = run_of(subject.at_level(AS_IT_IS.name), subject, observer=reference)
    return Exact(reference.of(run.loss.array), run.unscaled(reference.of))


def error_of(name, form, subject, expected, first=MOST):
    """``(FormError, cells that ran)`` of a form; ``first`` is the exponent at which the search for a scale begins."""
    types = _Types()
    run = run_at_greatest_scale(form, subject, first, types)
    gradients, weights = run.unscaled(), subject.weights
    loss = _distance([on_host(run.loss.array)], [expected.loss])
    whole = _distance(gradients, expected.gradients)
    found = zip(_owners(subject.network, weights), gradients, expected.gradients, strict=True)
    layers = {}
    for owner, g, e in found:
        layers.setdefault(owner, []).append((g, e))
    errors = {owner: _distance(*zip(*pairs, strict=True)) for owner, pairs in layers.items()}
    scale, cost = run.scale if run.is_finite else None, _cost(form, subject, run.scale)
    return FormError(name, max(loss, whole), loss, whole, errors, types.share, scale, *cost), types.ran


def _distance(found, expected):
    """The L2 norm of the difference over the norm of ``expected``, as one vector; inf if any is not finite."""
    with np.errstate(all="ignore"):
        difference = sum(float(np.square(f - e).sum()) for f, e in zip(found, expected, strict=True))
        norm = sum(float(np.square(e).sum()) for e in expected)
    if not math.isfinite(difference):
        return math.inf
    return math.sqrt(difference / norm) if norm else (math.inf if difference else 0.0)


def _owners(network, weights):
    """The paths of the cells that own the weights."""
    paths = {id(p): path for path, p in network.parameters_and_names()}
    name = network.cls_name
    return [".".join([name, *paths[id(p)].split(".")[:-1]]) for p in weights]


def _cost(form, subject, scale):
    """``(seconds, bytes)`` of a run on a GPU, the bytes at the peak; on a CPU None for both."""
    if not backend.has_kernels():
        return None, None
    seconds = []

    def runs():
        for _ in range(_TIMED):
            backend.synchronize()
            begin = time.perf_counter()
            run_of(form, subject, scale)
            backend.synchronize()
            seconds.append(time.perf_counter() - begin)

    taken = meter_of(backend.xp).most_taken(runs)
    return min(seconds), taken
