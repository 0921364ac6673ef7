"""Conversion: the listed cells of a network take quantized products, in place; and what a receipt says of each.

Listed are ``nn.Dense``, and ``nn.Conv1d`` and ``nn.Conv2d`` where the recipe asks for them. A listed cell keeps its
Parameters, its marks and its ``construct``: only the operation that multiplies is another one. Products of two
activations, as in attention, are none of a cell's, and stay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from minispore.amp.lowbit.delayed import DelayedProduct
from minispore.amp.lowbit.products import BiasAddRoundedOnce, FProp, Linear, Planes
from minispore.amp.lowbit.recipe import as_recipe
from minispore.amp.policy.converted import is_repeated, noted, unconverted_receipt
from minispore.amp.policy.white_pass import copied
from minispore.core.errors import shown, value_error
from minispore.nn.cell import Cell
from minispore.nn.layer.conv import Conv1d, Conv2d
from minispore.nn.layer.dense import Dense
from minispore.ops.operations.linalg.matmul import BiasAdd, MatMul
from minispore.ops.operations.nn.conv import Conv2D
from minispore.rewrite.call_sites import call_sites

__all__ = ["RECIPE", "Treated", "recipe_of", "take_recipe", "treatment"]

RECIPE, KEPT, NOT_LISTED = "recipe", "kept: ", "not a listed product"
_OTHERS = {"matmul", "mm", "bmm", "einsum", "dense", "MatMul", "BatchMatMul", "Einsum"}
_OTHERS |= {"conv1d", "conv2d", "conv3d", "Conv1d", "Conv2d", "Conv3d", "Conv2D", "Conv3D"}
_WORDS = ("first", "last")


class Treated(NamedTuple):
    """A listed cell, by its path: ``takes`` is True if it takes the recipe; ``reason`` is that of its row."""

    path: str
    cell: Cell
    takes: bool
    reason: str


def recipe_of(cell: Cell) -> Any:
    """The recipe of a cell's products, or None.

    Examples:
        >>> import minispore as ms
        >>> from minispore.amp.lowbit.convert import recipe_of
        >>> net = ms.amp.auto_mixed_precision(ms.nn.Dense(2, 3), recipe=ms.amp.MXFP8(keep=()))
        >>> print(recipe_of(net))
        mxfp8(keep=none)
    """
    name = _product_name(cell)
    found = cell if isinstance(cell, DelayedProduct) else getattr(cell, name, None) if name else None
    return getattr(found, "recipe", None) if isinstance(found, (FProp, DelayedProduct)) else None


def treatment(operation: str, network: Cell, recipe: Any, order: list) -> list:
    """The listed cells in the order of execution, and the treatment of each.

    Args:
        operation (str): The name in errors.
        network (Cell): The network, before any conversion.
        recipe (Recipe): The recipe.
        order (list[str]): The paths of its calls in the order of execution; cells without one come last.

    Returns:
        list of Treated.

    Raises:
        ValueError: If a path of the recipe's ``keep`` is no listed cell's.

    Examples:
        >>> import minispore as ms
        >>> from minispore.amp.lowbit.convert import treatment
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.Dense(3, 2))
        >>> [(t.path, t.reason) for t in treatment("explain", net, ms.amp.MXFP8(), ["0", "1"])]
        [('0', 'recipe; K = 2: last block of 2'), ('1', 'kept: last')]
    """
    found = {path: cell for path, cell in network.cells_and_names() if _is_listed(cell, recipe)}
    place = {path: i for i, path in reversed(list(enumerate(order)))}
    paths = sorted(found, key=lambda path: place.get(path, len(place)))
    _check_keep(operation, recipe, found)
    marked = _marked(network)
    kept = [_kept(recipe, path, found[path], paths, marked) for path in paths]
    return [
        Treated(path, found[path], not why, KEPT + why if why else RECIPE + _tails(found[path], recipe))
        for path, why in zip(paths, kept, strict=True)
    ]


def take_recipe(network: Cell, recipe: Any, treated: list) -> None:
    """Give the cells of a network that are to take the recipe their quantized products, in place.

    The network may be a converted copy: its cells are found by their paths, and then have the cells' own classes.

    Examples:
        >>> import minispore as ms
        >>> from minispore.amp.lowbit.convert import take_recipe, treatment
        >>> net, recipe = ms.nn.SequentialCell(ms.nn.Dense(2, 3)), ms.amp.MXFP8(keep=())
        >>> take_recipe(net, recipe, treatment("", net, recipe, ["0"]))
        >>> print(net[0].matmul.recipe)
        mxfp8(keep=none)
    """
    for path, cell in _targets(network, treated).items():
        name = _product_name(cell)
        form = Linear() if name == "matmul" else Planes(getattr(cell, name))
        wide = cell.has_bias and type(cell.bias_add) is BiasAdd
        if wide:
            cell.bias_add = BiasAddRoundedOnce()
        if recipe.is_delayed:
            _set_product(cell, name, DelayedProduct(recipe, form, wide), path)
        else:
            setattr(cell, name, FProp(recipe, form, wide))


def entries_with(entries: tuple, treated: list, recipe: Any) -> tuple:
    """The entries of a level's receipt, with the listed cells' rows as the recipe makes them.

    Examples:
        >>> import minispore as ms
        >>> receipt = ms.amp.explain(ms.nn.SequentialCell(ms.nn.Dense(2, 3)), "O0", recipe=ms.amp.MXFP8(keep=()))
        >>> receipt.counts
        {'mxfp8 (e4m3/32)': 1}
    """
    rows = {each.path.removeprefix(prefix): each for each in treated for prefix in ("network.", "")}
    return tuple([_entry(entry, rows.get(entry.path), recipe) for entry in entries])


# Which cells


def _product_name(cell):
    """The attribute of a listed cell that multiplies, or None for another cell."""
    return "matmul" if isinstance(cell, Dense) else "conv2d" if isinstance(cell, (Conv1d, Conv2d)) else None


def _is_listed(cell, recipe):
    name = _product_name(cell)
    if name is None or (name == "conv2d" and not recipe.converts_planes):
        return False
    return type(getattr(cell, name, None)) is (MatMul if name == "matmul" else Conv2D)


def _marked(network):
    """The cells that ``to_float`` has marked, and all cells in them."""
    marked = [cell for _, cell in network.cells_and_names() if cell._user_dtype is not None]
    return {part for cell in marked for _, part in cell.cells_and_names()}


def _check_keep(operation, recipe, found):
    """Raise ValueError for a path to keep that is no listed cell's: a slip would train another network."""
    for rule in recipe.keep:
        if isinstance(rule, str) and rule not in _WORDS and not any(_is_in(path, rule) for path in found):
            known = ", ".join(found) or "none"
            raise value_error(operation, f"a path of 'keep' must be of a listed cell ({known})", shown(rule))


def _is_in(path, outer):
    return path == outer or path.startswith(f"{outer}.")


def _kept(recipe, path, cell, paths, marked):
    """The reason why a listed cell stays as it is; "" if it does not."""
    if cell in marked:
        return "to_float"
    ends = {"first": paths[0], "last": paths[-1]}
    for rule in recipe.keep:
        if isinstance(rule, str) and (ends[rule] == path if rule in _WORDS else _is_in(path, rule)):
            return rule if rule in _WORDS else "path"
        if isinstance(rule, type) and isinstance(cell, rule):
            return rule.__name__
        if callable(rule) and not isinstance(rule, type) and rule(path, cell):
            return getattr(rule, "__name__", "function")
    return ""


def _tails(cell, recipe):
    """A remark on a last block that is short, along the axis that the forward product sums over."""
    block = recipe.x.tile and recipe.x.tile[1]
    length = cell.weight.shape[1]
    return f"; K = {length}: last block of {length % block}" if block and length % block else ""


# The change


def _targets(network, treated):
    """The cells to change, by path: in the network itself, or in its converted copy those of the same paths."""
    there = dict(network.cells_and_names())
    ours = set(there.values())
    found = {t.path: t.cell if t.cell in ours else there.get(t.path) for t in treated if t.takes}
    return {path: cell for path, cell in found.items() if cell is not None}


def _set_product(cell, name, product, path):
    """Put a cell with state in the place of an operation, under names that begin with the cell's path."""
    product._compute_dtype = cell._compute_dtype
    product.set_train(cell.training)
    setattr(cell, name, product)
    for own, parameter in product._params.items():
        parameter.name = f"{path}.{name}.{own}".lstrip(".")


def _entry(entry, row, recipe):
    if row is None:
        return entry._replace(reason=f"{entry.reason}; {NOT_LISTED}") if entry.kind in _OTHERS else entry
    return entry._replace(reason=row.reason, **({"dtype": recipe.label} if row.takes else {}))


# The level's own conversion, and then the recipe


def treated_cells(operation, network, recipe):
    """The treatment of each listed cell, in the order of the calls."""
    return treatment(operation, network, recipe, [site.path for site in call_sites(network)])


def receipt_with(receipt, treated, recipe):
    """A level's receipt with the rows that a recipe changes."""
    entries = entries_with(receipt.entries, treated, recipe)
    return replace(receipt, level=f"{receipt.level} with {recipe}", entries=entries, plain=receipt)


def with_recipe(operation, network, recipe, called, convert):
    """The network that ``convert()`` returns, whose listed cells then take a recipe of low bits.

    ``called`` is the name of the conversion, for a network that has had it before; None if it may have had none.
    """
    recipe = as_recipe(operation, recipe)
    if is_repeated(operation, network, called and f"{called} with {recipe}"):
        return network
    receipt, treated = unconverted_receipt(network), treated_cells(operation, network, recipe)
    result = convert()
    receipt = receipt_with(vars(result).get("amp_report", receipt), treated, recipe)
    if network not in {cell for _, cell in result.cells_and_names()}:  # a new network, which may share cells with it
        network = result = copied(result)
    take_recipe(result, recipe, treated)
    return noted(receipt.level, receipt, result, network)
