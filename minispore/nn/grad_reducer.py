"""``DistributedGradReducer``: the gradients of all processes, of which there is one."""

from minispore.checks import check_bool, check_positive_int, check_text
from minispore.communication import GlobalComm
from minispore.context import get_auto_parallel_context
from minispore.errors import shown, type_error
from minispore.nest import leaves, map_leaves
from minispore.nn.cell import Cell
from minispore.parameter import Parameter
from minispore.tensor import Tensor

__all__ = ["DistributedGradReducer"]


class DistributedGradReducer(Cell):
    """The sum of the gradients over the processes, or their mean: in one process the gradients themselves.

    Args:
        parameters (list[Parameter]): The Parameters that the gradients are of.
        mean (bool): Whether to divide by ``degree``. Default: None, the setting ``gradients_mean``.
        degree (int): The number of processes. Default: None, 1.
        fusion_type (int): Accepted as in MindSpore. Default: 1.
        group (str): The group of processes. Default: the world group.

    Inputs:
        - **grads** (Union[Tensor, tuple[Tensor], list[Tensor]]) - The gradients.

    Raises:
        TypeError: If an argument or a gradient is of a wrong kind.
        ValueError: If ``degree`` is not positive.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(1, 1)
        >>> reducer = ms.nn.DistributedGradReducer(net.trainable_params())
        >>> print(*reducer((ms.Tensor(2.0), ms.Tensor(4.0))))
        2.0 4.0
    """

    def __init__(self, parameters, mean=None, degree=None, fusion_type=1, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(auto_prefix=False)
        if not isinstance(parameters, (list, tuple)) or not all(isinstance(p, Parameter) for p in parameters):
            expected = "the 'parameters' must be a list or tuple of Parameters"
            raise type_error("DistributedGradReducer", expected, shown(parameters))
        check_positive_int("DistributedGradReducer", "fusion_type", fusion_type)
        check_text("DistributedGradReducer", "group", group)
        if mean is not None:
            check_bool("DistributedGradReducer", "mean", mean)
        self.mean = get_auto_parallel_context("gradients_mean") if mean is None else mean
        self.degree = 1 if degree is None else check_positive_int("DistributedGradReducer", "degree", degree)

    def construct(self, grads):
        for grad in leaves(grads) if isinstance(grads, (tuple, list)) else [grads]:
            if not isinstance(grad, Tensor):
                expected = "the 'grads' must be a Tensor, or a tuple or list of Tensors"
                raise type_error("DistributedGradReducer", expected, shown(grad))
        if not self.mean or self.degree == 1:
            return grads
        return map_leaves(lambda grad: grad * (1.0 / self.degree), grads)
