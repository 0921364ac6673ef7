"""Transforms of an image's place: flipped, turned, under affine and projective maps; fixed or at random."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, is_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.draws import generator
from minispore.data.dataset.transforms.base import is_pil, name_of
from minispore.data.dataset.vision.base import (
    LARGEST,
    ImageTensorOperation,
    PilOperation,
    RandomColumnsOperation,
    RandomImageOperation,
    check_fill,
    check_interpolation,
    check_pair,
    check_probability,
    each_image,
    fill_for,
    happens,
    packed,
    pil_fill,
)
from minispore.data.dataset.vision.enums import Inter
from minispore.data.dataset.vision.pillow import pillow, pillow_filter
from minispore.data.dataset.vision.warping import perspective_matrix, rotation_matrix, warp_affine, warp_perspective
from minispore.ops.number_checks import check_real, is_real

__all__ = [
    "Affine",
    "HorizontalFlip",
    "Perspective",
    "RandomAffine",
    "RandomHorizontalFlip",
    "RandomPerspective",
    "RandomRotation",
    "RandomVerticalFlip",
    "Rotate",
    "VerticalFlip",
]

_WARPABLE = ("uint8", "uint16", "int16", "float32", "float64")


def flipped(image, axis):
    """An image, or an array (..., H, W, C) or (H, W), with its rows (axis 0) or columns (axis 1) turned round."""
    if is_pil(image):
        ways = pillow().Transpose
        return image.transpose(ways.FLIP_LEFT_RIGHT if axis else ways.FLIP_TOP_BOTTOM)
    if image.ndim == 3:
        return packed(np.flip(image, axis))
    axis = axis if image.ndim < 4 else axis + image.ndim - 3
    return np.ascontiguousarray(np.flip(image, axis))


class HorizontalFlip(ImageTensorOperation):
    """The image with left and right exchanged.

    Shapes: (H, W) and (..., H, W, C), kept; RuntimeError for others. Dtypes: any, kept.

    Raises:
        RuntimeError: When called, if the input is not an image.
        TypeError: When called, if the input is neither an array nor an image of Pillow.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.HorizontalFlip()(image)[0])
        [[3 4 5]
         [0 1 2]]
    """

    ranks = 2

    def _array(self, x):
        return flipped(x, 1)


class VerticalFlip(ImageTensorOperation):
    """The image turned upside down.

    Shapes: (H, W) and (..., H, W, C), kept; RuntimeError for others. Dtypes: any, kept.

    Raises:
        RuntimeError: When called, if the input is not an image.
        TypeError: When called, if the input is neither an array nor an image of Pillow.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.VerticalFlip()(image)[0])
        [[ 6  7  8]
         [ 9 10 11]]
    """

    ranks = 2

    def _array(self, x):
        return flipped(x, 0)


class _RandomFlip(RandomColumnsOperation):
    ranks, axis = 2, 1

    def __init__(self, prob=0.5) -> None:
        self.prob = check_probability(name_of(self), prob)

    def _drawn(self, height, width):
        return _Flip(self.axis) if happens(self.prob) else None


class _Flip:
    """The flip along an axis: what random flips draw."""

    def __init__(self, axis):
        self.axis = axis

    def __call__(self, image):
        return flipped(image, self.axis)

    def view(self, x):
        return np.flip(x, self.axis)


class RandomHorizontalFlip(_RandomFlip):
    """The image, or with the probability ``prob`` the image with left and right exchanged.

    Shapes: (H, W) and (..., H, W, C), kept; RuntimeError for others. Dtypes: any, kept.

    Args:
        prob (float): In [0, 1]. Default: 0.5.

    Raises:
        TypeError: If ``prob`` is not a number.
        ValueError: If it is outside [0, 1].
        RuntimeError: When called, if the input is not an image.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomHorizontalFlip(prob=1.0)(image)[0])
        [[3 4 5]
         [0 1 2]]
    """


class RandomVerticalFlip(_RandomFlip):
    """The image, or with the probability ``prob`` the image turned upside down.

    Shapes: (H, W) and (H, W, C), kept; RuntimeError for others. Dtypes: any, kept.

    Args:
        prob (float): In [0, 1]. Default: 0.5.

    Raises:
        TypeError: If ``prob`` is not a number. When called, if the input is neither an array nor an image of Pillow.
        ValueError: If ``prob`` is not in [0, 1].
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomVerticalFlip(prob=1.0)(image)[0])
        [[ 6  7  8]
         [ 9 10 11]]
    """

    ranks, axis = (2, 3), 0


def _check_center(operation, center):
    if center is None:
        return None
    if not isinstance(center, tuple) or len(center) != 2 or not all(map(is_real, center)):
        raise type_error(operation, "the 'center' must be a pair of numbers, (x, y)", shown(center))
    return center


class Rotate(ImageTensorOperation):
    """The image turned counterclockwise by ``degrees``.

    Shapes: (H, W) and (..., H, W, C), kept; RuntimeError for others. Dtypes: float32, float64, int16, uint8 and uint16,
    kept; RuntimeError for others.

    Args:
        degrees (float): The angle.
        resample (Inter): How pixels are found. Default: Inter.NEAREST.
        expand (bool): If True, the result is as large as the turned image; else as the image. Default: False.
        center (tuple): (x, y) of the point that stays. Default: None, the middle.
        fill_value (object): What stands outside, an int or (r, g, b). Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        RuntimeError: When called, if the input is not an image.
        ValueError: If ``fill_value`` is out of range.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Rotate(90)(image)[0])
        [[ 3  4  5]
         [ 9 10 11]]
    """

    ranks, types = 2, _WARPABLE

    def __init__(
        self,
        degrees: float,
        resample=Inter.NEAREST,
        expand: bool = False,
        center: tuple[Any, ...] | None = None,
        fill_value=0,
    ) -> None:
        self.degrees = check_real("Rotate", "degrees", degrees)
        self.resample = check_interpolation("Rotate", resample, "resample")
        self.expand = check_bool("Rotate", "expand", expand)
        self.center, self.fill_value = _check_center("Rotate", center), check_fill("Rotate", fill_value)

    def _array(self, x):
        return each_image(self._rotated, x)

    def _rotated(self, x):
        height, width = x.shape[:2]
        matrix = rotation_matrix(self.center or ((width - 1) / 2, (height - 1) / 2), self.degrees)
        size = height, width
        if self.expand:
            a, b = abs(matrix[0, 0]), abs(matrix[0, 1])
            wide, tall = np.float32(width * a + height * b), np.float32(width * b + height * a)
            matrix[:, 2] += wide / 2 - width / 2, tall / 2 - height / 2
            size = round(float(tall)), round(float(wide))
        return warp_affine(x, matrix, size, self.resample, fill_for(x, self.fill_value))


class _RotateEither(Rotate):
    """:class:`Rotate` that keeps an image of Pillow one."""

    def _image(self, image):
        kind, fill = pillow_filter("RandomRotation", self.resample), pil_fill(image, self.fill_value)
        return image.rotate(self.degrees, kind, self.expand, self.center, fillcolor=fill)


class RandomRotation(RandomImageOperation):
    """The image turned by an angle that is uniform in ``degrees``.

    Shapes: (H, W) and (H, W, C), kept; RuntimeError for others. Dtypes: float32, float64, int16, uint8 and uint16,
    kept; RuntimeError for others.

    Args:
        degrees (object): (min, max), or a number for (-degrees, degrees).
        resample (Inter): How pixels are found. Default: Inter.NEAREST.
        expand (bool): If True, the result is as large as the turned image. Default: False.
        center (tuple): (x, y) of the point that stays. Default: None, the middle.
        fill_value (object): What stands outside, an int or (r, g, b). Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``degrees`` is a negative number, or (min, max) is not in order.
        RuntimeError: When called, if the input is not an image.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomRotation((90, 90))(image)[0])
        [[ 3  4  5]
         [ 9 10 11]]
    """

    types = _WARPABLE

    def __init__(
        self,
        degrees: object,
        resample=Inter.NEAREST,
        expand: bool = False,
        center: tuple[Any, ...] | None = None,
        fill_value=0,
    ) -> None:
        self.degrees = _range_of("RandomRotation", "degrees", degrees)
        self._options = resample, expand, center, fill_value
        Rotate(0, *self._options)  # checks the arguments now, not at the first image

    def _drawn(self):
        return _RotateEither(generator().uniform(*self.degrees), *self._options)


def _range_of(operation, argument, value):
    """(min, max), of a pair or of a number for (-value, value)."""
    if is_real(value):
        check_real(operation, argument, value, 0, LARGEST)
        return -value, value
    return check_pair(operation, argument, value, -LARGEST, LARGEST)


def affine_matrix(height, width, degrees, moved, scale, shear):
    """The (2, 3) matrix that shears, scales and turns around the middle, then moves: degrees, and pixels (x, y)."""
    angle, across, along = (math.radians(v) for v in (degrees, shear[0], -shear[1]))
    x, y = (width - 1) / 2, (height - 1) / 2
    a = scale * math.cos(angle + along) / math.cos(along)
    b = scale * (-math.cos(angle + along) * math.tan(across) / math.cos(along) - math.sin(angle))
    c = scale * math.sin(angle + along) / math.cos(along)
    d = scale * (-math.sin(angle + along) * math.tan(across) / math.cos(along) + math.cos(angle))
    return np.array([[a, b, (1 - a) * x - b * y + moved[0]], [c, d, (1 - d) * y - c * x + moved[1]]])


class Affine(ImageTensorOperation):
    """The image sheared, scaled and turned clockwise around its middle, and moved.

    Shapes: (H, W) and (H, W, C), kept; RuntimeError for others. Dtypes: float32, float64, int16, uint8 and uint16,
    kept; RuntimeError for others.

    Args:
        degrees (float): The angle.
        translate (tuple): (x, y): how far it is moved, in [-1, 1] of its width and height.
        scale (float): The factor of its size, above 0.
        shear (object): Degrees along x, or (x, y).
        resample (Inter): How pixels are found. Default: Inter.NEAREST.
        fill_value (object): What stands outside, an int or (r, g, b). Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If one is out of its range.
        RuntimeError: When called, if the input is not an image.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Affine(0, (1, 0), 1.0, (0, 0))(image)[0])
        [[0 0 0]
         [0 0 0]]
    """

    types = _WARPABLE

    def __init__(
        self,
        degrees: float,
        translate: tuple[Any, ...],
        scale: float,
        shear: object,
        resample=Inter.NEAREST,
        fill_value=0,
    ) -> None:
        self.degrees = check_real("Affine", "degrees", degrees)
        self.translate = self._checked_translate(translate)
        self.scale = check_real("Affine", "scale", scale, 0, above=True)
        self.shear = self._checked_shear(shear)
        self.resample = check_interpolation("Affine", resample, "resample")
        self.fill_value = check_fill("Affine", fill_value)

    @staticmethod
    def _checked_translate(translate):
        if not isinstance(translate, (tuple, list)) or len(translate) != 2:
            raise type_error("Affine", "the 'translate' must be a pair (x, y)", shown(translate))
        return [check_real("Affine", "translate", v, -1, 1) for v in translate]

    @staticmethod
    def _checked_shear(shear):
        values = (shear, 0.0) if is_real(shear) else shear
        if not isinstance(values, (tuple, list)) or len(values) != 2:
            raise type_error("Affine", "the 'shear' must be a number or a pair (x, y)", shown(shear))
        return [check_real("Affine", "shear", v) for v in values]

    def _array(self, x):
        height, width = x.shape[:2]
        moved = self.translate[0] * width, self.translate[1] * height
        matrix = affine_matrix(height, width, self.degrees, moved, self.scale, self.shear)
        return warp_affine(x, matrix, (height, width), self.resample, fill_for(x, self.fill_value))


class _Mapped(ImageTensorOperation):
    """One affine map of an array or an image of Pillow: what :class:`RandomAffine` draws."""

    def __init__(self, degrees, moved, scale, shear, resample, fill):
        self.parts, self.moved, self.resample, self.fill = (degrees, scale, shear), moved, resample, fill

    def _array(self, x):
        degrees, scale, shear = self.parts
        height, width = x.shape[:2]
        moved = self.moved[0] * width, self.moved[1] * height
        matrix = affine_matrix(height, width, degrees, moved, scale, shear)
        return warp_affine(x, matrix, (height, width), self.resample, fill_for(x, self.fill))

    def _image(self, image):
        degrees, scale, shear = self.parts
        width, height = image.size
        moved = round(self.moved[0] * width), round(self.moved[1] * height)
        # MindSpore's middle of Pillow's images stands half a pixel further, and it shears them the other way along y
        matrix = affine_matrix(height + 2, width + 2, degrees, moved, scale, (shear[0], -shear[1]))
        inverse = np.linalg.inv(np.vstack([matrix, [0, 0, 1]]))[:2].reshape(-1).tolist()
        kind, fill = pillow_filter("RandomAffine", self.resample), pil_fill(image, self.fill)
        return image.transform(image.size, pillow().Transform.AFFINE, inverse, kind, fillcolor=fill)


class RandomAffine(RandomImageOperation):
    """The image under a random affine map that keeps its middle, and moved.

    Shapes: (H, W) and (H, W, C), kept; RuntimeError for others. Dtypes: float32, float64, int16, uint8 and uint16,
    kept; RuntimeError for others.

    Args:
        degrees (object): The range of the angle: (min, max), or a number for (-degrees, degrees).
        translate (tuple): (x, y), or (x_min, x_max, y_min, y_max): how far it is moved, in shares of its size; the
            first form means (-x, x, -y, y). Default: None.
        scale (tuple): (min, max) of the factor. Default: None, 1.
        shear (object): A number for (-shear, shear) along x, (min, max) along x, or four numbers for x and y.
            Default: None.
        resample (Inter): How pixels are found. Default: Inter.NEAREST.
        fill_value (object): What stands outside, an int or (r, g, b). Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If one is out of its range.
        RuntimeError: When called, if the input is not an image.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomAffine(degrees=(90, 90))(image)[0])
        [[6 7 8]
         [0 1 2]]
    """

    types = _WARPABLE

    def __init__(
        self,
        degrees: object,
        translate: tuple[Any, ...] | None = None,
        scale: tuple[Any, ...] | None = None,
        shear: object | None = None,
        resample=Inter.NEAREST,
        fill_value=0,
    ) -> None:
        self.degrees = _range_of("RandomAffine", "degrees", degrees)
        self.translate = self._checked_translate(translate)
        self.scale = (1.0, 1.0) if scale is None else check_pair("RandomAffine", "scale", scale, 0, above=True)
        self.shear = self._checked_shear(shear)
        self.resample = check_interpolation("RandomAffine", resample, "resample")
        self.fill_value = check_fill("RandomAffine", fill_value)

    @staticmethod
    def _checked_translate(translate):
        if translate is None:
            return (0.0,) * 4
        if not isinstance(translate, (tuple, list)) or len(translate) not in (2, 4):
            raise type_error("RandomAffine", "the 'translate' must have two or four numbers", shown(translate))
        values = [check_real("RandomAffine", "translate", v, -1, 1) for v in translate]
        if len(values) == 2:
            values = [-abs(values[0]), abs(values[0]), -abs(values[1]), abs(values[1])]
        if values[0] > values[1] or values[2] > values[3]:
            raise value_error("RandomAffine", "the 'translate' must have each min before its max", shown(translate))
        return tuple(values)

    @staticmethod
    def _checked_shear(shear):
        if shear is None:
            return (0.0,) * 4
        if is_real(shear):
            check_real("RandomAffine", "shear", shear, 0, above=True)
            return -shear, shear, 0.0, 0.0
        if isinstance(shear, (tuple, list)) and len(shear) == 4:
            return (*check_pair("RandomAffine", "shear", shear[:2]), *check_pair("RandomAffine", "shear", shear[2:]))
        return (*check_pair("RandomAffine", "shear", shear), 0.0, 0.0)

    def _drawn(self):
        draw = generator().uniform
        moved = draw(*self.translate[:2]), draw(*self.translate[2:])
        shear = draw(*self.shear[:2]), draw(*self.shear[2:])
        scale, degrees = draw(*self.scale), draw(*self.degrees)
        return _Mapped(degrees, moved, scale, shear, self.resample, self.fill_value)


def _check_points(argument, points):
    ok = isinstance(points, (list, tuple)) and len(points) == 4
    if not ok or not all(isinstance(p, (list, tuple)) and len(p) == 2 and all(map(is_int, p)) for p in points):
        raise type_error("Perspective", f"the '{argument}' must be four pairs of ints, (x, y)", shown(points))
    return [list(p) for p in points]


class Perspective(ImageTensorOperation):
    """The image under the projective map that takes four points to four others.

    Shapes: (H, W) and (H, W, C), kept; RuntimeError for others. Dtypes: float32, float64, int16, uint8 and uint16,
    kept; RuntimeError for others.

    Args:
        start_points (list): Upper left, upper right, lower right, lower left, each (x, y).
        end_points (list): Where they come to stand.
        interpolation (Inter): How pixels are found. Default: Inter.BILINEAR.

    Raises:
        TypeError: If an argument is of a wrong kind.
        RuntimeError: When called, if the input is not an image, or no map takes the points to the others.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.Perspective([[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 0], [1, 0], [1, 1], [0, 1]])(image)[0])
        [[0 1 2]
         [3 4 5]]
    """

    types = _WARPABLE

    def __init__(self, start_points: list[Any], end_points: list[Any], interpolation=Inter.BILINEAR) -> None:
        self.start_points = _check_points("start_points", start_points)
        self.end_points = _check_points("end_points", end_points)
        self.interpolation = check_interpolation("Perspective", interpolation)

    def _matrix(self, start, end):
        try:
            return perspective_matrix(start, end)
        except np.linalg.LinAlgError as error:
            points = f"{self.start_points} and {self.end_points}"
            raise runtime_error("Perspective", "a projective map must take the points to the others", points) from error

    def _array(self, x):
        matrix = self._matrix(self.start_points, self.end_points)
        return warp_perspective(x, matrix, x.shape[:2], self.interpolation, fill_for(x, (0,) * 3))

    def _image(self, image):
        kind = pillow_filter("Perspective", self.interpolation)
        inverse = self._matrix(self.end_points, self.start_points).reshape(-1)[:8].tolist()
        return image.transform(image.size, pillow().Transform.PERSPECTIVE, inverse, kind)


class RandomPerspective(PilOperation):
    """An image of Pillow, or with the probability ``prob`` the image seen from a random angle.

    Args:
        distortion_scale (float): How far the corners move at most, in [0, 1]. Default: 0.5.
        prob (float): In [0, 1]. Default: 0.5.
        interpolation (Inter): How pixels are found. Default: Inter.BICUBIC.

    Raises:
        TypeError: When called, if the input is not an image of Pillow.
        ValueError: If ``distortion_scale`` or ``prob`` is not in [0, 1].

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = vision.ToPIL()(np.full((2, 2, 3), 9, np.uint8))
        >>> print(np.asarray(vision.RandomPerspective(distortion_scale=0.0, prob=1.0)(image))[0])
        [[9 9 9]
         [9 9 9]]
    """

    def __init__(self, distortion_scale: float = 0.5, prob: float = 0.5, interpolation=Inter.BICUBIC) -> None:
        self.distortion_scale = check_probability("RandomPerspective", distortion_scale, "distortion_scale")
        self.prob = check_probability("RandomPerspective", prob)
        self.interpolation = check_interpolation("RandomPerspective", interpolation)

    def _execute_py(self, image):
        if not happens(self.prob):
            return image
        right, bottom = image.width - 1, image.height - 1
        start = [[0, 0], [right, 0], [right, bottom], [0, bottom]]
        return Perspective(start, self._moved(image.width, image.height), self.interpolation)(image)

    def _moved(self, width, height):
        """The corners, each moved inwards."""
        limit = [int(self.distortion_scale * (n // 2)) + 1 for n in (width, height)]
        x, y = (generator().integers(0, n, 4).tolist() for n in limit)
        right, bottom = width - 1, height - 1
        return [[x[0], y[0]], [right - x[1], y[1]], [right - x[2], bottom - y[2]], [x[3], bottom - y[3]]]
