"""Open the addresses of all modules that are there: the last thing that ``import minispore`` does."""

import sys

from minispore import ops, parallel
from minispore.core import context
from minispore.core._exports import show
from minispore.dropin import (
    addresses,
    announced_inputs,  # noqa: F401 - it attaches itself
    cell_spellings,  # noqa: F401 - it attaches itself
    finder,
    optimizer_spellings,  # noqa: F401 - it attaches itself
    parameter_spellings,  # noqa: F401 - it attaches itself
    primitive_spellings,  # noqa: F401 - it attaches itself
    python_seeds,  # noqa: F401 - it attaches itself
    search_settings,
    sparse,
    step_tools,  # noqa: F401 - it attaches itself
    tensor_spellings,  # noqa: F401 - it attaches itself
    tensor_ufuncs,  # noqa: F401 - it attaches itself
    unread_settings,
    withheld,  # noqa: F401 - it attaches itself
)
from minispore.rewrite.resolve.cell_contents import FRAMEWORK

__all__ = []

show(sparse, ops)
show(unread_settings, context)
show(search_settings, context, parallel)
FRAMEWORK += addresses.modules_below("nn", "ops", "amp")
finder.serve()
addresses.open_modules()
_front = vars(sys.modules["minispore"])
_front["_NAMES"] = _front.pop("__all__")  # with those of ``train``, which is imported when it is asked for
