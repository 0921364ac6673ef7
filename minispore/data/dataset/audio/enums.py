"""The choices that transforms of sound take: borders, windows, scales, norms, shapes."""

from enum import Enum

__all__ = [
    "BorderType",
    "DensityFunction",
    "FadeShape",
    "GainType",
    "Interpolation",
    "MelType",
    "Modulation",
    "NormMode",
    "NormType",
    "ResampleMethod",
    "ScaleType",
    "WindowType",
]


class BorderType(str, Enum):
    """Samples outside of a waveform: one value, the edge, or the mirror image without or with the edge.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.BorderType])
        ['CONSTANT', 'EDGE', 'REFLECT', 'SYMMETRIC']
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class DensityFunction(str, Enum):
    """Distributions of a dither: triangular, rectangular, Gaussian.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.DensityFunction])
        ['TPDF', 'RPDF', 'GPDF']
    """

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


class FadeShape(str, Enum):
    """Shapes of a fade.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.FadeShape])
        ['QUARTER_SINE', 'HALF_SINE', 'LINEAR', 'LOGARITHMIC', 'EXPONENTIAL']
    """

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(str, Enum):
    """Units of a volume: a factor of amplitude, a factor of power, decibels.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.GainType])
        ['AMPLITUDE', 'POWER', 'DB']
    """

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(str, Enum):
    """Ways to find samples between samples.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.Interpolation])
        ['LINEAR', 'QUADRATIC']
    """

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(str, Enum):
    """Formulas of the mel scale.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.MelType])
        ['HTK', 'SLANEY']
    """

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(str, Enum):
    """Shapes of a modulating wave.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.Modulation])
        ['SINUSOIDAL', 'TRIANGULAR']
    """

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(str, Enum):
    """Norms of a discrete cosine transform.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.NormMode])
        ['ORTHO', 'NONE']
    """

    ORTHO = "ortho"
    NONE = "none"


class NormType(str, Enum):
    """Norms of a filter bank: area 1, or none.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.NormType])
        ['SLANEY', 'NONE']
    """

    SLANEY = "slaney"
    NONE = "none"


class ResampleMethod(str, Enum):
    """Windows of the filter that resamples.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.ResampleMethod])
        ['SINC_INTERPOLATION', 'KAISER_WINDOW']
    """

    SINC_INTERPOLATION = "sinc_interpolation"
    KAISER_WINDOW = "kaiser_window"


class ScaleType(str, Enum):
    """Scales of a spectrogram.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.ScaleType])
        ['POWER', 'MAGNITUDE']
    """

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(str, Enum):
    """Windows of a Fourier transform.

    Examples:
        >>> from minispore.dataset import audio
        >>> print([choice.name for choice in audio.WindowType])
        ['BARTLETT', 'BLACKMAN', 'HAMMING', 'HANN', 'KAISER']
    """

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"
