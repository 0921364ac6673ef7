"""Progress: a bar on a terminal or in a notebook, else one line per epoch.

On a terminal it is on standard error, so that standard output has the table.
"""

import sys

from minispore.core.errors import escaped
from minispore.training.train.callback.progress_bar import bar

__all__ = ["Progress"]


class Progress:
    """The progress of one level.

    Args:
        level (str): Its name.
        epochs (int): The number of epochs.
        steps (int): Steps in an epoch.
        done (int): The number of completed steps.
        silent (bool): Whether nothing is shown: another process shows it. Default: False.
    """

    def __init__(self, level, epochs, steps, done, silent=False):
        self._level, self._epochs, self._tested = level, epochs, ""
        self._silent = silent
        self._bar = bar(total=epochs * steps, initial=done, desc=level, unit=" steps", disable=silent)

    def step(self, result):
        """Count a step that returned a loss, or ``(loss, overflow, scale)``."""
        if not self._bar.disable:
            loss, *scaling = result if isinstance(result, tuple) else (result,)
            scale = f", scale {float(scaling[1]):g}" if scaling else ""
            self._bar.set_postfix_str(f"loss {float(loss):.4f}{scale}{self._tested}", refresh=False)
            self._bar.update()

    def epoch(self, number, loss, accuracy, seconds):
        """Report a completed epoch with its mean loss."""
        self._tested = f", test {100 * accuracy:.2f} %"
        if self._bar.disable:
            text = f"loss {loss:.4f}, test accuracy {100 * accuracy:.2f} %, {seconds:.1f} s"
            self.say(f"{self._level} epoch {number}/{self._epochs}: {text}")

    def say(self, text):
        """Print a permanent line."""
        if self._silent:
            return
        text = escaped(text)
        if self._bar.disable:
            print(text, file=sys.stderr, flush=True)
        else:
            self._bar.write(text, file=sys.stderr)

    def close(self):
        """End the level's progress."""
        self._bar.close()
