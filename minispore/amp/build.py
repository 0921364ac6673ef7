"""``build_train_network``: the training step of a network at a level of mixed precision, by MindSpore's decision table.

Source: ``build_train_network`` of MindSpore r2.1's amp module.
"""

from __future__ import annotations

from functools import partial

from minispore.amp.loss_scale.managers import DynamicLossScaleManager, LossScaleManager
from minispore.amp.loss_scale.train_step import TrainOneStepWithLossScaleCell
from minispore.amp.lowbit.convert import with_recipe
from minispore.amp.policy import cast_cells
from minispore.amp.policy.convert import auto_mixed_precision, lower_in_place
from minispore.amp.policy.converted import check_network, conversion_name, is_repeated
from minispore.amp.policy.levels import AS_A_WHOLE, BLACK, NORMS_KEPT, OPERATIONS, resolve
from minispore.core import context, process
from minispore.core.checks import check_choice
from minispore.core.dtype import float16, float32
from minispore.core.errors import shown, type_error, value_error
from minispore.nn.cell import Cell
from minispore.nn.micro_batches import GradAccumulationCell
from minispore.nn.optim import Optimizer
from minispore.nn.with_loss import WithLossCell
from minispore.nn.wrap import TrainOneStepCell
from minispore.ops.operations.backward_hooks import check_hook

__all__ = ["build_train_network"]


class _TrainGradAccuStepCell(TrainOneStepCell):
    """One training step over the parts of a batch: the sum of their losses, its gradient, one update."""


class _TrainGradAccuWithLossScaleCell(TrainOneStepWithLossScaleCell):
    """One training step over the parts of a batch with loss scaling; skipped as a whole if one part overflows."""


# Optimizers, managers and their steps: (without an update cell, with one). Lists and a dict, because minispore.boost
# adds its own entries at import: this room does not know that boost exists.
OPTIMIZERS, MANAGERS = [Optimizer], [LossScaleManager]
TRAIN_STEPS = {
    "plain": (TrainOneStepCell, TrainOneStepWithLossScaleCell),
    "accumulating": (_TrainGradAccuStepCell, _TrainGradAccuWithLossScaleCell),
}


def _train_step(network, optimizer, manager, update_cell, boosts):
    """The training step for the network and the manager: the second part of the decision table."""
    accumulates = any(isinstance(cell, GradAccumulationCell) for _, cell in network.cells_and_names())
    kind = "accumulating" if accumulates or process.job.pipeline_stages() > 1 else "boosted" if boosts else "plain"
    without_scale, with_scale = TRAIN_STEPS[kind]
    if update_cell is not None:
        return with_scale(network, optimizer, update_cell)
    return without_scale(network, optimizer, manager.get_loss_scale() if manager else None)


BOOST_LEVELS = ("O0", "O1", "O2")
_KEYWORDS = ("cast_model_type", "keep_batchnorm_fp32", "loss_scale_manager", "gradient_hook", "recipe")


def _check_keywords(keywords):
    for name, value in keywords.items():
        if name not in _KEYWORDS:
            raise value_error("build_train_network", f"the keywords must be among {_KEYWORDS}", f"'{name}'")
        if name == "cast_model_type" and value not in (float16, float32):
            raise type_error("build_train_network", f"the '{name}' must be float16 or float32", shown(value))
        if name == "keep_batchnorm_fp32" and not isinstance(value, bool):
            raise type_error("build_train_network", f"the '{name}' must be a bool", shown(value))
        if name == "gradient_hook":
            check_hook("build_train_network", value)
        # None is allowed: the user asks for no loss scale at a level that has one.
        if name == "loss_scale_manager" and value and not isinstance(value, tuple(MANAGERS)):
            raise type_error("build_train_network", f"the '{name}' must be a LossScaleManager", type(value).__name__)


def _cast_network(network, level, cast_model_type, keep_batchnorm_fp32, recipe=None):
    """The network cast as the level and the keywords ask: the first part of the decision table."""
    as_recorded = (cast_model_type, keep_batchnorm_fp32) == (level.cast_model_type, level.keep_batchnorm_fp32)
    if cast_model_type == level.cast_model_type == float32 or (as_recorded and level.convert != BLACK):
        return auto_mixed_precision(network, level.name, recipe=recipe)
    if cast_model_type == float32 and (keep_batchnorm_fp32 or not level.keep_batchnorm_fp32):
        return auto_mixed_precision(network, recipe=recipe)
    kept = level if level.keep_batchnorm_fp32 else NORMS_KEPT
    like = level if as_recorded else kept if keep_batchnorm_fp32 else AS_A_WHOLE
    dtype = like.dtype if cast_model_type == float32 else cast_model_type
    name = conversion_name(like.name, dtype, like.dtype)
    if recipe is not None:
        convert = partial(_cast_network, network, level, cast_model_type, keep_batchnorm_fp32)
        return with_recipe("build_train_network", network, recipe, name, convert)
    if not is_repeated("build_train_network", network, name):
        lower_in_place(network, name, like.classes, dtype)
    return network


def _with_loss(network, loss_fn, level, cast_model_type):
    """The network and its loss; the loss computes in float32 for any output of the network."""
    narrow = cast_model_type != float32 or level.convert == OPERATIONS
    return (cast_cells.WithLossCell if narrow else WithLossCell)(network, loss_fn)


def _new_manager(level):
    """The level's default loss-scale manager, or None."""
    return DynamicLossScaleManager() if level.dynamic_loss_scale else None


def _check_scales(manager, update_cell, optimizer):
    """Raise ValueError if manager and optimizer together would unscale the gradients twice, or not at all."""
    by_optimizer, by_cell = optimizer.loss_scale, update_cell is not None
    if by_cell and by_optimizer != 1.0:
        expected = (
            "the optimizer's 'loss_scale' must be 1 where the loss_scale_manager's update cell divides the gradients"
        )
        raise value_error("build_train_network", expected, by_optimizer)
    if not by_cell and by_optimizer != manager.get_loss_scale():
        expected = f"the optimizer's 'loss_scale' must be the loss_scale_manager's, {manager.get_loss_scale()}"
        raise value_error("build_train_network", expected, by_optimizer)


def _check_arguments(network, optimizer, loss_fn, boost_level, keywords):
    """Raise if an argument of build_train_network has a wrong type, before the network is changed."""
    check_network("build_train_network", network)
    if not isinstance(optimizer, tuple(OPTIMIZERS)):
        raise type_error("build_train_network", "the 'optimizer' must be an Optimizer", type(optimizer).__name__)
    if loss_fn is not None and not isinstance(loss_fn, Cell):
        raise type_error("build_train_network", "the 'loss_fn' must be a Cell", type(loss_fn).__name__)
    check_choice("build_train_network", "boost_level", boost_level, BOOST_LEVELS)
    if boost_level == "O0" and not isinstance(optimizer, Optimizer):
        expected = "the 'optimizer' must be an Optimizer where the 'boost_level' is 'O0'"
        raise type_error("build_train_network", expected, type(optimizer).__name__)
    _check_keywords(keywords)


def _checked_update_cell(manager, optimizer):
    """The manager's update cell, or None; raises unless the device and the optimizer allow it."""
    update_cell, settings = manager.get_update_cell(), context.settings
    lifted = settings["enable_ge"] or settings["cpu_loss_scale"]
    if update_cell is not None and settings["device_target"] == "CPU" and not lifted:
        raise value_error(
            "build_train_network",
            "on the CPU the 'loss_scale_manager' must be None or FixedLossScaleManager(drop_overflow_update=False), "
            "unless set_context(cpu_loss_scale=True) is called, as 'minispore run --cpu-loss-scale' does",
            type(update_cell).__name__,
        )
    _check_scales(manager, update_cell, optimizer)
    return update_cell


def _check_boosted(manager, boost_level):
    """Raise TypeError if only a training step of boost can use the manager."""
    if boost_level == "O0" and manager and not isinstance(manager, LossScaleManager):
        expected = "the 'loss_scale_manager' must be a LossScaleManager where the 'boost_level' is 'O0'"
        raise type_error("build_train_network", expected, type(manager).__name__)


def build_train_network(
    network: Cell, optimizer: Optimizer, loss_fn: Cell | None = None, level: str = "O0", boost_level="O0", **kwargs
) -> TrainOneStepCell:
    """The training step of a network at a level of mixed precision.

    Args:
        network (Cell): The network.
        optimizer (Optimizer): The optimizer of its Parameters.
        loss_fn (Union[None, Cell]): The loss, computed in float32; None if the network's output is the loss.
            Default: None.
        level (str): "O0", "O1", "O2", "O3", or "auto", the level recommended for the device. Default: "O0".
        boost_level (str): "O0", or "O1" or "O2" for a training step of ``minispore.boost``, which follows the
            configuration of the last ``boost.AutoBoost`` and takes a ``boost.FreezeOpt``. A ``GradAccumulationCell`` in
            the network decides first: it has a step of its own. Default: "O0".
        **kwargs: Any of the five below.
        cast_model_type (mindspore.dtype): float16 or float32: the type to cast the network to, whatever the level.
        keep_batchnorm_fp32 (bool): If True, the black list keeps float32 if the network is cast to float16.
        loss_scale_manager (Union[None, LossScaleManager]): How the loss is scaled; with a boost level also a
            ``boost.GroupLossScaleManager``. Default: a new DynamicLossScaleManager at O2, none at the other levels.
        gradient_hook (Callable): A function of the unscaled gradients, for clipping: the step's
            ``register_gradient_hook``. MindSpore has none. Default: none.
        recipe (Union[Recipe, str, None]): A recipe of low bits for the products of listed cells, such as
            ``amp.MXFP8()``, or its text. MindSpore has none. Default: None.

    Returns:
        Cell, in training mode: ``step(*inputs)`` returns the loss, or with an update cell ``(loss, overflow, scale)``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a level or keyword is unknown, or the network has been converted to another level. Also if the
            manager does not fit the device or the optimizer's ``loss_scale``.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 3)
        >>> optimizer = ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> step = ms.amp.build_train_network(net, optimizer, ms.nn.MSELoss(), level="O3")
        >>> print(step(ms.ops.ones((4, 2)), ms.ops.zeros((4, 3))).dtype)
        Float32
    """
    level = resolve(level)
    _check_arguments(network, optimizer, loss_fn, boost_level, kwargs)
    cast_model_type = kwargs.get("cast_model_type", level.cast_model_type)
    keep_batchnorm_fp32 = kwargs.get("keep_batchnorm_fp32", level.keep_batchnorm_fp32)
    # Not kwargs.get: an explicit None means no loss scale, and only a missing keyword means the level's default.
    manager = kwargs["loss_scale_manager"] if "loss_scale_manager" in kwargs else _new_manager(level)
    update_cell = _checked_update_cell(manager, optimizer) if manager else None
    _check_boosted(manager, boost_level)
    network = _cast_network(network, level, cast_model_type, keep_batchnorm_fp32, kwargs.get("recipe"))
    if loss_fn is not None:
        network = _with_loss(network, loss_fn, level, cast_model_type)
    step = _train_step(network, optimizer, manager, update_cell, boost_level != "O0").set_train()
    if "gradient_hook" in kwargs:
        step.register_gradient_hook(kwargs["gradient_hook"])
    return step
