"""Recipes: how each operand of a layer's three products is quantized, as values that can be compared, printed and read.

============  =========================  ============================  ==================================
recipe        x and w                    dy                            scale
============  =========================  ============================  ==================================
DelayedFP8    e4m3                       e5m2                          float32 a tensor, of steps before
CurrentFP8    e4m3                       e5m2                          float32 a tensor, of this step
BlockFP8      e4m3, 1x128 and 128x128    e4m3, 1x128                   float32 a tile
MXFP8         e4m3, 1x32                 e4m3, 1x32                    a power of two a block
MXFP4         e2m1, 1x32                 e2m1, 1x32                    a power of two a block
NVFP4         e2m1, 1x16 and 16x16       e2m1, 1x16, stochastic        e4m3 a tile, float32 a tensor
============  =========================  ============================  ==================================

MXFP6 is ``MXFP8().replace(name="mxfp6", format="e3m2")``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from minispore.amp.lowbit.quantized import RULES, Operand
from minispore.amp.lowbit.scales import Current, Delayed, Shared, TwoLevels, Unscaled
from minispore.core.checks import check_bool, check_choice, check_text
from minispore.core.errors import shown, type_error, value_error
from minispore.nn.cell import Cell

__all__ = ["MXFP4", "MXFP8", "NVFP4", "BlockFP8", "CurrentFP8", "DelayedFP8", "Recipe"]

_NAME = r"[a-z][a-z0-9_]*"


@dataclass(frozen=True)
class Recipe:
    """The way in which the products of the listed cells are quantized: a value.

    Args:
        name (str): Its name in receipts: lower-case letters, digits, underscores.
        x (Operand): The layer's input.
        w (Operand): Its weight.
        dy (Operand): The gradient of its output.
        hadamard (Union[None, int]): 16 to transform both operands of the weight's gradient. Default: None.
        convolutions (bool): If True, convolutions are converted too, where the recipe has a rule for them: one scale a
            tensor, or blocks of one row. Default: False.
        keep (Union[tuple, str, type, Callable]): The listed cells that stay as they are: "first" and "last" in the
            order of execution, a path, a class, or a function of the path and the cell. Default: ("last",).

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument has a wrong value.

    Examples:
        >>> import minispore as ms
        >>> recipe = ms.amp.MXFP8(keep=("first", "last"))
        >>> print(recipe)
        mxfp8(keep=first+last)
        >>> ms.amp.Recipe.parse(str(recipe)) == recipe
        True
    """

    name: str
    x: Operand
    w: Operand
    dy: Operand
    hadamard: int | None = None
    convolutions: bool = False
    keep: Any = ("last",)

    def __post_init__(self):
        if not re.fullmatch(_NAME, check_text("Recipe", "name", self.name)):
            raise value_error("Recipe", "the 'name' must be of lower-case letters, digits and _", shown(self.name))
        for name in ("x", "w", "dy"):
            if not isinstance(getattr(self, name), Operand):
                raise type_error("Recipe", f"the '{name}' must be an Operand", shown(getattr(self, name)))
        if len({isinstance(operand.scale, Delayed) for operand in self.operands}) > 1:
            raise value_error("Recipe", "the scales must be delayed for all operands or for none")
        if self.hadamard not in (None, 16):
            raise value_error("Recipe", "the 'hadamard' must be None or 16", shown(self.hadamard))
        check_bool("Recipe", "convolutions", self.convolutions)
        keep = (self.keep,) if isinstance(self.keep, (str, type)) or callable(self.keep) else self.keep
        if not isinstance(keep, (tuple, list)) or not all(map(_is_rule, keep)):
            expected = "the 'keep' must be of 'first', 'last', paths, classes of cells and functions of (path, cell)"
            raise type_error("Recipe", expected, shown(self.keep))
        object.__setattr__(self, "keep", tuple(keep))

    @property
    def operands(self):
        """x, w and dy."""
        return self.x, self.w, self.dy

    @property
    def is_delayed(self):
        """True if scales come from the steps before."""
        return isinstance(self.x.scale, Delayed)

    @property
    def converts_planes(self):
        """True if convolutions are asked for, and the recipe has a rule for them."""
        plain = [operand.tile is None or isinstance(operand.scale, Shared) for operand in self.operands]
        return self.convolutions and all(plain) and self.hadamard is None

    @property
    def label(self):
        """The recipe in the column of types of a receipt: ``mxfp8 (e4m3/32)``."""
        labels = list(dict.fromkeys(operand.label for operand in self.operands))
        return f"{self.name} ({', '.join(labels)})"

    def replace(self, **changes: Any) -> Recipe:
        """The recipe with other fields; ``format``, ``tile``, ``scale`` and ``rounding`` change all three operands.

        Examples:
            >>> import minispore as ms
            >>> print(ms.amp.MXFP8().replace(name="mxfp6", format="e3m2").label)
            mxfp6 (e3m2/32)
        """
        parts = {f.name: changes.pop(f.name) for f in fields(Operand) if f.name in changes}
        unknown = [name for name in changes if name not in {f.name for f in fields(Recipe)}]
        if unknown:
            raise type_error("Recipe.replace", "the keywords must be fields of a Recipe or an Operand", shown(unknown))
        changed = replace(self, **changes)
        operands = {name: replace(getattr(changed, name), **parts) for name in ("x", "w", "dy")}
        return replace(changed, **operands) if parts else changed

    @classmethod
    def parse(cls, text: str) -> Recipe:
        """The recipe that a text describes: ``Recipe.parse(str(recipe)) == recipe``.

        A text is a name, and in brackets what differs from the recipe of that name: "mxfp8(keep=first+last)".

        Raises:
            TypeError: If ``text`` is not a str.
            ValueError: If it is not the text of a recipe.
        """
        found = re.fullmatch(rf"\s*({_NAME})\s*(?:\((.*)\))?\s*", check_text("Recipe.parse", "text", text))
        if not found:
            raise value_error("Recipe.parse", "the 'text' must be like 'mxfp8(keep=first+last)'", shown(text))
        given = dict(part.strip().partition("=")[::2] for part in (found[2] or "").split("; ") if part.strip())
        base = _NAMED.get(found[1])
        for field in given:
            check_choice("Recipe.parse", "field", field, tuple(_READ))
        values = {field: _READ[field](value) for field, value in given.items()}
        if base is None and not {"x", "w", "dy"} <= values.keys():
            check_choice("Recipe.parse", "name", found[1], tuple(_NAMED))
        return base().replace(**values) if base else cls(found[1], **values)

    def __str__(self):
        parts, usual = [], _NAMED[self.name]() if self.name in _NAMED else None
        for part in ("scale", "rounding") if usual else ():
            found = {getattr(operand, part) for operand in self.operands}
            if len(found) == 1 and found != {getattr(operand, part) for operand in usual.operands}:
                usual = usual.replace(**{part: found.pop()})
                parts.append(f"{part}={_written(getattr(self.x, part))}")
        for name in (f.name for f in fields(self)[1:]):
            if usual is None or getattr(self, name) != getattr(usual, name):
                parts.append(f"{name}={_written(getattr(self, name))}")
        return f"{self.name}({'; '.join(parts)})" if parts else self.name


def as_recipe(operation: str, recipe: Any) -> Recipe | None:
    """A user's recipe: a Recipe, None, or its text.

    Raises:
        TypeError: If it is anything else.
        ValueError: If it is not the text of a recipe.

    Examples:
        >>> from minispore.amp.lowbit.recipe import as_recipe
        >>> print(as_recipe("Model", "mxfp8"))
        mxfp8
    """
    if recipe is None or isinstance(recipe, Recipe):
        return recipe
    if not isinstance(recipe, str):
        raise type_error(operation, "the 'recipe' must be a Recipe, its text, or None", shown(recipe))
    return Recipe.parse(recipe)


def _is_rule(rule):
    return isinstance(rule, str) or (isinstance(rule, type) and issubclass(rule, Cell)) or _is_function(rule)


def _is_function(rule):
    return callable(rule) and not isinstance(rule, type)


# As text


def _written(value):
    if isinstance(value, RULES):
        return str(value)
    if isinstance(value, tuple):
        return "+".join(rule if isinstance(rule, str) else f"<{rule.__qualname__}>" for rule in value) or "none"
    return {None: "none", True: "yes", False: "no"}.get(value, value) if not isinstance(value, Operand) else str(value)


def _read_operand(text):
    found = re.fullmatch(r"(\w+)/(tensor|\d+x\d+)/([^/]+)/(\w+)", text)
    if not found:
        raise value_error("Recipe.parse", "an operand must be like 'e4m3/1x32/rceil/even'", shown(text))
    tile = None if found[2] == "tensor" else tuple(map(int, found[2].split("x")))
    return Operand(found[1], tile, _read_scale(found[3]), found[4])


def _read_scale(text):
    rules = {str(rule): rule for rule in (Unscaled(), Current(), Current(True), TwoLevels())}
    rules.update({mode: Shared(mode) for mode in ("floor", "ceil", "even", "rceil")})
    delayed = re.fullmatch(r"delayed\((\d+),(\d+),(\w+)\)", text)
    if delayed:
        return Delayed(int(delayed[1]), int(delayed[2]), delayed[3])
    least = re.fullmatch(r"two_levels\((\d[\d.e-]*)\)", text)
    if least:
        return TwoLevels(float(least[1]))
    return rules[check_choice("Recipe.parse", "scale", text, (*rules, "delayed(0,1024,max)"))]


def _read_keep(text):
    if "<" in text:
        raise value_error("Recipe.parse", "the 'keep' must be of words and paths, which alone can be read", shown(text))
    return () if text == "none" else tuple(text.split("+"))


def _read_bool(text):
    return check_choice("Recipe.parse", "convolutions", text, ("yes", "no")) == "yes"


def _read_hadamard(text):
    return None if check_choice("Recipe.parse", "hadamard", text, ("none", "16")) == "none" else 16


_READ: dict[str, Callable[[str], Any]] = {
    "scale": _read_scale,
    "rounding": str,
    **dict.fromkeys(("x", "w", "dy"), _read_operand),
    "hadamard": _read_hadamard,
    "convolutions": _read_bool,
    "keep": _read_keep,
}


# The recipes by name


def DelayedFP8(margin: int = 0, history: int = 1024, algorithm: str = "max", **others: Any) -> Recipe:  # noqa: N802
    """FP8 with the scale of the steps before, one a tensor: e4m3 forward, e5m2 for gradients (arXiv 2209.05433).

    Args:
        margin (int): The powers of two left free above the largest number. Default: 0.
        history (int): How many steps are remembered. Default: 1024.
        algorithm (str): "max", or "most_recent". Default: "max".
        **others: Further fields of a Recipe: ``convolutions``, ``keep``.

    Raises:
        TypeError: If ``history`` is not an int, or a keyword is no field of a Recipe.
        ValueError: If ``margin`` is not an int of 0 to 63, ``history`` is not above 0, or ``algorithm`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> ms.amp.DelayedFP8(history=16).label
        'delayed_fp8 (e4m3, e5m2)'
    """
    return _hybrid("delayed_fp8", Delayed(margin, history, algorithm), others)


def CurrentFP8(power_of_2: bool = False, **others: Any) -> Recipe:  # noqa: N802
    """FP8 with the scale of what is seen, one a tensor: e4m3 forward, e5m2 for gradients.

    Args:
        power_of_2 (bool): If True, scales are rounded down to powers of two. Default: False.
        **others: Further fields of a Recipe: ``convolutions``, ``keep``.

    Raises:
        TypeError: If ``power_of_2`` is not a bool, or a keyword is no field of a Recipe.

    Examples:
        >>> import minispore as ms
        >>> print(ms.amp.CurrentFP8().dy)
        e5m2/tensor/current/even
    """
    return _hybrid("current_fp8", Current(power_of_2), others)


def _hybrid(name, scale, others):
    forward, backward = Operand("e4m3", None, scale), Operand("e5m2", None, scale)
    return Recipe(name, forward, forward, backward, **others)


def BlockFP8(power_of_2: bool = True, **others: Any) -> Recipe:  # noqa: N802
    """FP8 in blocks of 128: rows of activations and gradients, squares of weights (DeepSeek-V3, arXiv 2412.19437).

    Args:
        power_of_2 (bool): If True, scales are rounded down to powers of two. Default: True.
        **others: Further fields of a Recipe: ``keep``. Convolutions stay as they are.

    Raises:
        TypeError: If ``power_of_2`` is not a bool, or a keyword is no field of a Recipe.

    Examples:
        >>> import minispore as ms
        >>> print(ms.amp.BlockFP8().w)
        e4m3/128x128/current(power_of_2)/even
    """
    row, square = (Operand("e4m3", tile, Current(power_of_2)) for tile in ((1, 128), (128, 128)))
    return Recipe("block_fp8", row, square, row, **others)


def MXFP8(mode: str = "rceil", **others: Any) -> Recipe:  # noqa: N802
    """Microscaling FP8: e4m3 in blocks of 32 with a shared exponent (OCP MX 1.0; arXiv 2506.08027).

    Args:
        mode (str): How the exponent is found: "rceil", "floor", "ceil", "even". Default: "rceil".
        **others: Further fields of a Recipe: ``convolutions``, ``keep``.

    Raises:
        ValueError: If ``mode`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> ms.amp.MXFP8().label
        'mxfp8 (e4m3/32)'
    """
    block = Operand("e4m3", (1, 32), Shared(mode))
    return Recipe("mxfp8", block, block, block, **others)


def MXFP4(mode: str = "even", **others: Any) -> Recipe:  # noqa: N802
    """Microscaling FP4: e2m1 in blocks of 32 with a shared exponent, gradients rounded stochastically (OCP MX 1.0).

    Args:
        mode (str): How the exponent is found: "even", "rceil", "floor", "ceil". Default: "even".
        **others: Further fields of a Recipe: ``convolutions``, ``keep``; the default keeps the first cell and the last.

    Raises:
        ValueError: If ``mode`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.amp.MXFP4().dy)
        e2m1/1x32/even/stochastic
    """
    block = Operand("e2m1", (1, 32), Shared(mode))
    gradient = replace(block, rounding="stochastic")
    return Recipe("mxfp4", block, block, gradient, **{"keep": ("first", "last"), **others})


def NVFP4(  # noqa: N802
    hadamard: bool = True, stochastic: bool = True, square_weights: bool = True, **others: Any
) -> Recipe:
    """FP4 in blocks of 16, each with an e4m3 scale, and a float32 scale for the tensor (arXiv 2509.25149).

    Args:
        hadamard (bool): If True, the operands of the weight's gradient are transformed. Default: True.
        stochastic (bool): If True, gradients are rounded stochastically. Default: True.
        square_weights (bool): If True, weights have one scale for 16 by 16 numbers. Default: True.
        **others: Further fields of a Recipe: ``keep``, by default the first cell and the last. Convolutions stay as
            they are.

    Raises:
        TypeError: If ``hadamard``, ``stochastic`` or ``square_weights`` is not a bool, or a keyword is no field of a
            Recipe.

    Examples:
        >>> import minispore as ms
        >>> print(ms.amp.NVFP4(hadamard=False))
        nvfp4(hadamard=none)
    """
    for name, value in (("hadamard", hadamard), ("stochastic", stochastic), ("square_weights", square_weights)):
        check_bool("NVFP4", name, value)
    row = Operand("e2m1", (1, 16), TwoLevels())
    weight = Operand("e2m1", (16, 16), TwoLevels()) if square_weights else row
    gradient = replace(row, rounding="stochastic") if stochastic else row
    others = {"keep": ("first", "last"), **others}
    return Recipe("nvfp4", row, weight, gradient, 16 if hadamard else None, **others)


_NAMED = {maker().name: maker for maker in (DelayedFP8, CurrentFP8, BlockFP8, MXFP8, MXFP4, NVFP4)}
