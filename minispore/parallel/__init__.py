"""Several processes: what they say to one another, the reduction of gradients, and MindSpore's settings of both.

Reading order: ``communication``, ``collective``, ``overlapped_reduction``, ``grad_reducer``, ``data_parallel``,
``_auto_parallel_context``, ``_utils``, ``_cost_model_context``, ``_ps_context``, ``_cell_wrapper``.
"""

from minispore import nn, ops
from minispore.core._exports import show
from minispore.core.context import get_algo_parameters, reset_algo_parameters, set_algo_parameters
from minispore.nn.layer.normalization import SyncBatchNorm
from minispore.parallel import collective, data_parallel, grad_reducer  # noqa: F401 - data_parallel attaches itself

__all__ = ["get_algo_parameters", "reset_algo_parameters", "set_algo_parameters"]
FRONT, LISTED = "communication", ["communication", "parallel"]

show(collective, ops.operations, ops)
show(grad_reducer, nn)
SyncBatchNorm._total = collective.AllReduce()
