"""Activation layers without kinks in their slope: SiLU, Mish, Softsign, GLU and their kin."""

from __future__ import annotations

from minispore.core.checks import check_int
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.list_checks import check_axes

__all__ = [
    "GLU",
    "FastGelu",
    "LogSigmoid",
    "Mish",
    "SiLU",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softsign",
    "Tanhshrink",
]


class SiLU(Cell):
    """Sigmoid linear unit: ``out = x / (1 + e ** -x)``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Raises:
        TypeError: If ``x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.SiLU()(ms.Tensor([0.0, 20.0])))
        [ 0. 20.]
    """

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.silu(x)


class FastGelu(Cell):
    """Gaussian error linear unit, logistic form: ``out = x / (1 + e ** (-1.702 * x))``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.FastGelu()(ms.Tensor([0.0, 20.0])))
        [ 0. 20.]
    """

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.fast_gelu(x)


class LogSigmoid(Cell):
    """``out = -ln(1 + e ** -x)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.LogSigmoid()(ms.Tensor([-100.0, 0.0])))
        [-100.          -0.6931472]
    """

    def construct(self, input_x) -> Tensor:
        """Apply the operation."""
        return F.logsigmoid(input_x)


class Mish(Cell):
    """``out = x * tanh(ln(1 + e ** x))``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Mish()(ms.Tensor([0.0, 20.0])))
        [ 0. 20.]
    """

    def construct(self, input_x) -> Tensor:
        """Apply the operation."""
        return F.mish(input_x)


class Softplus(Cell):
    """``out = ln(1 + e ** x)``; MindSpore has the operation, but not the layer.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Softplus()(ms.Tensor([0.0, 100.0])))
        [  0.6931472 100.       ]
    """

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.softplus(x)


class Softsign(Cell):
    """``out = x / (1 + |x|)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Softsign()(ms.Tensor([-1.0, 3.0])))
        [-0.5   0.75]
    """

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.softsign(x)


class Tanhshrink(Cell):
    """``out = x - tanh x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Raises:
        TypeError: If ``x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Tanhshrink()(ms.Tensor([0.0, 20.0])))
        [ 0. 19.]
    """

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.tanhshrink(x)


class GLU(Cell):
    """Gated linear unit: ``out = a * sigmoid(b)``, where a and b are the halves of x along ``axis``.

    Shapes: any but (); the axis is halved. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Raises:
        TypeError: If ``axis`` is not an int.
        ValueError: If the length of the axis is odd, or x has no such axis.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.GLU()(ms.Tensor([3.0, 0.0])))
        [1.5]
    """

    def __init__(self, axis=-1) -> None:
        super().__init__()
        self.axis = check_int("GLU", "axis", axis)

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.glu(x, self.axis)


class Softmin(Cell):
    """``out = e ** -x / sum of e ** -x`` along ``axis``.

    Shapes: any but (), kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``x`` is not a Tensor. Also if an input is
            complex.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Softmin()(ms.Tensor([1.0, 1.0])))
        [0.5 0.5]
    """

    def __init__(self, axis=-1) -> None:
        super().__init__()
        self.axis = check_axes("Softmin", "axis", axis)

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        return F.softmin(x, self.axis)


class Softmax2d(Cell):
    """``out = e ** x / sum of e ** x`` over the channels of each pixel, x being ``(N, C, H, W)`` or ``(C, H, W)``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        ValueError: If x has another number of axes.
        TypeError: If ``x`` is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Softmax2d()(ms.ops.ones((2, 1, 1))).shape)
        (2, 1, 1)
        >>> print(ms.nn.Softmax2d()(ms.ops.ones((2, 1, 1))).ravel())
        [0.5 0.5]
    """

    def construct(self, x) -> Tensor:
        """Apply the operation."""
        if x.ndim not in (3, 4):
            raise value_error("Softmax2d", "the 'x' must have 3 or 4 axes", f"shape {x.shape}")
        return F.softmax(x, -3)
