"""Similarity of images, PSNR, SSIM and MSSSIM, and the central part of an image."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minispore.core.checks import check_positive_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.number_checks import check_python_float, check_real, is_real

__all__ = ["MSSSIM", "PSNR", "SSIM", "CentralCrop"]


def _check_images(layer, img1, img2):
    """Raise unless both are Tensors (N, C, H, W) of one shape and dtype."""
    check_tensors(layer, img1=img1, img2=img2)
    if img1.ndim != 4:
        raise value_error(layer, "the 'img1' must have 4 axes", f"shape {img1.shape}")
    if img2.shape != img1.shape:
        raise value_error(layer, f"the 'img2' must have the shape of 'img1', {img1.shape}", img2.shape)
    if img2.dtype != img1.dtype:
        raise type_error(layer, f"the 'img2' must have the dtype of 'img1', {img1.dtype}", img2.dtype)


def _in_unit(x, max_val):
    """X in float32, divided by the largest value that it may have."""
    return x.astype("float32") / float(max_val)


class PSNR(Cell):
    """Peak signal-to-noise ratio in decibels, for each sample: ``10 * log10(max_val ** 2 / mean((img1 - img2) ** 2))``.

    Images that are equal have infinity; MindSpore, whose logarithm is approximate, gives about 385.

    Args:
        max_val (Union[int, float]): The largest value of a pixel, above 0. Default: 1.0.

    Inputs:
        img1, img2 (Tensor): Shape (N, C, H, W), of one shape and dtype.

    Raises:
        TypeError: If ``max_val`` is not a number, an image not a Tensor, or the dtypes differ.
        ValueError: If ``max_val`` is not above 0, or shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.PSNR(2)(ms.ops.zeros((1, 1, 2, 2)), ms.ops.ones((1, 1, 2, 2))))
        [6.0206]
    """

    def __init__(self, max_val: int | float = 1.0) -> None:
        super().__init__()
        self.max_val = check_real("PSNR", "max_val", max_val, 0, above=True)

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        """The ratio."""
        _check_images("PSNR", img1, img2)
        error = F.square(_in_unit(img1, self.max_val) - _in_unit(img2, self.max_val)).mean((-3, -2, -1))
        return F.log(error) * (-10 / math.log(10))


class _Similarity(Cell):
    """Base: local means, variances and their comparison with a Gaussian window."""

    def __init__(self, max_val, filter_size, filter_sigma, k1, k2) -> None:
        super().__init__()
        name = type(self).__name__
        self.max_val = check_real(name, "max_val", max_val, 0, above=True)
        self.filter_size = check_positive_int(name, "filter_size", filter_size)
        self.filter_sigma = check_python_float(name, "filter_sigma", filter_sigma, 0, above=True)
        self.k1, self.k2 = check_python_float(name, "k1", k1), check_python_float(name, "k2", k2)
        places = np.arange(filter_size) - (filter_size - 1) / 2
        window = np.exp(-(places**2) / (2 * filter_sigma**2))
        window = np.outer(window, window)
        self._window = Tensor((window / window.sum()).astype(np.float32).reshape(1, 1, filter_size, filter_size))

    def prepared(self, img1, img2) -> Any:
        """The images in [0, 1] after their checks."""
        name = type(self).__name__
        _check_images(name, img1, img2)
        if not img1.dtype.is_float:
            raise type_error(name, "the 'img1' must be a Tensor of floats", img1.dtype)
        return _in_unit(img1, self.max_val), _in_unit(img2, self.max_val)

    def check_room(self, shape) -> None:
        """Raise unless the window fits into planes of the shape."""
        if min(shape[-2:]) < self.filter_size:
            expected = f"the height and width of 'img1' must be at least the window's, {self.filter_size}"
            raise value_error(type(self).__name__, expected, f"{shape[-2:]}")

    def _mean(self, x):
        planes = x.reshape((-1, 1, *x.shape[2:]))
        return F.conv2d(planes, self._window).reshape((*x.shape[:2], -1))

    def compared(self, x, y) -> Any:
        """``(similarity, contrast * structure)`` of each sample and channel."""
        c1, c2 = self.k1**2, self.k2**2
        mean_x, mean_y = self._mean(x), self._mean(y)
        product = mean_x * mean_y * 2
        squares = F.square(mean_x) + F.square(mean_y)
        light = (product + c1) / (squares + c1)
        joint = self._mean(x * y) * 2 - product
        contrast = (joint + c2) / (self._mean(F.square(x) + F.square(y)) - squares + c2)
        return (light * contrast).mean(-1), contrast.mean(-1)


class SSIM(_Similarity):
    """Structural similarity of images, one number for each sample (Wang et al., 2004), the mean over channels.

    ``(2 m_x m_y + c1) (2 s_xy + c2) / ((m_x ** 2 + m_y ** 2 + c1) (s_x ** 2 + s_y ** 2 + c2))`` with local means m and
    variances s by a Gaussian window, ``c1 = (k1 * max_val) ** 2`` and ``c2 = (k2 * max_val) ** 2``.

    Args:
        max_val (Union[int, float]): The largest value of a pixel, above 0. Default: 1.0.
        filter_size (int): The window's length, above 0. Default: 11.
        filter_sigma (float): The window's deviation, above 0. Default: 1.5.
        k1 (float): Default: 0.01.
        k2 (float): Default: 0.03.

    Inputs:
        img1, img2 (Tensor): Shape (N, C, H, W), floating, of one shape and dtype.

    Raises:
        TypeError: If an argument or image is of a wrong kind, or dtypes differ.
        ValueError: If an argument is out of range, shapes do not fit, or the window is larger than the image.

    Examples:
        >>> import minispore as ms
        >>> x = ms.ops.ones((1, 1, 12, 12))
        >>> print(ms.nn.SSIM()(x, x))
        [1.]
    """

    def __init__(
        self, max_val: int | float = 1.0, filter_size: int = 11, filter_sigma: float = 1.5, k1: float = 0.01, k2=0.03
    ) -> None:
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)

    def construct(self, img1: Tensor, img2: Tensor) -> Tensor:
        """The similarity."""
        x, y = self.prepared(img1, img2)
        self.check_room(x.shape)
        return self.compared(x, y)[0].mean(-1)


class MSSSIM(_Similarity):
    """Structural similarity over scales that halve, one number for each sample (Wang et al., 2003).

    The product over scales of ``relu(contrast * structure) ** factor``, at the last scale of the whole similarity;
    the mean over channels.

    Args:
        max_val (Union[int, float]): The largest value of a pixel, above 0. Default: 1.0.
        power_factors (Union[tuple, list]): An exponent for each scale. Default: the five of the source.
        filter_size (int): The window's length, above 0. Default: 11.
        filter_sigma (float): The window's deviation, above 0. Default: 1.5.
        k1 (float): Default: 0.01.
        k2 (float): Default: 0.03.

    Inputs and errors as in :class:`SSIM`; the window has to fit into the smallest scale.

    Examples:
        >>> import minispore as ms
        >>> x = ms.ops.ones((1, 1, 24, 24))
        >>> print(ms.nn.MSSSIM(power_factors=(0.5, 0.5))(x, x))
        [1.]
    """

    def __init__(
        self,
        max_val: int | float = 1.0,
        power_factors: tuple[Any, ...] | list[Any] = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ) -> None:
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        if not isinstance(power_factors, (tuple, list)) or not all(map(is_real, power_factors)):
            expected = "the 'power_factors' must be a tuple or list of numbers"
            raise type_error("MSSSIM", expected, shown(power_factors))
        if not power_factors:
            raise value_error("MSSSIM", "the 'power_factors' must have at least one number", "none")
        self.power_factors = power_factors

    def construct(self, img1, img2) -> Tensor:
        """The similarity."""
        x, y = self.prepared(img1, img2)
        *factors, last = self.power_factors
        halvings = 2 ** len(factors)
        self.check_room(tuple(n // halvings for n in x.shape[-2:]))
        product = 1
        for factor in factors:
            product = F.relu(self.compared(x, y)[1]) ** float(factor) * product
            x, y = F.avg_pool2d(x, 2, 2), F.avg_pool2d(y, 2, 2)
        return (F.relu(self.compared(x, y)[0]) ** float(last) * product).mean(-1)


class CentralCrop(Cell):
    """The middle of images (C, H, W) or (N, C, H, W), ``central_fraction`` of height and width, as near as they allow.

    Of an axis of n pixels ``int((n - n * central_fraction) / 2)`` are cut at either end.

    Dtypes: any, kept.

    Args:
        central_fraction (float): In (0, 1].

    Raises:
        TypeError: If the fraction is not a float, or the image not a Tensor.
        ValueError: If the fraction is out of range, or the image has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.CentralCrop(0.5)(ms.ops.ones((3, 4, 8))).shape
        (3, 2, 4)
        >>> print(ms.nn.CentralCrop(0.5)(ms.ops.arange(16.0).reshape((1, 4, 4))))
        [[[ 5.  6.]
          [ 9. 10.]]]
    """

    def __init__(self, central_fraction: float) -> None:
        super().__init__()
        self.central_fraction = check_python_float(
            "CentralCrop", "central_fraction", central_fraction, 0, 1, above=True
        )

    def construct(self, image: Tensor) -> Tensor:
        """Crop."""
        check_tensors("CentralCrop", image=image)
        if image.ndim not in (3, 4):
            raise value_error("CentralCrop", "the 'image' must have 3 or 4 axes", f"shape {image.shape}")
        top, left = (int((n - n * self.central_fraction) / 2) for n in image.shape[-2:])
        return image[..., top : image.shape[-2] - top, left : image.shape[-1] - left]
