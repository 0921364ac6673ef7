"""The rooms that a package has: below the line each may be taken away."""

from pathlib import Path

import minispore

__all__ = ["is_there"]


def is_there(room):
    """True if the package under test has the room."""
    return (Path(minispore.__file__).parent / room / "__init__.py").exists()
