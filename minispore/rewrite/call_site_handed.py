"""HandedOver: values that the code mentions without a call; what gets them may call them."""

from types import FunctionType

from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.resolve.cell_contents import COLLECTIONS, callables_in, parts_of
from minispore.rewrite.resolve.expression_value import Origin
from minispore.rewrite.resolve.package_functions import is_package_function
from minispore.rewrite.site_record import FUNCTIONS, NAMED, name_of

__all__ = ["DEFAULT", "HANDED", "SHOWN", "HandedOver"]

DEFAULT = "it is the default of a parameter"
HANDED = "it is handed over as a value"
SHOWN = (Cell, Primitive, *COLLECTIONS)  # values that show their parts; a function does not


class HandedOver:
    """Base of SiteFinder: mentions the cells and primitives that a value is or holds, and visits its functions."""

    def _mention_part(self, node, called, reason, text=None, way=Origin.NAMED):
        """Mention a cell, a primitive or a function of the package; visit a function of the user's."""
        if isinstance(called, FunctionType) and is_package_function(called):
            self._mention(node, name_of(called), HANDED, text)
        elif isinstance(called, FUNCTIONS):
            self._follow_handed(node, None, called, way)
        else:
            self._mention(node, called, reason, text)

    def _mention_held(self, node, cell):
        """Mention all cells and primitives that a cell holds: it is passed on, or its children are requested."""
        for called in callables_in(parts_of(cell)):
            self._mention_part(node, called, "", None, Origin.OWN)

    def _mention_default(self, parameter, value, reason):
        if is_package_function(value):
            self._mention(parameter, name_of(value), reason or DEFAULT, parameter.arg)
        elif isinstance(value, SHOWN):
            for called in callables_in(value):
                self._mention_part(parameter, called, reason, parameter.arg)

    def _follow_handed(self, node, callee, value, way):
        """Visit a function that the code names without calling it: its calls may never happen."""
        before = {id(site) for site in self.sites}
        self._follow_function(node, callee, value, way)
        self.sites = [s if s.doubt or id(s) in before else s._replace(doubt=NAMED) for s in self.sites]
