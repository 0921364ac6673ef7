"""Image files: read and written as arrays, encoded and decoded."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np

from minispore.core.checks import check_int
from minispore.core.errors import runtime_error, shown, type_error
from minispore.data.dataset.transforms.base import is_pil
from minispore.data.dataset.vision.conversions import opened
from minispore.data.dataset.vision.enums import ImageReadMode
from minispore.data.dataset.vision.pillow import image_of

__all__ = [
    "encode_jpeg",
    "encode_png",
    "get_image_num_channels",
    "get_image_size",
    "read_file",
    "read_image",
    "write_file",
    "write_jpeg",
    "write_png",
]


def _check_filename(operation, filename):
    if not isinstance(filename, (str, os.PathLike)):
        raise type_error(operation, "the 'filename' must be a str", shown(filename))
    return filename


def _array_of(operation, image):
    """An image as an array: of an array, a Tensor, or an image of Pillow."""
    if not isinstance(image, np.ndarray) and not is_pil(image) and not hasattr(image, "asnumpy"):
        raise type_error(operation, "the 'image' must be an array, a Tensor or an image of Pillow", shown(image))
    return np.asarray(image.asnumpy() if hasattr(image, "asnumpy") else image)


def read_file(filename: str) -> Any:
    """The bytes of a file, as uint8.

    Args:
        filename (str): The path of the file.

    Raises:
        TypeError: If ``filename`` is not a str.
        RuntimeError: If it cannot be read.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> file = os.path.join(tempfile.mkdtemp(), "bytes")
        >>> vision.write_file(file, np.array([7, 8], np.uint8))
        >>> print(vision.read_file(file))
        [7 8]
    """
    try:
        with open(_check_filename("read_file", filename), "rb") as file:
            return np.frombuffer(file.read(), np.uint8)
    except (OSError, ValueError) as error:
        raise runtime_error("read_file", "the file must be readable", shown(error, str)) from error


def read_image(filename: str, mode=ImageReadMode.UNCHANGED) -> Any:
    """The image in a file, (H, W, C) of uint8 (uint16 for a PNG of 16 bits).

    Args:
        filename (str): The path of the file.
        mode (ImageReadMode): Which channels. Default: ImageReadMode.UNCHANGED.

    Raises:
        TypeError: If an argument is of a wrong kind.
        RuntimeError: If the file cannot be read or decoded.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> file = os.path.join(tempfile.mkdtemp(), "image.png")
        >>> vision.write_png(file, np.full((2, 2, 3), 9, np.uint8))
        >>> print(vision.read_image(file)[0])
        [[9 9 9]
         [9 9 9]]
    """
    if not isinstance(mode, ImageReadMode):
        raise type_error("read_image", "the 'mode' must be an ImageReadMode", shown(mode))
    image = opened("read_image", read_file(_check_filename("read_image", filename)).tobytes())
    if mode != ImageReadMode.UNCHANGED:
        image = image.convert("L" if mode == ImageReadMode.GRAYSCALE else "RGB")
    elif image.mode not in ("L", "RGB", "RGBA", "I;16"):
        image = image.convert("RGBA" if "transparency" in image.info or "A" in image.mode else "RGB")
    array = np.array(image)
    return array[:, :, None] if array.ndim == 2 else array


def write_file(filename: str, data: object) -> None:
    """Write the bytes ``data``, uint8 of one axis, into a file.

    Shapes: ``data`` is (number of bytes,). Dtypes: uint8.

    Args:
        filename (str): The path of the file.
        data (object): An array or a Tensor.

    Raises:
        TypeError: If an argument is of a wrong kind.
        RuntimeError: If ``data`` is not uint8 of one axis, or the file cannot be written.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> file = os.path.join(tempfile.mkdtemp(), "bytes")
        >>> vision.write_file(file, np.array([1, 2, 3], np.uint8))
        >>> print(vision.read_file(file))
        [1 2 3]
    """
    data = _array_of("write_file", data)
    if data.dtype != np.uint8 or data.ndim != 1:
        raise runtime_error("write_file", "the 'data' must be uint8 of one axis", f"{data.dtype}{data.shape}")
    _write("write_file", filename, data.tobytes())


def _write(operation, filename, data):
    try:
        with open(_check_filename(operation, filename), "wb") as file:
            file.write(data)
    except (OSError, ValueError) as error:
        raise runtime_error(operation, "the file must be writable", shown(error, str)) from error


def _encoded(operation, image, kind, **options):
    array = _array_of(operation, image)
    array = array[:, :, 0] if array.ndim == 3 and array.shape[2] == 1 else array
    fits = array.ndim == 2 or (array.ndim == 3 and array.shape[2] == 3)
    if not fits or not array.size or (array.dtype != np.uint8 and not (kind == "PNG" and array.dtype == np.uint16)):
        expected = "the 'image' must be uint8 of shape (H, W), (H, W, 1) or (H, W, 3)"
        raise runtime_error(operation, expected, f"{array.dtype}{array.shape}")
    if array.dtype == np.uint16 and array.ndim == 3:
        raise runtime_error(operation, "the 'image' of 16 bits must have one channel", f"shape {array.shape}")
    file = io.BytesIO()
    image_of(array).save(file, kind, **options)
    return file.getvalue()


def encode_jpeg(image: object, quality: int = 75) -> Any:
    """The image as JPEG, uint8 of one axis.

    Args:
        image (object): An array, a Tensor or an image of Pillow: uint8 of shape (H, W), (H, W, 1) or (H, W, 3).
        quality (int): In [1, 100]. Default: 75.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``quality`` is out of its range.
        RuntimeError: If the image has another type or shape.

    Examples:
        >>> import minispore as ms
        >>> from minispore.dataset import vision
        >>> data = vision.encode_jpeg(ms.ops.zeros((2, 3, 3), ms.uint8))
        >>> print(data.dtype, data[:2])
        uint8 [255 216]
    """
    quality = check_int("encode_jpeg", "quality", quality, 1, 101)
    return np.frombuffer(_encoded("encode_jpeg", image, "JPEG", quality=quality), np.uint8)


def encode_png(image: object, compression_level: int = 6) -> Any:
    """The image as PNG, uint8 of one axis.

    Args:
        image (object): As in :func:`encode_jpeg`; uint16 of one channel too.
        compression_level (int): In [0, 9]. Default: 6.

    Raises:
        TypeError: If ``image`` is not an array, a Tensor or an image of Pillow, or ``compression_level`` is not an int.
        ValueError: If ``compression_level`` is out of range.
        RuntimeError: If ``image`` has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> data = vision.encode_png(np.full((1, 2, 3), 9, np.uint8))
        >>> print(bytes(data[1:4]), vision.Decode()(data))
        b'PNG' [[[9 9 9]
          [9 9 9]]]
    """
    level = check_int("encode_png", "compression_level", compression_level, 0, 10)
    return np.frombuffer(_encoded("encode_png", image, "PNG", compress_level=level), np.uint8)


def write_jpeg(filename: str, image: object, quality: int = 75) -> None:
    """Write the image as a JPEG file.

    Args:
        filename (str): The path of the file.
        image (object): As in :func:`encode_jpeg`.
        quality (int): In [1, 100]. Default: 75.

    Raises:
        TypeError: If ``filename`` is not a str, or ``image`` is not an array, a Tensor or an image of Pillow. Also if
            ``quality`` is not an int.
        ValueError: If ``quality`` is out of range.
        RuntimeError: If ``image`` has another shape or dtype, or the file cannot be written.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> file = os.path.join(tempfile.mkdtemp(), "image.jpg")
        >>> vision.write_jpeg(file, np.full((2, 2, 3), 9, np.uint8), quality=100)
        >>> print(vision.read_image(file).shape)
        (2, 2, 3)
        >>> print(abs(vision.read_image(file).astype(int) - 9).max() <= 1)
        True
    """
    quality = check_int("write_jpeg", "quality", quality, 1, 101)
    _write("write_jpeg", filename, _encoded("write_jpeg", image, "JPEG", quality=quality))


def write_png(filename: str, image: object, compression_level: int = 6) -> None:
    """Write the image as a PNG file.

    Shapes: (H, W), (H, W, 1) or (H, W, 3). Dtypes: uint8, of one channel uint16 too.

    Args:
        filename (str): The path of the file.
        image (object): As in :func:`encode_png`.
        compression_level (int): In [0, 9]. Default: 6.

    Raises:
        TypeError: If ``filename`` is not a str, or ``image`` is not an array, a Tensor or an image of Pillow. Also if
            ``compression_level`` is not an int.
        ValueError: If ``compression_level`` is out of range.
        RuntimeError: If ``image`` has another shape or dtype, or the file cannot be written.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> file = os.path.join(tempfile.mkdtemp(), "image.png")
        >>> vision.write_png(file, np.full((2, 2, 3), 9, np.uint8))
        >>> print(vision.read_image(file)[0])
        [[9 9 9]
         [9 9 9]]
    """
    level = check_int("write_png", "compression_level", compression_level, 0, 10)
    _write("write_png", filename, _encoded("write_png", image, "PNG", compress_level=level))


def _image_shape(operation, image):
    array = _array_of(operation, image)
    if array.ndim not in (2, 3):
        raise runtime_error(operation, "the rank of the image must be 2 or 3", f"shape {array.shape}")
    return array.shape


def get_image_size(image: object) -> Any:
    """``[height, width]`` of an image.

    Shapes: (H, W) or (H, W, C). Dtypes: any.

    Args:
        image (object): An array or an image of Pillow.

    Raises:
        TypeError: If ``image`` is anything else.
        RuntimeError: If its rank is not 2 or 3.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.get_image_size(np.zeros((2, 5, 3), np.uint8)))
        [2, 5]
    """
    return list(_image_shape("get_image_size", image)[:2])


def get_image_num_channels(image: object) -> Any:
    """The number of channels of an image; 1 for shape (H, W).

    Shapes: (H, W) or (H, W, C). Dtypes: any.

    Args:
        image (object): An array or an image of Pillow.

    Raises:
        TypeError: If ``image`` is not an array, a Tensor or an image of Pillow.
        RuntimeError: If ``image`` has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.get_image_num_channels(np.zeros((2, 5, 3), np.uint8)))
        3
    """
    shape = _image_shape("get_image_num_channels", image)
    return 1 if len(shape) == 2 else shape[2]
