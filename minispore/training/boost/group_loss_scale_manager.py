"""``GroupLossScaleManager``: a loss scale for each group of layers, which the network changes on its way back.

Layers with small gradients need a large scale. At that scale the gradients of other layers overflow. So the gradient is
scaled anew where it passes from one group to the one before it, and each group's scale follows its own overflows.
Source: Zhao, Vogel and Ahmed, Adaptive loss scaling for mixed precision training, 2019; the factors are MindSpore
2.0.0's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_int, check_positive_int
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.primitive import Primitive
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.number_checks import check_real
from minispore.ops.type_checks import check_float

__all__ = ["GroupLossScaleManager"]

SHRINKS, GROWS = 2.0**-0.5, 2.0**0.001  # the factors of a scale after a step with an overflow in its group, and without
_BOUNDS = float(np.finfo(np.float32).tiny), float(np.finfo(np.float32).max)
MET, CAME, LEFT = range(3)  # the columns of the record of a backward pass


class _ScaleGradient(Primitive):
    """``out = x``; on the way back the gradient is multiplied by ``scale / scale_after``, computed in float32.

    The gradient of ``record`` reports the gradients that have passed. Row ``group`` says that one has come, and if it
    held an inf or a nan. Row ``group_after``, from which it comes, says the latter again.
    """

    autocast = False

    def __init__(self, group, group_after):
        self.group, self.group_after = group, group_after

    def infer(self, x, scale, scale_after, record):
        check_float(self, "x", x)
        return x

    def compute(self, xp, x, scale, scale_after, record):
        return x

    def bprop(self, x, scale, scale_after, record, out, dout):
        scaled = (dout.astype(float32) * (scale / scale_after)).astype(dout.dtype) if needs_grad(x) else None
        return scaled, None, None, (self._row(dout, record) if needs_grad(record) else None)

    def _row(self, dout, record):
        bad = F.isfinite(dout).all().logical_not().astype(float32)
        met, came, left = (Tensor(self._place(record.shape, *place)) for place in self._places())
        return met + bad * (came + left)

    def _places(self):
        return (self.group, MET), (self.group, CAME), (self.group_after, LEFT)

    @staticmethod
    def _place(shape, row, column):
        place = np.zeros(shape, np.float32)
        place[row, column] = 1
        return place


class GroupLossScaleManager(Cell):
    """A loss scale for each group of a network's Parameters: ``out = x``, whose gradient passes between two groups.

    The network calls it wherever it passes from one group to the next. Call ``x = manager(x, 0, 1)`` at the input,
    ``manager(x, 1, 2)`` after the layers of the first group, and ``manager(x, n, n + 1)`` at the end. Layers before the
    first group and after the last have the scale 1. ``BoostTrainOneStepWithLossScaleCell`` divides each gradient by the
    scale of its Parameter's group, and updates the scales, if "loss_scale_group" is on in the configuration of
    ``AutoBoost``. Before that there are no scales, and gradients pass unchanged.

    Args:
        init_loss_scale (number): Each group's scale before the first step, above 0.
        loss_scale_groups (Union[tuple, list]): A list of Parameters for each group, in the order in which the network
            uses them. It may be empty, and given later as the attribute ``loss_scale_groups``.

    Inputs:
        - **x** (Tensor) - The activations between two groups, of a floating type.
        - **layer1** (int) - The number of the group that computes ``x``, from 1, or 0 for the network's input.
        - **layer2** (int) - The number of the group that uses ``x``, or one more than there are for the output.

    Outputs:
        ``x``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the scale is not above 0, or a number names no group.

    Examples:
        >>> import minispore as ms
        >>> manager = ms.boost.GroupLossScaleManager(8, [])
        >>> manager.set_loss_scale_status(2, 8.0)
        >>> float(manager.update_loss_scale_status(1, 0.5))
        4.0
        >>> print(ms.grad(lambda x: manager(x, 2, 3))(ms.Tensor(1.0)))
        4.0
    """

    def __init__(self, init_loss_scale: float, loss_scale_groups: tuple[Any, ...] | list[Any]) -> None:
        super().__init__(auto_prefix=False)
        name = "GroupLossScaleManager"
        self._loss_scale = check_real(name, "init_loss_scale", init_loss_scale, _BOUNDS[0], _BOUNDS[1])
        self.loss_scale_groups = check_groups(name, loss_scale_groups)
        self.loss_scale_number, self._records, self._passed = 0, [], {}

    def set_loss_scale_status(self, loss_scale_number, init_loss_scale) -> None:
        """Give ``loss_scale_number`` groups the scale ``init_loss_scale``."""
        name = "set_loss_scale_status"
        count = check_positive_int(name, "loss_scale_number", loss_scale_number)
        scale = check_real(name, "init_loss_scale", init_loss_scale, *_BOUNDS)
        scales = [1.0, *[scale] * count, 1.0]
        self.dynamic_loss_scale = ParameterTuple(
            Parameter(np.asarray(s, np.float32), name=f"layer_loss_scale_{i}", requires_grad=False)
            for i, s in enumerate(scales)
        )
        self.loss_scale_number = count
        self._records = [Parameter(np.zeros((count + 2, 3), np.float32), name="record")]

    @property
    def record(self) -> Any:
        """A Parameter outside of checkpoints. Its gradient shows that a backward pass came through."""
        return self._records[0]

    def update_loss_scale_status(self, layer, update_ratio) -> Any:
        """Multiply the scale of the group with the index ``layer``, from 0, by ``update_ratio``; returns the product.

        It stays within what float32 holds.
        """
        name = "update_loss_scale_status"
        scale = self.dynamic_loss_scale[check_int(name, "layer", layer, 0, self.loss_scale_number) + 1]
        low, high = _BOUNDS
        product = min(max(float(scale) * check_real(name, "update_ratio", update_ratio, 0), low), high)
        return F.assign(scale, Tensor(product, float32))

    def construct(self, x: Tensor, layer1: int, layer2: int) -> Any:
        """``x``. Its gradient will be scaled."""
        if not self.loss_scale_number:
            return x
        scales = self.dynamic_loss_scale
        pair = tuple(
            check_int("GroupLossScaleManager", argument, number, 0, len(scales))
            for argument, number in (("layer1", layer1), ("layer2", layer2))
        )
        if pair not in self._passed:
            self._passed[pair] = _ScaleGradient(*pair)
        return self._passed[pair](x, scales[pair[0]], scales[pair[1]], self.record)

    def get_loss_scale(self) -> Any:
        """Each group's scale before the first step."""
        return self._loss_scale

    def get_update_cell(self) -> Any:
        """The manager itself."""
        return self


def check_groups(name, groups):
    """``groups`` as a list of lists of Parameters; TypeError unless it is one."""
    if not isinstance(groups, (tuple, list)) or not all(isinstance(group, (tuple, list)) for group in groups):
        raise type_error(name, "the 'loss_scale_groups' must be a list of lists of Parameters", shown(groups))
    if not all(isinstance(p, Parameter) for group in groups for p in group):
        raise type_error(name, "the 'loss_scale_groups' must hold Parameters", shown(groups))
    return [list(group) for group in groups]


def places_of(parameters, groups):
    """The number of the group of each Parameter, from 0.

    Raises:
        ValueError: If there is no group, or a Parameter is in none or in more than one.
    """
    name = "BoostTrainOneStepWithLossScaleCell"
    found = {}
    for place, group in enumerate(check_groups(name, groups)):
        for p in group:
            if id(p) in found:
                raise value_error(name, "the 'loss_scale_groups' must hold each Parameter once", f"'{p.name}' twice")
            found[id(p)] = place
    missed = [p.name for p in parameters if id(p) not in found]
    if missed or not found:
        expected = "the 'loss_scale_groups' must hold each of the optimizer's Parameters"
        raise value_error(name, expected, f"groups without {shown(missed)}" if found else "no groups")
    return [found[id(p)] for p in parameters]


def begun_in(finite, record):
    """For each group, True if an overflow began in it: its gradients are not finite, but its inputs were.

    Args:
        finite (list[bool]): Whether the gradients of a group's Parameters are all finite.
        record (array): The gradient of the manager's ``record``.
    """
    came, left = record[1:-1, CAME] > 0, record[1:-1, LEFT] > 0
    return [bool((not fine or gone) and not come) for fine, gone, come in zip(finite, left, came, strict=True)]
