"""AdaSum: a sum of two processes' steps that is their mean where they agree and their sum where they are orthogonal."""

from minispore.checks import check_choice, check_int, check_positive_int
from minispore.dtype import float32
from minispore.errors import shown, type_error, value_error
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.parameter import Parameter, ParameterTuple
from minispore.tensor import Tensor

__all__ = ["AdaSum", "adasum"]


def adasum(a, b):
    """``(1 - a.b / (2 |a|^2)) a + (1 - a.b / (2 |b|^2)) b``, summed in float32; a zero Tensor changes nothing.

    Source: Maleki et al., Scaling distributed training with adaptive summation, 2021.

    Args:
        a (Tensor): One process's step of a Parameter, or its gradient.
        b (Tensor): Another's, of the same shape and dtype.

    Raises:
        TypeError: If one is not a Tensor, or the dtypes differ.
        ValueError: If the shapes differ.

    Examples:
        >>> import minispore as ms
        >>> from minispore.boost.adasum import adasum
        >>> print(adasum(ms.Tensor([2.0, 0.0]), ms.Tensor([2.0, 0.0])))
        [2. 0.]
        >>> print(adasum(ms.Tensor([2.0, 0.0]), ms.Tensor([0.0, 3.0])))
        [2. 3.]
    """
    if not isinstance(a, Tensor) or not isinstance(b, Tensor) or a.dtype != b.dtype:
        expected = "'a' and 'b' must be Tensors of one dtype"
        raise type_error("adasum", expected, tuple(getattr(x, "dtype", type(x).__name__) for x in (a, b)))
    if a.shape != b.shape:
        raise value_error("adasum", "'a' and 'b' must have the same shape", (a.shape, b.shape))
    wide_a, wide_b = a.astype(float32), b.astype(float32)
    product = (wide_a * wide_b).sum()
    return (_share(wide_a, product) * wide_a + _share(wide_b, product) * wide_b).astype(a.dtype)


def _share(x, product):
    """``1 - product / (2 |x|^2)``, and 1 for a zero ``x``, which multiplies zeros only."""
    square = (x * x).sum()
    return 1 - product / F.select(square > 0, 2 * square, F.ones_like(square))


class AdaSum(Cell):
    """Set ``parameters = old_parameters - combined``: the steps of a group of processes, combined by :func:`adasum`.

    A group of one process has one step, which is the combined one. Other processes are refused.

    Args:
        rank (int): The number of the process, 0.
        device_number (int): How many processes share their steps' sum, 1.
        group_number (int): How many groups are combined, 1.
        parameter_tuple (Union[tuple, list]): The Parameters.

    Inputs:
        - **delta_weights** (tuple[Tensor]) - The process's step for each Parameter: old values minus new.
        - **parameters** (tuple[Parameter]) - The Parameters, which are set.
        - **old_parameters** (tuple[Tensor]) - The values before the step.

    Outputs:
        The Parameters.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If there is more than one process or group.

    Examples:
        >>> import minispore as ms
        >>> w, old = ms.Parameter([0.0], name="w"), ms.Tensor([3.0])
        >>> _ = ms.boost.AdaSum(0, 1, 1, (w,))((ms.Tensor([1.0]),), (w,), (old,))
        >>> print(w.asnumpy())
        [2.]
    """

    def __init__(self, rank, device_number, group_number, parameter_tuple):
        super().__init__(auto_prefix=False)
        name = "AdaSum"
        self.rank = check_int(name, "rank", rank, 0, 1)
        for argument, value in (("device_number", device_number), ("group_number", group_number)):
            check_choice(name, argument, check_positive_int(name, argument, value), (1,))
        if not isinstance(parameter_tuple, (tuple, list)) or not all(isinstance(p, Parameter) for p in parameter_tuple):
            raise type_error(name, "the 'parameter_tuple' must be a tuple of Parameters", shown(parameter_tuple))
        self.parameter_tuple = ParameterTuple(parameter_tuple)

    def construct(self, delta_weights, parameters, old_parameters):
        """Take the step from the old values."""
        for delta, parameter, old in zip(delta_weights, parameters, old_parameters, strict=True):
            F.assign(parameter, old - delta)
        return parameters
