"""Markup: the few pieces of HTML that all forms are made of. All text in them is escaped here."""

from html import escape

from minispore.core import errors

__all__ = []

_QUIET = "opacity:.7"  # colours are the page's own, in the light and in the dark
_CELL = "text-align:left;vertical-align:top"


def text(value):
    """A value as text without a meaning to a page or a terminal: names may come from files of others."""
    return escape(errors.escaped(str(value)))


def code(value):
    """A name or number in fixed width."""
    return f"<code>{text(value)}</code>"


def heading(name, *facts):
    """A line: a name in bold, and facts about it."""
    quiet = f' <span style="{_QUIET}">{text(", ".join(map(str, facts)))}</span>' if facts else ""
    return f"<div><b>{text(name)}</b>{quiet}</div>"


def note(value):
    """A line of smaller weight."""
    return f'<div style="{_QUIET}">{text(value)}</div>'


def table(head, rows, most=50):
    """A table of rows, each a tuple of values; beyond ``most`` rows their number is told.

    A value that is a ``Raw`` is HTML already.
    """
    shown = rows[:most]
    above = "".join(f'<th style="{_CELL}">{text(name)}</th>' for name in head)
    lines = "".join(f"<tr>{''.join(map(_entry, row))}</tr>" for row in shown)
    more = note(f"and {len(rows) - most} more rows") if len(rows) > most else ""
    return f"<table><thead><tr>{above}</tr></thead><tbody>{lines}</tbody></table>{more}"


def _entry(value):
    return f'<td style="{_CELL}">{value if isinstance(value, Raw) else text(value)}</td>'


class Raw(str):
    """HTML that is finished: it is not escaped again."""


def listing(value):
    """Source or values in fixed width, line by line."""
    return f'<pre style="margin:.3em 0">{text(value)}</pre>'


def folded(summary, inside, is_open=False):
    """A part that a click opens and closes."""
    return f"<details{' open' if is_open else ''}><summary>{summary}</summary>{inside}</details>"


def indented(inside):
    """Lines that stand under another one."""
    return f'<div style="margin-left:1.3em">{inside}</div>'


def whole(*parts):
    """A form: its parts below one another."""
    return f'<div class="minispore">{"".join(parts)}</div>'
