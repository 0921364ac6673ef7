"""MindSpore's further address of the transforms of sound: the module that defines them there."""

from minispore.data.dataset.audio.base import AudioTensorOperation
from minispore.data.dataset.audio.biquads import *  # noqa: F403 - an address exports what the modules list
from minispore.data.dataset.audio.biquads import __all__ as _biquads
from minispore.data.dataset.audio.features import *  # noqa: F403
from minispore.data.dataset.audio.features import __all__ as _features
from minispore.data.dataset.audio.masks import *  # noqa: F403
from minispore.data.dataset.audio.masks import __all__ as _masks
from minispore.data.dataset.audio.mel import LFCC, MFCC, MelScale, MelSpectrogram
from minispore.data.dataset.audio.resample import Resample
from minispore.data.dataset.audio.scales import *  # noqa: F403
from minispore.data.dataset.audio.scales import __all__ as _scales
from minispore.data.dataset.audio.spectra import *  # noqa: F403
from minispore.data.dataset.audio.spectra import __all__ as _spectra

__all__ = [
    *_biquads,
    *_features,
    *_masks,
    *_scales,
    *_spectra,
    "LFCC",
    "MFCC",
    "AudioTensorOperation",
    "MelScale",
    "MelSpectrogram",
    "Resample",
]
