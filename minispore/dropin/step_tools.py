"""The attributes of MindSpore's training steps and of its GradOperation, for users' own steps."""

from minispore.amp import TrainOneStepWithLossScaleCell
from minispore.core.context import get_context
from minispore.core.dtype import float32, int32
from minispore.core.tensor import Tensor
from minispore.nn.wrap import TrainOneStepCell
from minispore.ops import operations as P  # noqa: N812 - the conventional name
from minispore.ops.composite import GradOperation, HyperMap
from minispore.parallel.collective import AllReduce
from minispore.parallel.settings import get_auto_parallel_context

__all__ = []


def _give_subclasses_their_tools(self):
    """Provide the attributes that a user's own step uses, under MindSpore's names."""
    self.hyper_map, self.allreduce, self.is_distributed = HyperMap(), AllReduce(), self.reducer_flag
    self.equal, self.less_equal, self.logic_not = P.Equal(), P.LessEqual(), P.LogicalNot()
    self.reduce_sum, self.reduce_all = P.ReduceSum(keep_dims=False), P.ReduceAll(keep_dims=False)
    self.base, self.base0 = Tensor(1, float32), Tensor(0, int32)
    self.gpu_target = get_context("device_target") == "GPU"


class _ParallelMode:
    """The ``parallel_mode`` of a step: the setting, unless the step has set its own."""

    def __get__(self, step, kind=None):
        return get_auto_parallel_context("parallel_mode")


GradOperation.fn = GradOperation.grad_fn = GradOperation.weights_id = None
GradOperation.pynative_, GradOperation.grad_position = False, (0,)
TrainOneStepCell.parallel_mode = _ParallelMode()
TrainOneStepWithLossScaleCell.attached.append(_give_subclasses_their_tools)
