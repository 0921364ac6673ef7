"""Activation layers in pieces: ELU and its kin, hard and shrinking ones, LeakyReLU and RReLU."""

from __future__ import annotations

from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_number
from minispore.ops.operations.nn import activation_piecewise

__all__ = [
    "CELU",
    "ELU",
    "HShrink",
    "HSigmoid",
    "HSwish",
    "Hardtanh",
    "LeakyReLU",
    "RReLU",
    "SeLU",
    "SoftShrink",
    "Threshold",
]


class LeakyReLU(Cell):
    """``out = x where x > 0, else alpha * x``.

    Shapes: any, kept. Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Args:
        alpha (Union[int, float]): The slope below 0. Default: 0.2.

    Raises:
        TypeError: If ``alpha`` is not a number.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.LeakyReLU()(ms.Tensor([-1.0, 2.0])))
        [-0.2  2. ]
    """

    def __init__(self, alpha: int | float = 0.2) -> None:
        super().__init__()
        check_number("LeakyReLU", "alpha", alpha)
        self.alpha = alpha

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.leaky_relu(x, self.alpha)


class ELU(Cell):
    """Exponential linear unit: ``out = x where x > 0, else e ** x - 1``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        alpha (float): 1.0, the only value that MindSpore takes.

    Raises:
        TypeError: If ``alpha`` is not a float, or x is not floating.
        ValueError: If ``alpha`` is not 1.0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ELU()(ms.Tensor([-1.0, 2.0])))
        [-0.63212055  2.        ]
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.elu = activation_piecewise.Elu(alpha)

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.elu(x)


class CELU(Cell):
    """Continuous exponential linear unit: ``out = max(x, 0) + min(alpha * (e ** (x / alpha) - 1), 0)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        alpha (float): Default: 1.0.

    Raises:
        TypeError: If ``alpha`` is not a float, or x is not floating.
        ValueError: If ``alpha`` is 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.CELU(0.5)(ms.Tensor([-1.0, 2.0])))
        [-0.43233237  2.        ]
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.celu = activation_piecewise.CeLU(alpha)

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.celu(x)


class SeLU(Cell):
    """Scaled ELU: ``out = 1.0507 * (x where x > 0, else 1.67326 * (e ** x - 1))``.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.SeLU()(ms.Tensor([0.0, 2.0])))
        [0.       2.101402]
    """

    def __init__(self) -> None:
        super().__init__()
        self.selu = F.selu

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.selu(x)


class HSigmoid(Cell):
    """Hard logistic function: ``out = min(max((x + 3) / 6, 0), 1)``.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.HSigmoid()(ms.Tensor([-4.0, 0.0, 4.0])))
        [0.  0.5 1. ]
    """

    def __init__(self) -> None:
        super().__init__()
        self.hsigmoid = F.hardsigmoid

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.hsigmoid(x)


class HSwish(Cell):
    """Hard swish: ``out = x * min(max(x + 3, 0), 6) / 6``.

    Shapes: any, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.HSwish()(ms.Tensor([-4.0, 0.0, 4.0])))
        [0. 0. 4.]
    """

    def __init__(self) -> None:
        super().__init__()
        self.hswish = F.hardswish

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.hswish(x)


class HShrink(Cell):
    """Hard shrinking: ``out = 0 where -lambd <= x <= lambd, else x``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        lambd (float): Default: 0.5.

    Raises:
        TypeError: If ``lambd`` is not a float, or x is not floating.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.HShrink()(ms.Tensor([-1.0, 0.5])))
        [-1.  0.]
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.hshrink = activation_piecewise.HShrink(lambd)

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.hshrink(x)


class SoftShrink(Cell):
    """Soft shrinking: ``out = x - min(max(x, -lambd), lambd)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        lambd (float): At least 0. Default: 0.5.

    Raises:
        TypeError: If ``lambd`` is not a float, or x is not floating.
        ValueError: If ``lambd`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.SoftShrink()(ms.Tensor([-1.0, 0.25])))
        [-0.5  0. ]
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.softshrink = activation_piecewise.SoftShrink(lambd)

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.softshrink(x)


class Hardtanh(Cell):
    """``out = min(max(x, min_val), max_val)``.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Args:
        min_val (Union[int, float]): Default: -1.0.
        max_val (Union[int, float]): Default: 1.0.

    Raises:
        TypeError: If a bound is not a number.
        ValueError: If ``min_val`` is not below ``max_val``.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Hardtanh()(ms.Tensor([-4.0, 0.5, 4.0])))
        [-1.   0.5  1. ]
    """

    def __init__(self, min_val: int | float = -1.0, max_val: int | float = 1.0) -> None:
        super().__init__()
        for name, value in (("min_val", min_val), ("max_val", max_val)):
            check_number("Hardtanh", name, value)
        if min_val >= max_val:
            raise value_error("Hardtanh", f"the 'min_val' must be below the 'max_val', {max_val}", min_val)
        self.min_val, self.max_val = min_val, max_val

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.hardtanh(x, self.min_val, self.max_val)


class Threshold(Cell):
    """``out = x where x > threshold, else value``.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If an argument is not a number.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Threshold(0.5, 9.0)(ms.Tensor([0.5, 2.0])))
        [9. 2.]
    """

    def __init__(self, threshold, value) -> None:
        super().__init__()
        for name, number in (("threshold", threshold), ("value", value)):
            check_number("Threshold", name, number)
        self.threshold, self.value = threshold, value

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.threshold(x, self.threshold, self.value)


class RReLU(Cell):
    """Randomized leaky ReLU: ``out = x where x >= 0, else slope * x``, a slope from ``U(lower, upper)`` for each x.

    It draws in training and, as MindSpore 2.0.0 does, in evaluation.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If a bound is not a number, or x is not floating.
        ValueError: If ``upper`` is below ``lower``.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.RReLU(0.5, 0.5)(ms.Tensor([-1.0, 2.0])))
        [-0.5  2. ]
    """

    def __init__(self, lower=1 / 8, upper=1 / 3) -> None:
        super().__init__()
        self.rrelu = activation_piecewise.RReLU(lower, upper)

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return self.rrelu(x)[0]
