"""Make the pictures of the course in ``docs/images``: all of them, or those that are named.

    python docs/make/pictures                  # all, in about a minute
    python docs/make/pictures number_lines

Their data come from runs: networks that train on the embedded images, trees, recordings. A picture is one script of
this folder with a ``main(folder)``.
"""

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from canvas import IMAGES

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in ("__main__", "canvas"))


def main(names):
    """Make the named pictures, or all."""
    for name in names or NAMES:
        importlib.import_module(name).main(IMAGES)
        print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
