"""Waveforms at another number of samples in a second."""

from __future__ import annotations

import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from minispore.data.dataset.audio.base import AudioTensorOperation, check_float, check_kind_of, check_size
from minispore.data.dataset.audio.enums import ResampleMethod

__all__ = ["Resample", "resampled"]

_BETA = 14.769656459379492  # of Kaiser's window, for 160 dB


def _kernels(old, new, width, rolloff, beta):
    """Filters (new, taps), one for each place between samples, and the samples before the first."""
    base = min(old, new) * rolloff
    reach = math.ceil(width * old / base)
    time = np.arange(-reach, reach + old) / old - np.arange(new)[:, None] / new
    time = np.clip(time * base, -width, width)
    window = np.cos(time * np.pi / width / 2) ** 2
    if beta is not None:
        window = np.i0(beta * np.sqrt(1 - (time / width) ** 2)) / np.i0(beta)
    return np.sinc(time) * window * base / old, reach


def resampled(x, old, new, width=6, rolloff=0.99, beta=None):
    """The waveforms ``x`` (..., time) at ``new`` samples in place of ``old``, by a windowed sinc of ``width`` zeros."""
    divisor = math.gcd(old, new)
    old, new = old // divisor, new // divisor
    if old == new:
        return x
    kernels, reach = _kernels(old, new, width, rolloff, beta)
    padded = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(reach, reach + old)])
    frames = sliding_window_view(padded, kernels.shape[1], -1)[..., ::old, :]
    found = (frames @ kernels.T).reshape(*x.shape[:-1], -1)
    return found[..., : math.ceil(new * x.shape[-1] / old)]


def whole(value):
    """An int for a float that is one, any other value as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Resample(AudioTensorOperation):
    """A waveform at ``new_freq`` samples a second: sums of ``x[k] * sinc(t - k) * window(t - k)``, band-limited.

    J. O. Smith, Digital audio resampling. A waveform of equal rates is given back as it is.

    Dtypes: float64, kept; others give float32.

    Args:
        orig_freq (int): Samples in a second of the input. Default: 16000.
        new_freq (int): Samples in a second of the result. Default: 16000.
        resample_method (ResampleMethod): Window of the filter. Default: ``ResampleMethod.SINC_INTERPOLATION``.
        lowpass_filter_width (int): Zeros of the filter on each side. Default: 6.
        rolloff (float): Highest frequency as a part of the possible, in (0, 1]. Default: 0.99.
        beta (float): Shape of Kaiser's window. Default: None, 14.77.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range.
        RuntimeError: When called, if the column is not of numbers, or is complex.

    Shape (..., time) gives (..., ceil(time * new_freq / orig_freq)).

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.Resample(16000, 8000)(np.cos(np.arange(12) * np.pi / 8)).round(2))
        [ 0.75  0.78 -0.03 -0.69 -1.01 -0.69]
    """

    def __init__(
        self,
        orig_freq: int = 16000,
        new_freq: int = 16000,
        resample_method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
        lowpass_filter_width: int = 6,
        rolloff: float = 0.99,
        beta: float | None = None,
    ) -> None:
        self.orig_freq = check_size("Resample", "orig_freq", whole(orig_freq))
        self.new_freq = check_size("Resample", "new_freq", whole(new_freq))
        self.resample_method = check_kind_of("Resample", "resample_method", resample_method, ResampleMethod)
        self.lowpass_filter_width = check_size("Resample", "lowpass_filter_width", lowpass_filter_width)
        self.rolloff = check_float("Resample", "rolloff", rolloff, 0, 1, above=True)
        self.beta = _BETA if beta is None else check_float("Resample", "beta", beta)

    def _array(self, x):
        self._check(x)
        return x if self.orig_freq == self.new_freq else super()._array(x)

    def _sound(self, x):
        beta = self.beta if self.resample_method is ResampleMethod.KAISER_WINDOW else None
        return resampled(x, self.orig_freq, self.new_freq, self.lowpass_filter_width, self.rolloff, beta)
