"""Transforms of an image's form: encoded, array or Pillow; its type, scale and order of axes and colours."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_choice
from minispore.core.dtype import DTypeLike
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.transforms.arrays import TypeCast, numpy_type
from minispore.data.dataset.transforms.base import PyTensorOperation, TensorOperation, as_array, is_pil, name_of, one_of
from minispore.data.dataset.vision.base import ImageTensorOperation, is_one_array
from minispore.data.dataset.vision.colors import gray
from minispore.data.dataset.vision.enums import ConvertMode
from minispore.data.dataset.vision.pillow import image_of, pillow
from minispore.ops.number_checks import check_real

__all__ = [
    "HWC2CHW",
    "ConvertColor",
    "Decode",
    "LinearTransformation",
    "Normalize",
    "NormalizePad",
    "Rescale",
    "ToNumpy",
    "ToPIL",
    "ToTensor",
    "ToType",
]

_MOST_PIXELS = 2**28


def encoded_bytes(operation, data):
    """An encoded image as bytes: of bytes, or of an array of one axis."""
    if isinstance(data, np.ndarray):
        if data.ndim != 1:
            raise type_error(operation, "the encoded image must have one axis", f"shape {data.shape}")
        return data.tobytes()
    if isinstance(data, (bytes, bytearray)):
        return bytes(data)
    raise type_error(operation, "the encoded image must be bytes or an array of uint8", shown(type(data).__name__, str))


def opened(operation, data):
    """The Pillow image of encoded bytes, with its pixels read; RuntimeError if they cannot be."""
    module = pillow()
    try:
        image = module.open(io.BytesIO(data))
        if image.width * image.height > _MOST_PIXELS:
            raise runtime_error(operation, f"the image must have at most {_MOST_PIXELS} pixels", str(image.size))
        image.load()
    # Pillow's readers raise whatever a hostile file makes them stumble over
    except (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, OverflowError, EOFError) as error:
        raise runtime_error(operation, "the image must be one that can be decoded", shown(error, str)) from error
    except module.DecompressionBombError as error:
        expected = f"the image must have at most {_MOST_PIXELS} pixels"
        raise runtime_error(operation, expected, shown(error, str)) from error
    return image


def decoded(operation, data):
    """The RGB image of encoded data, of Pillow."""
    image = opened(operation, encoded_bytes(operation, data))
    return image if image.mode == "RGB" else image.convert("RGB")


class Decode(ImageTensorOperation):
    """The RGB image of encoded bytes (JPEG, PNG, BMP and whatever else Pillow reads), uint8 of shape (H, W, 3).

    Shapes: (number of bytes,) gives (H, W, 3). Dtypes: uint8, kept.

    Args:
        to_pil (bool): True to return an image of Pillow. Default: False.

    Raises:
        TypeError: When called, if the input is not bytes or an array of one axis.
        RuntimeError: When called, if it cannot be decoded (ValueError with ``to_pil=True``, as in MindSpore).
        ImportError: When called, if Pillow is not installed.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> data = vision.encode_png(np.full((2, 2, 3), 9, np.uint8))
        >>> print(vision.Decode()(data)[0])
        [[9 9 9]
         [9 9 9]]
    """

    def __init__(self, to_pil: bool = False) -> None:
        self.to_pil = check_bool("Decode", "to_pil", to_pil)

    def __call__(self, *columns) -> Any:
        data = one_of("Decode", columns)
        if not self.to_pil:
            return np.array(decoded("Decode", data))
        try:
            return decoded("Decode", data)
        except RuntimeError as error:
            raise ValueError(str(error)) from error


class ToPIL(PyTensorOperation):
    """The image of Pillow of an array (H, W), (H, W, 1), or uint8 of 2, 3 or 4 channels.

    Raises:
        TypeError: When called, if the input is not an image, or of another type.
        ValueError: When called, if its rank is not 2 or 3.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = vision.ToPIL()(np.arange(12, dtype=np.uint8).reshape(2, 2, 3))
        >>> print(image.size, image.mode, image.getpixel((1, 0)))
        (2, 2) RGB (3, 4, 5)
    """

    def _execute_py(self, image):
        if is_pil(image):
            return image
        if not isinstance(image, np.ndarray):
            raise type_error("ToPIL", "the input must be a NumPy array or an image of Pillow", shown(image))
        if image.ndim not in (2, 3):
            raise value_error("ToPIL", "the rank of the input must be 2 or 3", f"shape {image.shape}")
        image = image[:, :, 0] if image.ndim == 3 and image.shape[2] == 1 else image
        if image.ndim == 3 and (image.dtype != np.uint8 or image.shape[2] not in (2, 3, 4)):
            raise type_error("ToPIL", "an image of colours must be uint8 of 2 to 4 channels", f"{image.dtype}")
        try:
            return image_of(image)
        except (TypeError, KeyError) as error:
            raise type_error("ToPIL", "the image must be of a type that Pillow has", f"{image.dtype}") from error


class ToNumpy(PyTensorOperation):
    """The array of an image of Pillow.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: When called, if the input is neither an array nor an image of Pillow.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = vision.ToPIL()(np.arange(12, dtype=np.uint8).reshape(2, 2, 3))
        >>> print(vision.ToNumpy()(image)[0])
        [[0 1 2]
         [3 4 5]]
    """

    def _execute_py(self, image):
        return np.array(as_array("ToNumpy", image))


class ToType(TypeCast):
    """The input as ``data_type``.

    Shapes: any, kept. Dtypes: any; the answer is ``data_type``.

    Args:
        data_type (mindspore.dtype): A dtype of the framework or of NumPy, or its name.

    Raises:
        TypeError: If ``data_type`` is not a dtype. When called, if the input is neither an array nor an image of
            Pillow.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.ToType(ms.float32)(image)[0])
        [[0. 1. 2.]
         [3. 4. 5.]]
    """


class ToTensor(ImageTensorOperation):
    """``image / 255`` as ``output_type``, of shape (C, H, W).

    Shapes: (H, W) gives (1, H, W); (H, W, C) gives (C, H, W); RuntimeError for others. Dtypes: any; the answer is
    float32.

    Args:
        output_type (mindspore.dtype): The type of the result. Default: float32.

    Raises:
        TypeError: If ``output_type`` is no data type.
        RuntimeError: When called, if the input is not an image.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.ToTensor()(image)[0])
        [[0.         0.01176471]
         [0.02352941 0.03529412]]
    """

    _lays_out = True

    def __init__(self, output_type: DTypeLike = np.float32) -> None:
        self.output_type = numpy_type("ToTensor", "output_type", output_type)

    def _array(self, x):
        x = _channels_first(x[:, :, None] if x.ndim == 2 else x)
        return np.multiply(x, np.float32(1 / 255), dtype=np.float32).astype(self.output_type, copy=False)


def _channels_first(x):
    return np.ascontiguousarray(x.transpose(2, 0, 1))


def by_planes(function, x):
    """``function`` of (C, H, W) for an array (H, W, C): a result whose memory has channels first."""
    return function(x) if x.ndim == 2 else function(x.transpose(2, 0, 1)).transpose(1, 2, 0)


class HWC2CHW(ImageTensorOperation):
    """The image with its channels first: (H, W, C) becomes (C, H, W); (H, W) stays.

    Shapes: (H, W), kept; (H, W, C) gives (C, H, W); RuntimeError for others. Dtypes: any, kept.

    Raises:
        RuntimeError: When called, if the rank is not 2 or 3.
        TypeError: When called, if the input is neither an array nor an image of Pillow.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.HWC2CHW()(image))
        [[[ 0  3]
          [ 6  9]]
        <BLANKLINE>
         [[ 1  4]
          [ 7 10]]
        <BLANKLINE>
         [[ 2  5]
          [ 8 11]]]
    """

    _lays_out = True

    def _array(self, x):
        return _channels_first(x) if x.ndim == 3 else x

    def _strided(self, *images):
        return np.ascontiguousarray(self(*images))


class Rescale(TensorOperation):
    """``x * rescale + shift`` in float32.

    Shapes: any, kept. Dtypes: floats, bools and ints but int64, uint64; the answer is float32; RuntimeError for others.

    Args:
        rescale (float): The factor.
        shift (float): The summand.

    Raises:
        TypeError: If an argument is not a number.
        RuntimeError: When called, if the input is of 64-bit integers or text.
        ValueError: If ``rescale`` or ``shift`` is not finite.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Rescale(rescale=1 / 255, shift=0.0)(image)[1, 1])
        [0.03529412 0.03921569 0.04313726]
    """

    def __init__(self, rescale: float, shift: float) -> None:
        self.rescale = check_real("Rescale", "rescale", rescale)
        self.shift = check_real("Rescale", "shift", shift)

    def _array(self, x):
        if x.dtype.kind not in "biuf" or (x.dtype.kind in "iu" and x.dtype.itemsize > 4):
            raise runtime_error("Rescale", "the input must be of floats, or integers of at most 32 bits", x.dtype.name)
        wide = np.float64 if x.dtype in (np.float64, np.int32, np.uint32) else np.float32
        out = np.multiply(x, wide(self.rescale), dtype=wide, order="C")
        if self.shift:
            out += wide(self.shift)
        return out.astype(np.float32, copy=False)

    def _strided(self, *columns):
        return by_planes(self._array, *columns) if is_one_array(*columns) else self(*columns)


def check_statistics(operation, mean, std, low=0):
    """Means in [low, 255] and deviations in (0, 255], as many of the one as of the other."""
    for name, values in (("mean", mean), ("std", std)):
        if not isinstance(values, (list, tuple)):
            raise type_error(operation, f"the '{name}' must be a list or tuple", shown(values))
    if len(mean) != len(std) or not mean:
        raise value_error(operation, "the 'mean' and 'std' must have one length", f"{len(mean)} and {len(std)}")
    for value in mean:
        check_real(operation, "mean", value, low, 255)
    for value in std:
        check_real(operation, "std", value, 0, 255, above=True)
    return list(mean), list(std)


class Normalize(ImageTensorOperation):
    """``(image - mean) / std`` in float32, channel by channel.

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: any; the answer is float32.

    Args:
        mean (list): The mean of each channel, or one for all, in [0, 255].
        std (list): The standard deviations, in (0, 255].
        is_hwc (bool): If True, channels are the last axis; else the third last. Default: True.

    Raises:
        TypeError: If ``mean`` or ``std`` is not a list or tuple.
        ValueError: If their lengths differ, or a value is out of its range.
        RuntimeError: When called, if the image has another number of channels.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Normalize(mean=[1.0, 2.0, 3.0], std=[2.0, 2.0, 2.0])(image))
        [[[-0.5 -0.5 -0.5]
          [ 1.   1.   1. ]]
        <BLANKLINE>
         [[ 2.5  2.5  2.5]
          [ 4.   4.   4. ]]]
    """

    ranks = 2

    def __init__(self, mean: list[Any], std: list[Any], is_hwc: bool = True) -> None:
        self.mean, self.std = check_statistics(name_of(self), mean, std)
        self.is_hwc = check_bool(name_of(self), "is_hwc", is_hwc)
        self._planes = [np.array(values, np.float32)[:, None, None] for values in (self.mean, self.std)]
        self._last_rows = None, None  # the (W, C) of the last image, and its rows of means and deviations

    def _array(self, x):
        return self._normalized(x)

    def _normalized(self, x):
        flat = x.ndim == 2
        x = (x[:, :, None] if self.is_hwc else x[None]) if flat else x
        self._check_channels(x.shape[-1 if self.is_hwc else -3])
        mean, std = self._along(x.shape) if self.is_hwc else self._planes
        rows = x.reshape(*x.shape[:-2], -1) if self.is_hwc else x
        out = np.subtract(rows, mean, dtype=np.float32)
        out /= std
        return out.reshape(x.shape[:2] if flat and self.is_hwc else x.shape[1:] if flat else x.shape)

    def _check_channels(self, channels):
        if len(self.mean) not in (1, channels):
            expected = f"the lengths of 'mean' and 'std' must be 1 or that of the channels, {channels}"
            raise runtime_error(name_of(self), expected, len(self.mean))

    def _along(self, shape):
        """The mean and std of each number of a row (W * C), since loops over three channels are slow."""
        row, found = self._last_rows
        if row != shape[-2:]:
            found = [np.tile(np.broadcast_to(values.reshape(-1), shape[-1:]), shape[-2]) for values in self._planes]
            self._last_rows = shape[-2:], found
        return found

    def _strided(self, *columns):
        if not self.is_hwc or not is_one_array(*columns) or columns[0].ndim == 2:
            return self(*columns)
        self._check(*columns)
        self._check_channels(columns[0].shape[2])
        return by_planes(self._of_planes, *columns)

    def _of_planes(self, x):
        mean, std = self._planes
        x = np.ascontiguousarray(x) if x.dtype == np.uint8 else x  # bytes are brought into order before they grow
        out = np.subtract(x, mean, dtype=np.float32, order="C")
        out /= std
        return out


class NormalizePad(Normalize):
    """As :class:`Normalize`, with a channel of zeros after the others.

    Shapes: (H, W, 3) gives (H, W, 4); RuntimeError for others. Dtypes: any; the answer is float32.

    Args:
        mean (list): The mean of each channel, or one for all.
        std (list): The standard deviations.
        dtype (str): "float32" or "float16". Default: "float32".
        is_hwc (bool): If True, channels are the last axis; else the first. Default: True.

    Raises:
        TypeError: If ``mean`` or ``std`` is not a list or tuple, or ``is_hwc`` is not a bool. When called, if the input
            is neither an array nor an image of Pillow.
        ValueError: If ``mean`` and ``std`` do not have one length, or ``dtype`` is unknown.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.NormalizePad(mean=[1.0, 2.0, 3.0], std=[2.0, 2.0, 2.0])(image))
        [[[-0.5 -0.5 -0.5  0. ]
          [ 1.   1.   1.   0. ]]
        <BLANKLINE>
         [[ 2.5  2.5  2.5  0. ]
          [ 4.   4.   4.   0. ]]]
    """

    ranks, _strided = (2, 3), TensorOperation._strided

    def __init__(self, mean: list[Any], std: list[Any], dtype: str = "float32", is_hwc: bool = True) -> None:
        super().__init__(mean, std, is_hwc)
        self.dtype = check_choice("NormalizePad", "dtype", dtype, ("float32", "float16"))

    def _array(self, x):
        x = (x[:, :, None] if self.is_hwc else x[None]) if x.ndim == 2 else x
        out = self._normalized(x)
        axis = 2 if self.is_hwc else 0
        zeros = np.zeros_like(np.take(out, [0], axis))
        return np.concatenate([out, zeros], axis).astype(self.dtype)


class LinearTransformation(PyTensorOperation):
    """``(flat - mean_vector) @ transformation_matrix`` of the flattened image, in the image's shape.

    Shapes: any with as many elements as the matrix has rows, kept. Dtypes: any; the answer is float64.

    Args:
        transformation_matrix (numpy.ndarray): (n, n), for an image of n numbers.
        mean_vector (numpy.ndarray): (n,).

    Raises:
        TypeError: If an argument is not an array.
        ValueError: If the shapes do not fit one another; when called, if the image does not fit them.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.LinearTransformation(2 * np.eye(12), np.zeros(12))(image.transpose(2, 0, 1))[0])
        [[ 0.  6.]
         [12. 18.]]
    """

    def __init__(self, transformation_matrix, mean_vector) -> None:
        for name, value in (("transformation_matrix", transformation_matrix), ("mean_vector", mean_vector)):
            if not isinstance(value, np.ndarray):
                raise type_error("LinearTransformation", f"the '{name}' must be a NumPy array", shown(value))
        n = len(mean_vector) if mean_vector.ndim == 1 else -1
        if transformation_matrix.shape != (n, n):
            expected = "the 'transformation_matrix' must be square, and as long as 'mean_vector'"
            raise value_error("LinearTransformation", expected, f"{transformation_matrix.shape}, {mean_vector.shape}")
        self.transformation_matrix, self.mean_vector = transformation_matrix, mean_vector

    def _execute_py(self, image):
        if not isinstance(image, np.ndarray):
            raise type_error("LinearTransformation", "the input must be a NumPy array", shown(image))
        if image.size != len(self.mean_vector):
            expected = f"the image must have {len(self.mean_vector)} numbers"
            raise value_error("LinearTransformation", expected, f"shape {image.shape}")
        return ((image.reshape(-1) - self.mean_vector) @ self.transformation_matrix).reshape(image.shape)


_ORDERS = {  # the old channels of each new one; 3 in an image of three channels is the opaque one
    0: (0, 1, 2, 3),
    1: (0, 1, 2),
    2: (2, 1, 0, 3),
    3: (2, 1, 0),
    4: (2, 1, 0),
    5: (2, 1, 0, 3),
    8: (0, 0, 0),
    9: (0, 0, 0, 3),
}
_GRAYS = {6: (2, 1, 0), 7: (0, 1, 2), 10: (2, 1, 0), 11: (0, 1, 2)}  # the places of r, g and b
_FROM_GRAY = (ConvertMode.COLOR_GRAY2RGB, ConvertMode.COLOR_GRAY2RGBA)


class ConvertColor(ImageTensorOperation):
    """The image with its channels in another order, as grey, or with an opaque channel.

    Shapes: (H, W, 3) or (H, W, 4) from colours, (H, W) or (H, W, 1) from grey. The answer is (H, W) in grey, else it
    has 3 or 4 channels. Dtypes: float32, uint8 and uint16, kept; RuntimeError for others.

    Args:
        convert_mode (ConvertMode): The two orders of colours: from, to.

    Raises:
        TypeError: If ``convert_mode`` is not a ConvertMode.
        RuntimeError: When called, if the image has not the channels to convert from.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.ConvertColor(vision.ConvertMode.COLOR_RGB2BGR)(image)[0])
        [[2 1 0]
         [5 4 3]]
    """

    types = ("uint8", "uint16", "float32")

    def __init__(self, convert_mode) -> None:
        if not isinstance(convert_mode, ConvertMode):
            raise type_error("ConvertColor", "the 'convert_mode' must be a ConvertMode", shown(convert_mode))
        self.convert_mode = convert_mode

    def _array(self, x):
        x = x[:, :, None] if x.ndim == 2 else x
        channels = (1,) if self.convert_mode in _FROM_GRAY else (3, 4)
        if x.shape[2] not in channels:
            raise runtime_error("ConvertColor", f"the image must have {channels} channels", f"shape {x.shape}")
        if self.convert_mode in _GRAYS:
            return gray(x, _GRAYS[self.convert_mode])
        order = _ORDERS[self.convert_mode]
        if 3 in order and x.shape[2] < 4:
            opaque = 1 if x.dtype.kind == "f" else np.iinfo(x.dtype).max
            x = np.concatenate([x, np.full_like(x[:, :, :1], opaque)], 2)
            order = tuple(x.shape[2] - 1 if i == 3 else i for i in order)
        return np.ascontiguousarray(x[:, :, order])
