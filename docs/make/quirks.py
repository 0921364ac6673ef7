"""Write docs/reference/quirks.md from the kit's ledger.json; ``--read`` reads an edited page back into it.

python docs/make/quirks.py [--read]
"""

import json
import sys
from pathlib import Path

from minispore.tools.testing import ledger

PAGE = Path(__file__).parents[1] / "reference" / "quirks.md"


def main(arguments):
    """Write the page, or the data."""
    if "--read" in arguments:
        found = ledger.parsed(PAGE.read_text())
        ledger.FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    PAGE.write_text(ledger.page())


if __name__ == "__main__":
    main(sys.argv[1:])
