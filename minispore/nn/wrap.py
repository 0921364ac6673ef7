"""Cells that train: one step, and the update of one Parameter."""

from __future__ import annotations

from typing import Any

from minispore.core import process
from minispore.core.checks import check_bool
from minispore.core.errors import type_error
from minispore.core.journal import all_or_nothing
from minispore.core.layers import region
from minispore.core.parameter import Parameter
from minispore.core.tape import flatten, ones_like
from minispore.core.tensor import Tensor
from minispore.core.trace import Trace
from minispore.nn.cell import Cell
from minispore.nn.gradient_hooks import GradientHooked
from minispore.nn.unreached_parameters import check_reached
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.composite import GradOperation
from minispore.ops.number_checks import check_real

__all__ = ["ParameterUpdate", "TrainOneStepCell"]


def check_cell(operation, argument, value):
    """Raise TypeError unless ``value`` is a Cell."""
    if not isinstance(value, Cell):
        raise type_error(operation, f"the '{argument}' must be a Cell", type(value).__name__)
    return value


def sens_like(out, sens):
    """The initial gradient of the backward pass: ``sens`` (None for 1) in the shape and dtype of ``out``."""
    ones = ones_like(out)
    sens = sens.astype(out.dtype) if isinstance(sens, Tensor) else sens
    return ones if sens is None or (type(sens) in (int, float) and sens == 1) else ones * sens


class TrainOneStepCell(GradientHooked, Cell):
    """One training step: the loss, its gradients by the optimizer's Parameters times ``sens``, and the update.

    ``register_gradient_hook`` adds a function that sees or replaces the gradients before the update, as for clipping. A
    subclass with its own ``construct`` can use ``network``, ``optimizer``, ``weights``, ``sens`` and ``grad``. The last
    input of ``grad`` is the gradient of the loss. ``grad_reducer`` in one process returns its argument;
    ``hooked_gradients(gradients)`` applies the hooks.

    In a job of several processes the ``parallel_mode`` may be "data_parallel". Then the first step gives all processes
    the Parameters of process 0. Every step applies the sum of all processes' gradients, or with ``gradients_mean`` the
    mean. They are reduced during the backward pass. In graph mode on a GPU the pass is one CUDA graph, and they are
    reduced after it.

    Args:
        network (Cell): The network, whose output is the loss.
        optimizer (Optimizer): The optimizer of the Parameters.
        sens (Union[None, number, Tensor]): The gradient of the loss; None for 1. Default: 1.0.
        return_grad (bool): True to return ``(loss, {name: gradient})``. Default: False.

    Inputs:
        The network's inputs.

    Outputs:
        The loss.

    Raises:
        TypeError: If ``network`` is not a Cell, ``optimizer`` not an Optimizer, or ``sens`` not a number.
        ValueError: If ``sens`` is nan or infinite, or, in the first step, the network's output depends on none of the
            optimizer's Parameters.
        RuntimeError: If the networks of several processes use different Parameters, or the backward pass of one of them
            fails.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.WithLossCell(ms.nn.Dense(2, 1), ms.nn.MSELoss())
        >>> step = ms.nn.TrainOneStepCell(net, ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)).set_train()
        >>> loss = step(ms.ops.ones((4, 2)), ms.ops.zeros((4, 1)))
        >>> print(loss.shape, loss > step(ms.ops.ones((4, 2)), ms.ops.zeros((4, 1))))
        () True
    """

    def __init__(self, network: Cell, optimizer, sens: float | None = 1.0, return_grad: bool = False) -> None:
        super().__init__(auto_prefix=False)
        self.network = check_cell("TrainOneStepCell", "network", network)
        if sens is not None:
            check_real("TrainOneStepCell", "sens", sens.item() if isinstance(sens, Tensor) else sens)
        if not isinstance(getattr(optimizer, "parameters", None), (tuple, list)):
            raise type_error("TrainOneStepCell", "the 'optimizer' must be an Optimizer", type(optimizer).__name__)
        check_bool("TrainOneStepCell", "return_grad", return_grad)
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self._looked = False  # True once the first step has checked which Parameters the network reaches
        self.reducer_flag = process.job.shares_gradients()
        self._equal = False  # True once all processes' Parameters are equal
        self.grad_reducer = process.job.reducer(self.weights) if self.reducer_flag else F.identity
        if self.reducer_flag:
            self.recordable = False  # graph mode replays the parts before and after the reduction
        network.set_grad()
        self.sens, self.return_grad = sens, return_grad
        self.grad = GradOperation(get_by_list=True, sens_param=True)

    @all_or_nothing
    def __call__(self, *args, **kwargs) -> Any:
        """Make one step, or, if it raises, none: its writes and draws are undone, as in a skipped step."""
        if self.reducer_flag and not self._equal:
            process.job.equalize(list(self.get_parameters()))
            self.__dict__["_equal"] = True  # as `_looked` below
        return super().__call__(*args, **kwargs)

    def construct(self, *inputs) -> Any:
        """One step."""
        loss, gradients = self._reduced(self.loss_and_gradients, inputs)
        self._region(self._update, self._applied(gradients))
        return (loss, {p.name: g for p, g in zip(self.weights, gradients, strict=False)}) if self.return_grad else loss

    def _applied(self, gradients):
        """The gradients after the hooks. The hooks see them divided by the optimizer's loss scale."""
        return self.hooked_gradients(gradients, getattr(self.optimizer, "loss_scale", 1.0))

    def _update(self, gradients):
        self.optimizer(gradients)

    def _reduced(self, method, *arguments, prepare=None):
        """The result of ``method``, a tuple, with the gradients (its second element) summed over all processes.

        ``prepare`` is a function applied to a tuple of gradients before they travel.
        """
        if self.reducer_flag:
            return process.job.reduced(self, method, arguments, prepare)
        loss, gradients, *more = self._region(method, *arguments)
        return loss, self._reducer_of_step()(gradients), *more

    def _region(self, method, *arguments):
        """Call a method without decisions on the host: a part that graph mode may replay."""
        return region(method, *arguments)

    def _reducer_of_step(self):
        """The reducer of the coming step's gradients."""
        return self.grad_reducer

    def trace(self, inputs) -> Any:
        """The recorded run of the network; the first run checks that it reaches the optimizer's Parameters."""
        trace = Trace(self.network, inputs, weights=self._weights_of_step())
        if not self._looked:
            check_reached(type(self).__name__.lstrip("_"), trace)
            if self.reducer_flag:
                process.job.agree_on_use(trace)
            self.__dict__["_looked"] = True  # bypasses `note_change`: nothing computed depends on it
        return trace

    def _weights_of_step(self):
        """The Parameters that the coming step trains."""
        return self.weights

    def loss_and_gradients(self, inputs) -> Any:
        """The loss and its gradients times ``sens``, in one run."""
        trace = self.trace(inputs)
        seeds = [(y, sens_like(y, self.sens)) for y in flatten(trace.out)]
        return trace.out, trace.gradients(seeds, visit=process.job.visit() if self.reducer_flag else None)[1]


class ParameterUpdate(Cell):
    """Replace one Parameter's values: ``cell(value)`` sets ``param`` and returns the new values.

    Dtypes: the Parameter's; others are cast to it where nothing is lost.

    Args:
        param (Parameter): The Parameter.

    Raises:
        TypeError: If ``param`` is not a Parameter.
        ValueError: If ``value`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([1.0, 2.0], name="w")
        >>> _ = ms.nn.ParameterUpdate(w)(ms.Tensor([3.0, 4.0]))
        >>> print(w.asnumpy())
        [3. 4.]
    """

    def __init__(self, param: Parameter) -> None:
        super().__init__(auto_prefix=False)
        if not isinstance(param, Parameter):
            raise type_error("ParameterUpdate", "the 'param' must be a Parameter", type(param).__name__)
        self._param = param

    def construct(self, x) -> Any:
        """Set the values."""
        return F.assign(self._param, x)
