"""Activation layers."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool, check_int, check_positive_int, check_text, plain
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.initializer import initializer
from minispore.nn.layer import activation_piecewise as hard
from minispore.nn.layer import activation_smooth as soft
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.list_checks import check_axes

__all__ = ["GELU", "LogSoftmax", "PReLU", "ReLU", "ReLU6", "Sigmoid", "Softmax", "Tanh", "get_activation"]


class ReLU(Cell):
    """Rectified linear unit: ``out = max(x, 0)``.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ReLU()(ms.Tensor([-1.0, 2.0])))
        [0. 2.]
    """

    def __init__(self) -> None:
        super().__init__()
        self.relu = F.relu

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.relu(x)


class ReLU6(Cell):
    """ReLU cut at 6: ``out = min(max(x, 0), 6)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ReLU6()(ms.Tensor([-1.0, 2.0, 9.0])))
        [0. 2. 6.]
    """

    def __init__(self) -> None:
        super().__init__()
        self.relu6 = F.relu6

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.relu6(x)


class Sigmoid(Cell):
    """Logistic function: ``out = 1 / (1 + e ** -x)``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Raises:
        TypeError: If ``x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Sigmoid()(ms.Tensor([0.0])))
        [0.5]
    """

    def __init__(self) -> None:
        super().__init__()
        self.sigmoid = F.sigmoid

    def construct(self, input_x) -> Tensor:
        """Apply the operation."""
        return self.sigmoid(input_x)


class Tanh(Cell):
    """Hyperbolic tangent: ``out = tanh x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Raises:
        TypeError: If ``x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Tanh()(ms.Tensor([0.0])))
        [0.]
    """

    def __init__(self) -> None:
        super().__init__()
        self.tanh = F.tanh

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.tanh(x)


class GELU(Cell):
    """Gaussian error linear unit, in the tanh form or exactly (``approximate=False``).

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``approximate`` is not a bool, or ``x`` is not a floating Tensor.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.GELU()(ms.Tensor([0.0, 10.0])))
        [ 0. 10.]
    """

    def __init__(self, approximate: bool = True) -> None:
        super().__init__()
        self.approximate = check_bool("GELU", "approximate", approximate)

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.gelu(x, "tanh" if self.approximate else "none")


class Softmax(Cell):
    """``out = e ** x / sum of e ** x`` along ``axis``.

    Shapes: any but (), kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``x`` is not a Tensor. Also if an input is
            complex.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Softmax()(ms.Tensor([0.0, 0.0])))
        [0.5 0.5]
    """

    def __init__(self, axis=-1) -> None:
        super().__init__()
        self.axis = check_axes("Softmax", "axis", axis)

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.softmax(x, self.axis)


class LogSoftmax(Cell):
    """``out = x - log(sum of e ** x)`` along ``axis``.

    Shapes: any but (), kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``axis`` is not an int, ``x`` is not a Tensor, or an input is complex.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.LogSoftmax()(ms.Tensor([0.0, 0.0])))
        [-0.6931472 -0.6931472]
    """

    def __init__(self, axis=-1) -> None:
        super().__init__()
        self.axis = check_int("LogSoftmax", "axis", axis)

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.log_softmax(x, self.axis)


class PReLU(Cell):
    """Parametric ReLU: ``out = max(x, 0) + w * min(x, 0)`` with one ``w``, or one for each of ``channel`` channels.

    Shapes: any, kept; () gives (1,). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``channel`` is not an int, ``w`` is not a float, a list or a Tensor, or ``x`` is not a Tensor.
            Also if an input is complex.
        ValueError: If ``channel`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.PReLU()(ms.Tensor([-1.0, 2.0])))
        [-0.25  2.  ]
    """

    def __init__(self, channel=1, w=0.25) -> None:
        super().__init__()
        channel = check_positive_int("PReLU", "channel", channel)
        w = w if isinstance(w, Tensor) else plain(w)
        if isinstance(w, bool) or not isinstance(w, (int, float, list, Tensor)):
            raise type_error("PReLU", "the 'w' must be a float, a list or a Tensor", shown(w))
        values = Tensor(w, float32) if isinstance(w, (list, Tensor)) else initializer(w, (channel,))
        if values.shape != (channel,):
            raise value_error("PReLU", f"the 'w' must have the shape {(channel,)}", values.shape)
        self.w = Parameter(values, name="a")  # MindSpore's name for it where the layer stands alone
        self.prelu = F.prelu

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.prelu(x, F.cast(self.w, x.dtype))


# MindSpore's name, which scripts read
_activation = {
    "elu": hard.ELU,
    "fast_gelu": soft.FastGelu,
    "gelu": GELU,
    "hardtanh": hard.Hardtanh,
    "hshrink": hard.HShrink,
    "hsigmoid": hard.HSigmoid,
    "hswish": hard.HSwish,
    "leakyrelu": hard.LeakyReLU,
    "logsigmoid": soft.LogSigmoid,
    "logsoftmax": LogSoftmax,
    "mish": soft.Mish,
    "prelu": PReLU,
    "relu": ReLU,
    "relu6": ReLU6,
    "rrelu": hard.RReLU,
    "sigmoid": Sigmoid,
    "silu": soft.SiLU,
    "softmax": Softmax,
    "softmax2d": soft.Softmax2d,
    "softmin": soft.Softmin,
    "softshrink": hard.SoftShrink,
    "softsign": soft.Softsign,
    "tanh": Tanh,
    "tanhshrink": soft.Tanhshrink,
    "threshold": hard.Threshold,  # MindSpore lists it too, though it cannot be made without arguments: a TypeError
}


def get_activation(name, prim_name=None) -> Any:
    """A new activation layer by its name, such as "relu"; None for None.

    Shapes: any, kept. Dtypes: those that the layer takes.

    Raises:
        KeyError: If there is no such activation.
        TypeError: If the layer cannot be made without arguments: "threshold".

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.get_activation("relu")(ms.Tensor([-1.0, 2.0])))
        [0. 2.]
    """
    if prim_name is not None:
        check_text("get_activation", "prim_name", prim_name)
    if name is None:
        return None
    if check_text(prim_name or "get_activation", "name", name) not in _activation:
        raise KeyError(
            f"For '{prim_name or 'get_activation'}', the 'name' must be one of {sorted(_activation)}, but got '{name}'."
        )
    return _activation[name]()
