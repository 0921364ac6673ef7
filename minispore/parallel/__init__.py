"""Several processes: what they say to one another, the reduction of gradients, and MindSpore's settings of both.

Reading order: ``settings``, ``communication``, ``collective``, ``overlapped_reduction``, ``grad_reducer``,
``data_parallel``, ``_auto_parallel_context``, ``_utils``, ``_cost_model_context``, ``_ps_context``, ``_cell_wrapper``.
"""

from minispore import nn, ops
from minispore.core import context
from minispore.core._exports import show
from minispore.nn.layer.normalization import SyncBatchNorm
from minispore.parallel import collective, data_parallel, grad_reducer, settings  # noqa: F401 - data_parallel attaches

__all__ = []
FRONT = f"communication settings:{','.join(settings.__all__)}"
LISTED = ["communication", "parallel", *settings.__all__]

show(collective, ops.operations, ops)
show(grad_reducer, nn)
show(settings, context)
SyncBatchNorm._total = collective.AllReduce()
