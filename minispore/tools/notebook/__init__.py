"""Notebook: the package's objects in IPython and Jupyter, as HTML beside their text.

``import minispore`` registers the forms where IPython runs; no class gets an attribute by it. Where IPython starts
later, ``%load_ext minispore.tools.notebook`` does it.
"""

from __future__ import annotations

from minispore.tools.notebook.registration import html, register

__all__ = ["html", "load_ipython_extension", "register"]


def load_ipython_extension(shell) -> None:
    """Register the forms with a shell of IPython: ``%load_ext minispore.tools.notebook`` calls this."""
    register(shell)
