"""Transforms of a batch of images with its labels: mixed with one another, whole or in a rectangle."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.draws import generator
from minispore.data.dataset.transforms.base import PyTensorOperation, TensorOperation, as_array, name_of
from minispore.data.dataset.vision.base import check_probability
from minispore.data.dataset.vision.enums import ImageBatchFormat
from minispore.data.dataset.vision.rounding import as_pixels
from minispore.ops.number_checks import check_real

__all__ = ["CutMixBatch", "MixUp", "MixUpBatch"]


class _BatchOperation(TensorOperation):
    """Base of transforms of (images, labels): labels are one-hot, of shape (N, classes) or (N, labels, classes)."""

    def __call__(self, *columns) -> Any:
        name = name_of(self)
        if len(columns) != 2:
            raise runtime_error(name, "there must be two input columns, images and labels", len(columns))
        images, labels = (as_array(name, column) for column in columns)
        if images.ndim != 4:
            raise runtime_error(name, "the images must be a batch, of rank 4", f"shape {images.shape}")
        if labels.ndim not in (2, 3) or len(labels) != len(images) or labels.dtype.kind not in "iuf":
            raise runtime_error(name, "the labels must be one-hot, one for each image", f"shape {labels.shape}")
        return self._mixed(images, labels.astype(np.float32))


def _mix(x, other, share):
    return as_pixels(np.float32(share) * x.astype(np.float32) + np.float32(1 - share) * other, x.dtype)


class MixUpBatch(_BatchOperation):
    """``share * image + (1 - share) * another image``, and labels likewise; ``share`` is drawn from Beta(alpha, alpha).

    The other images are the batch in random order.

    Shapes: images (N, H, W, C) and labels (N, K) or (N, L, K), kept. Dtypes: images of any numbers, kept; labels become
    float32.

    Args:
        alpha (float): Above 0. Default: 1.0.

    Raises:
        TypeError: If ``alpha`` is not a number.
        ValueError: If it is not above 0.
        RuntimeError: When called, if the input is not a batch of images with one-hot labels.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> from minispore.dataset import vision
        >>> rows = {"image": np.arange(24, dtype=np.uint8).reshape(2, 2, 2, 3), "label": np.eye(2, dtype=np.uint8)}
        >>> data = dataset.NumpySlicesDataset(rows, shuffle=False).batch(2)
        >>> data = data.map(vision.MixUpBatch(alpha=1.0), ["image", "label"])
        >>> image, label = next(iter(data))
        >>> print(image.shape, label.asnumpy().sum(axis=1).round(4))
        (2, 2, 2, 3) [1. 1.]
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = check_real("MixUpBatch", "alpha", alpha, 0, above=True)

    def _mixed(self, images, labels):
        share, order = generator().beta(self.alpha, self.alpha), generator().permutation(len(images))
        labels = np.float32(share) * labels + np.float32(1 - share) * labels[order]
        return _mix(images, images[order], share), labels


class CutMixBatch(_BatchOperation):
    """Images with, at the probability ``prob``, a rectangle from another image; labels mixed by its share.

    The share of the area that is kept is drawn from Beta(alpha, alpha).

    Shapes: images (N, H, W, C) or (N, C, H, W) and labels (N, K) or (N, L, K), kept. Dtypes: images of any numbers,
    kept; labels become float32.

    Args:
        image_batch_format (ImageBatchFormat): The order of the batch's axes.
        alpha (float): Above 0. Default: 1.0.
        prob (float): In [0, 1]. Default: 1.0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If one is out of its range.
        RuntimeError: When called, if the input is not a batch of images with one-hot labels.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> from minispore.dataset import vision
        >>> rows = {"image": np.arange(24, dtype=np.uint8).reshape(2, 3, 2, 2), "label": np.eye(2, dtype=np.uint8)}
        >>> data = dataset.NumpySlicesDataset(rows, shuffle=False).batch(2)
        >>> data = data.map(vision.CutMixBatch(vision.ImageBatchFormat.NCHW, 1.0, 1.0), ["image", "label"])
        >>> image, label = next(iter(data))
        >>> print(image.shape, label.asnumpy().sum(axis=1).round(4))
        (2, 3, 2, 2) [1. 1.]
    """

    def __init__(self, image_batch_format, alpha: float = 1.0, prob: float = 1.0) -> None:
        if not isinstance(image_batch_format, ImageBatchFormat):
            expected = "the 'image_batch_format' must be an ImageBatchFormat"
            raise type_error("CutMixBatch", expected, shown(image_batch_format))
        self.image_batch_format = image_batch_format
        self.alpha = check_real("CutMixBatch", "alpha", alpha, 0, above=True)
        self.prob = check_probability("CutMixBatch", prob)

    def _mixed(self, images, labels):
        images, labels, order = images.copy(), labels.copy(), generator().permutation(len(images))
        view = images if self.image_batch_format == ImageBatchFormat.NHWC else images.transpose(0, 2, 3, 1)
        before, labels_before = view.copy(), labels.copy()
        for i, other in enumerate(order):
            if generator().random() < self.prob:
                rows, columns = self._rectangle(*view.shape[1:3])
                view[i, rows, columns] = before[other, rows, columns]
                taken = (rows.stop - rows.start) * (columns.stop - columns.start)
                kept = np.float32(1 - taken / (view.shape[1] * view.shape[2]))
                labels[i] = kept * labels_before[i] + (1 - kept) * labels_before[other]
        return images, labels

    def _rectangle(self, height, width):
        side = math.sqrt(1 - generator().beta(self.alpha, self.alpha))
        sizes, found = (int(height * side), int(width * side)), []
        for length, size in zip((height, width), sizes, strict=True):
            middle = int(generator().integers(length))
            found.append(slice(max(middle - size // 2, 0), min(middle + size // 2, length)))
        return found


class MixUp(PyTensorOperation):
    """``share * image + (1 - share) * another image`` in float64, with a share for each image, and labels likewise.

    The other images are the batch in random order, or with ``is_single=False`` the batch before.

    Shapes: images (N, H, W, C) and labels (N, ...), kept; N is ``batch_size``. Dtypes: any; both become float64.

    Args:
        batch_size (int): How many images a batch has.
        alpha (float): Shares are drawn from Beta(alpha, alpha).
        is_single (bool): If True, images are mixed with images of their own batch. Default: True.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If one is out of its range; when called, if the batch has another size.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> images, labels = np.arange(4.0).reshape(2, 1, 1, 2), np.eye(2, dtype=np.float32)
        >>> mixed, mixed_labels = vision.MixUp(batch_size=2, alpha=1.0)(images, labels)
        >>> print(mixed.shape, mixed_labels.sum(axis=1).round(4))
        (2, 1, 1, 2) [1. 1.]
    """

    def __init__(self, batch_size: int, alpha: float, is_single: bool = True) -> None:
        self.batch_size = check_positive_int("MixUp", "batch_size", batch_size)
        self.alpha = check_real("MixUp", "alpha", alpha, 0, above=True)
        self.is_single = check_bool("MixUp", "is_single", is_single)
        self._before = None

    def __call__(self, image, label) -> Any:
        image, label = as_array("MixUp", image), as_array("MixUp", label)
        if len(image) != self.batch_size or len(label) != self.batch_size:
            expected = f"the images and labels must be {self.batch_size}"
            raise value_error("MixUp", expected, f"shapes {image.shape}, {label.shape}")
        shares = generator().beta(self.alpha, self.alpha, self.batch_size)
        others = self._others(image, label)
        return tuple(self._mix(x, y, shares) for x, y in zip((image, label), others, strict=True))

    def _others(self, image, label):
        if self.is_single:
            order = generator().permutation(self.batch_size)
            return image[order], label[order]
        others = (image, label) if self._before is None else self._before
        self._before = image.copy(), label.copy()
        return others

    @staticmethod
    def _mix(x, other, shares):
        shares = shares.reshape(-1, *[1] * (x.ndim - 1))
        return shares * x + (1 - shares) * other
