"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = []

from minispore.amp.loss_scale import managers as managers
