"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['GradOperation', 'HyperMap', 'Map', 'MultitypeFuncGraph', 'Partial', 'add_flags', 'constexpr', 'partial']

from minispore.ops import GradOperation as GradOperation
from minispore.ops import HyperMap as HyperMap
from minispore.ops import Map as Map
from minispore.ops import MultitypeFuncGraph as MultitypeFuncGraph
from minispore.ops import Partial as Partial
from minispore.ops import add_flags as add_flags
from minispore.ops import constexpr as constexpr
from minispore.ops import partial as partial
