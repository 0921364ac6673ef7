"""Lists of a Cell's Parameters, and the names that they have in it."""

from __future__ import annotations

import logging
from collections import OrderedDict
from weakref import WeakSet

from minispore.core import nest
from minispore.core.checks import check_switch, check_text
from minispore.core.errors import value_error
from minispore.core.parameter import Parameter

__all__ = []

_log = logging.getLogger("minispore")
_warned = WeakSet()  # cells already named in a warning of unowned cells


class ParameterLists:
    """Base of CellTree: lists of the Parameters that its walks meet."""

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters with ``requires_grad``, as a list.

        As in MindSpore, a cell does not own cells in a tuple, list or dict: a warning names them once.
        """
        check_switch("trainable_params", "recurse", recurse)
        if recurse:
            self._warn_of_unowned()
        return [p for p in self.get_parameters(recurse) if p.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters without ``requires_grad``, as a list."""
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def _warn_of_unowned(self):
        """Warn once of each tuple, list and dict of cells whose Parameters no cell owns."""
        owned = dict.fromkeys(cell for _, cell in self.cells_and_names())
        for cell in [cell for cell in owned if cell not in _warned]:
            for name, value in cell.__dict__.items():
                if nest.is_nest(value) and any(
                    _is_trainable(part) and part not in owned for part in nest.leaves(value)
                ):
                    _warned.add(cell)
                    kind, holder = type(cell).__name__, type(value).__name__
                    _log.warning(
                        "For '%s', the cells in the %s '%s' are not owned, so nothing trains their Parameters: "
                        "make it a CellList or a SequentialCell.",
                        kind,
                        holder,
                        name,
                    )

    def parameters_dict(self, recurse: bool = True) -> dict[str, Parameter]:
        """The Parameters by name, in order."""
        return OrderedDict((p.name, p) for p in self.get_parameters(recurse))

    def parameters_broadcast_dict(self, recurse: bool = True) -> dict[str, Parameter] | None:
        """The Parameters by name, in order; None if there are none."""
        return self.parameters_dict(recurse) or None

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Name each Parameter ``prefix`` and its path."""
        check_switch("update_parameters_name", "recurse", recurse)
        check_text("update_parameters_name", "prefix", prefix)
        for path, parameter in list(self.parameters_and_names(expand=recurse)):
            parameter.name = prefix + path

    def check_names(self) -> None:
        """Check that no two Parameters have the same name.

        Raises:
            ValueError: If two have; the message gives the name.
        """
        names = set()
        for path, parameter in self.parameters_and_names():
            if parameter.name in names:
                raise value_error(
                    type(self).__name__, f"the name of '{path}' must be unique", f"'{parameter.name}' twice"
                )
            names.add(parameter.name)


def _is_trainable(value):
    return isinstance(value, ParameterLists) and any(p.requires_grad for p in value.get_parameters())
