"""``python -m minispore.testing``: the laws aimed at a target, as a table."""

import argparse
import sys

from minispore.testing import deviations as known
from minispore.testing import report, targets
from minispore.testing.laws import LAWS
from minispore.testing.runner import PROFILES, results

__all__ = ["main"]


def parser():
    """The command's arguments."""
    made = argparse.ArgumentParser(prog="python -m minispore.testing", description=__doc__)
    made.add_argument("--target", default="minispore", help="minispore, mindspore, torch, or FILE.py of an own one")
    made.add_argument("--python", help="the Python that has mindspore or torch")
    made.add_argument("--law", action="append", choices=list(LAWS), help="one law; again for more")
    made.add_argument("--only", default="*", help="the groups of cases whose label holds this")
    made.add_argument("--profile", default="ci", choices=list(PROFILES))
    made.add_argument("--deviations", help="known deviations in TOML, beside those that come with the kit")
    made.add_argument("--json", help="write the results there")
    made.add_argument("--html", help="write a page there")
    return made


def main(arguments=None):
    """Run it; returns 0 if every law holds and every deviation is needed."""
    command = parser()
    chosen = command.parse_args(arguments)
    target = targets.load(chosen.target, chosen.python)
    rows = known.of_target(target)
    try:
        rows += known.read(chosen.deviations) if chosen.deviations else []
    except (OSError, ValueError) as error:  # which TOML's errors are
        command.error(f"argument --deviations: {chosen.deviations}: {error}")
    found = []
    for result in results(target, chosen.law, chosen.profile, rows, chosen.only):
        found.append(result)
        print(report.row(result), *report.details(result), sep="\n", flush=True)
    whole = chosen.only == "*"
    tried = {result.law for result in found}
    unneeded = [row for row in rows if whole and row.law in tried and not row.reached]
    print(*report.told(unneeded), sep="\n", end="")
    report.write(target, chosen.profile, found, rows, chosen.json, chosen.html)
    return int(bool(unneeded) or any(result.failures for result in found))


if __name__ == "__main__":
    sys.exit(main())
