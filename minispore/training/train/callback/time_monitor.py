"""TimeMonitor: prints how long epochs take."""

from __future__ import annotations

import time

from minispore.core.checks import check_positive_int
from minispore.training.train.callback.callback import Callback

__all__ = ["TimeMonitor"]


class TimeMonitor(Callback):
    """Print ``Train epoch time: 12.345 ms, per step time: 1.234 ms`` after each epoch.

    Args:
        data_size (int): The steps of an epoch, if the run does not give their number. ``Model`` does. Default: None.

    Raises:
        TypeError: If ``data_size`` is not an int.
        ValueError: If it is below 1.

    Examples:
        >>> import minispore as ms
        >>> monitor = ms.train.TimeMonitor(data_size=10)
        >>> print(monitor.data_size)
        10
    """

    def __init__(self, data_size: int | None = None) -> None:
        super().__init__()
        self.data_size = None if data_size is None else check_positive_int("TimeMonitor", "data_size", data_size)
        self.epoch_time = time.time()

    def epoch_begin(self, run_context) -> None:
        """Start the clock."""
        self.epoch_time = time.time()

    def epoch_end(self, run_context) -> None:
        """Print the time since the epoch began."""
        milliseconds = (time.time() - self.epoch_time) * 1000
        cb_params = run_context.original_args()
        steps = cb_params.get("batch_num", self.data_size)
        mode = cb_params.get("mode", "").title()
        print(
            f"{mode} epoch time: {milliseconds:5.3f} ms, per step time: {milliseconds / max(steps, 1):5.3f} ms",
            flush=True,
        )
