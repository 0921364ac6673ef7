"""Spectrograms of waveforms, the way back, and what is made of complex spectra: lengths, phases, stretched ones."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.audio.base import AudioTensorOperation, check_float, check_kind_of, check_rate, check_size
from minispore.data.dataset.audio.enums import BorderType, WindowType
from minispore.data.dataset.audio.fourier import istft, stft, stretched
from minispore.data.dataset.audio.windows import window_of
from minispore.data.dataset.draws import generator
from minispore.data.dataset.transforms.base import name_of

__all__ = [
    "Angle",
    "ComplexNorm",
    "GriffinLim",
    "InverseSpectrogram",
    "Magphase",
    "PhaseVocoder",
    "SpectralCentroid",
    "Spectrogram",
    "TimeStretch",
]


def as_complex(x):
    """Complex numbers of pairs (..., 2)."""
    return x[..., 0] + 1j * x[..., 1]


def as_pairs(x):
    """Pairs (..., 2) of complex numbers."""
    return np.stack([x.real, x.imag], -1)


class FramedOperation(AudioTensorOperation):
    """Base of what works in frames: ``n_fft`` samples, every ``hop_length``, under a window of ``win_length``."""

    def _frame(self, n_fft, win_length, hop_length, window):
        name = name_of(self)
        self.n_fft = check_size(name, "n_fft", n_fft)
        self.win_length = n_fft if win_length is None else check_size(name, "win_length", win_length)
        if self.win_length > n_fft:
            raise value_error(name, "the 'win_length' must be at most 'n_fft'", f"{self.win_length} and {n_fft}")
        self.hop_length = self.win_length // 2 if hop_length is None else check_size(name, "hop_length", hop_length)
        self.window = check_kind_of(name, "window", window, WindowType)
        self._weights = window_of(window, self.win_length, n_fft)

    def _needs_samples(self, x, center, mode="reflect"):
        """Raise if a waveform is too short for one frame, or to be mirrored at its edges."""
        least = self.n_fft if not center else self.n_fft // 2 + 1 if mode == "reflect" else 1
        if x.shape[-1] < least:
            raise runtime_error(name_of(self), f"the input must have at least {least} samples", f"{x.shape[-1]}")

    def _spectra(self, x, pad, center=True, mode="reflect", onesided=True):
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(pad, pad)])
        self._needs_samples(x, center, mode)
        return stft(x, self.n_fft, self.hop_length, self._weights, center, mode, onesided)

    def _norm(self):
        """Length of the window."""
        return np.sqrt(np.sum(self._weights**2))


class Spectrogram(FramedOperation):
    """Power of each frequency in each frame: ``abs(fft(frame * window)) ** power``.

    Args:
        n_fft (int): Samples of a frame. Default: 400.
        win_length (int): Samples of the window. Default: None, ``n_fft``.
        hop_length (int): Samples from frame to frame. Default: None, half the window.
        pad (int): Zeros at both ends of the waveform. Default: 0.
        window (WindowType): Kind of the window. Default: ``WindowType.HANN``.
        power (float): 1 for magnitudes, 2 for power, 0 for complex numbers as pairs. Default: 2.0.
        normalized (bool): Divide by the length of the window. Default: False.
        center (bool): Put each frame's time in its middle, with borders of ``n_fft // 2``. Default: True.
        pad_mode (BorderType): Kind of these borders. Default: ``BorderType.REFLECT``.
        onesided (bool): Leave out the mirrored half. Default: True.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a size is out of range, or the window is longer than the frame.
        RuntimeError: When called, if the column is no waveform, or is too short.

    Shape (..., time) gives (..., n_fft // 2 + 1, time // hop_length + 1); with ``power=0`` an axis of 2 follows. A
    float64 column gives float64, others float32. Without ``center`` there are 1 + (time - n_fft) // hop_length frames.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> tone = np.cos(np.arange(64) * np.pi / 4)
        >>> print(audio.Spectrogram(16, window=audio.WindowType.HAMMING)(tone)[:, 4].argmax())
        2
    """

    def __init__(
        self,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ) -> None:
        name = name_of(self)
        self._frame(n_fft, win_length, hop_length, window)
        self.pad = check_size(name, "pad", pad, 0)
        self.power = check_float(name, "power", power, 0)
        self.normalized = check_bool(name, "normalized", normalized)
        self.center = check_bool(name, "center", center)
        self.pad_mode = check_kind_of(name, "pad_mode", pad_mode, BorderType)
        self.onesided = check_bool(name, "onesided", onesided)

    def _sound(self, x):
        found = self._spectra(x, self.pad, self.center, self.pad_mode.value, self.onesided)
        if self.normalized:
            found = found / self._norm()
        return as_pairs(found) if self.power == 0 else np.abs(found) ** self.power


class SpectralCentroid(FramedOperation):
    """Mean frequency of each frame, weighted by magnitude: ``sum(f * abs(X[f])) / sum(abs(X[f]))``, in Hz.

    Dtypes: float64, kept; others give float32.

    Args:
        sample_rate (int): Samples in a second, not 0.
        n_fft (int): Samples of a frame. Default: 400.
        win_length (int): Samples of the window. Default: None, ``n_fft``.
        hop_length (int): Samples from frame to frame. Default: None, half the window.
        pad (int): Zeros at both ends of the waveform. Default: 0.
        window (WindowType): Kind of the window. Default: ``WindowType.HANN``.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a size is out of range, or the window is longer than the frame.
        RuntimeError: When called, if the column is no waveform, or is too short.

    Shape (..., time) gives (..., 1, time // hop_length + 1).

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> tone = np.cos(np.arange(64) * np.pi / 4)
        >>> print(audio.SpectralCentroid(16000, 16)(tone)[0, 4].round())
        2000.0
    """

    def __init__(
        self,
        sample_rate: int,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
    ) -> None:
        self.sample_rate = check_rate("SpectralCentroid", "sample_rate", sample_rate, 0)
        self._frame(n_fft, win_length, hop_length, window)
        self.pad = check_size("SpectralCentroid", "pad", pad, 0)

    def _sound(self, x):
        magnitude = np.abs(self._spectra(x, self.pad))
        frequency = np.linspace(0, self.sample_rate // 2, magnitude.shape[-2])[:, None]
        with np.errstate(invalid="ignore"):  # silence has no centre: NaN, as MindSpore gives
            return (frequency * magnitude).sum(-2, keepdims=True) / magnitude.sum(-2, keepdims=True)


class InverseSpectrogram(FramedOperation):
    """Waveform of complex spectra, by overlapping windowed frames: the inverse of ``Spectrogram(power=0)``.

    Args:
        length (int): Samples of the result. Default: None, what the frames give.
        n_fft (int): Samples of a frame. Default: 400.
        win_length (int): Samples of the window. Default: None, ``n_fft``.
        hop_length (int): Samples from frame to frame. Default: None, half the window.
        pad (int): Zeros that ``Spectrogram`` put at both ends. Default: 0.
        window (WindowType): Kind of the window. Default: ``WindowType.HANN``.
        normalized (bool): The spectra were divided by the length of the window. Default: False.
        center (bool): Each frame's time is its middle. If not, and without ``length``, the last ``n_fft`` samples are
            left out, as by MindSpore. Default: True.
        pad_mode (BorderType): Kind of the borders that ``Spectrogram`` made. Default: ``BorderType.REFLECT``.
        onesided (bool): The mirrored half was left out. Default: True.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a size is out of range, or the window is longer than the frame.
        RuntimeError: When called, if the column has no pairs, or not the frequencies of ``n_fft``.

    Shape (..., n_fft // 2 + 1, frame, 2) gives (..., time).

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> tone = np.cos(np.arange(64) * np.pi / 4)
        >>> spectra = audio.Spectrogram(16, power=0.0)(tone)
        >>> print(np.allclose(audio.InverseSpectrogram(n_fft=16)(spectra), tone))
        True
    """

    rank, complex_pairs = 3, True

    def __init__(
        self,
        length: int | None = None,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ) -> None:
        name = "InverseSpectrogram"
        self.length = None if length is None else check_size(name, "length", length, 0)
        self._frame(n_fft, win_length, hop_length, window)
        self.pad = check_size(name, "pad", pad, 0)
        self.normalized = check_bool(name, "normalized", normalized)
        self.center = check_bool(name, "center", center)
        self.pad_mode = check_kind_of(name, "pad_mode", pad_mode, BorderType)
        self.onesided = check_bool(name, "onesided", onesided)

    def _sound(self, x):
        needed = self.n_fft // 2 + 1 if self.onesided else self.n_fft
        if x.shape[-3] != needed:
            raise runtime_error("InverseSpectrogram", f"the input must have {needed} frequencies", f"{x.shape[-3]}")
        spectra = as_complex(x) * (self._norm() if self.normalized else 1)
        length = None if not self.length else self.length + 2 * self.pad
        found = istft(spectra, self.n_fft, self.hop_length, self._weights, length, self.center)
        return found[..., self.pad : found.shape[-1] - self.pad]


class GriffinLim(FramedOperation):
    """Waveform of a spectrogram without phases, which are guessed and mended ``n_iter`` times.

    Each time ``X = stft(istft(S * phase))`` gives the next ``phase = X + m * (X - X_before)``, of length 1, with
    ``m = momentum / (1 + momentum)``.

    D. W. Griffin, J. S. Lim (1984), Signal estimation from modified short-time Fourier transform.

    Args:
        n_fft (int): Samples of a frame. Default: 400.
        n_iter (int): Number of rounds. Default: 32.
        win_length (int): Samples of the window. Default: None, ``n_fft``.
        hop_length (int): Samples from frame to frame. Default: None, half the window.
        window_type (WindowType): Kind of the window. Default: ``WindowType.HANN``.
        power (float): Power of the spectrogram, above 0. Default: 2.0.
        momentum (float): Momentum, at least 0. Default: 0.99.
        length (int): Samples of the result. Default: None, what the frames give.
        rand_init (bool): Begin with drawn phases, not with 0. Default: True.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a size is out of range, or the window is longer than the frame.
        RuntimeError: When called, if the column has not the frequencies of ``n_fft``.

    Shape (..., n_fft // 2 + 1, frame) gives (..., time). Dtypes: float64, kept; others give float32.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> tone = np.cos(np.arange(64) * np.pi / 4)
        >>> found = audio.GriffinLim(16, rand_init=False)(audio.Spectrogram(16)(tone))
        >>> print(found[24:32].round(1))
        [ 1.   0.7  0.  -0.7 -1.  -0.7  0.   0.7]
    """

    rank = 2

    def __init__(
        self,
        n_fft: int = 400,
        n_iter: int = 32,
        win_length: int | None = None,
        hop_length: int | None = None,
        window_type: WindowType = WindowType.HANN,
        power: float = 2.0,
        momentum: float = 0.99,
        length: int | None = None,
        rand_init: bool = True,
    ) -> None:
        self._frame(n_fft, win_length, hop_length, window_type)
        self.n_iter = check_size("GriffinLim", "n_iter", n_iter)
        self.power = check_float("GriffinLim", "power", power, 0, above=True)
        self.momentum = check_float("GriffinLim", "momentum", momentum, 0)
        self.length = None if length is None else check_size("GriffinLim", "length", length, 0)
        self.rand_init = check_bool("GriffinLim", "rand_init", rand_init)

    def _sound(self, x):
        needed = self.n_fft // 2 + 1
        if x.shape[-2] != needed:
            raise runtime_error("GriffinLim", f"the input must have {needed} frequencies", f"{x.shape[-2]}")
        magnitude = x ** (1 / self.power)
        phase, before = self._first_phase(x.shape), 0.0
        for _ in range(self.n_iter):
            wave = self._wave(magnitude * phase)
            found = stft(wave, self.n_fft, self.hop_length, self._weights)
            phase = found + self.momentum / (1 + self.momentum) * (found - before)
            phase, before = phase / (np.abs(phase) + 1e-16), found
        return self._wave(magnitude * phase, self.length or None)

    def _first_phase(self, shape):
        if not self.rand_init:
            return np.ones(shape, np.complex128)
        return generator().random(shape) + 1j * generator().random(shape)

    def _wave(self, spectra, length=None):
        return istft(spectra, self.n_fft, self.hop_length, self._weights, length)


class Angle(AudioTensorOperation):
    """Angles of complex numbers: ``atan2(imaginary, real)``.

    Shape (..., 2) gives (...).

    Raises:
        RuntimeError: When called, if the last axis of the column is not 2.
        TypeError: When called, if the column is not an array.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.Angle()(np.array([[1.0, 1.0], [0.0, -1.0]])).round(4))
        [ 0.7854 -1.5708]
    """

    complex_pairs = True

    def _sound(self, x):
        return np.arctan2(x[..., 1], x[..., 0])


class ComplexNorm(AudioTensorOperation):
    """Lengths of complex numbers, to a power: ``(real ** 2 + imaginary ** 2) ** (power / 2)``.

    Shape (..., 2) gives (...).

    Args:
        power (float): At least 0. Default: 1.0.

    Raises:
        TypeError: If ``power`` is not a number.
        ValueError: If ``power`` is below 0.
        RuntimeError: When called, if the last axis of the column is not 2.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.ComplexNorm()(np.array([[3.0, 4.0], [0.0, 1.0]])))
        [5. 1.]
    """

    complex_pairs = True

    def __init__(self, power: float = 1.0) -> None:
        self.power = check_float("ComplexNorm", "power", power, 0)

    def _sound(self, x):
        return (x**2).sum(-1) ** (self.power / 2)


class Magphase(AudioTensorOperation):
    """Lengths to a power, and angles, of complex numbers: two columns.

    Shape (..., 2) gives (...) twice.

    Args:
        power (float): At least 0. Default: 1.0.

    Raises:
        TypeError: If ``power`` is not a number.
        ValueError: If ``power`` is below 0.
        RuntimeError: When called, if the last axis of the column is not 2.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> length, angle = audio.Magphase()(np.array([[0.0, 2.0]]))
        >>> print(length, angle.round(4))
        [2.] [1.5708]
    """

    complex_pairs = True

    def __init__(self, power: float = 1.0) -> None:
        self.power = check_float("Magphase", "power", power, 0)

    def _sound(self, x):
        pairs = as_complex(x)
        return np.abs(pairs) ** self.power, np.angle(pairs)


class PhaseVocoder(AudioTensorOperation):
    """Complex spectra at another speed, of the same pitch: every ``rate``-th frame, with phases that go on.

    J. L. Flanagan, R. M. Golden (1966), Phase Vocoder.

    Dtypes: float64, kept; others give float32.

    Args:
        rate (float): Speed, above 0.
        phase_advance (numpy.ndarray): Expected phase of one hop for each frequency, of shape (frequency, 1).

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``rate`` is not above 0, or ``phase_advance`` has another shape.
        RuntimeError: When called, if the column does not fit.

    Shape (..., frequency, frame, 2) gives (..., frequency, ceil(frame / rate), 2).

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> spectra = np.arange(6.0).reshape(1, 6, 1) * [1.0, 0.0]
        >>> print(audio.PhaseVocoder(2.0, np.zeros((1, 1)))(spectra)[0, :, 0].round(2))
        [0. 2. 4.]
    """

    rank, complex_pairs = 3, True

    def __init__(self, rate: float, phase_advance: np.ndarray) -> None:
        self.rate = check_float("PhaseVocoder", "rate", rate, 0, above=True)
        if not isinstance(phase_advance, np.ndarray):
            raise type_error("PhaseVocoder", "the 'phase_advance' must be a NumPy array", shown(phase_advance))
        if phase_advance.ndim != 2 or phase_advance.shape[1] != 1:
            raise value_error("PhaseVocoder", "the 'phase_advance' must be (frequency, 1)", f"{phase_advance.shape}")
        self.phase_advance = phase_advance

    def _sound(self, x):
        if x.shape[-3] != len(self.phase_advance):
            need = f"the input must have the {len(self.phase_advance)} frequencies of 'phase_advance'"
            raise runtime_error("PhaseVocoder", need, f"{x.shape[-3]}")
        return as_pairs(stretched(as_complex(x), self.rate, self.phase_advance.astype(np.float64)))


class TimeStretch(AudioTensorOperation):
    """Complex spectra at another speed, of the same pitch: :class:`PhaseVocoder` for evenly spread frequencies.

    Dtypes: float64, kept; others give float32.

    Args:
        hop_length (int): Samples from frame to frame. Default: None, ``n_freq - 1``.
        n_freq (int): Number of frequencies. Default: 201.
        fixed_rate (float): Speed, above 0. Default: None, 1.0.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range.
        RuntimeError: When called, if the column does not fit.

    Shape (..., n_freq, frame, 2) gives (..., n_freq, ceil(frame / fixed_rate), 2).

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> spectra = np.arange(6.0).reshape(1, 6, 1) * [1.0, 0.0]
        >>> print(audio.TimeStretch(n_freq=1, fixed_rate=2.0)(spectra)[0, :, 0].round(2))
        [0. 2. 4.]
    """

    rank, complex_pairs = 3, True

    def __init__(self, hop_length: int | None = None, n_freq: int = 201, fixed_rate: float | None = None) -> None:
        self.n_freq = check_size("TimeStretch", "n_freq", n_freq)
        self.hop_length = n_freq - 1 if hop_length is None else check_size("TimeStretch", "hop_length", hop_length)
        rate = 1.0 if fixed_rate is None else fixed_rate
        self.fixed_rate = check_float("TimeStretch", "fixed_rate", rate, 0, above=True)

    def _sound(self, x):
        if x.shape[-3] != self.n_freq:
            raise runtime_error("TimeStretch", f"the input must have {self.n_freq} frequencies", f"{x.shape[-3]}")
        if self.fixed_rate == 1:
            return x
        advance = np.linspace(0, np.pi * self.hop_length, self.n_freq)[:, None]
        return as_pairs(stretched(as_complex(x), self.fixed_rate, advance))
