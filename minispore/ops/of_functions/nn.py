"""Primitives of functions of networks: pooling with places, its inverse, grids, columns, losses of margins."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_choice, check_int, is_int
from minispore.core.dtype import as_dtype, float32, int64
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional.nn_margin_loss import margins_of_labels
from minispore.ops.functional.nn_max_unpool import sizes, unpooled
from minispore.ops.of_functions.base import OfFunction, as_ints
from minispore.ops.operations.nn.cross_entropy import check_reduction

__all__ = [
    "GLU",
    "AdaptiveAvgPool3D",
    "AdaptiveMaxPool3D",
    "AdjustHue",
    "AdjustSaturation",
    "AffineGrid",
    "Col2Im",
    "GridSampler2D",
    "GridSampler3D",
    "HSVToRGB",
    "Im2Col",
    "MaxPool3DWithArgmax",
    "MaxPoolWithArgmaxV2",
    "MaxUnpool2D",
    "MaxUnpool3D",
    "MultiMarginLoss",
    "MultilabelMarginLoss",
    "RGBToHSV",
    "SoftMarginLoss",
    "TripletMarginLoss",
]


class GLU(OfFunction):
    """Gated linear unit.

    ``a * sigmoid(b)``, a and b the halves of x along an axis: ``GLU(axis)(x)``, which is ``ops.glu``.

    Shapes: any but (); the axis is halved. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Args:
        axis (int): Default: -1.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.GLU()(ms.Tensor([1.0, 2.0, 0.0, 100.0])))
        [0.5 2. ]
    """

    function = staticmethod(F.glu)

    def __init__(self, axis: int = -1) -> None:
        self._keep(axis=check_int(self.name, "axis", axis))


# Pooling


class AdaptiveAvgPool3D(OfFunction):
    """Means of windows that share each volume evenly: ``AdaptiveAvgPool3D(size)(x)``, ``ops.adaptive_avg_pool3d``.

    Shapes: (N, C, D, H, W) or (C, D, H, W); the last three become the size, None keeps a length. Dtypes: any, kept.

    Args:
        output_size (Union[int, tuple[int]]): An int or three; None keeps a length.

    Raises:
        TypeError: If ``size`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``x`` does not have 4 or 5 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AdaptiveAvgPool3D((1, 1, 2))(ms.Tensor([[[[[1.0, 5.0], [2.0, 4.0]]]]])))
        [[[[[1.5 4.5]]]]]
    """

    function = staticmethod(F.adaptive_avg_pool3d)

    def __init__(self, output_size) -> None:
        several = output_size if isinstance(output_size, (tuple, list)) else (output_size,)
        for n in several:
            if n is not None:
                check_int(self.name, "output_size", n)
        self._keep(output_size=tuple(output_size) if isinstance(output_size, list) else output_size)


class AdaptiveMaxPool3D(OfFunction):
    r"""The largest of windows that share each volume evenly, and their places: ``AdaptiveMaxPool3D()(x, size)``.

    Shapes: (N, C, D, H, W) or (C, D, H, W); the last three become the size, twice. Dtypes: floats, kept; TypeError for
    ints, bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``size`` is not an int or three ints or None.
        ValueError: If ``x`` does not have 4 or 5 axes, or has no elements. Also if ``size`` is not three ints of at
            least 1.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[[1.0, 5.0], [2.0, 4.0]]]]])
        >>> print(*ops.AdaptiveMaxPool3D()(x, ms.Tensor([1, 1, 2], ms.int32)), sep="\n")
        [[[[[2. 5.]]]]]
        [[[[[2 1]]]]]
    """

    tensors = 1

    def run(self, x, output_size) -> tuple[Tensor, Tensor]:
        """``(largest, places)``; the size is three ints, or a Tensor of them."""
        return F.adaptive_max_pool3d(x, as_ints(output_size), True)


class _PoolWithPlaces(OfFunction):
    """Base of the largest elements of windows, with their places."""

    def _keep_windows(self, kernel_size, strides, pads, dilation, ceil_mode, argmax_type):
        kind = check_choice(self.name, "argmax_type", str(as_dtype(argmax_type, self.name)), ("Int32", "Int64"))
        kernel = sizes(self.name, "kernel_size", kernel_size, self.axes, 1)
        step = kernel if strides is None else sizes(self.name, "strides", strides, self.axes, 1)
        self._keep(kernel_size=kernel, strides=step, pads=sizes(self.name, "pads", pads, self.axes, 0))
        self._keep(dilation=sizes(self.name, "dilation", dilation, self.axes, 1))
        self._keep(ceil_mode=check_bool(self.name, "ceil_mode", ceil_mode), argmax_type=kind)

    def run(self, x) -> tuple[Tensor, Tensor]:
        """``(largest, places)``."""
        windows = self.kernel_size, self.strides, self.pads, self.dilation
        out, places = self.pooled(x, *windows, ceil_mode=self.ceil_mode, return_indices=True)
        return out, places.astype(self.argmax_type.lower())


class MaxPoolWithArgmaxV2(_PoolWithPlaces):
    r"""The largest of each window of ``(N, C, H, W)`` and its place in the plane, row by row.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        kernel_size (Union[int, tuple[int]]): The window.
        strides (Union[int, tuple[int]]): The distance of windows. Default: None, the window.
        pads (Union[int, tuple[int]]): The padding, at most half a window. Default: 0.
        dilation (Union[int, tuple[int]]): The distance of a window's elements. Default: (1, 1).
        ceil_mode (bool): If True, a last, partial window counts. Default: False.
        argmax_type (DType): The dtype of the places, int32 or int64. Default: int64.

    Raises:
        TypeError: If an argument is not an int, ``ceil_mode`` is not a bool, or ``argmax_type`` is not a dtype. Also if
            the input is not a Tensor.
        ValueError: If ``kernel_size`` or ``strides`` is not above 0, ``pads`` is below 0, or ``dilation`` is not an int
            or 2 of them. Also if the input does not have 4 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.MaxPoolWithArgmaxV2(2)(ms.Tensor([[[[1.0, 2.0], [4.0, 3.0]]]])), sep="\n")
        [[[[4.]]]]
        [[[[2]]]]
    """

    axes = 2
    pooled = staticmethod(F.max_pool2d)

    def __init__(
        self, kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode: bool = False, argmax_type=int64
    ) -> None:
        self._keep_windows(kernel_size, strides, pads, dilation, ceil_mode, argmax_type)


class MaxPool3DWithArgmax(_PoolWithPlaces):
    r"""The largest of each window of ``(N, C, D, H, W)`` and its place in the volume, row by row.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        ksize (Union[int, tuple[int]]): The window.
        strides (Union[int, tuple[int]]): The distance of windows.
        pads (Union[int, tuple[int]]): The padding, at most half a window.
        dilation (Union[int, tuple[int]]): The distance of a window's elements. Default: (1, 1, 1).
        ceil_mode (bool): If True, a last, partial window counts. Default: False.
        data_format (str): "NCDHW". Default: "NCDHW".
        argmax_type (DType): The dtype of the places, int32 or int64. Default: int64.

    Raises:
        TypeError: If an argument is not an int, ``ceil_mode`` is not a bool, or ``data_format`` is not a str. Also if
            ``argmax_type`` is not a dtype.
        ValueError: If ``ksize``, ``strides`` or ``dilation`` is not an int or 3 of them, or ``ksize`` or ``strides`` is
            not above 0. Also if ``pads`` is below 0, or ``data_format`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[[1.0, 2.0], [4.0, 3.0]]]]])
        >>> print(*ops.MaxPool3DWithArgmax((1, 2, 2), (1, 2, 2), 0)(x), sep="\n")
        [[[[[4.]]]]]
        [[[[[2]]]]]
    """

    axes = 3
    pooled = staticmethod(F.max_pool3d)

    def __init__(
        self, ksize, strides, pads, dilation=(1, 1, 1), ceil_mode=False, data_format="NCDHW", argmax_type=int64
    ) -> None:
        check_choice(self.name, "data_format", data_format, ("NCDHW",))
        self._keep_windows(ksize, strides, pads, dilation, ceil_mode, argmax_type)


class _Unpool(OfFunction):
    """Base of the largest elements of windows back in their places."""

    def _keep_windows(self, ksize, strides, pads, output_shape):
        kernel = sizes(self.name, "ksize", ksize, self.axes, 1)
        step = sizes(self.name, "strides", strides, self.axes, 0)
        if not isinstance(output_shape, tuple) or not all(map(is_int, output_shape)):
            raise type_error(self.name, "the 'output_shape' must be a tuple of ints", shown(output_shape))
        self._keep(ksize=kernel, strides=step if all(step) else kernel, output_shape=output_shape)
        self._keep(pads=sizes(self.name, "pads", pads, self.axes, 0))

    def run(self, x, argmax) -> Tensor:
        """Zeros with the elements of x in their places."""
        return unpooled(self.name, x, argmax, self.ksize, self.strides, self.pads, self.output_shape or None)


class MaxUnpool2D(_Unpool):
    """The largest elements of windows of ``(N, C, H, W)`` back in their places: ``MaxUnpool2D(...)(x, places)``.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Args:
        ksize (Union[int, tuple[int]]): The window.
        strides (Union[int, tuple[int]]): The distance of windows. Default: 0, the window.
        pads (Union[int, tuple[int]]): The padding of the pooling. Default: 0.
        output_shape (tuple[int]): Default: (), that of the windows.
        data_format (str): "NCHW". Default: "NCHW".

    Raises:
        TypeError: If ``ksize``, ``strides`` or ``pads`` is not an int, ``output_shape`` is not a tuple of ints, or
            ``data_format`` is not a str. Also if an argument is not a Tensor.
        ValueError: If ``ksize`` is not above 0, ``strides`` or ``pads`` is below 0, or ``data_format`` is unknown. Also
            if ``x`` does not have 3 or 4 axes.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MaxUnpool2D(2)(ms.Tensor([[[[4.0]]]]), ms.Tensor([[[[2]]]])))
        [[[[0. 0.]
           [4. 0.]]]]
    """

    axes = 2

    def __init__(self, ksize, strides=0, pads=0, output_shape=(), data_format="NCHW") -> None:
        check_choice(self.name, "data_format", data_format, ("NCHW",))
        self._keep_windows(ksize, strides, pads, output_shape)


class MaxUnpool3D(_Unpool):
    """The largest elements of windows of ``(N, C, D, H, W)`` back in their places: ``MaxUnpool3D(...)(x, places)``.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Args:
        ksize (Union[int, tuple[int]]): The window.
        strides (Union[int, tuple[int]]): The distance of windows. Default: 0, the window.
        pads (Union[int, tuple[int]]): The padding of the pooling. Default: 0.
        output_shape (tuple[int]): Default: (), that of the windows.
        data_format (str): "NCDHW". Default: "NCDHW".

    Raises:
        TypeError: If ``ksize``, ``strides`` or ``pads`` is not an int, ``output_shape`` is not a tuple of ints, or
            ``data_format`` is not a str. Also if an argument is not a Tensor.
        ValueError: If ``ksize`` is not an int or 3 of them, ``ksize`` is not above 0, or ``strides`` or ``pads`` is
            below 0. Also if ``data_format`` is unknown.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MaxUnpool3D((1, 2, 2))(ms.Tensor([[[[[4.0]]]]]), ms.Tensor([[[[[2]]]]])))
        [[[[[0. 0.]
            [4. 0.]]]]]
    """

    axes = 3

    def __init__(self, ksize, strides=0, pads=0, output_shape=(), data_format="NCDHW") -> None:
        check_choice(self.name, "data_format", data_format, ("NCDHW",))
        self._keep_windows(ksize, strides, pads, output_shape)


# Grids and columns


class AffineGrid(OfFunction):
    """The grid that an affine map makes of an even one: ``AffineGrid(...)(theta, size)``, which is ``ops.affine_grid``.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Args:
        align_corners (bool): If True, the corner pixels' centres are the corners. Default: False.

    Raises:
        TypeError: If ``align_corners`` is not a bool, ``theta`` is not a floating Tensor, or ``size`` is not a tuple of
            ints.
        ValueError: If ``theta`` does not have the shape that it needs, or ``size`` is not four or five ints above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AffineGrid()(ms.Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), (1, 1, 1, 2)))
        [[[[-0.5  0. ]
           [ 0.5  0. ]]]]
    """

    tensors = 1

    def __init__(self, align_corners: bool = False) -> None:
        self._keep(align_corners=check_bool(self.name, "align_corners", align_corners))

    def run(self, theta, output_size) -> Tensor:
        """The grid; the size is a tuple of ints, or a Tensor of them."""
        return F.affine_grid(theta, as_ints(output_size), self.align_corners)


class _GridSampler(OfFunction):
    """Base of reading planes or volumes at the places of a grid: ``ops.grid_sample``."""

    def __init__(
        self, interpolation_mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool = False
    ) -> None:
        self._keep(interpolation_mode=interpolation_mode, padding_mode=padding_mode, align_corners=align_corners)

    def run(self, input_x, grid) -> Tensor:
        """The elements."""
        if getattr(input_x, "ndim", None) != self.axes + 2:
            raise value_error(
                self.name, f"the 'input_x' must have {self.axes + 2} axes", getattr(input_x, "shape", None)
            )
        return F.grid_sample(input_x, grid, self.interpolation_mode, self.padding_mode, self.align_corners)


class GridSampler2D(_GridSampler):
    """Planes ``(N, C, H, W)`` read at the places of a grid: ``GridSampler2D(...)(x, grid)``, ``ops.grid_sample``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        interpolation_mode (str): "bilinear" or "nearest". Default: "bilinear".
        padding_mode (str): "zeros", "border" or "reflection". Default: "zeros".
        align_corners (bool): If True, the corner pixels' centres are the corners. Default: False.

    Raises:
        TypeError: If ``interpolation_mode`` or ``padding_mode`` is not a str, ``align_corners`` is not a bool, or ``x``
            or ``grid`` is not a Tensor. Also if ``x`` and ``grid`` do not have one dtype.
        ValueError: If ``x`` does not have 4 axes. Also if ``grid`` is not (N, h, w, 2).

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> plane = ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> print(ops.GridSampler2D()(plane, ms.Tensor([[[[-0.5, -0.5], [0.0, 0.0]]]])))
        [[[[1.  2.5]]]]
    """

    axes = 2


class GridSampler3D(_GridSampler):
    """Volumes ``(N, C, D, H, W)`` read at the places of a grid: ``GridSampler3D(...)(x, grid)``, ``ops.grid_sample``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        interpolation_mode (str): "bilinear" or "nearest". Default: "bilinear".
        padding_mode (str): "zeros", "border" or "reflection". Default: "zeros".
        align_corners (bool): If True, the corner pixels' centres are the corners. Default: False.

    Raises:
        TypeError: If ``interpolation_mode`` or ``padding_mode`` is not a str, ``align_corners`` is not a bool, or ``x``
            or ``grid`` is not a Tensor. Also if ``x`` and ``grid`` do not have one dtype.
        ValueError: If ``x`` does not have 5 axes. Also if ``grid`` is not (N, d, h, w, 3).

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.GridSampler3D()(ms.Tensor([[[[[1.0, 2.0], [3.0, 4.0]]]]]), ms.Tensor([[[[[-0.5, -0.5, 0.0]]]]])))
        [[[[[1.]]]]]
    """

    axes = 3


class Im2Col(OfFunction):
    """The windows of ``(N, C, H, W)`` as columns ``(N, C, KH * KW, windows)``; a size is an int, or two in a list.

    Dtypes: any, kept.

    Args:
        ksizes (Union[int, tuple[int], list[int]]): The window.
        strides (Union[int, tuple[int], list[int]]): The distance of windows. Default: 1.
        dilations (Union[int, tuple[int], list[int]]): The distance of a window's elements. Default: 1.
        pads (Union[int, tuple[int], list[int]]): The padding of height and width. Default: 0.

    Raises:
        TypeError: If an argument is not an int, or the input is not a Tensor.
        ValueError: If ``ksizes`` is not an int or 2 of them, or ``ksizes``, ``strides`` or ``dilations`` is not above
            0. Also if ``pads`` is below 0, or the input does not have 4 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Im2Col([2, 2])(ms.Tensor([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]])))
        [[[[1. 2.]
           [2. 3.]
           [4. 5.]
           [5. 6.]]]]
    """

    def __init__(self, ksizes, strides=1, dilations=1, pads=0) -> None:
        for name, value in (("ksizes", ksizes), ("strides", strides), ("dilations", dilations), ("pads", pads)):
            self._keep(**{name: sizes(self.name, name, _pair(value), 2, int(name != "pads"))})

    def run(self, x) -> Tensor:
        """The columns."""
        out = F.unfold(x, self.ksizes, self.dilations, self.pads, self.strides)
        return out.reshape((x.shape[0], x.shape[1], self.ksizes[0] * self.ksizes[1], out.shape[-1]))


def _pair(value):
    """A size of height and width from what a list may hold: one int for both."""
    value = tuple(value) if isinstance(value, list) else value
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


class Col2Im(OfFunction):
    """Columns ``(N, C, KH * KW, windows)`` as planes, each pixel the sum over its windows: ``ops.col2im``.

    Dtypes: any, kept.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): The window.
        dilation (Union[int, tuple[int], list[int]]): The distance of a window's elements. Default: 1.
        padding (Union[int, tuple[int], list[int]]): The padding of height and width. Default: 0.
        stride (Union[int, tuple[int], list[int]]): The distance of windows. Default: 1.

    Raises:
        TypeError: If an argument is not an int, or the columns or their size are no Tensor.
        ValueError: If ``kernel_size`` is not an int or 2 of them, an argument is not above 0, or ``padding`` is below
            0. Also if the input does not have 4 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Col2Im([2, 2])(ms.Tensor([[[[1.0], [2.0], [3.0], [4.0]]]]), ms.Tensor([2, 2], ms.int32)))
        [[[[1. 2.]
           [3. 4.]]]]
    """

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1) -> None:
        for name, value in (("kernel_size", kernel_size), ("dilation", dilation), ("stride", stride)):
            self._keep(**{name: sizes(self.name, name, _pair(value), 2, 1)})
        self._keep(padding=sizes(self.name, "padding", _pair(padding), 2, 0))

    def run(self, x, output_size) -> Tensor:
        """The planes."""
        return F.col2im(x, output_size, self.kernel_size, self.dilation, self.padding, self.stride)


# Losses


class _ReducedLoss(OfFunction):
    """Base of losses with a reduction."""

    def __init__(self, reduction: str = "mean") -> None:
        check_reduction(self.name, reduction)
        self._keep(reduction=reduction)


class MultiMarginLoss(_ReducedLoss):
    """Margin loss of a class against all others.

    ``sum over j != y of max(0, margin - x[y] + x[j]) ** p / C``: ``MultiMarginLoss(...)(x, target, weight)``.

    Dtypes: floats, kept; ints give float32; TypeError for bools and complex.

    Args:
        p (int): 1 or 2. Default: 1.
        margin (float): Default: 1.0.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If ``p`` is not an int, ``margin`` is not a number, or ``reduction`` is not a str. Also if an input
            is not a Tensor, or the classes are not ints.
        ValueError: If ``reduction`` is not "mean", "sum" or "none", or the scores are not (N, C), with classes (N,).

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MultiMarginLoss()(ms.Tensor([[0.5, 0.2]]), ms.Tensor([0])))
        0.35
    """

    tensors = 2

    def __init__(self, p: int = 1, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self._keep(p=p, margin=margin)

    def run(self, x, target, weight=None) -> Tensor:
        """The loss."""
        return F.multi_margin_loss(x, target, self.p, self.margin, weight, self.reduction)


class MultilabelMarginLoss(_ReducedLoss):
    """Margin loss of several classes against all others.

    ``sum of max(0, 1 - x[y] + x[i]) / C`` over labels y and classes i that are none; and which classes are labels.

    Shapes: (N, C) or (C,), one for both, gives (N,) or () for "none", else (); and the places of the targets as the
    input. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If ``reduction`` is not a str, or an input is not a Tensor, or the classes are not ints.
        ValueError: If ``reduction`` is not "mean", "sum" or "none", or the classes have another shape than the scores.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MultilabelMarginLoss()(ms.Tensor([[0.5, 0.2, 0.0]]), ms.Tensor([[0, -1, -1]], ms.int32))[0])
        0.4
    """

    def run(self, x, target) -> tuple[Tensor, Tensor]:
        """The loss, and 1 for each class that is a label."""
        rows = (-1, x.shape[-1])
        labels = margins_of_labels(x.reshape(rows), target.reshape(rows))[1]
        return F.multilabel_margin_loss(x, target, self.reduction), labels.reshape(target.shape)


class SoftMarginLoss(_ReducedLoss):
    """Logistic loss of labels 1 and -1.

    ``log(1 + e ** (-label * logits))``, reduced: ``SoftMarginLoss(reduction)(logits, label)``.

    Shapes: any that broadcast; "none" gives their common shape, the others (). Dtypes: floats, kept; TypeError for
    ints, bools and complex.

    Args:
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If ``reduction`` is not a str, or ``logits`` or ``label`` is not a Tensor.
        ValueError: If ``reduction`` is not "mean", "sum" or "none", or the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SoftMarginLoss("none")(ms.Tensor([0.0, 2.0]), ms.Tensor([1.0, 1.0])))
        [0.6931472 0.126928 ]
    """

    def run(self, logits, label) -> Tensor:
        """The loss."""
        losses = -F.logsigmoid(logits * label)
        return losses if self.reduction == "none" else losses.mean() if self.reduction == "mean" else losses.sum()


class TripletMarginLoss(_ReducedLoss):
    """Loss of a distance to a like example against that to an unlike one.

    ``max(0, |x - positive| - |x - negative| + margin)``: ``TripletMarginLoss(...)(x, positive, negative, margin)``.

    Dtypes: floats, kept; ints give float32; TypeError for bools and complex.

    Args:
        p (int): The norms' order. Default: 2.
        swap (bool): If True, the nearer of x and positive is compared with negative. Default: False.
        eps (float): Added to each difference. Default: 1e-6.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If ``p``, ``eps`` or ``margin`` is not a number, ``swap`` is not a bool, or ``reduction`` is not a
            str. Also if ``x``, ``positive`` or ``negative`` is not a Tensor.
        ValueError: If ``reduction`` is not "mean", "sum" or "none", or ``positive`` or ``negative`` has another shape
            than the first input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, positive, negative = ms.Tensor([[0.0, 0.0]]), ms.Tensor([[3.0, 4.0]]), ms.Tensor([[0.0, 1.0]])
        >>> print(ops.TripletMarginLoss()(x, positive, negative, ms.Tensor(1.0)))
        4.9999995
    """

    tensors = 3

    def __init__(self, p: int = 2, swap: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self._keep(p=p, swap=swap, eps=eps)

    def run(self, x, positive, negative, margin) -> Tensor:
        """The loss."""
        margin = margin.item() if isinstance(margin, Tensor) else margin
        return F.triplet_margin_loss(x, positive, negative, margin, self.p, self.eps, self.swap, self.reduction)


# Colours: the last axis is red, green, blue, or hue, saturation, value, each in [0, 1] but for the value


def _to_hsv(images):
    """Hue, saturation and value of red, green and blue."""
    red, green, blue = (images[..., i] for i in range(3))
    most, least = F.amax(images, -1), F.amin(images, -1)
    spread = most - least
    grey, black = spread == 0, most == 0
    span = F.select(grey, 1, spread)
    of_red, of_green = F.floor_mod((green - blue) / span, 6.0), (blue - red) / span + 2
    hue = F.select(most == red, of_red, F.select(most == green, of_green, (red - green) / span + 4)) / 6
    return F.select(grey, 0, hue), F.select(black, 0, spread / F.select(black, 1, most)), most


def _to_rgb(hue, saturation, value):
    """Red, green and blue of hue, saturation and value, along a new last axis."""
    parts = []
    for place in (5.0, 3.0, 1.0):
        at = F.floor_mod(hue * 6 + place, 6.0)
        parts.append(value - value * saturation * F.minimum(at, 4 - at).maximum(0).minimum(1))
    return F.stack(parts, -1)


class _Colours(OfFunction):
    """Base of operations on images whose last axis has three colours."""

    def _checked(self, images):
        if not isinstance(images, Tensor) or not images.ndim or images.shape[-1] != 3 or not images.dtype.is_float:
            raise value_error(self.name, "the 'images' must be a floating Tensor with 3 colours last", images)
        return images if images.itemsize > 2 else images.astype(float32)


class RGBToHSV(_Colours):
    """Hue, saturation and value of red, green and blue in [0, 1]: ``RGBToHSV()(images)``, the colours last.

    Shapes: (..., 3), kept. Dtypes: floats, kept.

    Raises:
        TypeError: If ``images`` is not a Tensor.
        ValueError: If ``images`` is not a floating Tensor with 3 colours last.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.RGBToHSV()(ms.Tensor([[[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]])))
        [[[0.        1.        1.       ]
          [0.6666667 1.        1.       ]]]
    """

    def run(self, images) -> Tensor:
        """The other colours."""
        return F.stack(_to_hsv(self._checked(images)), -1).astype(images.dtype)


class HSVToRGB(_Colours):
    """Red, green and blue of hue, saturation and value in [0, 1]: ``HSVToRGB()(images)``, the colours last.

    Shapes: (..., 3), kept. Dtypes: floats, kept.

    Raises:
        TypeError: If ``images`` is not a Tensor.
        ValueError: If ``images`` is not a floating Tensor with 3 colours last.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.HSVToRGB()(ms.Tensor([[[[0.0, 1.0, 1.0], [0.5, 1.0, 1.0]]]])))
        [[[[1. 0. 0.]
           [0. 1. 1.]]]]
    """

    def run(self, images) -> Tensor:
        """The other colours."""
        wide = self._checked(images)
        return _to_rgb(*(wide[..., i] for i in range(3))).astype(images.dtype)


class AdjustHue(_Colours):
    """Red, green and blue with the hue turned by ``delta``, a share of the circle: ``AdjustHue()(images, delta)``.

    Shapes: (..., 3), kept; ``delta`` is (). Dtypes: floats, kept.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If ``images`` is not a floating Tensor with 3 colours last.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AdjustHue()(ms.Tensor([[[1.0, 0.0, 0.0]]]), ms.Tensor(0.5)))  # red turned by half of the circle
        [[[0. 1. 1.]]]
    """

    tensors = 1

    def run(self, images, delta) -> Tensor:
        """The turned colours."""
        hue, saturation, value = _to_hsv(self._checked(images))
        return _to_rgb(F.floor_mod(hue + delta, 1.0), saturation, value).astype(images.dtype)


class AdjustSaturation(_Colours):
    """Red, green and blue with the saturation times ``scale``, at most 1: ``AdjustSaturation()(images, scale)``.

    Shapes: (..., 3), kept; ``scale`` is (). Dtypes: floats, kept.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If ``images`` is not a floating Tensor with 3 colours last.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AdjustSaturation()(ms.Tensor([[[1.0, 0.5, 0.5]]]), ms.Tensor(2.0)))
        [[[1. 0. 0.]]]
    """

    tensors = 1

    def run(self, images, scale) -> Tensor:
        """The colours."""
        hue, saturation, value = _to_hsv(self._checked(images))
        return _to_rgb(hue, (saturation * scale).maximum(0).minimum(1), value).astype(images.dtype)
