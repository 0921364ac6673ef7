"""Conversions: the receipt of a network, and its policy."""

from minispore.amp.policy.receipt import _short
from minispore.tools.notebook.markup import folded, heading, listing, note, table, whole

__all__ = []

_UNSAID = 2  # the last lines of a receipt's text: the totals, and what has no row


def of_receipt(receipt):
    """The form of a receipt: a row for each call, the totals, and the changes of the source."""
    rows = [(_short(entry.place), *entry[1:]) for entry in receipt.entries]
    totals = str(receipt).splitlines()[-_UNSAID:]
    diff = receipt.diff()
    changes = folded("changes of the source", listing(diff)) if diff else ""
    head = ("place", "cell", "class", "computes in", "why")
    return whole(heading("Mixed precision", receipt.level), table(head, rows), *map(note, totals), changes)


def of_policy(policy):
    """The form of a policy: the types of the network, and of each cell that differs from the one around it."""
    rows = []
    for path, cell in policy.cells:
        entries = dict(part.split("=", 1) for part in str(cell).split(","))
        rows.append((path or "the network", *entries.values()))
    products = ("products",) if any(len(row) > 4 for row in rows) else ()
    head = ("cell", "Parameters", "computes in", "output", *products)
    return whole(heading("Policy"), table(head, rows))
