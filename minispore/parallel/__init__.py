"""MindSpore's address of how training is spread; one process computes here.

Reading order: ``_auto_parallel_context``, ``_utils``, ``_cost_model_context``, ``_ps_context``, ``_cell_wrapper``.
"""

from minispore.context import get_algo_parameters, reset_algo_parameters, set_algo_parameters

__all__ = ["get_algo_parameters", "reset_algo_parameters", "set_algo_parameters"]
