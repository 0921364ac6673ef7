"""Round each of the 2**32 float32 patterns to float16, packed and on its grid, and compare with NumPy's own rounding.

``python tests/ops/kernels/float16/every_float32.py`` takes some minutes; ``test_cast.py`` and
``test_unpacked_float16.py`` hold the boundaries in every run.
"""

import sys
import time

import numpy as np

from minispore.ops.kernels.float16.cast import narrow
from minispore.ops.kernels.float16.round_in_float32 import on_half_grid

PIECE = 1 << 24


def unequal(first):
    """How many of the PIECE patterns from ``first`` on are rounded to other bits; all NaN count as one."""
    x = np.arange(first, first + PIECE, dtype=np.uint32).view(np.float32)
    with np.errstate(all="ignore"):
        expected = x.astype(np.float16)
    found, nan = narrow(np, x, np.float16), np.isnan(x)
    different = found.view(np.uint16) != expected.view(np.uint16)
    kept = on_half_grid(np, x)
    different |= kept.view(np.uint32) != expected.astype(np.float32).view(np.uint32)
    return int((different & ~nan).sum()) + int((~np.isnan(found[nan])).sum()) + int((~np.isnan(kept[nan])).sum())


def main():
    start = time.perf_counter()
    wrong = sum(unequal(first) for first in range(0, 1 << 32, PIECE))
    print(f"{wrong} of {1 << 32:,} patterns are wrong ({time.perf_counter() - start:.0f} s)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
