"""Subjects of insight's reruns: a training step with or without loss scaling, or a function of a user's own loop.

A subject knows how to run, its loss scale, the cells that may compute in float32, and the non-finite part of a run.
"""

import math
from contextlib import contextmanager

from minispore.amp.loss_scale.rule import store
from minispore.amp.loss_scale.train_step import TrainOneStepWithLossScaleCell
from minispore.core import backend, process
from minispore.core.errors import type_error
from minispore.core.nest import select
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.error_location import name_in
from minispore.nn.optim.optimizer import Optimizer
from minispore.nn.wrap import TrainOneStepCell
from minispore.ops.number_checks import is_real
from minispore.ops.operations.overflow_status import AllFinite

__all__ = []


def subject_of(operation, step, network=None, scaler=None):
    """The subject for ``step``.

    Raises:
        TypeError: If ``step`` is neither a Cell, nor a Model, nor a function, or ``network`` or ``scaler`` has a wrong
            type. Also if they are given beside a step: it has its own.
    """
    step = getattr(step, "train_network", step)  # for a Model
    if not callable(step):
        expected = "the 'step' must be a training step (a Cell), a Model, or a function (inputs) -> (loss, gradients)"
        raise type_error(operation, expected, type(step).__name__)
    if isinstance(step, Cell):
        for argument, value in (("network", network), ("scaler", scaler)):
            if value is not None:
                raise type_error(operation, f"the '{argument}' must be None beside a Cell", type(value).__name__)
        return (ScaledStep if isinstance(step, TrainOneStepWithLossScaleCell) else Step)(step)
    if network is not None and not isinstance(network, Cell):
        raise type_error(operation, "the 'network' must be a Cell", type(network).__name__)
    if scaler is not None and not isinstance(getattr(scaler, "scale_value", None), Parameter):
        raise type_error(operation, "the 'scaler' must be a loss scaler of minispore.amp", type(scaler).__name__)
    return Function(step, network, scaler)


class Step:
    """A training step that is a Cell: it returns the loss, or a tuple beginning with the loss.

    Args:
        step (Cell): The step.

    Attributes:
        name (str): Its name in error messages.
        root (Cell): The root of the paths.
        network (Cell): The cell with the cells that may compute in float32.
        shared (bool): True if the processes of a data-parallel job make it together.
    """

    code = "step"  # the name of the root in the lines of a remedy

    def __init__(self, step):
        self.root, self.name = step, step.cls_name
        self.network = step.network if isinstance(step, TrainOneStepCell) else step
        self.shared = bool(getattr(step, "reducer_flag", False))

    @property
    def hooked(self):
        """The cell to hook: its calls are the steps; None for a function."""
        return self.root

    def run(self, inputs):
        """Run the step."""
        return self.root(*inputs)

    @property
    def scale(self):
        """The factor of the loss, which the optimizer divides by, or None."""
        sens = getattr(self.root, "sens", None)
        return float(sens) if is_real(sens) and 0 < sens != 1 else None

    def scale_now(self):
        """The loss scale, or its array (a device may still be computing it), or None."""
        return self.scale

    @contextmanager
    def at_scale(self, scale):
        """Let the step use another loss scale."""
        before = vars(self.root)["sens"]
        object.__setattr__(self.root, "sens", scale)
        try:
            yield
        finally:
            object.__setattr__(self.root, "sens", before)

    def scale_code(self, scale):
        """The line of Python that sets the loss scale."""
        return f"step.sens = step.optimizer.loss_scale = {scale!r}"

    def reports(self, out):
        """True if the step itself reports an overflow."""
        return False

    def loss_of(self, out):
        """The loss among the step's results."""
        return out[0] if isinstance(out, tuple) and out else out

    def weights(self, journal=None):
        """The Parameters that the step trains."""
        return list(getattr(self.root, "weights", None) or self.root.trainable_params())

    def all_know(self, out):
        """True if all processes of the step see that it is not finite: then all explain it."""
        return not self.shared or self.reports(out) or not all_finite(self.weights())

    def settle(self, roots):
        """Note the outermost cells of a run."""

    def parameters(self):
        """All Parameters of the step, the optimizer's too."""
        return list(self.root.get_parameters())

    def cells(self):
        """The cells that may compute in float32."""
        return [] if self.network is None else [cell for _, cell in self.network.cells_and_names()]

    def all_cells(self):
        """All cells of the step."""
        return [] if self.root is None else [cell for _, cell in self.root.cells_and_names()]

    def shown(self, path):
        """The path of a running cell, from the step on."""
        return path.removeprefix(self.root.cls_name).removeprefix(".")

    def cell_code(self, cell):
        """The Python expression of a cell."""
        return self.code + as_code(name_in(self.root, cell))

    def parameter_code(self, parameter):
        """The Python expression of a Parameter of the network; None for another Parameter."""
        owned = self.network.parameters_and_names() if self.network is not None else ()
        place = next((path for path, p in owned if p is parameter), None)
        return None if place is None else self.cell_code(self.network) + as_code(f".{place}")

    def not_finite_in(self, out, journal):
        """The part that is not finite in a run without an overflow: "loss", "gradients", "parameters", or None."""
        if not all_finite(self.loss_of(out)):
            return "loss"
        if not all_finite(out):
            return "gradients"
        return None if all_finite(self.weights(journal)) else "parameters"


class ScaledStep(Step):
    """A TrainOneStepWithLossScaleCell: it returns the loss, whether the gradients overflowed, and the scale."""

    @property
    def scale(self):
        """The loss scale."""
        return float(self.root.scale_sense)

    def scale_now(self):
        """The array of the loss scale."""
        return self.root.scale_sense.array.reshape(())

    @contextmanager
    def at_scale(self, scale):
        """Let the step use another loss scale, until this write is undone."""
        store(self.root.scale_sense, scale)
        yield

    def scale_code(self, scale):
        """The line of Python that sets the loss scale."""
        return f"step.scale_sense.set_data(ms.ops.full_like(step.scale_sense, {scale!r}))"

    def reports(self, out):
        """True if the step overflowed; a user's own step may return something else than ``(loss, overflow, ...)``."""
        overflow = out[1] if isinstance(out, tuple) and len(out) > 1 else False
        return bool(overflow) if isinstance(overflow, bool) or getattr(overflow, "size", 0) == 1 else False


class Function(Step):
    """A function of a user's own loop: it returns the loss and the gradients, or makes a whole step.

    Args:
        function (Callable): The function.
        network (Cell): Its network; None for the first cell with Parameters to train that it calls.
        scaler (LossScaler): The scaler of its loss, or None.
    """

    code = "network"

    def __init__(self, function, network=None, scaler=None):
        self._function, self._scaler = function, scaler
        self.name = getattr(function, "__name__", type(function).__name__)
        self.root = self.network = network
        self.shared = process.job.shares_gradients()

    @property
    def hooked(self):
        """None: a function is called through its watch."""

    def run(self, inputs):
        """Run the function."""
        return self._function(*inputs)

    @property
    def scale(self):
        """The scaler's loss scale; None without a scaler."""
        return None if self._scaler is None else float(self._scaler.scale_value)

    @contextmanager
    def at_scale(self, scale):
        """Let the scaler use another loss scale, until this write is undone."""
        store(self._scaler.scale_value, scale)
        yield

    def scale_code(self, scale):
        """The line of Python that sets the loss scale."""
        return f"scaler.scale_value.set_data(ms.ops.full_like(scaler.scale_value, {scale!r}))"

    def weights(self, journal=None):
        """The network's Parameters to train; the written Parameters, while the network is unknown."""
        if self.network is not None:
            return self.network.trainable_params()
        return [p for p in (journal.before if journal else ()) if isinstance(p, Parameter) and p.requires_grad]

    def all_know(self, out):
        """True for a single process: a function's results may differ between processes."""
        return not self.shared

    def settle(self, roots):
        """Take the first cell with Parameters to train for the network."""
        trained = [cell for cell in roots if not isinstance(cell, Optimizer) and cell.trainable_params()]
        if self.network is None and trained:
            self.root = self.network = trained[0]

    def parameters(self):
        """All Parameters of the network."""
        return [] if self.network is None else list(self.network.get_parameters())

    def shown(self, path):
        """The path of a running cell, with "network" for the network's class."""
        first, dot, rest = path.partition(".")
        return f"network{dot}{rest}" if self.network is not None and first == self.network.cls_name else path


_check = AllFinite()


def all_finite(nest):
    """True if all Tensors in a nest are finite: on a GPU one launch, and one number for the host."""
    return bool(_check._computed(backend.xp, *[x.array for x in select(Tensor, nest)]))


def number_of(loss):
    """The loss as one number: the mean of several; nan for an empty Tensor, or for anything else."""
    if not isinstance(loss, Tensor) or not loss.size:
        return math.nan
    return float(loss.asnumpy().astype("float64").mean())


def as_code(path):
    """A path as Python reads it: ``.layers.0.weight`` as ``.layers[0].weight``."""
    parts = path.removeprefix(".").split(".") if path else []
    return "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in parts)
