"""LRN: each element over a power of the squares in the channels beside it."""

from __future__ import annotations

from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops.operations.nn import composed

__all__ = ["LRN"]


class LRN(Cell):
    """Local response normalization (Krizhevsky et al., 2012): the operation ``ops.LRN`` as a layer.

    Shapes: (N, C, H, W), kept. Dtypes: floats and complex, kept; ints give float32; TypeError for bools.

    Args:
        depth_radius (int): How many channels on each side count. Default: 5.
        bias (float): Default: 1.0.
        alpha (float): Default: 1.0.
        beta (float): The power. Default: 0.5.
        norm_region (str): "ACROSS_CHANNELS".

    Raises:
        TypeError: If ``depth_radius`` is not an int, ``bias`` is not a float, or ``alpha`` or ``beta`` is not a number.
            Also if the input is not a Tensor.
        ValueError: If ``depth_radius`` is below 0, ``bias``, ``alpha`` or ``beta`` is not finite, ``norm_region`` is
            unknown, or the input does not have 4 axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.LRN()(ms.ops.zeros((1, 1, 1, 2))))
        [[[[0. 0.]]]]
    """

    def __init__(
        self, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta=0.5, norm_region="ACROSS_CHANNELS"
    ) -> None:
        super().__init__()
        self.lrn_op = composed.LRN(depth_radius, bias, alpha, beta, norm_region)

    def construct(self, input_x) -> Tensor:
        """Normalize."""
        return self.lrn_op(input_x)
