"""Graph mode: functions and cells whose operations are recorded once for each kind of input, and replayed after that.

Read ``recorder`` (what is noted of a run), ``comparing`` (whether two runs did the same), ``plan`` and ``replay`` (the
notes as a straight-line function), ``arguments`` and ``surroundings`` (what a replay relies on), ``calls`` (when to
record, replay or run), ``words`` (MindSpore's names for it).
"""

from minispore.graph.jit import JitConfig, jit, ms_function

__all__ = ["JitConfig", "jit", "ms_function"]
