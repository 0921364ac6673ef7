"""Open the addresses of all modules that are there: the last thing that ``import minispore`` does."""

import sys

from minispore import ops
from minispore.dropin import addresses, finder, sparse
from minispore.rewrite.resolve.cell_contents import FRAMEWORK

__all__ = []

vars(ops).update({name: getattr(sparse, name) for name in sparse.__all__})
ops.__all__ = sorted({*ops.__all__, *sparse.__all__})

FRAMEWORK += addresses.modules_below("nn", "ops", "amp")
finder.serve()
addresses.open_modules()
_front = vars(sys.modules["minispore"])
_front["_NAMES"] = _front.pop("__all__")  # with those of ``train``, which is imported when it is asked for
