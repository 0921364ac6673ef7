"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.graph import *
from minispore.later import lazy_inline as lazy_inline, ms_memory_recycle as ms_memory_recycle, no_inline as no_inline, set_recursion_limit as set_recursion_limit
from minispore.runtime import _pynative_executor as _pynative_executor
