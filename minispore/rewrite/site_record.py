"""Site: one call that the user's source makes; SiteRecord: those of one cell, and the names it uses without a call."""

import ast
from types import FunctionType, MethodType
from typing import NamedTuple

from minispore.core.errors import shown
from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.resolve.package_functions import is_package_function

__all__ = [
    "FUNCTIONS",
    "NAMED",
    "NEVER",
    "UNREADABLE",
    "Callee",
    "Mention",
    "Site",
    "SiteRecord",
    "called_as",
    "name_of",
    "place_of",
    "unread",
]

NEVER = "no call of it is found"
NAMED = "the code names it, and may call it elsewhere"
UNREADABLE = "it cannot be read: "
FUNCTIONS = (FunctionType, MethodType)


class Site(NamedTuple):
    """One call: ``place`` is ``file:line``, ``owner`` the path of the calling cell, ``text`` the callee as written.

    ``called`` is the Cell or Primitive; for a function of the package, an operator or a method of a Tensor the name of
    the function; for an object made by the code its class. ``reason`` says why no edit of the trees reaches it; "" if
    one does. ``cell`` is the cell whose mark the call runs under. ``path`` is the callee's path in the network, or else
    ``text``. ``doubt`` says why the call may never happen; "" if the code calls it by name. ``is_method`` says that the
    code calls a method of that name, which is the function of the package if the object is a Tensor. ``called`` is None
    where what is called is known only at run time, or where it cannot be read; the doubt says why.
    """

    place: str
    owner: str
    text: str
    called: object
    reason: str = ""
    cell: object = None
    path: str = ""
    doubt: str = ""
    is_method: bool = False


class Callee(NamedTuple):
    """The callee of a call: its value, its text if not as the code has it, and why no edit of the trees reaches it.

    ``held``: something holds the value under a path of its own, whatever the text is.
    """

    called: object
    text: str | None = None
    reason: str = ""
    held: bool = False


class Mention(NamedTuple):
    """A name used without a call: its value, its text, why no edit of the trees reaches it, and its place."""

    called: object
    text: str
    reason: str
    place: str


def place_of(function, line=None):
    """The place of a line of a function, or of the function itself, as ``file:line``."""
    code = getattr(function, "__code__", None)  # a substitute for a method may be no function
    if code is None:
        return "<unknown>:0"
    return f"{code.co_filename}:{code.co_firstlineno if line is None else line}"


def unread(error):
    """The doubt of a site that an error of an object of the user's has hidden."""
    return f"{UNREADABLE}{type(error).__name__}: {shown(error, str)}"


class SiteRecord:
    """The sites of one cell, in the order in which they are recorded, and its mentions.

    A value that the code mentions without calling may be called elsewhere under another name. If no call is found that
    goes back to the mention, the site is placed at the mention, with a doubt.

    Args:
        path (str): The path of the cell.
        cell (Cell): The cell.
        walk (object): With ``enter(site)``, which gives the sites inside a user's cell or a container, for others the
            site itself, and ``path_of(called, text)``, which gives the path of the callee, or else the text.
        runs (Cell): The cell whose mark the code runs under. Default: None, the cell itself.
        reason (str): Why no edit reaches anything in the cell. Default: "".
    """

    def __init__(self, path, cell, walk, runs=None, reason=""):
        self.path, self.cell, self.walk, self.reason = path, cell, walk, reason
        self.runs = cell if runs is None else runs
        self.sites, self.mentions, self.waiting, self.called = [], [], {}, set()
        self.found = 0
        self.scope = None  # the names of the function whose code is read

    def finished(self):
        """The sites, and, at their places, the mentions for which no call was found."""
        waiting = set(map(id, self.waiting.values()))
        parts = [self.walk.enter(site) if id(site) in waiting else [site] for site in self.sites]
        return [site for part in parts for site in part]

    def _note(self, node, callee, doubt="", is_method=False):
        """Record a call; it covers a mention of the callee in the same line."""
        site = self._site(node, callee, doubt)
        self._cover(_key(callee.called, callee.reason, site.place))
        self.sites += self.walk.enter(site._replace(is_method=is_method))

    def _note_mentioned(self, node, mention, doubt=""):
        """Record a call of what was mentioned before; it covers that mention."""
        self._cover(_key(mention.called, mention.reason, mention.place))
        self._note(node, Callee(mention.called, mention.text, mention.reason, held=True), doubt)

    def _cover(self, key):
        """Drop the site of a mention: a call of it is recorded."""
        self.called.add(key)
        waiting = self.waiting.pop(key, None)
        self.sites = [site for site in self.sites if site is not waiting]

    def _mention(self, node, called, reason, text=None):
        """Record a mention without a call."""
        site = self._site(node, Callee(called, text, reason, held=True), NAMED)
        self.mentions.append(Mention(called, site.text, reason, site.place))
        key = _key(called, reason, site.place)
        if key not in self.waiting and key not in self.called:
            self.waiting[key] = site
            self.sites.append(site)

    def _site(self, node, callee, doubt=""):
        called, text, reason, held = callee
        self.found += 1
        text = ast.unparse(getattr(node, "func", node)) if text is None else text
        place = place_of(self.scope.function, node.lineno)
        path = self.walk.path_of(called, text) if held else self._path(called, text)
        return Site(place, self.path, text, called, self.reason or reason, self.runs, path, doubt)

    def _path(self, called, text):
        """The path of the callee of an expression: that of the attribute, if it belongs to the cell."""
        holder, _, name = text.partition(".")
        own = isinstance(called, (Cell, Primitive)) and name and holder == self.scope.self_name
        if not own or self.scope.root is not self.cell:
            return self.walk.path_of(called, text)
        path = f"{self.path}.{name}" if self.path else name
        return self.walk.path_of(called, path) if "[" in name else path  # layers.0 for self.layers[0]


def name_of(function):
    """The name of a function, or of a primitive that stands for one."""
    return getattr(function, "name", None) or function.__name__


def called_as(value):
    """The name of the callee in a site: a function of the package by name; None for a function of the user's."""
    if isinstance(value, FunctionType) and is_package_function(value):
        return name_of(value)
    return None if isinstance(value, FUNCTIONS) else value


def _key(called, reason, place):
    """The key that a mention and its call share: the cell, primitive or function, and the place of the mention."""
    return called, reason if isinstance(called, str) else "", place
