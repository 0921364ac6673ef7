"""Write ``docs/reference/conformance.md``: what was compared with the real MindSpore, how near it came, what differs.

``python tests/conformance/write_page.py`` reads the recorded vectors and judges them with the functions of the tests
beside it. A test holds the page to this, but for the digits, which may differ between machines. With ``--missing`` it
lists the names that no vector compares, which no page has: they change with each addition.
"""

import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from conformance.cases.operations import keyed  # noqa: E402 - found by the line before
from conformance.judge import (  # noqa: E402
    errors,
    explained_differences,
    operations,
    read_vectors,
)

import minispore as ms  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "conformance.md"
HEAD = """# Conformance with MindSpore

Written by `tests/conformance/write_page.py` from the recorded vectors of `tests/conformance/vectors/`, which MindSpore
2.0.0 made in PYNATIVE_MODE on the CPU; the tests of `tests/conformance/` judge the same vectors by the same functions.
The cases of an operation are drawn: shapes (size-1 axes, 0-d and empty Tensors, arrays that are not contiguous),
arguments and dtypes, nan and infinities where "edges" is among them.

**Worst error** is in units of the error that is allowed; 1 is the bound. float32: `1e-5 (|exact| + terms)` from the
answer in float64, or no further from it than MindSpore is (then the figure may be above 1). float16: one unit in the
last place of the float64 answer, and `k 2**-24 terms` for a contraction of k terms; for gradients the unit of four
times `|exact| + terms`; or MindSpore's own error. 0 says that all is MindSpore's to the bit, or exact. `terms` is how
far the answer moves when the inputs move by a share of themselves. **Cases** are those that MindSpore computes; where
there are none, the float64 answer and the formula of `tests/ops/` hold the operation alone. A number in brackets is a
difference, explained at the end.
"""


def reason_numbers():
    """The reasons, numbered in their order."""
    return {
        reason: i
        for i, reason in enumerate(dict.fromkeys(reason for *_, reason in explained_differences.DIFFERENCES), 1)
    }


def verdict_of(key, given):
    """The word on a row of operations, from the record and the reasons alone."""
    if all("refused" in theirs for theirs in given.values()):
        return "float64 alone"
    marks = [f"[{reason_numbers()[reason]}]" for reason in explained_differences.reasons_of(key)]
    return "agrees" + (", but for " + " ".join(marks) if marks else "")


def worst_of(key, given, first):
    """The worst errors of a row in float32 and in float16."""
    worst = {"float32": 0.0, "float16": 0.0}
    for (_, number), verdict in operations.verdicts(keyed.keyed()[key], given, first, measure=True).items():
        kind = "float16" if keyed.keyed()[key].kind(number) == "float16" else "float32"
        if not verdict.findings and np.isfinite(verdict.worst):
            worst[kind] = max(worst[kind], verdict.worst)
    return [f"{value:.2g}" if value else "0" for value in worst.values()]


def operation_rows(measure, layers):
    """The rows of operations, or of layers."""
    record, meta = read_vectors.record()
    for key, given in sorted(record.items(), key=lambda pair: pair[0].lower()):
        if key.startswith("nn.") == layers:
            count = sum("refused" not in theirs for theirs in given.values())
            text = " · ".join(f"`{e}`" for e in keyed.keyed()[key].expressions).replace("|", "\\|")
            digits = worst_of(key, given, meta["first"]) if measure else ["", ""]
            yield [f"`{key}`", text, str(count), *digits, verdict_of(key, given)]


def missing():
    """What MindSpore has too and no row or vector compares yet: by space, the names."""
    _, meta = read_vectors.record()
    names, methods = keyed.covered()
    theirs = {space: set(found) for space, found in meta["names"].items()}
    names |= errors.names_of_others()
    ours = {"ops": set(ms.ops.functional.__all__) | set(ms.ops.operations.__all__), "nn": set(ms.nn.__all__)}
    ours["Tensor"] = {n for n in dir(ms.Tensor) if not n.startswith("_") and callable(getattr(ms.Tensor, n, None))}
    covered = {"ops": names, "nn": names, "Tensor": methods | names}
    return {
        space: sorted((ours[space] & theirs[space]) - covered[space] - set(errors.NO_COMPARISON.split()))
        for space in ours
    }


def table(head, rows):
    """The lines of a table."""
    return [f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(f"| {' | '.join(row)} |" for row in rows), ""]


def page(measure=True):
    """The text of the page; without measuring, the digits are left out."""
    columns = ["Name", "Called as", "Cases", "Worst, float32", "Worst, float16", "Verdict"]
    lines = [HEAD, "## Operations", "", *table(columns, operation_rows(measure, layers=False))]
    lines += ["## Layers, losses and optimizers, drawn", "", *table(columns, operation_rows(measure, layers=True))]
    for title, rows in errors.families(measure):
        lines += [f"## {title}", "", *table(["Name", "Cases", "Worst error, in tolerances", "Verdict"], rows)]
    command = "python tests/conformance/write_page.py --missing"
    lines += ["## Not yet compared", "", f"`{command}` lists what MindSpore has too and no row compares yet.", ""]
    lines += ["## Differences explained", ""]
    lines += [f"{number}. {reason}." for reason, number in reason_numbers().items()]
    lines += [
        "",
        "What minispore does otherwise on purpose has its row in the ledger, under [operations](quirks.md#operations)",
    ]
    lines += ["and [layers](quirks.md#layers), with the test that holds it.", ""]
    return "\n".join(lines)


def without_digits(text):
    """The page but for what is measured: the columns of errors."""
    kept = []
    for line in text.split("\n"):
        cells = line.split(" | ")
        kept.append(" | ".join([*cells[: 3 if len(cells) == 6 else 2], cells[-1]]) if len(cells) in (4, 6) else line)
    return "\n".join(kept)


if __name__ == "__main__":
    if "--missing" in sys.argv:
        print(*(f"{space}: {', '.join(names) or 'nothing'}" for space, names in missing().items()), sep="\n")
    else:
        PAGE.write_text(page(), encoding="utf-8")
        print(f"{PAGE}: {len(keyed.ROWS)} rows")
