"""MindSpore's address of the choices and the functions on files."""

from minispore.data.dataset.transforms.base import is_pil
from minispore.data.dataset.vision.enums import *  # noqa: F403 - an address exports what the modules list
from minispore.data.dataset.vision.enums import __all__ as _of_enums
from minispore.data.dataset.vision.files import *  # noqa: F403 - an address exports what the modules list
from minispore.data.dataset.vision.files import __all__ as _of_files

__all__ = [*_of_enums, *_of_files, "is_pil"]
