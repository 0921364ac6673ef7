"""The runner's findings: lines of a table, JSON, a page of HTML.

``python -m minispore.testing.report A.json B.json`` prints files of JSON as one table of Markdown.
"""

import html
import json
import sys
from dataclasses import asdict
from pathlib import Path

from minispore.tools.testing.laws import LAWS

__all__ = ["details", "row", "table", "told", "untried", "warned", "write"]


def row(result):
    """A law's line: its name, cases, failures, known deviations, time."""
    if result.absent:
        return f"{result.law:22} {'-':>7}  {result.absent}"
    known = f"; {result.reached} cases of known deviations" if result.reached else ""
    known += f"; {result.refused} cases refused" if result.refused else ""
    return (
        f"{result.law:22} {result.cases:>7} cases  {len(result.failures):>3} failures  {result.seconds:6.1f} s  "
        f"{result.sentence}{known}"
    )


def details(result):
    """The lines under a law that fails: the failing groups, and the smallest counterexample."""
    if not result.smallest:
        return []
    failed = ", ".join(failure.group for failure in result.failures[:12])
    more = f" and {len(result.failures) - 12} more" if len(result.failures) > 12 else ""
    lines = [f"    It does not hold of {failed}{more}.", f"    Smallest counterexample: {result.smallest.words}", ""]
    lines += [*_indented(result.smallest.program), ""]
    if result.smallest.said:
        lines += ["    The case in the target's own API:", "", *_indented(result.smallest.said), ""]
    return lines


def _indented(program):
    return [f"        {line}" if line else "" for line in program.splitlines()]


def told(unneeded):
    """A line for each deviation that nothing needed."""
    return [f"The deviation {d.law} '{d.pattern}' is no longer needed: take its row out." for d in unneeded]


def warned(found):
    """A line for all the warnings that were caught; none where there were none."""
    if not found:
        return []
    kinds = {f"{each.category.__name__}: {each.message}" for each in found}
    return [f"The target's code warned {len(found)} times, in {len(kinds)} ways; one is {min(kinds, key=len)}"]


def untried(target, found, by_name):
    """The reason why the command has not done its task, in lines: no law was tried, or one that was named was not.

    Args:
        target (Target): The target.
        found (Sequence[Result]): The result of each law.
        by_name (bool): Whether the laws were asked for by name.
    """
    absent = [result for result in found if result.absent]
    if by_name:
        return [f"The law {result.law} was asked for, and not tried: {result.absent}" for result in absent]
    if len(absent) == len(found):
        return [f"No law was tried: {target.name} has the verbs of none."]
    return []


def write(target, profile, results, deviations, to_json=None, to_html=None):
    """Write the results where they are wanted."""
    version = getattr(target, "version", "")
    found = {"target": target.name, "version": version, "profile": profile, "laws": [asdict(r) for r in results]}
    found["deviations"] = [asdict(d) for d in deviations]
    if to_json:
        Path(to_json).write_text(json.dumps(found, indent=1) + "\n")
    if to_html:
        Path(to_html).write_text(_page(found))


def _page(found):
    rows = "".join(_html_row(result) for result in found["laws"])
    title = html.escape(f"{found['target']} {found['version']}, profile {found['profile']}")
    return (
        f"<!doctype html><meta charset=utf-8><title>{title}</title><style>td,th{{text-align:left;vertical-align:top;"
        f"padding:.3em 1em}}pre{{background:#eee;padding:.5em}}</style><h1>{title}</h1><table><tr><th>law<th>cases"
        f"<th>failures<th>smallest counterexample</tr>{rows}</table>\n"
    )


def _html_row(result):
    failures = sorted(result["failures"], key=lambda failure: len(failure["program"]))
    told = html.escape(result["absent"])
    if failures:
        told = html.escape(failures[0]["words"]) + f"<pre>{html.escape(failures[0]['program'])}</pre>"
        told += f"<pre>{html.escape(failures[0]['said'])}</pre>" if failures[0]["said"] else ""
    sentence = html.escape(result["sentence"])
    return f"<tr><td>{sentence}<td>{result['cases']}<td>{len(failures)}<td>{told}</tr>"


def table(runs):
    """Runs, as :func:`write` wrote them, as a table of Markdown: a row for each law, a column for each target."""
    columns = {}
    for run in runs:
        found = columns.setdefault(f"{run['target']} {run['version']}, `{run['profile']}`", {})
        found.update({result["law"]: result for result in run["laws"]})
    laws, reasons = [law for law in LAWS if any(law in found for found in columns.values())], {}
    lines = [f"| law | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    lines += [f"| `{law}` | {' | '.join(_cell(f.get(law), reasons) for f in columns.values())} |" for law in laws]
    return "\n".join([*lines, "", *(f"- [{n}] {reason}" for reason, n in reasons.items())]) + "\n"


def _cell(result, reasons):
    """A law's cell; why it is not supported stands below the table, with a number."""
    if result is None:
        return "-"
    if result["absent"]:
        return f"[{reasons.setdefault(result['absent'], len(reasons) + 1)}]"
    parts = [f"{result['cases']} cases", f"{result['seconds']:.0f} s"]
    parts += [f"{len(result['failures'])} failures"] if result["failures"] else []
    parts += [f"{result['reached']} of deviations"] if result["reached"] else []
    parts += [f"{result['refused']} refused"] if result["refused"] else []
    return ", ".join(parts)


if __name__ == "__main__":
    print(table([json.loads(Path(path).read_text()) for path in sys.argv[1:]]), end="")
