"""Conversion: a network at a level of mixed precision, or by the user's own list.

Source: ``auto_mixed_precision`` and ``custom_mixed_precision`` of MindSpore r2.1's amp module.
"""

from __future__ import annotations

import copy
from functools import partial

from minispore.amp.lowbit.convert import receipt_with, treated_cells, with_recipe
from minispore.amp.lowbit.recipe import Recipe, as_recipe
from minispore.amp.policy.autocasting import autocast_receipt, mark
from minispore.amp.policy.black_pass import black_pass
from minispore.amp.policy.cast_cells import _OutputTo32
from minispore.amp.policy.converted import check_network, conversion_name, is_repeated, noted, unconverted_receipt
from minispore.amp.policy.levels import OPERATIONS, WHITE, documented, level_of
from minispore.amp.policy.lists import check_black_list, check_white_list
from minispore.amp.policy.receipt import Receipt, require_all_converted
from minispore.amp.policy.site_types import marks_receipt, white_receipt
from minispore.amp.policy.white_pass import copied
from minispore.core.checks import check_bool
from minispore.core.dtype import DType, DTypeLike, bfloat16, float16
from minispore.core.errors import shown, value_error
from minispore.nn.cell import Cell
from minispore.nn.micro_batches import _MicroBatches
from minispore.rewrite.call_sites import call_sites

__all__ = ["auto_mixed_precision", "custom_mixed_precision", "explain"]


def _check_switches(operation, **switches):
    for name, value in switches.items():
        check_bool(operation, name, value)


def _check_dtype(operation, dtype):
    if not isinstance(dtype, DType) or dtype not in (float16, bfloat16):
        raise value_error(operation, "the 'dtype' must be float16 or bfloat16", shown(dtype, str))
    return dtype


def _level_and_type(operation, amp_level, dtype):
    """The level's record, the requested type (None: the level's own), and the name of the conversion."""
    level = level_of(operation, amp_level)
    dtype = level.dtype if dtype is None else _check_dtype(operation, dtype)
    return level, dtype, conversion_name(level.name, dtype, level.dtype)


def _white(operation, network, strict, level, **how):
    """The network after the white pass; ``how`` are the further arguments of ``white_receipt``.

    A cell that runs a network on parts of the batch stays around it.
    """
    if isinstance(network, _MicroBatches):
        converted = copy.copy(network)
        converted._cells["network"] = _white(operation, network.network, strict, level, **how)
        return noted(level, converted.network.amp_report, converted)
    receipt, tree = white_receipt(network, level, **how)
    if strict:
        require_all_converted(operation, receipt)
    return noted(level, receipt, tree.get_network())


def lower_in_place(network, level, black_list, dtype=float16):
    """Change the network in place by the black pass."""
    sites = call_sites(network)
    black_pass(network, black_list, dtype)
    return noted(level, marks_receipt(network, level, sites, black_list), network)


def _black(network, level, black_list, dtype):
    """The network after the black pass, wrapped."""
    lower_in_place(network, level, black_list, dtype)
    return noted(level, network.amp_report, _OutputTo32(network))


def _by_operation(network, level, dtype):
    """The network, marked so that each operation computes as auto's lists say; the user's own marks stay."""
    receipt = autocast_receipt(network, level, dtype)
    mark(network, dtype)
    return noted(level, receipt, network)


@documented
def auto_mixed_precision(
    network: Cell,
    amp_level: str = "O0",
    dtype: DTypeLike | None = None,
    *,
    strict: bool = False,
    functional=False,
    recipe: Recipe | str | None = None,
) -> Cell:
    """The network at a level of mixed precision.

    {levels}

    ``dtype`` takes the place of float16. Parameters keep their dtype, float32; each operation sees them in float16. The
    output is float32; at "auto" it keeps the type of the last operation. The result's ``amp_report`` is the receipt:
    every call site with its dtype and the reason.

    At "auto" the type is chosen for each operation that runs in a call of the network, in functions and methods too.
    Operations of ``amp.AMP_AUTO_WHITE_LIST`` (products and convolutions) get their floating inputs in ``dtype``.
    Operations of ``amp.AMP_AUTO_BLACK_LIST`` (exponentials, logarithms, norms, long sums) get them in float32. Concat,
    BiasAdd and others that take one type get them in the widest type among them; all others take them as they are. A
    cell that ``to_float`` has marked computes as it is marked.

    A ``recipe`` of low bits rules the products of Dense layers, and of convolutions where it says so; the level rules
    everything else. Their operands are numbers of eight or four bits with scales, emulated exactly. The cells are
    changed in place, except at O1.

    Args:
        network (Cell): The network.
        amp_level (str): "O0", "O1", "O2", "O3" or "auto". Default: "O0".
        dtype (mindspore.dtype): float16 or bfloat16; None for the level's own, float16. Default: None.
        strict (bool): If True, a call of a listed class that O1 cannot convert is an error, unless the user's own
            ``to_float`` keeps it. Default: False.
        functional (bool): If True, O1 converts functional forms of listed primitives too, such as ``ops.relu(x)`` and
            ``x @ w``; O2 and O3 let them compute in float16 in any case. Default: False, as in MindSpore.
        recipe (Union[Recipe, str, None]): A recipe such as ``amp.MXFP8()``, or its text. Default: None.

    Returns:
        Cell. The same level again returns the network unchanged.

    Raises:
        TypeError: If ``network`` is not a Cell, ``strict`` or ``functional`` not a bool, or ``recipe`` no recipe.
        ValueError: If the level or the ``dtype`` is unknown, or the network has been converted to another level before.
            With ``strict`` also if a listed class would stay in float32; the network is then unchanged.

    Examples:
        >>> import minispore as ms
        >>> net = ms.amp.auto_mixed_precision(ms.nn.Dense(2, 3), "O3")
        >>> print(net(ms.ops.ones((1, 2))).dtype)
        Float32
    """
    check_network("auto_mixed_precision", network)
    _check_switches("auto_mixed_precision", strict=strict, functional=functional)
    name = "auto_mixed_precision"
    level, dtype, called = _level_and_type(name, amp_level, dtype)
    if recipe is not None:
        convert = partial(auto_mixed_precision, network, amp_level, dtype, strict=strict, functional=functional)
        return with_recipe(name, network, recipe, called, convert)
    if not level.convert or is_repeated(name, network, called):
        return network
    if level.convert == OPERATIONS:
        return _by_operation(network, called, dtype)
    if level.convert == WHITE:
        how = {"white_list": list(level.classes), "functional": functional, "dtype": dtype}
        return _white(name, network, strict, called, **how)
    return _black(network, called, level.classes, dtype)


def explain(
    network: Cell, amp_level: str, dtype: DTypeLike | None = None, *, recipe: Recipe | str | None = None
) -> Receipt:
    """The receipt of a conversion, without converting.

    Args:
        network (Cell): The network; it is not changed.
        amp_level (str): "O0", "O1", "O2", "O3" or "auto".
        dtype (mindspore.dtype): float16 or bfloat16; None for the level's own, float16. Default: None.
        recipe (Union[Recipe, str, None]): A recipe of low bits, or its text. Default: None.

    Returns:
        Receipt. ``print`` shows it as a table; its ``diff()`` compares the sources.

    Raises:
        TypeError: If ``network`` is not a Cell.
        ValueError: If the level or the ``dtype`` is unknown, or the network has been converted.

    Examples:
        >>> import minispore as ms
        >>> ms.amp.explain(ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.ReLU()), "O1").counts
        {'float16': 1, 'float32': 1}
    """
    check_network("explain", network)
    if recipe is not None:
        recipe = as_recipe("explain", recipe)
        return receipt_with(explain(network, amp_level, dtype), treated_cells("explain", network, recipe), recipe)
    level, dtype, called = _level_and_type("explain", amp_level, dtype)
    is_repeated("explain", network, None)
    if not level.convert:
        return unconverted_receipt(network)
    if level.convert == WHITE:
        inner = network.network if isinstance(network, _MicroBatches) else network
        return white_receipt(inner, called, list(level.classes), dtype=dtype)[0]
    if level.convert == OPERATIONS:
        return autocast_receipt(network, called, dtype)
    return _black(copied(network), called, level.classes, dtype).amp_report


def custom_mixed_precision(
    network: Cell, *, white_list=None, black_list=None, dtype=float16, strict=False, functional=False, recipe=None
) -> Cell:
    """The network with the classes of a white list in float16, or with all classes except a black list's.

    Args:
        network (Cell): The network.
        white_list (list[Primitive, Cell]): Classes to compute in float16, as at O1. Default: None.
        black_list (list[Cell]): Classes to keep in float32, as at O2. Default: None.
        dtype (mindspore.dtype): float16, or bfloat16 in its place. Default: float16.
        strict (bool): If True, it is an error if some call of a listed class cannot be converted. Default: False.
        functional (bool): If True, functional forms of the white list's primitives are converted too. Default: False.
        recipe (Union[Recipe, str, None]): A recipe of low bits for the products of listed cells, as in
            :func:`auto_mixed_precision`. Default: None.

    Returns:
        Cell.

    Raises:
        TypeError: If ``network`` is not a Cell, a list not a list of such classes, or a flag not a bool.
        ValueError: If not exactly one list is given, the ``dtype`` is another, or the network has been converted
            before.

    Examples:
        >>> import minispore as ms
        >>> net = ms.amp.custom_mixed_precision(ms.nn.Dense(2, 3), black_list=ms.amp.get_black_list())
        >>> print(net(ms.ops.ones((1, 2))).dtype)
        Float32
    """
    check_network("custom_mixed_precision", network)
    _check_switches("custom_mixed_precision", strict=strict, functional=functional)
    if (white_list is None) == (black_list is None):
        got = "neither" if white_list is None else "both"
        raise value_error("custom_mixed_precision", "one of 'white_list' and 'black_list' must be given", got)
    _check_dtype("custom_mixed_precision", dtype)
    if recipe is not None:
        how = {"white_list": white_list, "black_list": black_list, "dtype": dtype}
        convert = partial(custom_mixed_precision, network, **how, strict=strict, functional=functional)
        return with_recipe("custom_mixed_precision", network, recipe, None, convert)
    if white_list is not None:
        check_white_list(white_list)
        is_repeated("custom_mixed_precision", network, None)
        called = conversion_name("a custom white list", dtype)
        how = {"white_list": white_list, "functional": functional, "dtype": dtype}
        return _white("custom_mixed_precision", network, strict, called, **how)
    check_black_list(black_list)
    is_repeated("custom_mixed_precision", network, None)
    return _black(network, conversion_name("a custom black list", dtype), black_list, dtype)
