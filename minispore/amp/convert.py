"""Conversion: a network at a level of mixed precision, and the training step around it.

Source: ``auto_mixed_precision``, ``custom_mixed_precision`` and ``build_train_network`` of MindSpore r2.1's amp module.
"""

import copy

from minispore import context
from minispore.amp.black_pass import black_pass, lower_all
from minispore.amp.casts import CastingWithLossCell, _OutputTo32
from minispore.amp.levels import LEVELS, NAMES, resolve
from minispore.amp.lists import AMP_BLACK_LIST, AMP_WHITE_LIST, check_black_list, check_white_list
from minispore.amp.managers import LossScaleManager
from minispore.amp.micro_batches import GradAccumulationCell, _MicroBatches
from minispore.amp.receipt import marks_receipt, require_all_converted, white_receipt
from minispore.amp.train_step import TrainOneStepWithLossScaleCell
from minispore.amp.white_pass import call_sites, copied
from minispore.dtype import float16, float32
from minispore.errors import type_error, value_error
from minispore.nn.cell import Cell
from minispore.nn.optim import Optimizer
from minispore.nn.wrap import TrainOneStepCell, WithLossCell

__all__ = ["auto_mixed_precision", "build_train_network", "custom_mixed_precision", "explain"]


def _check_network(operation, network):
    if not isinstance(network, Cell):
        raise type_error(operation, "the 'network' must be a Cell", type(network).__name__)


def _check_switches(operation, **switches):
    for name, value in switches.items():
        if not isinstance(value, bool):
            raise type_error(operation, f"the '{name}' must be a bool", repr(value))


def _converted_to(network):
    """What a network has been converted to, or None."""
    return network.__dict__.get("_amp_level")


def _noted(level, receipt, *networks):
    """Note level and receipt on the result, and on the network where it was changed in place; returns the first."""
    for cell in networks:
        object.__setattr__(cell, "_amp_level", level)
        object.__setattr__(cell, "amp_report", receipt)
    return networks[0]


def _is_repeated(operation, network, level):
    """Whether the network is at the level already; a ValueError if it is at another one."""
    before = _converted_to(network)
    if before is not None and before != level:
        expected = "the 'network' must not have been converted before: build it anew and load its parameters"
        raise value_error(operation, expected, f"a network at {before}")
    return before is not None


def _white(operation, network, level, white_list, strict, functional):
    """The network after the white pass; a cell that runs a network on parts of the batch hands the pass to that."""
    if isinstance(network, _MicroBatches):
        converted = copy.copy(network)
        converted._cells["network"] = _white(operation, network.network, level, white_list, strict, functional)
        return _noted(level, converted.network.amp_report, converted)
    receipt, tree = white_receipt(network, level, white_list, functional)
    if strict:
        require_all_converted(operation, receipt)
    return _noted(level, receipt, tree.get_network())


def _lower(network, level, black_list):
    """Change the network in place by the black pass, or, without a list, to float16 as a whole."""
    sites = call_sites(network)
    if black_list is None:
        lower_all(network)
    else:
        black_pass(network, black_list)
    return _noted(level, marks_receipt(network, level, sites, black_list or ()), network)


def _black(network, level, black_list):
    """The network after the black pass, wrapped."""
    _lower(network, level, black_list)
    return _noted(level, network.amp_report, _OutputTo32(network))


def auto_mixed_precision(network, amp_level="O0", *, strict=False, functional=False):
    """The network at a level of mixed precision.

    ===== ======================================================================================
    level what computes in float16
    ===== ======================================================================================
    O0    nothing: the network is returned as it is
    O1    the cells and primitives of the white list; the result is a new network of the same Parameters
    O2    all but the cells of the black list; the network is changed in place and wrapped
    O3    everything; the network is changed in place and wrapped
    ===== ======================================================================================

    The result's output is float32. Parameters keep their dtype, float32; each operation sees them in float16. The
    result's ``amp_report`` is the receipt: every call site with its dtype and the reason.

    Args:
        network (Cell): The network.
        amp_level (str): "O0", "O1", "O2" or "O3". Default: "O0".
        strict (bool): Whether a class of the white list that O1 cannot convert somewhere is an error. Default: False.
        functional (bool): Whether O1 converts functional forms of listed primitives too, such as ``ops.relu(x)`` and
            ``x @ w``; O2 and O3 let them compute in float16 in any case. Default: False, as in MindSpore.

    Returns:
        Cell. The same level again returns the network unchanged.

    Raises:
        TypeError: If ``network`` is no Cell, or ``strict`` or ``functional`` no bool.
        ValueError: If the level is another, or the network has been converted to another before, or with ``strict``
            a listed class would stay in float32; the network is then unchanged.

    Examples:
        >>> import minispore as ms
        >>> net = ms.amp.auto_mixed_precision(ms.nn.Dense(2, 3), "O3")
        >>> print(net(ms.ops.ones((1, 2))).dtype)
        Float32
    """
    _check_network("auto_mixed_precision", network)
    _check_switches("auto_mixed_precision", strict=strict, functional=functional)
    if amp_level not in NAMES:
        raise value_error("auto_mixed_precision", f"the 'amp_level' must be one of {list(NAMES)}", repr(amp_level))
    if amp_level == "O0" or _is_repeated("auto_mixed_precision", network, amp_level):
        return network
    if amp_level == "O1":
        return _white("auto_mixed_precision", network, "O1", list(AMP_WHITE_LIST), strict, functional)
    return _black(network, amp_level, AMP_BLACK_LIST if amp_level == "O2" else None)


def explain(network, amp_level):
    """The receipt that a conversion would leave, without converting.

    Args:
        network (Cell): The network; it is not changed.
        amp_level (str): "O0", "O1", "O2" or "O3".

    Returns:
        Receipt. ``print`` shows it as a table; its ``diff()`` is the difference of the sources.

    Raises:
        TypeError: If ``network`` is no Cell.
        ValueError: If the level is another, or the network has been converted.

    Examples:
        >>> import minispore as ms
        >>> ms.amp.explain(ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.ReLU()), "O1").counts
        {'float16': 1, 'float32': 1}
    """
    _check_network("explain", network)
    if amp_level not in NAMES:
        raise value_error("explain", f"the 'amp_level' must be one of {list(NAMES)}", repr(amp_level))
    _is_repeated("explain", network, None)
    if amp_level == "O1":
        inner = network.network if isinstance(network, _MicroBatches) else network
        return white_receipt(inner, "O1", list(AMP_WHITE_LIST))[0]
    if amp_level == "O0":
        return marks_receipt(network, "O0", call_sites(network), ())
    return _black(copied(network), amp_level, AMP_BLACK_LIST if amp_level == "O2" else None).amp_report


def custom_mixed_precision(network, *, white_list=None, black_list=None, strict=False, functional=False):
    """The network with the classes of a white list in float16, or with all but those of a black list.

    Args:
        network (Cell): The network.
        white_list (list[Primitive, Cell]): Classes to compute in float16, as at O1. Default: None.
        black_list (list[Cell]): Classes to keep in float32, as at O2. Default: None.
        strict (bool): Whether a class of the white list that cannot be converted somewhere is an error. Default: False.
        functional (bool): Whether functional forms of the white list's primitives are converted too. Default: False.

    Returns:
        Cell.

    Raises:
        TypeError: If ``network`` is no Cell, a list no list of such classes, ``strict`` or ``functional`` no bool.
        ValueError: If not exactly one list is given, or the network has been converted before.

    Examples:
        >>> import minispore as ms
        >>> net = ms.amp.custom_mixed_precision(ms.nn.Dense(2, 3), black_list=ms.amp.get_black_list())
        >>> print(net(ms.ops.ones((1, 2))).dtype)
        Float32
    """
    _check_network("custom_mixed_precision", network)
    _check_switches("custom_mixed_precision", strict=strict, functional=functional)
    if (white_list is None) == (black_list is None):
        got = "neither" if white_list is None else "both"
        raise value_error("custom_mixed_precision", "one of 'white_list' and 'black_list' must be given", got)
    if white_list is not None:
        check_white_list(white_list)
        _is_repeated("custom_mixed_precision", network, None)
        return _white("custom_mixed_precision", network, "a custom white list", white_list, strict, functional)
    check_black_list(black_list)
    _is_repeated("custom_mixed_precision", network, None)
    return _black(network, "a custom black list", black_list)


class _TrainGradAccuStepCell(TrainOneStepCell):
    """One training step over the parts of a batch: their losses' sum, its gradient, one update."""


class _TrainGradAccuWithLossScaleCell(TrainOneStepWithLossScaleCell):
    """One training step over the parts of a batch with loss scaling; skipped as a whole where one part overflows."""


# Which optimizers, managers and steps there are: (without an update cell, with one). minispore.boost adds its own.
OPTIMIZERS, MANAGERS = [Optimizer], [LossScaleManager]
TRAIN_STEPS = {
    "plain": (TrainOneStepCell, TrainOneStepWithLossScaleCell),
    "accumulating": (_TrainGradAccuStepCell, _TrainGradAccuWithLossScaleCell),
}


def _train_step(network, optimizer, manager, update_cell):
    """The step that the network and the manager ask for: the second part of the decision table."""
    accumulates = any(isinstance(cell, GradAccumulationCell) for _, cell in network.cells_and_names())
    stages = context.get_auto_parallel_context("pipeline_stages")
    without_scale, with_scale = TRAIN_STEPS["accumulating" if accumulates or stages > 1 else "plain"]
    if update_cell is not None:
        return with_scale(network, optimizer, update_cell)
    return without_scale(network, optimizer, manager.get_loss_scale() if manager else None)


BOOST_LEVELS = ("O0", "O1", "O2")
_KEYWORDS = ("cast_model_type", "keep_batchnorm_fp32", "loss_scale_manager")


def _check_keywords(keywords):
    for name, value in keywords.items():
        if name not in _KEYWORDS:
            raise value_error("build_train_network", f"the keywords must be among {_KEYWORDS}", f"'{name}'")
        if name == "cast_model_type" and value not in (float16, float32):
            raise type_error("build_train_network", f"the '{name}' must be float16 or float32", repr(value))
        if name == "keep_batchnorm_fp32" and not isinstance(value, bool):
            raise type_error("build_train_network", f"the '{name}' must be a bool", repr(value))
        if name == "loss_scale_manager" and value and not isinstance(value, tuple(MANAGERS)):
            raise type_error("build_train_network", f"the '{name}' must be a LossScaleManager", type(value).__name__)


def _cast_network(network, level, cast_model_type, keep_batchnorm_fp32):
    """The network as the level and the keywords say: the first part of the decision table."""
    if cast_model_type == float32 and level in ("O0", "O1"):
        return auto_mixed_precision(network, level)
    if cast_model_type == float32 and (level == "O3" or keep_batchnorm_fp32):
        return network
    like, black_list = ("O2", AMP_BLACK_LIST) if keep_batchnorm_fp32 else ("O3", None)
    if not _is_repeated("build_train_network", network, like):
        _lower(network, like, black_list)
    return network


def _check_scales(manager, update_cell, optimizer):
    """Refuse a manager and an optimizer that would unscale gradients twice, or not at all."""
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
    """Refuse arguments of build_train_network that are of a wrong kind, before anything is changed."""
    _check_network("build_train_network", network)
    if not isinstance(optimizer, tuple(OPTIMIZERS)):
        raise type_error("build_train_network", "the 'optimizer' must be an Optimizer", type(optimizer).__name__)
    if loss_fn is not None and not isinstance(loss_fn, Cell):
        raise type_error("build_train_network", "the 'loss_fn' must be a Cell", type(loss_fn).__name__)
    if boost_level not in BOOST_LEVELS:
        raise value_error("build_train_network", f"the 'boost_level' must be one of {BOOST_LEVELS}", repr(boost_level))
    if boost_level != "O0":
        raise NotImplementedError(
            f"For 'build_train_network', minispore.boost is missing, which boost_level={boost_level} needs."
        )
    _check_keywords(keywords)


def _checked_update_cell(manager, optimizer):
    """The manager's update cell, if it has one, on a device and beside an optimizer that it fits."""
    update_cell, settings = manager.get_update_cell(), context.settings
    lifted = settings["enable_ge"] or settings["cpu_loss_scale"]
    if update_cell is not None and settings["device_target"] == "CPU" and not lifted:
        raise value_error(
            "build_train_network",
            "on the CPU the 'loss_scale_manager' must be None or FixedLossScaleManager(drop_overflow_update=False), "
            "unless set_context(cpu_loss_scale=True) is called",
            type(update_cell).__name__,
        )
    _check_scales(manager, update_cell, optimizer)
    return update_cell


def build_train_network(network, optimizer, loss_fn=None, level="O0", boost_level="O0", **kwargs):
    """The training step of a network at a level of mixed precision.

    Args:
        network (Cell): The network.
        optimizer (Optimizer): What updates its Parameters.
        loss_fn (Union[None, Cell]): The loss, computed in float32; None where the network's output is the loss.
            Default: None.
        level (str): "O0", "O1", "O2", "O3", or "auto", the level recommended for the device. Default: "O0".
        boost_level (str): "O0". Default: "O0".
        **kwargs: Any of the three below.
        cast_model_type (mindspore.dtype): float16 or float32: what the network is cast to, whatever the level.
        keep_batchnorm_fp32 (bool): Whether the black list keeps float32 where the network is cast to float16.
        loss_scale_manager (Union[None, LossScaleManager]): How the loss is scaled. Default: at O2 a new
            DynamicLossScaleManager, at the others none.

    Returns:
        Cell, in training mode: ``step(*inputs)`` returns the loss, or with an update cell ``(loss, overflow, scale)``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a level or keyword is unknown, the manager does not fit the device or the optimizer's
        ``loss_scale``. NotImplementedError: If ``boost_level`` is "O1" or "O2".

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 3)
        >>> optimizer = ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> step = ms.amp.build_train_network(net, optimizer, ms.nn.MSELoss(), level="O3")
    """
    level = resolve(level)
    _check_arguments(network, optimizer, loss_fn, boost_level, kwargs)
    cast_model_type, keep_batchnorm_fp32, new_manager = LEVELS[level]
    cast_model_type = kwargs.get("cast_model_type", cast_model_type)
    manager = kwargs["loss_scale_manager"] if "loss_scale_manager" in kwargs else new_manager()
    update_cell = _checked_update_cell(manager, optimizer) if manager else None
    network = _cast_network(network, level, cast_model_type, kwargs.get("keep_batchnorm_fp32", keep_batchnorm_fp32))
    if loss_fn is not None:
        network = (CastingWithLossCell if cast_model_type == float16 else WithLossCell)(network, loss_fn)
    return _train_step(network, optimizer, manager, update_cell).set_train()
