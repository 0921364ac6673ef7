"""Spectrograms of which a band of frequencies or a stretch of time is masked."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool, check_choice
from minispore.core.errors import runtime_error
from minispore.data.dataset.audio.base import AudioTensorOperation, check_float, check_size
from minispore.data.dataset.draws import generator
from minispore.data.dataset.transforms.base import name_of

__all__ = ["FrequencyMasking", "MaskAlongAxis", "MaskAlongAxisIID", "TimeMasking"]


class MaskOperation(AudioTensorOperation):
    """Base of masks along ``_axis``: -2 for frequencies, -1 for time."""

    rank = 2
    _axis = -1

    def _masked(self, x, start, width):
        size = x.shape[self._axis]
        if start + width > size:
            need = f"the mask must end within the {size} places of the axis"
            raise runtime_error(name_of(self), need, f"{start} + {width}")
        found = np.swapaxes(x, self._axis, -1).copy()
        found[..., start : start + width] = self.mask_value
        return np.swapaxes(found, self._axis, -1)

    def _drawn(self, x, most):
        """A mask of a drawn width, ``most`` at most, at a drawn place."""
        size = x.shape[self._axis]
        if most > size:
            raise runtime_error(name_of(self), f"the width of the mask must be at most {size}", f"{most}")
        width = int(generator().integers(most + 1))
        return self._masked(x, int(generator().integers(size - width + 1)), width)


class FrequencyMasking(MaskOperation):
    """A spectrogram with ``mask_value`` in a band of frequencies, of a drawn or a given place.

    Park et al. (2019), SpecAugment.

    Shapes: (..., frequency, time), kept. Dtypes: float64, kept; others give float32.

    Args:
        iid_masks (bool): Draw the width in [0, freq_mask_param] and the place. Default: False.
        freq_mask_param (int): Width of the band, or its bound. Default: 0.
        mask_start (int): First frequency of a band that is not drawn. Default: 0.
        mask_value (float): Default: 0.0.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range.
        RuntimeError: When called, if the band does not fit.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.FrequencyMasking(freq_mask_param=2, mask_start=1)(np.ones((4, 2)))[:, 0])
        [1. 0. 0. 1.]
    """

    _axis = -2

    def __init__(
        self, iid_masks: bool = False, freq_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0
    ) -> None:
        self.iid_masks = check_bool("FrequencyMasking", "iid_masks", iid_masks)
        self.freq_mask_param = check_size("FrequencyMasking", "freq_mask_param", freq_mask_param, 0)
        self.mask_start = check_size("FrequencyMasking", "mask_start", mask_start, 0)
        self.mask_value = check_float("FrequencyMasking", "mask_value", mask_value, 0)

    def _sound(self, x):
        width = self.freq_mask_param
        return self._drawn(x, width) if self.iid_masks else self._masked(x, self.mask_start, width)


class TimeMasking(MaskOperation):
    """A spectrogram with ``mask_value`` in a stretch of time, of a drawn or a given place.

    Park et al. (2019), SpecAugment.

    Shapes: (..., frequency, time), kept. Dtypes: float64, kept; others give float32.

    Args:
        iid_masks (bool): Draw the width in [0, time_mask_param] and the place. Default: False.
        time_mask_param (int): Width of the stretch, or its bound. Default: 0.
        mask_start (int): First frame of a stretch that is not drawn. Default: 0.
        mask_value (float): Default: 0.0.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range.
        RuntimeError: When called, if the stretch does not fit.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.TimeMasking(time_mask_param=2, mask_start=1)(np.ones((1, 4))))
        [[1. 0. 0. 1.]]
    """

    def __init__(
        self, iid_masks: bool = False, time_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0
    ) -> None:
        self.iid_masks = check_bool("TimeMasking", "iid_masks", iid_masks)
        self.time_mask_param = check_size("TimeMasking", "time_mask_param", time_mask_param, 0)
        self.mask_start = check_size("TimeMasking", "mask_start", mask_start, 0)
        self.mask_value = check_float("TimeMasking", "mask_value", mask_value, 0)

    def _sound(self, x):
        width = self.time_mask_param
        return self._drawn(x, width) if self.iid_masks else self._masked(x, self.mask_start, width)


class MaskAlongAxis(MaskOperation):
    """A spectrogram with ``mask_value`` at ``mask_width`` places of an axis from ``mask_start`` on.

    Shapes: (..., frequency, time), kept. Dtypes: float64, kept; others give float32.

    Args:
        mask_start (int): First place.
        mask_width (int): Number of places, at least 1.
        mask_value (float): Value of the masked places.
        axis (int): 1 for frequencies, 2 for time.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range.
        RuntimeError: When called, if the mask does not fit.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.MaskAlongAxis(1, 2, 9.0, 2)(np.ones((1, 4))))
        [[1. 9. 9. 1.]]
    """

    def __init__(self, mask_start: int, mask_width: int, mask_value: float, axis: int) -> None:
        self.mask_start = check_size("MaskAlongAxis", "mask_start", mask_start, 0)
        self.mask_width = check_size("MaskAlongAxis", "mask_width", mask_width)
        self.mask_value = check_float("MaskAlongAxis", "mask_value", mask_value)
        self.axis = check_choice("MaskAlongAxis", "axis", axis, (1, 2))
        self._axis = axis - 3

    def _sound(self, x):
        return self._masked(x, self.mask_start, self.mask_width)


class MaskAlongAxisIID(MaskOperation):
    """A spectrogram with ``mask_value`` at places of an axis, of a drawn number, ``mask_param`` at most, and place.

    Shapes: (batch, channel, frequency, time), kept. Dtypes: float64, kept; others give float32.

    Args:
        mask_param (int): Most places, of which a number in [0, mask_param] is drawn.
        mask_value (float): Value of the masked places.
        axis (int): 1 for frequencies, 2 for time.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range.
        RuntimeError: When called, if the axis is shorter than ``mask_param``.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print((audio.MaskAlongAxisIID(3, 9.0, 2)(np.ones((1, 4))) == 9).sum() <= 3)
        True
    """

    def __init__(self, mask_param: int, mask_value: float, axis: int) -> None:
        self.mask_param = check_size("MaskAlongAxisIID", "mask_param", mask_param, 0)
        self.mask_value = check_float("MaskAlongAxisIID", "mask_value", mask_value)
        self.axis = check_choice("MaskAlongAxisIID", "axis", axis, (1, 2))
        self._axis = axis - 3

    def _sound(self, x):
        return self._drawn(x, self.mask_param)
