"""Open the addresses of all modules that are there: the last thing that ``import minispore`` does."""

import sys

from minispore import ops, parallel
from minispore.core import context
from minispore.dropin import addresses, cell_spellings, optimizer_spellings, sparse, unread_settings
from minispore.parallel import settings
from minispore.rewrite.resolve.cell_contents import FRAMEWORK

__all__ = []


def _show(module, source, names):
    """Let a module have names of another, as MindSpore's module at its address has."""
    vars(module).update({name: getattr(source, name) for name in names})
    module.__all__ = sorted({*module.__all__, *names})


_show(ops, sparse, sparse.__all__)
_show(context, settings, settings.__all__)
_show(context, unread_settings, unread_settings.__all__)
_show(parallel, unread_settings, [name for name in unread_settings.__all__ if "algo" in name])
for spellings in (cell_spellings, optimizer_spellings):
    spellings.add()
FRAMEWORK += addresses.modules_below("nn", "ops", "amp")
addresses.serve()
addresses.open_modules()
_front = vars(sys.modules["minispore"])
_front["_NAMES"] = _front.pop("__all__")  # with those of ``train``, which is imported when it is asked for
