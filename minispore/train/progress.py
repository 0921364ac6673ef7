"""Progress: a bar on a terminal, and elsewhere one line an epoch; on standard error, so that the table stands alone."""

import sys

from tqdm import tqdm

__all__ = ["Progress"]


class Progress:
    """The progress of one level.

    Args:
        level (str): Its name.
        epochs (int): How many there are.
        done (int): How many of them are done.
        steps (int): Steps in an epoch.
    """

    def __init__(self, level, epochs, done, steps):
        self._level, self._epochs, self._epoch = level, epochs, done
        quiet = not sys.stderr.isatty()
        self._bar = tqdm(total=epochs * steps, initial=done * steps, desc=level, unit=" steps", disable=quiet)

    def step(self):
        """One step is done."""
        self._bar.update()

    def epoch(self, loss, accuracy, seconds):
        """One epoch is done, with its mean loss."""
        self._epoch += 1
        text = f"loss {loss:.4f}, test accuracy {100 * accuracy:.2f} %"
        if self._bar.disable:
            print(
                f"{self._level} epoch {self._epoch}/{self._epochs}: {text}, {seconds:.1f} s",
                file=sys.stderr,
                flush=True,
            )
        else:
            self._bar.set_postfix_str(text)

    def close(self):
        """The level is done."""
        self._bar.close()
