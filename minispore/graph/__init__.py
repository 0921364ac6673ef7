"""Graph mode: the operations of a function or cell are recorded once for each kind of input, and replayed after that.

Reading order: ``facts`` (of primitives), ``outputs`` (the results that a replay can return), ``recorder`` (the record
of a run), ``same_run`` (the comparison of two runs), ``optimize``, ``unpacked_float16`` and ``replay`` (the record as
a straight-line function), ``one_launch``, ``unscaled_update``, ``narrow_layer_norm``, ``elementwise_groups``,
``sums_together`` and ``constant_steps`` (passes for captured steps on a GPU), ``signature``, ``opcodes``,
``bytecode``, ``visible_state``, ``reach``, ``state_checks`` and ``guards`` (the state that a replay relies on),
``jit_function`` (the choice: record, replay or run), ``mode`` (graph mode, for all cells), ``values`` and ``jit``
(MindSpore's names for it).
"""

from minispore.graph import mode as mode  # installs its layer when the mode changes
from minispore.graph.jit import JitConfig, jit, ms_function
from minispore.graph.values import jit_class, ms_class, mutable

__all__ = ["JitConfig", "jit", "jit_class", "ms_class", "ms_function", "mutable"]
FRONT, LISTED = "jit:JitConfig,jit,ms_function values:jit_class,ms_class,mutable", __all__
