"""MindSpore's older address of the transforms that Python computes."""

from minispore.data.dataset.transforms.arrays import OneHot
from minispore.data.dataset.transforms.base import PyTensorOperation, TensorOperation
from minispore.data.dataset.transforms.compound import Compose, RandomApply, RandomChoice, RandomOrder

__all__ = [
    "Compose",
    "OneHotOp",
    "PyTensorOperation",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "TensorOperation",
]


class OneHotOp(OneHot):
    """:class:`~minispore.dataset.transforms.OneHot` under its older name.

    A vector of one label keeps its axis.
    """

    def _array(self, x):
        out = super()._array(x)
        return out[None] if x.ndim and out.ndim == 1 else out
