"""All image transforms and their choices, for export by the packages and their addresses."""

from minispore.data.dataset.vision.base import ImageTensorOperation
from minispore.data.dataset.vision.batches import *  # noqa: F403 - a list of what the modules list
from minispore.data.dataset.vision.batches import __all__ as _batches
from minispore.data.dataset.vision.boxes import *  # noqa: F403
from minispore.data.dataset.vision.boxes import __all__ as _boxes
from minispore.data.dataset.vision.color_transforms import *  # noqa: F403
from minispore.data.dataset.vision.color_transforms import __all__ as _colors
from minispore.data.dataset.vision.conversions import *  # noqa: F403
from minispore.data.dataset.vision.conversions import __all__ as _conversions
from minispore.data.dataset.vision.enums import *  # noqa: F403
from minispore.data.dataset.vision.enums import __all__ as _enums
from minispore.data.dataset.vision.erasing import *  # noqa: F403
from minispore.data.dataset.vision.erasing import __all__ as _erasing
from minispore.data.dataset.vision.geometry import *  # noqa: F403
from minispore.data.dataset.vision.geometry import __all__ as _geometry
from minispore.data.dataset.vision.policies import *  # noqa: F403
from minispore.data.dataset.vision.policies import __all__ as _policies
from minispore.data.dataset.vision.sizes import *  # noqa: F403
from minispore.data.dataset.vision.sizes import __all__ as _sizes

__all__ = [
    *_batches,
    *_boxes,
    *_colors,
    *_conversions,
    *_enums,
    *_erasing,
    *_geometry,
    *_policies,
    *_sizes,
    "ImageTensorOperation",
]
