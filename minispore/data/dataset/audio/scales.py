"""Scales of loudness: decibels, gains, contrast, shifts, fades, the mu-law, overdrive."""

from __future__ import annotations

import numpy as np

from minispore.core.errors import runtime_error, value_error
from minispore.data.dataset.audio.base import AudioTensorOperation, check_float, check_kind_of, check_size
from minispore.data.dataset.audio.enums import FadeShape, GainType, ScaleType
from minispore.data.dataset.audio.recursion import filtered

__all__ = [
    "AmplitudeToDB",
    "Contrast",
    "DBToAmplitude",
    "DCShift",
    "Fade",
    "Gain",
    "MuLawDecoding",
    "MuLawEncoding",
    "Overdrive",
    "Vol",
]


class AmplitudeToDB(AudioTensorOperation):
    """Decibels of power, ``10 * log10(max(x, amin) / max(ref_value, amin))``, or of magnitude, with 20 for 10.

    What lies more than ``top_db`` below the loudest of a spectrogram is raised to that.

    Dtypes: float64, kept; others give float32.

    Args:
        stype (ScaleType): Scale of the input. Default: ``ScaleType.POWER``.
        ref_value (float): Value of 0 dB, above 0. Default: 1.0.
        amin (float): Least value, above 0. Default: 1e-10.
        top_db (float): At least 0. Default: 80.0.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range.
        RuntimeError: When called, if the column is no spectrogram.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.AmplitudeToDB()(np.array([[1.0, 0.1, 100.0]])))
        [[  0. -10.  20.]]
    """

    rank = 2

    def __init__(
        self,
        stype: ScaleType = ScaleType.POWER,
        ref_value: float = 1.0,
        amin: float = 1e-10,
        top_db: float = 80.0,
    ) -> None:
        self.stype = check_kind_of("AmplitudeToDB", "stype", stype, ScaleType)
        self.ref_value = check_float("AmplitudeToDB", "ref_value", ref_value, 0, above=True)
        self.amin = check_float("AmplitudeToDB", "amin", amin, 0, above=True)
        self.top_db = check_float("AmplitudeToDB", "top_db", top_db, 0)

    def _sound(self, x):
        factor = 10 if self.stype is ScaleType.POWER else 20
        found = factor * (np.log10(np.maximum(x, self.amin)) - np.log10(max(self.amin, self.ref_value)))
        return np.maximum(found, found.max(axis=tuple(range(-min(x.ndim, 3), 0)), keepdims=True) - self.top_db)


class DBToAmplitude(AudioTensorOperation):
    """Power or magnitude of decibels: ``ref * (10 ** (0.1 * x)) ** power``.

    Shapes: (..., time), kept. Dtypes: float64, kept; others give float32.

    Args:
        ref (float): Value of 0 dB.
        power (float): 1 for power, 0.5 for magnitude.

    Raises:
        TypeError: If an argument is not a number.
        ValueError: If ``ref`` or ``power`` is not finite.
        RuntimeError: When called, if the column is not of numbers, or is complex.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.DBToAmplitude(1.0, 1.0)(np.array([0.0, -10.0, 20.0])))
        [  1.    0.1 100. ]
    """

    def __init__(self, ref: float, power: float) -> None:
        self.ref = check_float("DBToAmplitude", "ref", ref)
        self.power = check_float("DBToAmplitude", "power", power)

    def _sound(self, x):
        return self.ref * (10 ** (0.1 * x)) ** self.power


class Contrast(AudioTensorOperation):
    """Louder to the ear at the same peaks: ``sin(t + c * sin(4 * t))``, with ``t = pi / 2 * x``, ``c = amount / 750``.

    Shapes: (..., time), kept. Dtypes: float64, kept; others give float32.

    Args:
        enhancement_amount (float): In [0, 100]. Default: 75.0.

    Raises:
        TypeError: If ``enhancement_amount`` is not a number.
        ValueError: If it is out of range.
        RuntimeError: When called, if the column is not of numbers, or is complex.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.Contrast()(np.array([0.1, 0.5, 1.0])).round(4))
        [0.2142 0.7071 1.    ]
    """

    def __init__(self, enhancement_amount: float = 75.0) -> None:
        self.enhancement_amount = check_float("Contrast", "enhancement_amount", enhancement_amount, 0, 100)

    def _sound(self, x):
        angle = np.pi / 2 * x
        return np.sin(angle + self.enhancement_amount / 750 * np.sin(4 * angle))


class DCShift(AudioTensorOperation):
    """The sum ``x + shift``, within [-1, 1]; with a limiter, at most t where ``abs(x)`` is above t on the shift's side.

    Here ``t = 1 - abs(shift) + limiter_gain``, as in MindSpore.

    Shapes: (..., time), kept. Dtypes: float64, kept; others give float32.

    Args:
        shift (float): In [-2, 2].
        limiter_gain (float): Gain of the peaks, which should be far below 1. Default: None, no limiter.

    Raises:
        TypeError: If an argument is not a number.
        ValueError: If ``shift`` is out of range.
        RuntimeError: When called, if the column is not of numbers, or is complex.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.DCShift(0.3)(np.array([-0.5, 0.1, 0.5])))
        [-0.2  0.4  0.8]
    """

    def __init__(self, shift: float, limiter_gain: float | None = None) -> None:
        self.shift = check_float("DCShift", "shift", shift, -2, 2)
        self.limiter_gain = None if limiter_gain is None else check_float("DCShift", "limiter_gain", limiter_gain)

    def _sound(self, x):
        moved = np.clip(x + self.shift, -1, 1)
        if self.limiter_gain is None or self.shift == 0:
            return moved
        sign, threshold = np.sign(self.shift), 1 - (abs(self.shift) - self.limiter_gain)
        over = sign * x - threshold
        pressed = over * self.limiter_gain / (1 - threshold or 1) + threshold + abs(self.shift)
        return np.where(over > 0, sign * np.minimum(pressed, threshold), moved)


_FADES = {
    FadeShape.LINEAR: lambda x: x,
    FadeShape.EXPONENTIAL: lambda x: 2 ** (x - 1) * x,
    FadeShape.LOGARITHMIC: lambda x: np.log10(0.1 + x) + 1,
    FadeShape.QUARTER_SINE: lambda x: np.sin(x * np.pi / 2),
    FadeShape.HALF_SINE: lambda x: np.sin(x * np.pi - np.pi / 2) / 2 + 0.5,
}


class Fade(AudioTensorOperation):
    """Sound that begins from silence and ends in it: ``x * shape(t)``, t from 0 to 1 and back.

    Shapes: (..., time), kept. Dtypes: float64, kept; others give float32.

    Args:
        fade_in_len (int): Samples of the beginning. Default: 0.
        fade_out_len (int): Samples of the end. Default: 0.
        fade_shape (FadeShape): Default: ``FadeShape.LINEAR``.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a length is below 0.
        RuntimeError: When called, if a length is above the column's.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.Fade(3, 2)(np.ones(7)))
        [0.  0.5 1.  1.  1.  1.  0. ]
    """

    def __init__(self, fade_in_len: int = 0, fade_out_len: int = 0, fade_shape: FadeShape = FadeShape.LINEAR) -> None:
        self.fade_in_len = check_size("Fade", "fade_in_len", fade_in_len, 0)
        self.fade_out_len = check_size("Fade", "fade_out_len", fade_out_len, 0)
        self.fade_shape = check_kind_of("Fade", "fade_shape", fade_shape, FadeShape)

    def _sound(self, x):
        size = x.shape[-1]
        if max(self.fade_in_len, self.fade_out_len) > size:
            got = f"{self.fade_in_len} and {self.fade_out_len}"
            raise runtime_error("Fade", f"the fades must be at most {size} samples", got)
        return x * self._volume(self.fade_in_len, size) * self._volume(self.fade_out_len, size)[::-1]

    def _volume(self, length, size):
        rise = _FADES[self.fade_shape](np.linspace(0, 1, length))
        return np.concatenate([rise, np.ones(size - length)])


class Gain(AudioTensorOperation):
    """Louder by decibels: ``x * 10 ** (gain_db / 20)``.

    Shapes: (..., time), kept. Dtypes: float64, kept; others give float32.

    Args:
        gain_db (float): Default: 1.0.

    Raises:
        TypeError: If ``gain_db`` is not a number.
        RuntimeError: When called, if the column is not of numbers, or is complex.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.Gain(20)(np.array([0.01, 0.2])))
        [0.1 2. ]
    """

    def __init__(self, gain_db: float = 1.0) -> None:
        self.gain_db = check_float("Gain", "gain_db", gain_db)

    def _sound(self, x):
        return x * 10 ** (self.gain_db / 20)


class Vol(AudioTensorOperation):
    """Louder by a factor of amplitude or of power, or by decibels, within [-1, 1].

    Shapes: (..., time), kept. Dtypes: float64, kept; others give float32.

    Args:
        gain (float): At least 0 for an amplitude, above 0 for a power.
        gain_type (GainType): Default: ``GainType.AMPLITUDE``.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``gain`` is out of range.
        RuntimeError: When called, if the column is not of numbers, or is complex.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.Vol(4.0, audio.GainType.POWER)(np.array([0.1, 0.8])))
        [0.2 1. ]
    """

    def __init__(self, gain: float, gain_type: GainType = GainType.AMPLITUDE) -> None:
        self.gain_type = check_kind_of("Vol", "gain_type", gain_type, GainType)
        self.gain = check_float("Vol", "gain", gain)
        if (gain < 0 and gain_type is GainType.AMPLITUDE) or (gain <= 0 and gain_type is GainType.POWER):
            raise value_error("Vol", f"the 'gain' of {gain_type} must be positive", f"{gain}")

    def _sound(self, x):
        factor = {
            GainType.AMPLITUDE: lambda: self.gain,
            GainType.POWER: lambda: np.sqrt(self.gain),
            GainType.DB: lambda: 10 ** (self.gain / 20),
        }[self.gain_type]()
        return np.clip(x * factor, -1, 1)


class MuLawEncoding(AudioTensorOperation):
    """Whole numbers in [0, q) of sound in [-1, 1]: ``(sign(x) * log1p(m * abs(x)) / log1p(m) + 1) / 2 * m + 0.5``.

    Here q is ``quantization_channels`` and m is q - 1; the result is int32. ITU-T Recommendation G.711.

    Shapes: (..., time), kept. The result is int32.

    Args:
        quantization_channels (int): At least 1. Default: 256.

    Raises:
        TypeError: If ``quantization_channels`` is not an int.
        ValueError: If it is below 1.
        RuntimeError: When called, if the column is not of numbers, or is complex.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.MuLawEncoding()(np.array([-1.0, 0.0, 0.1, 1.0])))
        [  0 128 203 255]
    """

    def __init__(self, quantization_channels: int = 256) -> None:
        self.quantization_channels = check_size("MuLawEncoding", "quantization_channels", quantization_channels)

    def _kind(self, x):
        return np.int32

    def _sound(self, x):
        most = self.quantization_channels - 1
        part = np.sign(x) * np.log1p(most * np.abs(x)) / np.log1p(most)
        return (part + 1) / 2 * most + 0.5


class MuLawDecoding(AudioTensorOperation):
    """Sound of whole numbers in [0, q): ``sign(y) * ((1 + m) ** abs(y) - 1) / m``, with ``y = 2 * x / m - 1``.

    Here q is ``quantization_channels`` and m is q - 1. ITU-T Recommendation G.711.

    Shapes: (..., time), kept. Dtypes: float64, kept; others give float32.

    Args:
        quantization_channels (int): At least 1. Default: 256.

    Raises:
        TypeError: If ``quantization_channels`` is not an int.
        ValueError: If it is below 1.
        RuntimeError: When called, if the column is not of numbers, or is complex.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.MuLawDecoding()(np.array([0.0, 203.0, 255.0])).round(3))
        [-1.     0.101  1.   ]
    """

    def __init__(self, quantization_channels: int = 256) -> None:
        self.quantization_channels = check_size("MuLawDecoding", "quantization_channels", quantization_channels)

    def _sound(self, x):
        most = self.quantization_channels - 1
        part = x / most * 2 - 1
        return np.sign(part) * np.expm1(np.abs(part) * np.log1p(most)) / most


class Overdrive(AudioTensorOperation):
    """Distortion by a cubic that ends at 2/3, without what is constant: ``0.5 * x + 0.75 * y``, within [-1, 1].

    ``y[i] = d[i] - d[i - 1] + 0.995 * y[i - 1]``, where ``d = t - t ** 3 / 3`` of ``t``, the gained ``x`` and colour.

    Shapes: (..., time), kept. Dtypes: float64, kept; others give float32.

    Args:
        gain (float): Decibels, in [0, 100]. Default: 20.0.
        color (float): Even harmonics, in [0, 100]. Default: 20.0.

    Raises:
        TypeError: If an argument is not a number.
        ValueError: If an argument is out of range.
        RuntimeError: When called, if the column is not of numbers, or is complex.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.Overdrive()(np.array([0.0, 0.1, -0.2])).round(4))
        [ 0.0748  0.5496 -0.6029]
    """

    def __init__(self, gain: float = 20.0, color: float = 20.0) -> None:
        self.gain = check_float("Overdrive", "gain", gain, 0, 100)
        self.color = check_float("Overdrive", "color", color, 0, 100)

    def _sound(self, x):
        bent = np.clip(x * 10 ** (self.gain / 20) + self.color / 200, -1, 1)
        bent = bent - bent**3 / 3
        return np.clip(x * 0.5 + filtered(bent, [1, -0.995], [1, -1]) * 0.75, -1, 1)
