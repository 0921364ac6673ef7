"""The sources of rows.

Reading order: ``indexed`` (sources for samplers), ``numpy_slices``, ``generator``, ``arguments`` (constructors),
``mnist``, ``cifar``, ``image_files``, ``image_folder``, ``image_sets``, ``voc``, ``coco``, ``text_files``, ``matlab``,
``binary_images``, ``flowers``, ``corpora``, ``clue``, ``tf_example``, ``tf_record``, ``mind``, ``cache``.
"""

from minispore.data.dataset.engine.sources import (
    binary_images,
    cache,
    cifar,
    clue,
    coco,
    corpora,
    flowers,
    generator,
    image_folder,
    image_sets,
    indexed,
    mind,
    mnist,
    numpy_slices,
    text_files,
    tf_record,
    voc,
)
from minispore.data.dataset.engine.sources.binary_images import *
from minispore.data.dataset.engine.sources.cache import *
from minispore.data.dataset.engine.sources.cifar import *
from minispore.data.dataset.engine.sources.clue import *
from minispore.data.dataset.engine.sources.coco import *
from minispore.data.dataset.engine.sources.corpora import *
from minispore.data.dataset.engine.sources.flowers import *
from minispore.data.dataset.engine.sources.generator import *
from minispore.data.dataset.engine.sources.image_folder import *
from minispore.data.dataset.engine.sources.image_sets import *
from minispore.data.dataset.engine.sources.indexed import *
from minispore.data.dataset.engine.sources.mind import *
from minispore.data.dataset.engine.sources.mnist import *
from minispore.data.dataset.engine.sources.numpy_slices import *
from minispore.data.dataset.engine.sources.text_files import *
from minispore.data.dataset.engine.sources.tf_record import *
from minispore.data.dataset.engine.sources.voc import *

_FILES = [binary_images, cache, cifar, clue, coco, corpora, flowers, generator, image_folder, image_sets, indexed, mind]
_FILES += [mnist, numpy_slices, text_files, tf_record, voc]
__all__ = sorted({name for file in _FILES for name in file.__all__})
