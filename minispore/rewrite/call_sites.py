"""Call sites: where the user's source calls a network's cells, primitives, and functions that stand for primitives.

Unlike an editable tree, the list of sites covers everything: loops, lambdas, methods, functions of the user's modules.
A site that no edit of the trees reaches says why.
"""

from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.call_site_visitor import SiteFinder
from minispore.rewrite.resolve.cell_contents import (
    CONTAINERS,
    TABLES,
    callables_in,
    class_attributes,
    is_leaf,
    parts_of,
)
from minispore.rewrite.resolve.decorated import inner_function
from minispore.rewrite.resolve.expression_value import Origin, held_by_objects
from minispore.rewrite.resolve.source import Sources
from minispore.rewrite.site_record import NEVER, UNREADABLE, Site, called_as, place_of, unread

__all__ = ["NEVER", "Site", "call_sites", "unread"]

_HELD, _UNREAD = "what holds it may call it", "the code that may call it cannot be read"


def call_sites(network, types=None, sources=None):
    """Every call of a leaf that a run of the network may make, in the order of evaluation; each once.

    A leaf that the network holds as a child and for which no call is found comes last, with the doubt ``NEVER``.
    Nothing is raised, though objects of the user's may answer questions with errors. Code that cannot be read so is a
    site whose ``called`` is None and whose doubt says why.

    Args:
        network (Cell): The network.
        types (set): Collects the types that the code names, ``float16`` as "Float16" or as written. Default: None.
        sources (Sources): What has been read of the network's functions by now. Default: None, nothing.

    Returns:
        list[Site].
    """
    try:
        return _all_sites(_Walk(network, set() if types is None else types, sources or Sources()), network)
    except Exception as error:  # an object of the user's
        return [Site(_place_of(network), "", type(network).__name__, None, "", network, "", unread(error))]


def _all_sites(walk, network):
    sites = walk.inside("", network, "")
    found = {site.called for site in sites}
    doubt = _UNREAD if any(site.doubt.startswith(UNREADABLE) for site in sites) else NEVER
    return sites + [site for site in _leaves(network, doubt) if site.called not in found]


def _leaves(network, doubt):
    """A site for each leaf that a network holds as a child, without a known call."""
    entered = set()
    for path, cell in network.cells_and_names():
        if cell in entered or (is_leaf(cell) and cell is not network):
            continue
        entered.add(cell)
        for name, child in cell._cells.items():
            if child is not None and is_leaf(child) and child is not network:
                yield Site(_place_of(cell), path, f"self.{name}", child, "", cell, f"{path}.{name}".lstrip("."), doubt)


class _Walk:
    """One walk through a network: each of the user's cells is entered once for each possible reason."""

    def __init__(self, network, types, sources):
        self.types, self.sources, self.entered, self.paths = types, sources, set(), _paths(network)

    def path_of(self, called, text):
        """The path of a cell or primitive in the network; the text if the network does not hold it."""
        return self.paths.get(called, text) if isinstance(called, (Cell, Primitive)) else text

    def enter(self, site):
        """The sites inside a called container or user's cell; for anything else the site itself."""
        called = site.called
        if not isinstance(called, Cell) or is_leaf(called):
            return [site]
        if type(called) in CONTAINERS:
            children = [(name, child) for name, child in called._cells.items() if child is not None]
            inside = [site._replace(called=each, path=f"{site.path}.{name}".lstrip(".")) for name, each in children]
            return [part for each in inside for part in self.enter(each)]
        return [part if part.doubt else part._replace(doubt=site.doubt) for part in self._once(site)]

    def _once(self, site):
        if (site.called, site.reason) in self.entered:
            return []
        return self.inside(site.path, site.called, site.reason)

    def inside(self, path, cell, reason):
        """The sites in a cell's construct, and in the objects that the cell holds."""
        self.entered.add((cell, reason))
        try:
            return self._inside(path, cell, reason)
        except Exception as error:  # an object of the user's
            return [Site(_place_of(cell), path, "construct", None, reason, cell, path, unread(error))]

    def _inside(self, path, cell, reason):
        if type(cell) in CONTAINERS:
            return self.enter(Site(_place_of(cell), "", "", cell, reason, cell, path))
        found = SiteFinder(path, cell, self, None, reason)
        construct = inner_function(type(cell).construct)
        if not found.follow(construct, cell, Origin.OWN):
            return self._unread(path, cell, reason)
        sites = found.finished()
        known = {site.called for site in sites if site.reason}
        for called, holder in held_by_objects(cell).items():
            if called not in known:
                text = f"{type(called).__name__} of {holder}"
                held = Site(place_of(construct), path, text, called, f"{holder} holds it", cell, text, _HELD)
                sites += self.enter(held)
        return sites

    def _unread(self, path, cell, reason):
        """Everything that a cell holds whose construct cannot be read: it may call any of it."""
        place, held = _place_of(cell), map(called_as, callables_in(parts_of(cell)))
        sites = [
            Site(place, path, "", called, reason, cell, self.path_of(called, ""), _UNREAD) for called in held if called
        ]
        return [part for site in sites for part in self.enter(site)]


def _place_of(cell):
    """The place of a cell's construct."""
    return place_of(inner_function(type(cell).construct))


def _paths(network):
    """Map each cell and primitive to its path: ``block.fc``, ``steps[0]``, ``table['a']``; leaves are not entered."""
    found, holders = {cell: path for path, cell in network.cells_and_names()}, set()
    waiting = [("", network)]
    for path, value in waiting:
        if isinstance(value, (Cell, Primitive)):
            found.setdefault(value, path)
        if id(value) not in holders:
            holders.add(id(value))
            waiting += _parts(path, value)
    return found


def _parts(path, value):
    """The contents of a user's cell, list, tuple or dict, each with its path."""
    if isinstance(value, Cell) and not is_leaf(value):
        held = {**class_attributes(value), **value.__dict__, **value._cells}
        return [(f"{path}.{name}".lstrip("."), part) for name, part in held.items() if name not in TABLES]
    if isinstance(value, (list, tuple)):
        return [(f"{path}[{index}]", part) for index, part in enumerate(value)]
    return [(f"{path}[{key!r}]", part) for key, part in value.items()] if isinstance(value, dict) else []
