"""MindSpore's attributes and methods of optimizers that only subclasses written for MindSpore read."""

from __future__ import annotations

import inspect
from functools import cached_property, wraps
from typing import Any

from minispore import nn
from minispore.core.checks import check_choice, check_text
from minispore.core.context import get_context
from minispore.core.dtype import float32
from minispore.core.errors import shown, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.optim import optimizer as module
from minispore.nn.optim.optimizer import Optimizer
from minispore.ops.added import add_to
from minispore.ops.composite import HyperMap, Map
from minispore.ops.operations.state import AssignAdd

__all__ = []


def opt_init_args_register(fn):
    """Decorate an optimizer's ``__init__``: its arguments are kept in ``init_args``, the Parameters in ``init_params``.

    The learning rate is in ``init_learning_rate``, None for a schedule; ``init_args`` has the others, by name.
    """
    signature = inspect.signature(fn)

    @wraps(fn)
    def init(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        given = dict(list(bound.arguments.items())[1:])
        fn(self, *args, **kwargs)
        self.init_params = {"params": given.pop("params", None)}
        rate = given.pop("learning_rate", None)
        self.init_learning_rate = None if isinstance(rate, Cell) else rate
        self.init_args = given

    return init


class _Spellings:
    """The attributes that every optimizer gets."""

    enable_tuple_broaden, skip_auto_parallel_compile, use_dist_optimizer = True, True, False

    @cached_property
    def init_params(self) -> dict[str, Any]:
        """The Parameters or groups of the constructor's call, as ``{"params": ...}``."""
        return {"params": self._made_with().get("params")}

    @cached_property
    def init_learning_rate(self) -> Any:
        """The learning rate of the constructor's call; None for a schedule."""
        rate = self._made_with().get("learning_rate")
        return None if isinstance(rate, Cell) else rate

    @cached_property
    def init_args(self) -> dict[str, Any]:
        """The other arguments of the constructor's call, by name."""
        return {name: x for name, x in self._made_with().items() if name not in ("params", "learning_rate")}

    def _made_with(self):
        """The arguments of the constructor's call by name, defaults included."""
        args, kwargs = self.made_with
        bound = inspect.signature(type(self)).bind(*args, **kwargs)
        bound.apply_defaults()
        return dict(bound.arguments)

    def _show_mindspores_attributes(self, rows, ordered, decay):
        """Set the attributes that MindSpore's optimizers show to subclasses."""
        self._show_groups(rows, ordered)
        self._show_decays(decay)
        self._show_mindspores_tools()

    def _show_groups(self, rows, ordered):
        """Set the attributes of groups: one entry for each Parameter."""
        self.is_group_params_ordered = ordered
        self.grad_centralization = any(self._centralized)
        if self.is_group:
            rates = self.learning_rate if self.is_group_lr else [rate for _, rate, _ in rows]
            self.group_params, self.group_lr = list(self.parameters), list(rates)
            self.group_weight_decay = [decay for _, _, decay in rows]
            self.group_grad_centralization = list(self._centralized)
            self.grad_centralization_flags = tuple(self._centralized)

    def _show_decays(self, decay):
        """Set the attributes of weight decays, which are multiplied by the loss scale."""
        if self.is_group:
            self.decay_flags = tuple(isinstance(d, Cell) or d > 0 for d in self._decays)
            self.dynamic_decay_flags = tuple(isinstance(d, Cell) for d in self._decays)
        else:
            self.decay_flags = tuple(not self._is_spared(p) for p in self.parameters)
            self.dynamic_decay_flags = isinstance(decay, Cell)
        self.exec_weight_decay = isinstance(decay, Cell) or decay > 0 or (self.is_group and any(self.decay_flags))
        if not isinstance(decay, Cell):
            scaled = self._scaled_decay
            self.weight_decay = tuple(map(scaled, self._decays)) if self.is_group else scaled(decay)

    def _show_mindspores_tools(self):
        """Set the helpers that MindSpore's optimizers hold for their subclasses."""
        count = self.param_length = len(self.parameters)
        self.need_scale = self.loss_scale != 1.0
        self.reciprocal_scale = Tensor(1.0 / self.loss_scale, float32)
        self.map_, self.map_reverse = Map(), Map(reverse=True)
        self.hyper_map, self.hyper_map_reverse = HyperMap(), HyperMap(reverse=True)
        self.assignadd = AssignAdd()
        self.optim_filter = (True,) * count
        self.ps_parameters = self.cache_enable = (False,) * count
        self.use_parallel, self.param_rank, self.unique, self._target = False, None, True, get_context("device_target")

    def _scaled_decay(self, decay):
        """A weight decay as MindSpore's optimizers show it: a Tensor, times the loss scale, or the Cell."""
        if isinstance(decay, Cell):
            return decay
        return decay * self.loss_scale if isinstance(decay, Tensor) else Tensor(decay * self.loss_scale, float32)

    @property
    def target(self) -> str:
        """The device that the Parameters are updated on: the context's when the optimizer was made."""
        return self._target

    @target.setter
    def target(self, value) -> None:
        """Raise NotImplementedError: optimizers that may be set have a setter of their own."""
        expected = "the 'target' cannot be set without a setter of the class's own, which calls '_set_base_target'"
        raise NotImplementedError(f"For '{type(self).__name__}', {expected}")

    def _set_base_target(self, value):
        """Take ``value``, "CPU", or the context's own device: Parameters are updated where they are in either case."""
        name = type(self).__name__
        check_text(name, "target", value)
        check_choice(name, "target", value, ("CPU", "Ascend", "GPU"))
        device = get_context("device_target")
        if value not in ("CPU", device):
            expected = f"the 'target' must be 'CPU' or the device of the context, '{device}'"
            raise value_error(name, expected, shown(value))
        self._target = value

    def get_weight_decay(self) -> Any:
        """The next step's weight decay, times the loss scale: a 0-d Tensor, or with groups one for each Parameter."""
        if self.is_group:
            return tuple(map(self._scaled_decay, self._decays_now()))
        decay = self.weight_decay
        return decay if isinstance(decay, Tensor) else decay(self.global_step).reshape(()) * self.loss_scale

    def flatten_gradients(self, gradients: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """The gradients: there is no memory to gather them into."""
        return gradients

    def _grad_sparse_indices_deduplicate(self, gradients):
        """The gradients: none is sparse."""
        return gradients

    def broadcast_params(self, optim_result) -> Any:
        """``optim_result``: one process has all Parameters."""
        return optim_result

    def _preprocess_weight_decay(self, weight_decay):
        """The weight decay as a float of at least 0, or the Cell that computes it."""
        return self._own_decay(weight_decay)


add_to(Optimizer, _Spellings)
module.opt_init_args_register = opt_init_args_register
for kind in (nn.Adam, nn.AdamWeightDecay, nn.FTRL, nn.ProximalAdagrad):
    kind.target = Optimizer.target.setter(Optimizer._set_base_target)
