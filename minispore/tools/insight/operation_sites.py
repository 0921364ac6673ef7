"""Operation sites: the places where the forward pass runs operations; a gradient's operations have the same sites."""

from __future__ import annotations

import sys
from itertools import zip_longest
from typing import Any, NamedTuple

from minispore.core import backend
from minispore.core.observation import in_force
from minispore.core.running import running
from minispore.core.tracebacks import is_users_file
from minispore.nn.error_location import place_of
from minispore.tools.observer import Observer

__all__ = []


class Site(NamedTuple):
    """The place where an operation runs: its name, the running cells with their paths, and the user's lines."""

    operation: str
    cells: tuple  # pairs (cell, path), the outermost first
    lines: tuple  # pairs (file, number), the innermost first

    @property
    def path(self):
        """The path of the innermost cell; "" outside of cells."""
        return self.cells[-1][1] if self.cells else ""


class SiteObserver(Observer):
    """Knows the site of each operation; a gradient's operation has the site of the differentiated operation.

    Args:
        height (int): The number of the user's lines in a site.
        bottom (frame): The frame at which the user's lines end. Default: None, the outermost.
    """

    def __init__(self, height: int = 0, bottom=None) -> None:
        super().__init__()
        self._height, self._bottom = height, bottom
        self.calls = []  # the running operations' arguments, before they are adapted to one another
        self._rules = []  # pairs of a site whose gradient rule runs, and the frame below the rule; the outermost first
        self._last = Site("", (), ())  # the site of the last rule: the pull-back is adding up its result

    def site(self, name) -> Any:
        """The place where the operation ``name`` runs."""
        if self._rules:
            return self._within_rule(*self._rules[-1])
        if running.pulling_back:
            return self._last
        return Site(name, tuple(self.cells), self._lines(self._bottom))

    def _within_rule(self, site, bottom):
        """The site of a gradient rule; for a user's own rule, with its running line."""
        lines = self._lines(bottom, site.cells)
        return site._replace(lines=(*lines, *site.lines)[: self._height]) if lines else site

    def within_operation(self, call, primitive, args) -> Any:
        """Run the call; the gradient rules that it records run at its site."""
        self.calls.append(args)
        try:
            out = call()
        finally:
            self.calls.pop()
        self._locate_record(primitive.name)
        return out

    def begin_gradients(self, start) -> Any:
        """The pull-back begins at the Tensor ``start``, the gradient of the loss."""

    def numbers(self, arrays) -> Any:
        """An operation's input ``arrays``; a Tensor made of a number is replaced by the number."""
        written = self.calls[-1] if self.calls else ()
        found = zip_longest(arrays, written[: len(arrays)])
        return [b if isinstance(b, float) and isinstance(a, backend.array_type) else a for a, b in found]

    def within_cell(self, call, cell, args) -> Any:
        """Run the call; the cell's own gradient rule runs at its site."""
        out = call()
        self._locate_record(cell.cls_name)
        return out

    def _locate_record(self, name):
        tape = running.tape
        if tape and not isinstance(tape[-1][0], _LocatedRule):
            rule, inputs, out = tape[-1]
            tape[-1] = _LocatedRule(rule, self.site(name), self), inputs, out

    def pull_back(self, rule, site, args) -> Any:
        """Run the gradient rule of a site."""
        self._rules.append((site, sys._getframe()))
        try:
            return rule(*args)
        finally:
            self._last = self._rules.pop()[0]

    def _lines(self, bottom, cells=()):
        found, frame = [], sys._getframe(1) if self._height else None
        while frame is not None and frame is not bottom and len(found) < self._height:
            place = place_of(frame, [cell for cell, _ in (*cells, *self.cells)])
            if is_users_file(place[0]):
                found.append(place)
            frame = frame.f_back
        return tuple(found)


class _LocatedRule:
    """A gradient rule that reports its site to its observer, as long as it observes."""

    def __init__(self, rule, site, observer):
        self.rule, self.site, self.observer = rule, site, observer

    def __call__(self, *args):
        if any(layer is self.observer for layer in in_force()):
            return self.observer.pull_back(self.rule, self.site, args)
        return self.rule(*args)
