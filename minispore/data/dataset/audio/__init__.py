"""Transforms of sound: callables on waveforms (..., time) and on spectrograms (..., frequency, time).

Reading order: ``enums`` (the choices), ``base`` (the transforms' common part), ``windows``, ``fourier``, ``recursion``
(the arithmetic), ``spectra``, ``scales``, ``mel``, ``biquads``, ``masks``, ``features``, ``resample``, and MindSpore's
further addresses: ``transforms``, ``utils``.
"""

from minispore.data.dataset.audio import transforms, utils
from minispore.data.dataset.audio.transforms import *
from minispore.data.dataset.audio.transforms import __all__ as _transforms
from minispore.data.dataset.audio.utils import *
from minispore.data.dataset.audio.utils import __all__ as _utils

__all__ = [*_transforms, *_utils, "transforms", "utils"]
