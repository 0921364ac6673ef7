"""Known deviations of a target: the law, the cases that break it, and the reason; from a file of TOML.

.. code-block:: toml

    [[deviation]]
    law = "loss_scale_course"
    pattern = "manager 1.70141e+38 *"
    reason = "the scale is a float of Python, which no float32 bounds"
    ledger = "a dynamic scale at the end of float32"

A deviation that no case needed is an error: whoever mends the target takes the row out. ``rare = true`` says that few
of the drawn cases meet it. A run may miss it. ``ledger`` is optional: it is the first cell of the deviation's row in
the ledger of differences (``ledger.py``).
"""

import fnmatch
from dataclasses import dataclass
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

__all__ = ["Deviation", "of_target", "read"]

KNOWN = Path(__file__).parent / "known"


@dataclass
class Deviation:
    """One row: a law, a pattern of its cases' labels, a reason; ``reached`` counts the cases that needed it.

    ``ledger`` is the first cell of its row in the ledger, or None; a run may miss a ``rare`` one.
    """

    law: str
    pattern: str
    reason: str
    ledger: str = ""
    rare: bool = False
    reached: int = 0

    @property
    def unneeded(self):
        """True if the deviation should have been met, and no case met it."""
        return not self.reached and not self.rare

    def fits(self, law, label):
        """True if it explains that a law fails for a case."""
        return law == self.law and fnmatch.fnmatchcase(label, self.pattern)


def read(path):
    """The deviations of a file.

    Raises:
        ValueError: If a row lacks one of law, pattern and reason, or has something else.
    """
    rows = tomllib.loads(Path(path).read_text()).get("deviation", [])
    for row in rows:
        if set(row) - {"ledger", "rare"} != {"law", "pattern", "reason"} or not all(row.values()):
            raise ValueError(f"For 'deviations', each row must have a law, a pattern and a reason, but got {row}.")
    return [Deviation(**row) for row in rows]


def of_target(target):
    """The deviations that come with the kit for a target and its version."""
    path = KNOWN / f"{target.name}-{getattr(target, 'version', '')}.toml"
    return read(path) if path.exists() else []
