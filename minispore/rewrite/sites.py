"""Sites: where in the user's source a network calls its cells, its primitives and the functions that stand for some.

Unlike a tree, which is to be edited, a list of sites looks into everything: loops, lambdas, methods, functions of the
user's modules. A site that no edit of the trees reaches says why.
"""

import inspect

from minispore.nn.cell import Cell
from minispore.nn.container import CellList, SequentialCell
from minispore.rewrite.holding import is_leaf
from minispore.rewrite.meaning import Way, held_by_objects
from minispore.rewrite.site_finder import Site, SiteFinder, place_of

__all__ = ["Site", "call_sites"]


def call_sites(network):
    """Every call of a leaf in the constructs of a network's own cells, in the order of the cells and of evaluation.

    A leaf whose call is not found by its name (the element of a container, or of a list that a loop runs over) stands
    where the cell that holds it is called, or else at the construct of that cell.

    Returns:
        list[Site].
    """
    sites, places = [], {}
    waiting = [(path, cell) for path, cell in network.cells_and_names() if not is_leaf(cell) or cell is network]
    known = {cell for _, cell in waiting}
    for path, cell in waiting:
        found, outside = _sites_of(path, cell)
        sites += found
        more = [
            (f"{text}.{name}".rstrip("."), each)
            for one, text in outside.items()
            for name, each in one.cells_and_names()
        ]
        waiting += [(name, each) for name, each in more if not is_leaf(each) and each not in known]
        known.update(each for _, each in more)
        places.update((site.called, site.place) for site in found if isinstance(site.called, Cell))
        for name, child in cell._cells.items():
            if child is not None and child not in places:
                places[child] = places.get(cell) or place_of(inspect.unwrap(type(cell).construct))
                sites.append(Site(places[child], path, f"self.{name}", child, "", cell))
    return [site for site in sites if not isinstance(site.called, Cell) or is_leaf(site.called)]


def _sites_of(path, cell):
    """The sites in what a cell's construct runs, and of what objects hold that it holds; the user's cells it names."""
    if type(cell) in (SequentialCell, CellList):
        return [], {}
    found = SiteFinder(path, cell)
    construct = inspect.unwrap(type(cell).construct)
    found.follow(construct, cell, Way.OWN)
    known = {site.called for site in found.sites if site.reason}
    for called, holder in held_by_objects(cell).items():
        if called not in known:
            text = f"{type(called).__name__} of {holder}"
            found.sites.append(Site(place_of(construct), path, text, called, f"{holder} holds it", cell))
    return found.sites, found.outside
