"""``python -m minispore.testing``: the laws aimed at a target, as a table."""

import argparse
import sys
import warnings
from pathlib import Path

try:
    import hypothesis  # noqa: F401 - every law draws its cases by it
except ModuleNotFoundError:
    sys.exit("For 'testing', cases need hypothesis: pip install \"hypothesis>=6.100\".")

from minispore.tools.testing import deviations as known
from minispore.tools.testing import report, targets
from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.runner import PROFILES, Drawing, results

__all__ = ["main"]

NOTHING = 2  # the exit status if a law that was asked for, or every law, was not tried


def parser():
    """The command's arguments."""
    made = argparse.ArgumentParser(prog="python -m minispore.testing", description=__doc__)
    made.add_argument("--target", default="minispore", help="minispore, mindspore, torch, or FILE.py of an own one")
    made.add_argument("--python", help="the Python that has mindspore or torch")
    made.add_argument("--law", action="append", choices=list(LAWS), help="one law; again for more")
    made.add_argument("--only", default="*", help="the groups of cases whose label holds this")
    made.add_argument("--profile", default="ci", choices=list(PROFILES))
    drawn = made.add_mutually_exclusive_group()
    drawn.add_argument("--seed", type=int, default=0, help="other cases are drawn by another number (default: 0)")
    drawn.add_argument("--database", metavar="FOLDER", help="draw anew each time, and first what failed before")
    made.add_argument("--deviations", help="known deviations in TOML, beside those that come with the kit")
    made.add_argument("--json", help="write the results there")
    made.add_argument("--html", help="write a page there")
    made.add_argument("--init", metavar="FILE", help="write a target to begin with into FILE, and end")
    return made


def main(arguments=None):
    """Run it; returns 0 if every law holds and every deviation is needed, 2 if nothing was tried, else 1."""
    command = parser()
    chosen = command.parse_args(arguments)
    if chosen.init:
        return _write_template(command, chosen.init)
    target, rows = _given(command, chosen)
    found = []
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        drawing = Drawing(chosen.seed, chosen.database)
        for result in results(target, chosen.law, chosen.profile, rows, chosen.only, drawing):
            found.append(result)
            print(report.row(result), *report.details(result), sep="\n", flush=True)
    whole = chosen.only == "*"
    tried = {result.law for result in found}
    unneeded = [row for row in rows if whole and row.law in tried and row.unneeded]
    untried = report.untried(target, found, by_name=chosen.law is not None)
    for line in (*report.told(unneeded), *report.warned(warned), *targets.misspelt(target), *untried):
        print(line)
    report.write(target, chosen.profile, found, rows, chosen.json, chosen.html)
    failed = bool(unneeded) or any(result.failures for result in found)
    return 1 if failed else NOTHING if untried else 0


def _given(command, chosen):
    """The target and its known deviations; what cannot be read ends the command with one sentence."""
    try:
        target = targets.load(chosen.target, chosen.python)
    except ValueError as error:
        command.error(f"argument --target: {error}")
    rows = known.of_target(target)
    try:
        rows += known.read(chosen.deviations) if chosen.deviations else []
    except (OSError, ValueError) as error:  # which TOML's errors are
        command.error(f"argument --deviations: {chosen.deviations}: {error}")
    return target, rows


def _write_template(command, path):
    """Write a target to begin with; a file that is there is not overwritten."""
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write((Path(__file__).parent / "template.txt").read_text(encoding="utf-8"))
    except OSError as error:
        command.error(f"argument --init: {path}: {error.strerror}")
    print(f"{path} is written: python -m minispore.testing --target {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
