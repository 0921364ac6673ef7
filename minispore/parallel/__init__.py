"""Several processes: what they say to one another, the reduction of gradients, and MindSpore's settings of both.

Reading order: ``settings``, ``communication``, ``overlapped_reduction``, ``grad_reducer``, ``_auto_parallel_context``,
``_utils``, ``_cost_model_context``, ``_ps_context``, ``_cell_wrapper``.
"""

__all__ = []
_SETTINGS = ["ParallelMode", "get_auto_parallel_context", "reset_auto_parallel_context", "set_auto_parallel_context"]
FRONT = f"communication settings:{','.join(_SETTINGS)}"
LISTED = ["communication", "parallel", *_SETTINGS]
