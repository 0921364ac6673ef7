"""Open the addresses of all modules that are there: the last thing that ``import minispore`` does."""

import sys

from minispore import ops
from minispore.core._exports import show
from minispore.dropin import addresses, sparse, step_tools  # noqa: F401 - the last attaches itself
from minispore.rewrite.resolve.cell_contents import FRAMEWORK

__all__ = []

show(sparse, ops)

FRAMEWORK += addresses.modules_below("nn", "ops", "amp")
addresses.serve()
addresses.open_modules()
_front = vars(sys.modules["minispore"])
_front["_NAMES"] = _front.pop("__all__")  # with those of ``train``, which is imported when it is asked for
