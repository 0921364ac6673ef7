"""Banks of triangular filters, on the mel scale or evenly spread, and the features that they give."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool, check_choice
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.audio.base import AudioTensorOperation, check_float, check_kind_of, check_size
from minispore.data.dataset.audio.enums import BorderType, MelType, NormMode, NormType, WindowType
from minispore.data.dataset.audio.scales import AmplitudeToDB
from minispore.data.dataset.audio.spectra import Spectrogram

__all__ = ["LFCC", "MFCC", "MelScale", "MelSpectrogram", "create_dct", "linear_fbanks", "melscale_fbanks"]

_BEND, _STEP = 1000.0, 200 / 3  # Hz where Slaney's scale becomes logarithmic, and Hz of one mel below


def _mel(frequency, kind):
    """Mels of frequencies in Hz."""
    if kind is MelType.HTK:
        return 2595 * np.log10(1 + frequency / 700)
    above = _BEND / _STEP + np.log(np.maximum(frequency, _BEND) / _BEND) * 27 / np.log(6.4)
    return np.where(frequency < _BEND, frequency / _STEP, above)


def _hertz(mel, kind):
    """Frequencies in Hz of mels."""
    if kind is MelType.HTK:
        return 700 * (10 ** (mel / 2595) - 1)
    above = _BEND * np.exp(np.log(6.4) / 27 * (mel - _BEND / _STEP))
    return np.where(mel < _BEND / _STEP, mel * _STEP, above)


def _triangles(n_freqs, corners, sample_rate):
    """Triangles (n_freqs, filters) from each corner to the one after the next, of height 1 at the next."""
    frequency = np.linspace(0, sample_rate // 2, n_freqs)[:, None]
    low, middle, high = corners[:-2], corners[1:-1], corners[2:]
    return np.maximum(0, np.minimum((frequency - low) / (middle - low), (high - frequency) / (high - middle)))


def mel_bank(n_freqs, f_min, f_max, n_mels, sample_rate, norm, mel_type):
    """The filters (n_freqs, n_mels) in float64."""
    ends = _mel(np.array([f_min, f_max], np.float64), mel_type)
    corners = _hertz(np.linspace(*ends, n_mels + 2), mel_type)
    bank = _triangles(n_freqs, corners, sample_rate)
    return bank * (2 / (corners[2:] - corners[:-2])) if norm is NormType.SLANEY else bank


def _check_range(operation, f_min, f_max, low=None):
    """The ends of a range of frequencies as floats."""
    f_min, f_max = check_float(operation, "f_min", f_min, low), check_float(operation, "f_max", f_max, low)
    if f_min >= f_max:
        raise value_error(operation, "the 'f_min' must be below 'f_max'", f"{f_min} and {f_max}")
    return f_min, f_max


def melscale_fbanks(
    n_freqs: int,
    f_min: float,
    f_max: float,
    n_mels: int,
    sample_rate: int,
    norm: NormType = NormType.NONE,
    mel_type: MelType = MelType.HTK,
) -> np.ndarray:
    """Triangular filters (n_freqs, n_mels) that are evenly spread in mels: ``2595 * log10(1 + f / 700)`` of f in Hz.

    With ``MelType.SLANEY`` mels are ``3 * f / 200`` up to 1000 Hz, and logarithmic above.

    Args:
        n_freqs (int): Number of frequencies, from 0 to half the sample rate.
        f_min (float): Lowest frequency in Hz, at least 0.
        f_max (float): Highest frequency in Hz.
        n_mels (int): Number of filters.
        sample_rate (int): Samples in a second.
        norm (NormType): ``NormType.SLANEY`` for filters of area 1. Default: ``NormType.NONE``.
        mel_type (MelType): Default: ``MelType.HTK``.

    Returns:
        numpy.ndarray, float32 of shape (n_freqs, n_mels).

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range.

    Examples:
        >>> from minispore.dataset import audio
        >>> print(audio.melscale_fbanks(5, 0.0, 8000.0, 2, 16000).round(2))
        [[0.   0.  ]
         [0.49 0.51]
         [0.   0.81]
         [0.   0.4 ]
         [0.   0.  ]]
    """
    name = "melscale_fbanks"
    check_size(name, "n_freqs", n_freqs)
    f_min, f_max = _check_range(name, f_min, f_max, 0)
    check_size(name, "n_mels", n_mels)
    check_size(name, "sample_rate", sample_rate)
    check_kind_of(name, "norm", norm, NormType)
    check_kind_of(name, "mel_type", mel_type, MelType)
    return mel_bank(n_freqs, f_min, f_max, n_mels, sample_rate, norm, mel_type).astype(np.float32)


def linear_fbanks(n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int) -> np.ndarray:
    """Triangular filters (n_freqs, n_filter) that are evenly spread in Hz.

    Args:
        n_freqs (int): Number of frequencies, from 0 to half the sample rate.
        f_min (float): Lowest frequency in Hz, at least 0.
        f_max (float): Highest frequency in Hz.
        n_filter (int): Number of filters.
        sample_rate (int): Samples in a second.

    Returns:
        numpy.ndarray, float32 of shape (n_freqs, n_filter).

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range.

    Examples:
        >>> from minispore.dataset import audio
        >>> print(audio.linear_fbanks(4, 0.0, 6000.0, 1, 12000).round(2)[:, 0])
        [0.   0.67 0.67 0.  ]
    """
    name = "linear_fbanks"
    check_size(name, "n_freqs", n_freqs)
    f_min, f_max = _check_range(name, f_min, f_max, 0)
    check_size(name, "n_filter", n_filter)
    check_size(name, "sample_rate", sample_rate)
    return _triangles(n_freqs, np.linspace(f_min, f_max, n_filter + 2), sample_rate).astype(np.float32)


def cosines(n_mfcc, n_mels, norm):
    """The discrete cosine transform (n_mels, n_mfcc) in float64."""
    bank = np.cos(np.pi / n_mels * (np.arange(n_mels)[:, None] + 0.5) * np.arange(n_mfcc))
    if norm is NormMode.NONE:
        return 2 * bank
    bank[:, 0] /= np.sqrt(2)
    return bank * np.sqrt(2 / n_mels)


def create_dct(n_mfcc: int, n_mels: int, norm: NormMode = NormMode.NONE) -> np.ndarray:
    """Discrete cosine transform II, (n_mels, n_mfcc): ``2 * cos(pi / n_mels * (n + 1 / 2) * k)``, or orthogonal.

    Args:
        n_mfcc (int): Number of coefficients k.
        n_mels (int): Number of inputs n.
        norm (NormMode): ``NormMode.ORTHO`` for orthogonal columns of length 1. Default: ``NormMode.NONE``.

    Returns:
        numpy.ndarray, float32 of shape (n_mels, n_mfcc).

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a size is below 1.

    Examples:
        >>> from minispore.dataset import audio
        >>> print(audio.create_dct(2, 2).round(4))
        [[ 2.      1.4142]
         [ 2.     -1.4142]]
    """
    check_size("create_dct", "n_mfcc", n_mfcc)
    check_size("create_dct", "n_mels", n_mels)
    check_kind_of("create_dct", "norm", norm, NormMode)
    return cosines(n_mfcc, n_mels, norm).astype(np.float32)


class MelScale(AudioTensorOperation):
    """Spectrogram on the mel scale: the weighted sums of the filters of :func:`melscale_fbanks`.

    Dtypes: float64, kept; others give float32.

    Args:
        n_mels (int): Number of filters. Default: 128.
        sample_rate (int): Samples in a second. Default: 16000.
        f_min (float): Lowest frequency in Hz. Default: 0.0.
        f_max (float): Highest frequency in Hz. Default: None, half the sample rate.
        n_stft (int): Number of frequencies of the input. Default: 201.
        norm (NormType): ``NormType.SLANEY`` for filters of area 1. Default: ``NormType.NONE``.
        mel_type (MelType): Default: ``MelType.HTK``.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range.
        RuntimeError: When called, if the column has not ``n_stft`` frequencies.

    Shape (..., n_stft, frame) gives (..., n_mels, frame).

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.MelScale(2, n_stft=5)(np.ones((5, 3))).round(4)[:, 0])
        [0.4947 1.7189]
    """

    rank = 2

    def __init__(
        self,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        n_stft: int = 201,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ) -> None:
        self.n_mels = check_size("MelScale", "n_mels", n_mels)
        self.sample_rate = check_size("MelScale", "sample_rate", sample_rate)
        self.f_min, self.f_max = _check_range("MelScale", f_min, sample_rate // 2 if f_max is None else f_max)
        self.n_stft = check_size("MelScale", "n_stft", n_stft)
        self.norm = check_kind_of("MelScale", "norm", norm, NormType)
        self.mel_type = check_kind_of("MelScale", "mel_type", mel_type, MelType)
        self._bank = mel_bank(n_stft, self.f_min, self.f_max, n_mels, sample_rate, norm, mel_type)

    def _sound(self, x):
        if x.shape[-2] != self.n_stft:
            raise runtime_error("MelScale", f"the input must have {self.n_stft} frequencies", f"{x.shape[-2]}")
        return self._bank.T @ x


class MelSpectrogram(AudioTensorOperation):
    """Spectrogram of a waveform on the mel scale: :class:`Spectrogram`, then :class:`MelScale`.

    Args:
        sample_rate (int): Samples in a second. Default: 16000.
        n_fft (int): Samples of a frame. Default: 400.
        win_length (int): Samples of the window. Default: None, ``n_fft``.
        hop_length (int): Samples from frame to frame. Default: None, half the window.
        f_min (float): Lowest frequency in Hz. Default: 0.0.
        f_max (float): Highest frequency in Hz. Default: None, half the sample rate.
        pad (int): Zeros at both ends of the waveform. Default: 0.
        n_mels (int): Number of filters. Default: 128.
        window (WindowType): Kind of the window. Default: ``WindowType.HANN``.
        power (float): 1 for magnitudes, 2 for power. Default: 2.0.
        normalized (bool): Divide by the length of the window. Default: False.
        center (bool): Put each frame's time in its middle. Default: True.
        pad_mode (BorderType): Kind of the borders. Default: ``BorderType.REFLECT``.
        onesided (bool): Leave out the mirrored half. Default: True.
        norm (NormType): ``NormType.SLANEY`` for filters of area 1. Default: ``NormType.NONE``.
        mel_scale (MelType): Default: ``MelType.HTK``.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range.
        RuntimeError: When called, if the column is no waveform, or is too short.

    Shape (..., time) gives (..., n_mels, time // hop_length + 1).

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> tone = np.cos(np.arange(64) * np.pi / 4)
        >>> print(audio.MelSpectrogram(n_fft=16, n_mels=3)(tone)[:, 4].round(2))
        [ 2.66 17.35  3.99]
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        f_min: float = 0.0,
        f_max: float | None = None,
        pad: int = 0,
        n_mels: int = 128,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
        norm: NormType = NormType.NONE,
        mel_scale: MelType = MelType.HTK,
    ) -> None:
        check_float("MelSpectrogram", "power", power, 0, above=True)
        self.spectrogram = Spectrogram(
            n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided
        )
        n_stft = n_fft // 2 + 1 if onesided else n_fft
        self.mel_scale = MelScale(n_mels, sample_rate, f_min, f_max, n_stft, norm, mel_scale)

    def _sound(self, x):
        return self.mel_scale._sound(self.spectrogram._sound(x))


class CepstralOperation(AudioTensorOperation):
    """Base of cosine transforms of the logarithms of a bank's outputs."""

    def _log(self, x, natural):
        return np.log(x + 1e-6) if natural else AmplitudeToDB()._sound(x)

    def _coefficients(self, x):
        return self._bank.T @ x


def check_arguments(operation, argument, value):
    """``value`` if it is a dict of keywords, or an empty one for None."""
    if value is not None and not isinstance(value, dict):
        raise type_error(operation, f"the '{argument}' must be a dict", shown(value))
    return dict(value or {})


class MFCC(CepstralOperation):
    """Mel-frequency cepstral coefficients: the cosine transform of the decibels of a mel spectrogram.

    Args:
        sample_rate (int): Samples in a second. Default: 16000.
        n_mfcc (int): Number of coefficients. Default: 40.
        dct_type (int): 2. Default: 2.
        norm (NormMode): Norm of the cosine transform. Default: ``NormMode.ORTHO``.
        log_mels (bool): Logarithm of ``x + 1e-6`` in place of decibels. Default: False.
        melkwargs (dict): Arguments of :class:`MelSpectrogram`. Default: None.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range, or there are more coefficients than filters.
        RuntimeError: When called, if the column is no waveform, or is too short.

    Shape (..., time) gives (..., n_mfcc, time // hop_length + 1).

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> tone = np.cos(np.arange(64) * np.pi / 4)
        >>> print(audio.MFCC(n_mfcc=3, melkwargs={"n_fft": 16, "n_mels": 4})(tone)[:, 4].round(2))
        [10.63 -0.07 -9.99]
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_mfcc: int = 40,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_mels: bool = False,
        melkwargs: dict | None = None,
    ) -> None:
        check_size("MFCC", "sample_rate", sample_rate)
        check_size("MFCC", "n_mfcc", n_mfcc)
        check_choice("MFCC", "dct_type", dct_type, (2,))
        check_kind_of("MFCC", "norm", norm, NormMode)
        self.log_mels = check_bool("MFCC", "log_mels", log_mels)
        arguments = check_arguments("MFCC", "melkwargs", melkwargs)
        self.mel_spectrogram = MelSpectrogram(**{"sample_rate": sample_rate, **arguments})
        n_mels = self.mel_spectrogram.mel_scale.n_mels
        if n_mfcc > n_mels:
            raise value_error("MFCC", f"the 'n_mfcc' must be at most the {n_mels} filters", f"{n_mfcc}")
        self._bank = cosines(n_mfcc, n_mels, norm)

    def _sound(self, x):
        return self._coefficients(self._log(self.mel_spectrogram._sound(x), self.log_mels))


class LFCC(CepstralOperation):
    """Linear-frequency cepstral coefficients: the cosine transform of the decibels of evenly spread filters.

    Args:
        sample_rate (int): Samples in a second. Default: 16000.
        n_filter (int): Number of filters. Default: 128.
        n_lfcc (int): Number of coefficients. Default: 40.
        f_min (float): Lowest frequency in Hz. Default: 0.0.
        f_max (float): Highest frequency in Hz. Default: None, half the sample rate.
        dct_type (int): 2. Default: 2.
        norm (NormMode): Norm of the cosine transform. Default: ``NormMode.ORTHO``.
        log_lf (bool): Logarithm of ``x + 1e-6`` in place of decibels. Default: False.
        speckwargs (dict): Arguments of :class:`Spectrogram`. Default: None.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If an argument is out of range, or there are more coefficients than frequencies.
        RuntimeError: When called, if the column is no waveform, or is too short.

    Shape (..., time) gives (..., n_lfcc, time // hop_length + 1).

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> tone = np.cos(np.arange(64) * np.pi / 4)
        >>> print(audio.LFCC(n_filter=4, n_lfcc=3, speckwargs={"n_fft": 16})(tone)[:, 4].round(2))
        [-57.98  73.1    1.51]
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_filter: int = 128,
        n_lfcc: int = 40,
        f_min: float = 0.0,
        f_max: float | None = None,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_lf: bool = False,
        speckwargs: dict | None = None,
    ) -> None:
        check_size("LFCC", "sample_rate", sample_rate)
        check_size("LFCC", "n_filter", n_filter)
        check_size("LFCC", "n_lfcc", n_lfcc)
        check_choice("LFCC", "dct_type", dct_type, (2,))
        check_kind_of("LFCC", "norm", norm, NormMode)
        self.log_lf = check_bool("LFCC", "log_lf", log_lf)
        self.spectrogram = Spectrogram(**check_arguments("LFCC", "speckwargs", speckwargs))
        if n_lfcc > self.spectrogram.n_fft:
            raise value_error("LFCC", "the 'n_lfcc' must be at most 'n_fft'", f"{n_lfcc}")
        low, high = _check_range("LFCC", f_min, sample_rate // 2 if f_max is None else f_max, 0)
        corners = np.linspace(low, high, n_filter + 2)
        self._filters = _triangles(self.spectrogram.n_fft // 2 + 1, corners, sample_rate)
        self._bank = cosines(n_lfcc, n_filter, norm)

    def _sound(self, x):
        return self._coefficients(self._log(self._filters.T @ self.spectrogram._sound(x), self.log_lf))
