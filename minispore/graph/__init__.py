"""Graph mode: the operations of a function or cell are recorded once for each kind of input, and replayed after that.

Reading order: ``facts`` (of primitives), ``outputs`` (what a replayed function may return), ``recorder`` (what is noted
of a run), ``same_run`` (whether two runs did the same), ``optimize``, ``unpacked_float16`` and ``replay`` (the notes as
a straight-line function), ``one_launch`` (a pass for what a GPU captures), ``signature``, ``opcodes``, ``bytecode``,
``visible_state``, ``reach``, ``state_checks`` and ``guards`` (what a replay relies on), ``jit_function`` (when to
record, replay or run), ``mode`` (graph mode, for all cells), ``values`` and ``jit`` (MindSpore's names for it).
"""

from minispore.graph import mode as mode  # puts its layer on when the mode changes
from minispore.graph.jit import JitConfig, jit, ms_function
from minispore.graph.values import jit_class, ms_class, mutable

__all__ = ["JitConfig", "jit", "jit_class", "ms_class", "ms_function", "mutable"]
FRONT, LISTED = "jit:JitConfig,jit,ms_function values:jit_class,ms_class,mutable", __all__
