"""MindSpore's address of the choices and the functions on files."""

from minispore.dataset.transforms.base import is_pil
from minispore.dataset.vision.enums import *  # noqa: F403 - an address exports what the modules list
from minispore.dataset.vision.enums import __all__ as _of_enums
from minispore.dataset.vision.files import *  # noqa: F403 - an address exports what the modules list
from minispore.dataset.vision.files import __all__ as _of_files

__all__ = [*_of_enums, *_of_files, "is_pil"]
