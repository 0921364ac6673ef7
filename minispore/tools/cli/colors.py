"""Colors of ``minispore explain`` on a terminal; none where the output goes elsewhere, or NO_COLOR is set.

Source: https://no-color.org
"""

import os
import re

__all__ = ["colored_diff", "colored_receipt", "wanted"]

_CODES = {"bold": 1, "red": 31, "green": 32, "yellow": 33, "magenta": 35, "cyan": 36}
_DTYPES = {"float16": "green", "bfloat16": "cyan", "unknown": "magenta", "not called": "magenta"}
_DIFF = {"+++": "bold", "---": "bold", "@@": "cyan", "+": "green", "-": "red"}  # the longer beginnings first


def wanted(stream):
    """True if output to a stream is to be colored."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def _in(color, text):
    return f"\033[{_CODES[color]}m{text}\033[0m" if color else text


def colored_receipt(receipt):
    """A receipt's table, each row colored by its dtype. A listed class that is not converted is yellow."""
    head, *lines = str(receipt).split("\n")
    rows, rest = lines[: len(receipt.entries)], lines[len(receipt.entries) :]
    colors = ["yellow" if entry.missed else _DTYPES.get(entry.dtype) for entry in receipt.entries]
    return "\n".join([_in("bold", head), *map(_in, colors, rows), *rest])


def colored_diff(diff):
    """A unified diff: added lines green, removed lines red, positions cyan."""
    return re.sub(r"(?m)^.+$", lambda line: _in(_color_of(line.group()), line.group()), diff)


def _color_of(line):
    return next((color for start, color in _DIFF.items() if line.startswith(start)), None)
