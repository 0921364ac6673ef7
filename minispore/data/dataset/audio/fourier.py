"""Short Fourier transforms of waveforms, their inverses, and phases stretched in time."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

__all__ = ["istft", "stft", "stretched"]


def stft(x, n_fft, hop, window, center=True, mode="reflect", onesided=True):
    """The complex spectra of frames, (..., frequency, frame)."""
    if center:
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(n_fft // 2, n_fft // 2)], mode)
    frames = sliding_window_view(x, n_fft, -1)[..., ::hop, :] * window
    spectra = np.fft.rfft(frames) if onesided else np.fft.fft(frames)
    return np.swapaxes(spectra, -1, -2)


def istft(spectra, n_fft, hop, window, length=None, center=True):
    """The waveform of which ``spectra`` (..., frequency, frame) are the spectra, by weighted overlapping sums."""
    onesided = spectra.shape[-2] == n_fft // 2 + 1
    frames = np.swapaxes(spectra, -1, -2)
    frames = (np.fft.irfft(frames, n_fft) if onesided else np.fft.ifft(frames).real) * window
    count = frames.shape[-2]
    total = np.zeros((*frames.shape[:-2], n_fft + hop * (count - 1)))
    weight = np.zeros(total.shape[-1])
    for i in range(count):
        total[..., i * hop : i * hop + n_fft] += frames[..., i, :]
        weight[i * hop : i * hop + n_fft] += window**2
    start = n_fft // 2 if center else 0
    end = start + (total.shape[-1] - 2 * (n_fft // 2) if length is None else length)
    total, weight = total[..., start:end], weight[start:end]
    found = total / np.where(weight > 1e-11, weight, 1)
    missing = 0 if length is None else length - found.shape[-1]
    return np.pad(found, [(0, 0)] * (found.ndim - 1) + [(0, max(missing, 0))])


def stretched(spectra, rate, advance):
    """Spectra (..., frequency, frame) at every ``rate``-th frame, with phases that go on as they did.

    ``advance`` (frequency, 1) is the expected phase of one hop. Flanagan, Golden (1966), Phase Vocoder.
    """
    steps = np.arange(0, spectra.shape[-1], rate)
    first_phase = np.angle(spectra[..., :1])
    padded = np.pad(spectra, [(0, 0)] * (spectra.ndim - 1) + [(0, 2)])
    here, following = padded[..., steps.astype(int)], padded[..., steps.astype(int) + 1]
    phase = np.angle(following) - np.angle(here) - advance
    phase = phase - 2 * np.pi * np.round(phase / (2 * np.pi)) + advance
    phase = np.cumsum(np.concatenate([first_phase, phase[..., :-1]], -1), -1)
    part = steps % 1.0
    magnitude = part * np.abs(following) + (1 - part) * np.abs(here)
    return magnitude * np.exp(1j * phase)
