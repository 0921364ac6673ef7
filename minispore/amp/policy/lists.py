"""The lists of mixed precision: O1's classes for float16, O2's classes for float32, and the lists of "auto".

Source: ``AMP_WHITE_LIST`` and ``AMP_BLACK_LIST`` of MindSpore r2.1's amp module; ``AMP_AUTO_WHITE_LIST`` and
``AMP_AUTO_BLACK_LIST`` as MindSpore 2.7.0 shows them, and its list without a name as it behaves.
"""

from __future__ import annotations

import logging

from minispore import nn, ops
from minispore.core.errors import shown, type_error

__all__ = ["AMP_AUTO_BLACK_LIST", "AMP_AUTO_WHITE_LIST", "get_black_list", "get_white_list"]

AMP_WHITE_LIST = (
    *(nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.Conv1dTranspose, nn.Conv2dTranspose, nn.Conv3dTranspose),
    *(nn.Dense, nn.LSTMCell, nn.RNNCell, nn.GRUCell),
    *(ops.Conv2D, ops.Conv3D, ops.Conv2DTranspose, ops.Conv3DTranspose, ops.Conv2DBackpropInput),
    *(ops.MatMul, ops.BatchMatMul, ops.PReLU, ops.ReLU, ops.Ger),
)
AMP_BLACK_LIST = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm)

AMP_AUTO_WHITE_LIST = [
    *(ops.Conv2D, ops.Conv3D, ops.Conv2DTranspose, ops.Conv3DTranspose),
    *(ops.MatMul, ops.BatchMatMul, ops.PReLU, ops.Einsum),
]
AMP_AUTO_BLACK_LIST = [
    *(ops.Pow, ops.ACos, ops.Asin, ops.Cosh, ops.Erfinv, ops.Exp, ops.Expm1, ops.Log, ops.Log10, ops.Log1p, ops.Log2),
    *(ops.Reciprocal, ops.Rsqrt, ops.Sinh, ops.Tan, ops.Softplus, ops.LayerNorm, ops.BatchNorm, ops.KLDivLoss),
    *(ops.SmoothL1Loss, ops.BCEWithLogitsLoss, ops.Cdist, ops.Renorm, ops.ReduceProd, ops.Softmax, ops.LogSoftmax),
    *(ops.CumProd, ops.CumSum, ops.NLLLoss, ops.TripletMarginLoss, ops.MultiMarginLoss, ops.MultilabelMarginLoss),
    *(ops.SoftMarginLoss, ops.Pdist),
]
AUTO_PROMOTE_LIST = [
    *(ops.BiasAdd, ops.Concat, ops.AddN, ops.Addcmul, ops.Addcdiv, ops.Cross),
    *(ops.LSTMSequence, ops.GRUSequence, ops.RNNSequence),
]
# MindSpore computes each of these by several operations, and the last one is black-listed or makes float32. Here each
# is one operation. A sum is MindSpore's SumExt, which is black-listed; here ReduceSum computes it.
AUTO_BLACK_HERE = [ops.ReduceSum, ops.LogSigmoid, ops.LogAddExp]

BATCH_NORMS = (nn.SyncBatchNorm,)  # count as BatchNorm wherever the black list is used


def get_white_list() -> list[type]:
    """A copy of the built-in white list: the classes that O1 computes in float16.

    Returns:
        list of Cell and Primitive classes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Conv2d in ms.amp.get_white_list(), ms.nn.LayerNorm in ms.amp.get_white_list())
        True False
    """
    return list(AMP_WHITE_LIST)


def get_black_list() -> list[type]:
    """A copy of the built-in black list: the Cell classes that O2 keeps in float32.

    Returns:
        list of Cell classes.

    Examples:
        >>> import minispore as ms
        >>> print([kind.__name__ for kind in ms.amp.get_black_list()])
        ['BatchNorm1d', 'BatchNorm2d', 'BatchNorm3d', 'LayerNorm']
    """
    return list(AMP_BLACK_LIST)


def check_white_list(white_list):
    """Raise TypeError unless ``white_list`` is a list of Cell or Primitive classes."""
    _check_classes("white_list", white_list, (nn.Cell, ops.Primitive), "'Cell' or 'Primitive'")


def check_black_list(black_list):
    """Raise TypeError unless ``black_list`` is a list of Cell classes; warn of each built-in class it leaves out."""
    _check_classes("black_list", black_list, (nn.Cell,), "'Cell'")
    for left_out in AMP_BLACK_LIST:
        if left_out not in black_list:
            logging.getLogger("minispore").warning("%s is removed from the built-in black list.", left_out)


def _check_classes(name, classes, bases, names):
    if not isinstance(classes, list):
        raise type_error("custom_mixed_precision", f"the '{name}' must be a list", type(classes).__name__)
    for element in classes:
        if not isinstance(element, type) or not issubclass(element, bases):
            expected = f"each element of the '{name}' must be a subclass of {names}"
            raise type_error("custom_mixed_precision", expected, shown(element))
