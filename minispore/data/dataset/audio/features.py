"""Features of sequences: differences over time, and means that slide with it."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.errors import runtime_error
from minispore.data.dataset.audio.base import AudioTensorOperation, check_kind_of, check_size
from minispore.data.dataset.audio.enums import BorderType

__all__ = ["ComputeDeltas", "SlidingWindowCmn"]


class ComputeDeltas(AudioTensorOperation):
    """Slopes over time: ``sum(n * x[t + n] for n in range(-m, m + 1)) / (m * (m + 1) * (2 * m + 1) / 3)``.

    Here m is ``(win_length - 1) // 2``.

    Dtypes: float64, kept; others give float32.

    Args:
        win_length (int): At least 3. Default: 5.
        pad_mode (BorderType): Values beyond both ends. Default: ``BorderType.EDGE``.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If ``win_length`` is below 3.
        RuntimeError: When called, if the column is not (..., frequency, time).

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.ComputeDeltas(3)(np.array([[1.0, 2.0, 4.0, 4.0]])))
        [[0.5 1.5 1.  0. ]]
    """

    rank = 2

    def __init__(self, win_length: int = 5, pad_mode: BorderType = BorderType.EDGE) -> None:
        self.win_length = check_size("ComputeDeltas", "win_length", win_length, 3)
        self.pad_mode = check_kind_of("ComputeDeltas", "pad_mode", pad_mode, BorderType)

    def _sound(self, x):
        m, size = (self.win_length - 1) // 2, x.shape[-1]
        if self.pad_mode is BorderType.REFLECT and size <= m:
            raise runtime_error("ComputeDeltas", f"the input must be longer than {m} to be mirrored", f"{size}")
        padded = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(m, m)], self.pad_mode.value)
        total = sum(n * padded[..., m + n : m + n + size] for n in range(-m, m + 1))
        return total / (m * (m + 1) * (2 * m + 1) / 3)


class SlidingWindowCmn(AudioTensorOperation):
    """Values less their mean in a window of time around or before them, divided by its deviation if asked for.

    Shapes: (..., time, frequency), kept. Dtypes: float64, kept; others give float32.

    Args:
        cmn_window (int): Frames of the window. Default: 600.
        min_cmn_window (int): Least number of frames at the beginning, if not centred. Default: 100.
        center (bool): Put the window around each frame, not before it. Default: False.
        norm_vars (bool): Divide by the deviation. Default: False.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a number of frames is below 0.
        RuntimeError: When called, if the column is not (..., time, frequency).

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import audio
        >>> print(audio.SlidingWindowCmn(2, 1)(np.array([[1.0], [3.0], [5.0]]))[:, 0])
        [0. 1. 2.]
    """

    rank = 2

    def __init__(
        self, cmn_window: int = 600, min_cmn_window: int = 100, center: bool = False, norm_vars: bool = False
    ) -> None:
        self.cmn_window = check_size("SlidingWindowCmn", "cmn_window", cmn_window, 0)
        self.min_cmn_window = check_size("SlidingWindowCmn", "min_cmn_window", min_cmn_window, 0)
        self.center = check_bool("SlidingWindowCmn", "center", center)
        self.norm_vars = check_bool("SlidingWindowCmn", "norm_vars", norm_vars)

    def _window(self, frame, count):
        """The first frame of a frame's window, and the one after its last."""
        start = frame - self.cmn_window // 2 if self.center else frame - self.cmn_window
        end = start + self.cmn_window if self.center else frame + 1
        if start < 0:
            start, end = 0, end - start
        if not self.center and end > frame:
            end = max(frame + 1, self.min_cmn_window)
        if end > count:
            start, end = max(start - end + count, 0), count
        return start, end

    def _sound(self, x):
        found = np.empty_like(x)
        for frame in range(x.shape[-2]):
            start, end = self._window(frame, x.shape[-2])
            window = x[..., start:end, :]
            found[..., frame, :] = x[..., frame, :] - window.mean(-2)
            if self.norm_vars:
                found[..., frame, :] = found[..., frame, :] / window.std(-2) if end - start > 1 else 0
        return found
