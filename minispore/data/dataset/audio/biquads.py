"""Linear filters of sound with two poles and two zeros, and with any number.

The coefficients are those of R. Bristow-Johnson, Cookbook formulae for audio equalizer biquad filter coefficients,
with ``w = 2 pi f / sample_rate`` and ``alpha = sin(w) / (2 Q)``.
"""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool, check_choice
from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset.audio.base import AudioTensorOperation, check_float, check_rate
from minispore.data.dataset.audio.recursion import filtered
from minispore.data.dataset.transforms.base import name_of

__all__ = [
    "AllpassBiquad",
    "BandBiquad",
    "BandpassBiquad",
    "BandrejectBiquad",
    "BassBiquad",
    "Biquad",
    "DeemphBiquad",
    "EqualizerBiquad",
    "Filtfilt",
    "HighpassBiquad",
    "LFilter",
    "LowpassBiquad",
    "RiaaBiquad",
    "TrebleBiquad",
]


class FilterOperation(AudioTensorOperation):
    """Base of linear filters: ``_terms()`` gives the weights of outputs, a, and of inputs, b; float16 stays so."""

    kinds = "f"

    def _kind(self, x):
        return x.dtype

    def _terms(self):
        raise NotImplementedError

    def _sound(self, x):
        return np.clip(filtered(x, *self._terms()), -1, 1)

    def _take(self, sample_rate, Q=None, **numbers):  # noqa: N803 - the field's letter
        """Check and keep the arguments: ``sample_rate`` and ``Q``, and others as floats."""
        name = name_of(self)
        self.sample_rate = check_rate(name, "sample_rate", sample_rate)
        if Q is not None:
            self.Q = check_float(name, "Q", Q, 0, 1, above=True)
        for argument, value in numbers.items():
            setattr(self, argument, check_float(name, argument, value))

    def _angle(self, frequency):
        """The cosine and sine of ``2 pi f / sample_rate``."""
        angle = 2 * np.pi * frequency / self.sample_rate
        return np.cos(angle), np.sin(angle)


def shelf(gain, quality, cos, sin, side):
    """The terms of a shelf of ``gain`` decibels at low frequencies, ``side`` 1, or at high ones, -1."""
    root = 10 ** (gain / 40)
    alpha = 2 * np.sqrt(root) * sin / (2 * quality)
    up, down, cos = root + 1, root - 1, side * cos
    a = (up + down * cos + alpha, -2 * side * (down + up * cos), up + down * cos - alpha)
    b = (root * (up - down * cos + alpha), 2 * side * root * (down - up * cos), root * (up - down * cos - alpha))
    return a, b


class AllpassBiquad(FilterOperation):
    """Every frequency as loud as it was, its phase turned around ``central_freq``.

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        sample_rate (int): Samples in a second, not 0.
        central_freq (float): Middle of the band in Hz.
        Q (float): Quality: the middle divided by the width, in (0, 1]. Default: 0.707.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``sample_rate`` is 0 or ``Q`` is out of (0, 1].
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.AllpassBiquad(8000, 1000.0)(np.array([0.5, 0.25, -0.5])).round(4))
        [ 0.1666 -0.231  -0.1756]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707) -> None:  # noqa: N803 - the field's letter
        self._take(sample_rate, Q, central_freq=central_freq)

    def _terms(self):
        cos, sin = self._angle(self.central_freq)
        alpha = sin / (2 * self.Q)
        return (1 + alpha, -2 * cos, 1 - alpha), (1 - alpha, -2 * cos, 1 + alpha)


class BandpassBiquad(FilterOperation):
    """A band around ``central_freq``, of peak 0 dB or ``Q``.

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        sample_rate (int): Samples in a second, not 0.
        central_freq (float): Middle of the band in Hz.
        Q (float): Quality: the middle divided by the width, in (0, 1]. Default: 0.707.
        const_skirt_gain (bool): The peak is ``Q``. Default: False.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``sample_rate`` is 0 or ``Q`` is out of (0, 1].
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.BandpassBiquad(8000, 1000.0)(np.array([0.5, 0.25, -0.5])).round(4))
        [ 0.1667  0.2405 -0.1622]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707, const_skirt_gain: bool = False) -> None:  # noqa: N803 - the field's letter
        self._take(sample_rate, Q, central_freq=central_freq)
        self.const_skirt_gain = check_bool("BandpassBiquad", "const_skirt_gain", const_skirt_gain)

    def _terms(self):
        cos, sin = self._angle(self.central_freq)
        alpha = sin / (2 * self.Q)
        peak = sin / 2 if self.const_skirt_gain else alpha
        return (1 + alpha, -2 * cos, 1 - alpha), (peak, 0, -peak)


class BandrejectBiquad(FilterOperation):
    """All but a band around ``central_freq``.

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        sample_rate (int): Samples in a second, not 0.
        central_freq (float): Middle of the band in Hz.
        Q (float): Quality: the middle divided by the width, in (0, 1]. Default: 0.707.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``sample_rate`` is 0 or ``Q`` is out of (0, 1].
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.BandrejectBiquad(8000, 1000.0)(np.array([0.5, 0.25, -0.5])).round(4))
        [ 0.3333  0.0095 -0.3378]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707) -> None:  # noqa: N803 - the field's letter
        self._take(sample_rate, Q, central_freq=central_freq)

    def _terms(self):
        cos, sin = self._angle(self.central_freq)
        alpha = sin / (2 * self.Q)
        return (1 + alpha, -2 * cos, 1 - alpha), (1, -2 * cos, 1)


class EqualizerBiquad(FilterOperation):
    """A band around ``center_freq`` louder by ``gain`` decibels.

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        sample_rate (int): Samples in a second, not 0.
        center_freq (float): Middle of the band in Hz.
        gain (float): Decibels.
        Q (float): Quality: the middle divided by the width, in (0, 1]. Default: 0.707.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``sample_rate`` is 0 or ``Q`` is out of (0, 1].
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.EqualizerBiquad(8000, 1000.0, 6.0)(np.array([0.5, 0.25, -0.5])).round(4))
        [ 0.6301  0.451  -0.6124]
    """

    def __init__(self, sample_rate: int, center_freq: float, gain: float, Q: float = 0.707) -> None:  # noqa: N803 - the field's letter
        self._take(sample_rate, Q, center_freq=center_freq, gain=gain)

    def _terms(self):
        cos, sin = self._angle(self.center_freq)
        alpha, root = sin / (2 * self.Q), 10 ** (self.gain / 40)
        return (1 + alpha / root, -2 * cos, 1 - alpha / root), (1 + alpha * root, -2 * cos, 1 - alpha * root)


class HighpassBiquad(FilterOperation):
    """Frequencies above ``cutoff_freq``.

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        sample_rate (int): Samples in a second, not 0.
        cutoff_freq (float): Edge in Hz.
        Q (float): Quality: the middle divided by the width, in (0, 1]. Default: 0.707.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``sample_rate`` is 0 or ``Q`` is out of (0, 1].
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.HighpassBiquad(8000, 1000.0)(np.array([0.5, 0.25, -0.5])).round(4))
        [ 0.2845 -0.1585 -0.5288]
    """

    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707) -> None:  # noqa: N803 - the field's letter
        self._take(sample_rate, Q, cutoff_freq=cutoff_freq)

    def _terms(self):
        cos, sin = self._angle(self.cutoff_freq)
        alpha = sin / (2 * self.Q)
        return (1 + alpha, -2 * cos, 1 - alpha), ((1 + cos) / 2, -1 - cos, (1 + cos) / 2)


class LowpassBiquad(FilterOperation):
    """Frequencies below ``cutoff_freq``.

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        sample_rate (int): Samples in a second, not 0.
        cutoff_freq (float): Edge in Hz.
        Q (float): Quality: the middle divided by the width, in (0, 1]. Default: 0.707.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``sample_rate`` is 0 or ``Q`` is out of (0, 1].
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.LowpassBiquad(8000, 1000.0)(np.array([0.5, 0.25, -0.5])).round(4))
        [0.0488 0.1681 0.191 ]
    """

    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707) -> None:  # noqa: N803 - the field's letter
        self._take(sample_rate, Q, cutoff_freq=cutoff_freq)

    def _terms(self):
        cos, sin = self._angle(self.cutoff_freq)
        alpha = sin / (2 * self.Q)
        return (1 + alpha, -2 * cos, 1 - alpha), ((1 - cos) / 2, 1 - cos, (1 - cos) / 2)


class BandBiquad(FilterOperation):
    """A band around ``central_freq``, of -3 dB at ``central_freq / Q / 2`` from it.

    As the command ``band`` of SoX: for voices, or for instruments and noise with ``noise``.

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        sample_rate (int): Samples in a second, not 0.
        central_freq (float): Middle of the band in Hz.
        Q (float): Quality: the middle divided by the width, in (0, 1]. Default: 0.707.
        noise (bool): The mode for sounds without a pitch. Default: False.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``sample_rate`` is 0 or ``Q`` is out of (0, 1].
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.BandBiquad(8000, 1000.0)(np.array([0.5, 0.25, -0.5])).round(4))
        [ 0.2656  0.3189 -0.1296]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707, noise: bool = False) -> None:  # noqa: N803 - the field's letter
        self._take(sample_rate, Q, central_freq=central_freq)
        self.noise = check_bool("BandBiquad", "noise", noise)

    def _terms(self):
        cos, _ = self._angle(self.central_freq)
        width = 2 * np.pi * self.central_freq / self.Q / self.sample_rate
        last = np.exp(-width)
        middle = -4 * last / (1 + last) * cos
        first = np.sqrt(1 - middle**2 / (4 * last)) * (1 - last)
        if self.noise:
            first *= np.sqrt(((1 + last) ** 2 - middle**2) * (1 - last) / (1 + last)) / first
        return (1, middle, last), (first, 0, 0)


class BassBiquad(FilterOperation):
    """Low frequencies louder by ``gain`` decibels: a shelf below ``central_freq``.

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        sample_rate (int): Samples in a second, not 0.
        gain (float): Decibels.
        central_freq (float): Edge of the shelf in Hz. Default: 100.0.
        Q (float): Quality: the middle divided by the width, in (0, 1]. Default: 0.707.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``sample_rate`` is 0 or ``Q`` is out of (0, 1].
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.BassBiquad(8000, 6.0)(np.array([0.5, 0.25, -0.5])).round(4))
        [ 0.5097  0.2744 -0.4802]
    """

    def __init__(self, sample_rate: int, gain: float, central_freq: float = 100.0, Q: float = 0.707) -> None:  # noqa: N803 - the field's letter
        self._take(sample_rate, Q, gain=gain, central_freq=central_freq)

    def _terms(self):
        cos, sin = self._angle(self.central_freq)
        return shelf(self.gain, self.Q, cos, sin, 1)


class TrebleBiquad(FilterOperation):
    """High frequencies louder by ``gain`` decibels: a shelf above ``central_freq``.

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        sample_rate (int): Samples in a second, not 0.
        gain (float): Decibels.
        central_freq (float): Edge of the shelf in Hz. Default: 3000.
        Q (float): Quality: the middle divided by the width, in (0, 1]. Default: 0.707.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``sample_rate`` is 0 or ``Q`` is out of (0, 1].
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.TrebleBiquad(8000, 6.0)(np.array([0.5, 0.25, -0.5])).round(4))
        [ 0.6004  0.116  -0.5567]
    """

    def __init__(self, sample_rate: int, gain: float, central_freq: float = 3000, Q: float = 0.707) -> None:  # noqa: N803 - the field's letter
        self._take(sample_rate, Q, gain=gain, central_freq=central_freq)

    def _terms(self):
        cos, sin = self._angle(self.central_freq)
        return shelf(self.gain, self.Q, cos, sin, -1)


class Biquad(FilterOperation):
    """The filter ``a0 * y[n] = b0 * x[n] + b1 * x[n-1] + b2 * x[n-2] - a1 * y[n-1] - a2 * y[n-2]``, within [-1, 1].

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        b0 (float): Weight of the input.
        b1 (float): Weight of the input before.
        b2 (float): Weight of the input before that.
        a0 (float): Weight of the output, not 0.
        a1 (float): Weight of the output before.
        a2 (float): Weight of the output before that.

    Raises:
        TypeError: If an argument is not a number.
        ValueError: If ``a0`` is 0.
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.Biquad(0.5, 0.0, 0.0, 1.0, -0.5, 0.0)(np.array([1.0, 0.0, 0.0])))
        [0.5   0.25  0.125]
    """

    def __init__(self, b0: float, b1: float, b2: float, a0: float, a1: float, a2: float) -> None:
        given = {"b0": b0, "b1": b1, "b2": b2, "a0": a0, "a1": a1, "a2": a2}
        for argument, value in given.items():
            setattr(self, argument, check_float("Biquad", argument, value))
        if a0 == 0:
            raise value_error("Biquad", "the 'a0' must not be 0", f"{a0}")

    def _terms(self):
        return (self.a0, self.a1, self.a2), (self.b0, self.b1, self.b2)


_SHELVES = {44100: (5283, -9.477, 0.4845), 48000: (5356, -9.62, 0.479)}  # Hz, decibels, slope


class DeemphBiquad(FilterOperation):
    """Sound of a compact disc without its pre-emphasis: a high shelf, IEC 60908.

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        sample_rate (int): 44100 or 48000.

    Raises:
        TypeError: If ``sample_rate`` is not an int.
        ValueError: If it is another number.
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.DeemphBiquad(44100)(np.array([0.5, 0.25, -0.5])).round(4))
        [ 0.2302  0.2156 -0.1179]
    """

    def __init__(self, sample_rate: int) -> None:
        self._take(sample_rate)
        check_choice("DeemphBiquad", "sample_rate", sample_rate, tuple(_SHELVES))

    def _terms(self):
        frequency, gain, slope = _SHELVES[self.sample_rate]
        root = 10 ** (gain / 40)
        quality = 1 / np.sqrt((root + 1 / root) * (1 / slope - 1) + 2)
        return shelf(gain, quality, *self._angle(frequency), -1)


# Sample rate -> two zeros and two poles
_ROOTS = {
    44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)),
    48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
    88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)),
    96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946)),
}


class RiaaBiquad(FilterOperation):
    """Sound of a record player's needle, by the curve of the RIAA; 0 dB at 1000 Hz.

    Shapes: (..., time), kept. Dtypes: floats, kept; RuntimeError for others.

    Args:
        sample_rate (int): 44100, 48000, 88200 or 96000.

    Raises:
        TypeError: If ``sample_rate`` is not an int.
        ValueError: If it is another number.
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.RiaaBiquad(44100)(np.array([0.05, 0.025, -0.05])).round(4))
        [0.0119 0.0176 0.0032]
    """

    def __init__(self, sample_rate: int) -> None:
        self._take(sample_rate)
        check_choice("RiaaBiquad", "sample_rate", sample_rate, tuple(_ROOTS))

    def _terms(self):
        b, a = (np.poly(roots) for roots in _ROOTS[self.sample_rate])
        point = np.exp(-1j * 2 * np.pi * 1000 / self.sample_rate)
        gain = abs(np.polyval(a[::-1], point)) / abs(np.polyval(b[::-1], point))
        return a, b * gain


class LFilter(FilterOperation):
    """The filter ``sum(a[k] * y[n - k]) = sum(b[k] * x[n - k])``, for k from 0 on.

    Args:
        a_coeffs (Sequence): Weights of the outputs, the first not 0.
        b_coeffs (Sequence): Weights of the inputs, as many.
        clamp (bool): Keep the result within [-1, 1]. Default: True.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If the first weight is 0, or the numbers of weights differ.
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.LFilter([1.0, -0.5], [1.0, 0.0])(np.array([1.0, 0.0, 0.0])))
        [1.   0.5  0.25]
    """

    def __init__(self, a_coeffs: list[float], b_coeffs: list[float], clamp: bool = True) -> None:
        name = name_of(self)
        self.a_coeffs = check_weights(name, "a_coeffs", a_coeffs)
        self.b_coeffs = check_weights(name, "b_coeffs", b_coeffs)
        if len(a_coeffs) != len(b_coeffs) or a_coeffs[0] == 0:
            need = "the 'a_coeffs' must be as many as the 'b_coeffs', the first not 0"
            raise value_error(name, need, shown((a_coeffs, b_coeffs)))
        self.clamp = check_bool(name, "clamp", clamp)

    def _terms(self):
        return self.a_coeffs, self.b_coeffs

    def _sound(self, x):
        found = filtered(x, *self._terms())
        return np.clip(found, -1, 1) if self.clamp else found


class Filtfilt(LFilter):
    """The filter of :class:`LFilter`, forward and then backward in time, so that no frequency is late.

    Args:
        a_coeffs (Sequence): Weights of the outputs, the first not 0.
        b_coeffs (Sequence): Weights of the inputs, as many.
        clamp (bool): Keep the result within [-1, 1]. Default: True.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If the first weight is 0, or the numbers of weights differ.
        RuntimeError: When called, if the column is not of floating numbers.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.Filtfilt([1.0, 0.0], [0.5, 0.5])(np.array([0.0, 1.0, 0.0])))
        [0.25 0.5  0.25]
    """

    def _sound(self, x):
        forward = filtered(x, *self._terms())
        found = filtered(forward[..., ::-1], *self._terms())[..., ::-1]
        return np.clip(found, -1, 1) if self.clamp else found


def check_weights(operation, argument, value):
    """``value`` as a list of floats."""
    if not isinstance(value, (list, tuple)) or not value:
        raise type_error(operation, f"the '{argument}' must be a list of numbers", shown(value))
    return [check_float(operation, argument, weight) for weight in value]
