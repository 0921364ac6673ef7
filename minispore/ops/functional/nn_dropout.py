"""Functional wrappers of dropout: elements or whole channels are zeroed in training, and the others scaled."""

from __future__ import annotations

from minispore.core.checks import plain
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.number_checks import check_number
from minispore.ops.operations.random import dropout as random
from minispore.ops.promotion import lowered_dtype

__all__ = ["dropout", "dropout1d", "dropout2d", "dropout3d"]


def _check_training(operation, training):
    if not isinstance(training, bool):
        raise type_error(operation, "the 'training' must be a bool", type(training).__name__)


def dropout(input: Tensor, p=0.5, training: bool = True, seed=None) -> Tensor:
    """Zero each element with probability ``p`` in training, and scale the others by ``1 / (1 - p)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor of its dtypes, ``p`` is not a float, or ``training`` is not a bool. Also
            if ``seed`` is not an int.
        ValueError: If ``p`` is out of range, or ``seed`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([1.0, 2.0, 3.0, 4.0])
        >>> print(ops.dropout(x, 0.5, training=False))
        [1. 2. 3. 4.]
        >>> ms.set_seed(1)
        >>> print(ops.dropout(x, 0.5))  # what is left is doubled
        [2. 4. 6. 0.]
    """
    check_tensors("dropout", input=input)
    _check_training("dropout", training)
    check_number("dropout", "p", p, "a float")
    if not 0 <= p < 1:
        raise value_error("dropout", "the 'p' must be in [0, 1)", p)
    if seed is not None:
        random.check_seeds("dropout", seed=seed)
    if not training:
        return input
    return make(random.Dropout, 1 - p, seed or 0)(input)[0] if p else cast(input, lowered_dtype(input))


def _dropout_of_channels(operation, kind, ranks, input, p, training):
    """Zero whole channels of ``input``, with axes added until the primitive takes it."""
    _check_training(operation, training)
    if not isinstance(input, Tensor):
        raise type_error(operation, "the 'input' must be a Tensor", type(input).__name__)
    if not isinstance(p, float) and not isinstance(p := plain(p), float):
        raise type_error(operation, "the 'p' must be a float", shown(p))
    if not 0 <= p <= 1:
        raise value_error(operation, "the 'p' must be in [0, 1]", p)
    if input.ndim not in ranks:
        expected = f"the 'input' must have {' or '.join(map(str, ranks))} axes"
        raise value_error(operation, expected, f"shape {input.shape}")
    return make(kind, 1 - p)(input)[0] if training else input


def dropout1d(input: Tensor, p=0.5, training: bool = True) -> Tensor:
    """Zero each channel of (N, C, L) or (C, L) with probability ``p`` in training, and scale the others.

    Shapes: (N, C, L) or (C, L), kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor of its dtypes, ``p`` is not a float, or ``training`` is not a bool.
        ValueError: If ``input`` does not have 2 or 3 axes, or ``p`` is not in [0, 1].

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.dropout1d(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 0.5, training=False))
        [[1. 2.]
         [3. 4.]]
        >>> print(ops.dropout1d(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 1.0))
        [[0. 0.]
         [0. 0.]]
    """
    shape = getattr(input, "shape", ())
    if len(shape) in (2, 3):
        input = input.reshape((*[1] * (3 - len(shape)), *shape, 1))
    elif isinstance(input, Tensor):
        raise value_error("dropout1d", "the 'input' must have 2 or 3 axes", f"shape {shape}")
    return _dropout_of_channels("dropout1d", random.Dropout2D, (4,), input, p, training).reshape(shape)


def dropout2d(input: Tensor, p=0.5, training: bool = True) -> Tensor:
    """Zero each channel of (N, C, H, W) with probability ``p`` in training, and scale the others.

    Shapes: (N, C, H, W) or (C, H, W), kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor of its dtypes, ``p`` is not a float, or ``training`` is not a bool.
        ValueError: If ``input`` does not have 4 axes, or ``p`` is not in [0, 1].

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.dropout2d(ms.Tensor([[[[1.0, 2.0]], [[3.0, 4.0]]]]), 0.0).ravel())
        [1. 2. 3. 4.]
    """
    return _dropout_of_channels("dropout2d", random.Dropout2D, (4,), input, p, training)


def dropout3d(input: Tensor, p=0.5, training: bool = True) -> Tensor:
    """Zero each channel of (N, C, D, H, W) with probability ``p`` in training, and scale the others.

    Shapes: (N, C, D, H, W) or (C, D, H, W), kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor of its dtypes, ``p`` is not a float, or ``training`` is not a bool.
        ValueError: If ``input`` does not have 5 axes, or ``p`` is not in [0, 1].

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.dropout3d(ms.Tensor([[[[[1.0, 2.0]]]]]), 0.0))
        [[[[[1. 2.]]]]]
    """
    return _dropout_of_channels("dropout3d", random.Dropout3D, (5,), input, p, training)
