"""Progress: a bar on a terminal, and elsewhere one line an epoch; on standard error, so that the table stands alone."""

import sys

from tqdm import tqdm

__all__ = ["Progress"]


class Progress:
    """The progress of one level.

    Args:
        level (str): Its name.
        epochs (int): How many there are.
        steps (int): Steps in an epoch.
        done (int): How many steps are done.
    """

    def __init__(self, level, epochs, steps, done):
        self._level, self._epochs, self._tested = level, epochs, ""
        quiet = not sys.stderr.isatty()
        self._bar = tqdm(total=epochs * steps, initial=done, desc=level, unit=" steps", disable=quiet)

    def step(self, result):
        """One step is done, which returned a loss, or ``(loss, overflow, scale)``."""
        if not self._bar.disable:
            loss, *scaling = result if isinstance(result, tuple) else (result,)
            scale = f", scale {float(scaling[1]):g}" if scaling else ""
            self._bar.set_postfix_str(f"loss {float(loss):.4f}{scale}{self._tested}", refresh=False)
            self._bar.update()

    def epoch(self, number, loss, accuracy, seconds):
        """One epoch is done, with its mean loss."""
        self._tested = f", test {100 * accuracy:.2f} %"
        if self._bar.disable:
            text = f"loss {loss:.4f}, test accuracy {100 * accuracy:.2f} %, {seconds:.1f} s"
            self.say(f"{self._level} epoch {number}/{self._epochs}: {text}")

    def say(self, text):
        """Print a line that stays."""
        if self._bar.disable:
            print(text, file=sys.stderr, flush=True)
        else:
            self._bar.write(text, file=sys.stderr)

    def close(self):
        """The level is done."""
        self._bar.close()
