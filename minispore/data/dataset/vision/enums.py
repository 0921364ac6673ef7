"""The choices that image transforms take: interpolation, border, layout, colours, slices, reading, policies."""

from enum import Enum, IntEnum

__all__ = [
    "AutoAugmentPolicy",
    "Border",
    "ConvertMode",
    "ImageBatchFormat",
    "ImageReadMode",
    "Inter",
    "SliceMode",
]


class Inter(IntEnum):
    """Ways to find pixels between pixels.

    Examples:
        >>> from minispore.dataset import vision
        >>> print([interpolation.name for interpolation in vision.Inter])
        ['NEAREST', 'ANTIALIAS', 'BILINEAR', 'BICUBIC', 'AREA', 'PILCUBIC']
    """

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = LINEAR = 2
    BICUBIC = CUBIC = 3
    AREA = 4
    PILCUBIC = 5


class Border(str, Enum):
    """Pixels outside of an image: one value, the edge, or the mirror image without or with the edge.

    Examples:
        >>> from minispore.dataset import vision
        >>> print([border.name for border in vision.Border])
        ['CONSTANT', 'EDGE', 'REFLECT', 'SYMMETRIC']
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class ImageBatchFormat(IntEnum):
    """The order of a batch's axes.

    Examples:
        >>> from minispore.dataset import vision
        >>> print([order.name for order in vision.ImageBatchFormat])
        ['NHWC', 'NCHW']
    """

    NHWC = 0
    NCHW = 1


class ConvertMode(IntEnum):
    """Two orders of colours: from, to.

    Examples:
        >>> from minispore.dataset import vision
        >>> print(len(vision.ConvertMode), vision.ConvertMode.COLOR_RGB2GRAY.name)
        12 COLOR_RGB2GRAY
    """

    COLOR_BGR2BGRA = COLOR_RGB2RGBA = 0
    COLOR_BGRA2BGR = COLOR_RGBA2RGB = 1
    COLOR_BGR2RGBA = COLOR_RGB2BGRA = 2
    COLOR_RGBA2BGR = COLOR_BGRA2RGB = 3
    COLOR_BGR2RGB = COLOR_RGB2BGR = 4
    COLOR_BGRA2RGBA = COLOR_RGBA2BGRA = 5
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = COLOR_GRAY2RGB = 8
    COLOR_GRAY2BGRA = COLOR_GRAY2RGBA = 9
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11


class SliceMode(IntEnum):
    """Ways with patches that do not divide an image: pad them, or drop the rest.

    Examples:
        >>> from minispore.dataset import vision
        >>> print([mode.name for mode in vision.SliceMode])
        ['PAD', 'DROP']
    """

    PAD = 0
    DROP = 1


class ImageReadMode(IntEnum):
    """The channels with which a file is read.

    Examples:
        >>> from minispore.dataset import vision
        >>> print([mode.name for mode in vision.ImageReadMode])
        ['UNCHANGED', 'GRAYSCALE', 'COLOR']
    """

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2


class AutoAugmentPolicy(str, Enum):
    """The data set for which the policies of :class:`AutoAugment` were found.

    Examples:
        >>> from minispore.dataset import vision
        >>> print([policy.name for policy in vision.AutoAugmentPolicy])
        ['IMAGENET', 'CIFAR10', 'SVHN']
    """

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"
