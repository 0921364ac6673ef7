"""The policy of a network as a value: the types of its Parameters, computation and output, cell by cell.

As text, ``params=float32,compute=float16,output=float32; bn:params=float32,compute=float32,output=float16``. The
network comes first, then each cell that differs from its parent.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

from minispore import amp
from minispore.amp.lowbit.convert import recipe_of
from minispore.amp.policy.autocasting import AUTOCASTS
from minispore.amp.policy.cast_cells import _CastOutput
from minispore.amp.policy.converted import check_network
from minispore.amp.policy.receipt import white_listed
from minispore.core._exports import show
from minispore.core.checks import check_choice, check_text
from minispore.core.dtype import FLOATS, as_dtype, float32, from_numpy
from minispore.core.errors import shown, type_error, value_error
from minispore.nn.cell import Cell
from minispore.ops.autocast import Autocast

__all__ = ["Policy", "policy_of"]

_FLOATS = {kind.name: from_numpy(kind) for kind in FLOATS}
_COMPUTED = {**_FLOATS, "inputs": None, **{mark.name: mark for mark in AUTOCASTS.values()}}
_PATH = r'"(?:[^"\\]|\\.)*"|[^";:,=\s]+'
_TYPE = r"[a-z0-9+()]+"
_PRODUCTS = r"(?:,products=([a-z0-9_]+))?"
_ENTRY = rf"\s*(?:({_PATH}):)?params=({_TYPE}),compute=({_TYPE}),output=({_TYPE}){_PRODUCTS}\s*(?:;|$)"


class CellPolicy(NamedTuple):
    """The types that a cell holds, computes in and returns.

    Attributes:
        params (Union[DType, tuple, None]): The type of the floating Parameters in it. Several types are a tuple, sorted
            by name; None in a network without floating Parameters.
        compute (Union[DType, Autocast, None]): The type of its operations' floating inputs; an Autocast at the level
            "auto"; None if the inputs are not cast.
        output (Union[DType, Autocast, None]): The type of its output after the cast; ``compute`` if no cast follows.
        products (Union[str, None]): The name of the recipe of low bits that its products take. Default: None.
    """

    params: object
    compute: object
    output: object
    products: object = None

    def __eq__(self, other):
        """Equality, with a tuple of the three types too where no recipe is taken."""
        return isinstance(other, tuple) and tuple(self) == (*other, None)[:4]

    def __ne__(self, other):
        return not self == other

    __hash__ = tuple.__hash__

    def __str__(self):
        params = (
            "+".join(_name(p, "") for p in self.params)
            if isinstance(self.params, tuple)
            else _name(self.params, "none")
        )
        products = "" if self.products is None else f",products={self.products}"
        types = f"compute={_name(self.compute, 'inputs')},output={_name(self.output, 'inputs')}"
        return f"params={params},{types}{products}"


@dataclass(frozen=True)
class Policy:
    """The policy of a network: a value. Networks that are treated alike have equal policies.

    Attributes:
        cells (tuple): Pairs of a path and its CellPolicy, sorted. The network's own path is "". A cell or primitive is
            listed if its policy differs from its parent's.

    Examples:
        >>> import minispore as ms
        >>> policy = ms.amp.Policy.parse("params=float32,compute=float16,output=float32")
        >>> policy == ms.amp.policy_of(ms.amp.auto_mixed_precision(ms.nn.Dense(2, 3), "O3"))
        True
    """

    cells: tuple

    def __post_init__(self) -> None:
        if (
            not isinstance(self.cells, tuple)
            or not self.cells
            or not all(map(_is_entry, self.cells))
            or self.cells[0][0]
        ):
            expected = "the 'cells' must be a tuple of pairs of a path and a CellPolicy, the network's own, '', first"
            raise type_error("Policy", expected, shown(self.cells))

    @classmethod
    def parse(cls, text: str) -> Policy:
        """The policy that ``text`` describes: ``Policy.parse(str(policy)) == policy``.

        Raises:
            TypeError: If ``text`` is not a str.
            ValueError: If it is not the text of a policy.
        """
        check_text("Policy.parse", "text", text)
        cells, place, entry = {}, 0, re.compile(_ENTRY)
        while place < len(text) or not cells:
            found = entry.match(text, place)
            path = found and (_read_path(found[1]) if found[1] else "")
            if not found or path in cells or (path == "") != (not cells):
                expected = "the 'text' must be like 'params=float32,compute=float16,output=float32; bn:params=...'"
                raise value_error("Policy.parse", expected, shown(text[place:]))
            types = map(_read_type, found.groups()[2:4])
            cells[path], place = CellPolicy(_read_params(found[2]), *types, found[5]), found.end()
        return cls(_without_repetition(cells))

    def of(self, path: str = "") -> CellPolicy:
        """The policy of a cell, by its path in the network as it was before the conversion."""
        return _found(dict(self.cells), check_text("Policy.of", "path", path))

    @property
    def params(self) -> Any:
        """The type of the network's floating Parameters."""
        return self.of().params

    @property
    def compute(self) -> Any:
        """The type that the network computes in."""
        return self.of().compute

    @property
    def output(self) -> Any:
        """The type that the network's output is cast to."""
        return self.of().output

    def __str__(self) -> str:
        return "; ".join(f"{_written_path(path)}{policy}" for path, policy in self.cells)


def policy_of(network: Cell) -> Policy:
    """The policy of a network, converted or not, read from its marks, its wrappers and its receipt.

    Args:
        network (Cell): The network.

    Returns:
        Policy. ``str`` writes it, ``Policy.parse`` reads it.

    Raises:
        TypeError: If ``network`` is not a Cell.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.LayerNorm((3,)))
        >>> print(ms.amp.policy_of(ms.amp.auto_mixed_precision(net, "O2")))
        params=float32,compute=float16,output=float32; 1:params=float32,compute=float32,output=float16
    """
    check_network("policy_of", network)
    cells = {}
    _read(network, "", CellPolicy(None, None, None), cells, {}, ())
    return Policy(_without_repetition(cells))


def _read(cell, path, above, cells, listed, around):
    """Note the policies of a cell, of the cells in it, and of the objects in a receipt, by their paths."""
    casts_to = []
    while isinstance(cell, _CastOutput):
        casts_to.append(cell._casts_to)
        cell = cell._backbone
    listed = listed | _listed_in(cell, path)
    compute = _mark(cell, above)
    output = casts_to[0] if casts_to else float32 if listed.get(path) == compute is not None else compute
    recipe = recipe_of(cell)
    cells[path] = mine = CellPolicy(_params(cell) or above.params, compute, output, recipe and recipe.name)
    for name, child in cell._cells.items():
        if child is not None and child not in around:  # a cell may hold its parent: each circle is walked once
            _read(child, f"{path}.{name}".lstrip("."), mine, cells, listed, (*around, cell))
    for inner in [inner for inner in listed if inner not in cells and _is_inside(inner, path)]:
        cells[inner] = CellPolicy(mine.params, listed[inner], float32)


def _mark(cell, above):
    """The type of the cell's mark; an unmarked cell in a network at "auto" has the network's."""
    mark = cell._compute_dtype
    if mark is None:
        return above.compute if isinstance(above.compute, Autocast) else None
    return mark if isinstance(mark, Autocast) else from_numpy(mark)


def _params(cell):
    """The types of the floating Parameters of a cell and of its descendants."""
    kinds = sorted({p.dtype for p in cell.get_parameters() if p.dtype.np in FLOATS}, key=lambda kind: kind.np.name)
    return tuple(kinds) if len(kinds) > 1 else kinds[0] if kinds else None


def _listed_in(cell, path):
    """The types that the white list decides, by path, read from a conversion's receipt."""
    receipt = cell.__dict__.get("amp_report")
    found = white_listed(receipt) if receipt else {}
    return {f"{path}.{inner}".strip("."): as_dtype(name) for inner, name in found.items()}


def _is_entry(pair):
    fits = isinstance(pair, tuple) and len(pair) == 2
    return fits and isinstance(pair[0], str) and isinstance(pair[1], CellPolicy)


def _is_inside(path, outer):
    return not outer or path.startswith((f"{outer}.", f"{outer}["))


def _found(cells, path):
    """The listed policy at a path; otherwise that of the innermost listed cell around it, without its output cast."""
    if path in cells:
        return cells[path]
    outer = cells[max((each for each in cells if _is_inside(path, each)), key=len)]
    return outer._replace(output=outer.compute)


def _without_repetition(cells):
    """The network's own policy, and each policy that differs from the one around it."""
    listed = {"": cells[""]}
    for path in sorted(cells):
        if path and _found(listed, path) != cells[path]:
            listed[path] = cells[path]
    return tuple(listed.items())


# As text


def _name(kind, otherwise):
    return otherwise if kind is None else kind.name if isinstance(kind, Autocast) else kind.np.name


def _read_type(name):
    return _COMPUTED[check_choice("Policy.parse", "type", name, tuple(_COMPUTED))]


def _read_params(name):
    if name == "none":
        return None
    kinds = tuple([_FLOATS[check_choice("Policy.parse", "type", each, tuple(_FLOATS))] for each in name.split("+")])
    return kinds if len(kinds) > 1 else kinds[0]


def _written_path(path):
    return "" if not path else f"{path}:" if re.fullmatch(_PATH, path) and path[0] != '"' else f"{json.dumps(path)}:"


def _read_path(written):
    return json.loads(written) if written[0] == '"' else written


show(sys.modules[__name__], amp)  # where a reader of mixed precision looks for it
