"""Windows of a short Fourier transform, periodic in their length."""

import numpy as np

from minispore.data.dataset.audio.enums import WindowType

__all__ = ["window_of"]

_KAISER_BETA = 12.0


def _cosines(size, *weights):
    """Sum of ``(-1)**k * weights[k] * cos(2 pi k n / size)``."""
    angle = 2 * np.pi * np.arange(size) / size
    return sum((-1) ** k * weight * np.cos(k * angle) for k, weight in enumerate(weights))


def _bartlett(size):
    return 1 - np.abs(2 * np.arange(size) / size - 1)


_WINDOWS = {
    WindowType.BARTLETT: _bartlett,
    WindowType.BLACKMAN: lambda size: _cosines(size, 0.42, 0.5, 0.08),
    WindowType.HAMMING: lambda size: _cosines(size, 0.54, 0.46),
    WindowType.HANN: lambda size: _cosines(size, 0.5, 0.5),
    WindowType.KAISER: lambda size: np.kaiser(size + 1, _KAISER_BETA)[:-1],
}


def window_of(kind, size, length=None):
    """The window of a kind and size, with zeros on both sides to ``length``."""
    window = _WINDOWS[kind](size) if size > 1 else np.ones(size)
    before = 0 if length is None else (length - size) // 2
    return window if length is None else np.pad(window, (before, length - size - before))
