"""Several processes: what they say to one another, the reduction of gradients, and MindSpore's settings of both.

Reading order: ``communication``, ``overlapped_reduction``, ``grad_reducer``, ``_auto_parallel_context``, ``_utils``,
``_cost_model_context``, ``_ps_context``, ``_cell_wrapper``.
"""

from minispore.core.context import get_algo_parameters, reset_algo_parameters, set_algo_parameters

__all__ = ["get_algo_parameters", "reset_algo_parameters", "set_algo_parameters"]
FRONT, LISTED = "communication", ["communication", "parallel"]
