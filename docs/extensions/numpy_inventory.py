"""An inventory of the classes of NumPy's that docstrings link, in the format of intersphinx: it needs no network."""

import zlib

HEAD = b"""# Sphinx inventory version 2
# Project: NumPy
# Version:
# The remainder of this file is compressed using zlib.
"""
CLASSES = ("dtype", "ndarray")


def numpy_inventory(path):
    """Write the inventory, and return its path as text."""
    rows = [f"numpy.{name} py:class 1 reference/generated/numpy.{name}.html#$ -\n" for name in CLASSES]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(HEAD + zlib.compress("".join(rows).encode()))
    return str(path)
