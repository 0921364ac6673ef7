"""What a row of the tables is: expressions that mean the same, and the domains of the names in them.

An expression is Python in which ``ops``, ``nn`` and ``ms`` are the framework's; the same text runs under MindSpore and
minispore.
"""

import re

import numpy as np
from conformance.cases.operations.draw import EDGES, FLOATS, OTHERS, Drawn, Written

NO_OPERATIONS = ("float16", "float32", "Tensor", "set_train")
CASES = 12  # of each expression: two of each kind


class Kind(str):
    """A dtype's name, which stands for the framework's dtype."""

    __slots__ = ()


class Row:
    """Expressions that mean the same, with what they are fed.

    ``edges`` adds nan and infinities to some cases, ``others`` draws other dtypes than floats, ``halves`` says whether
    float16 is for it; a ``random`` row is held by shapes and dtypes alone; no ``grad``, no gradients.
    """

    def __init__(self, text, edges=False, others=False, random=False, grad=True, halves=True, **domains):
        self.text, self.domains = text, domains
        self.edges, self.others, self.halves = edges, others, halves
        self.random, self.grad = random, grad and not random
        self.expressions = [e.strip() for e in text.split(" | ")]

    @property
    def name(self):
        """What the row is called by: the first name that it uses."""
        return (names_in(self.text) or self.expressions)[0]

    def cases(self):
        """``(expression, number)`` of every case that is recorded."""
        return [(e, CASES * i + n) for i, e in enumerate(self.expressions) for n in range(CASES)]

    def kind(self, number):
        """The dtype of a case: ``"edges"`` and ``"other"`` are only for rows that say so."""
        kind = FLOATS[number % len(FLOATS)]
        covered = {"edges": self.edges, "other": self.others, "float16": self.halves}
        return kind if covered.get(kind, True) else "float32"

    def draw(self, number):
        """The inputs of a case by name, cast to its dtype, and that dtype."""
        d = Drawn(self, number)
        for name, domain in self.domains.items():
            value = domain(d)
            d[name] = np.asarray(value) if isinstance(value, np.generic) else value
        kind, edges = self.kind(number), self.kind(number) == "edges"
        dtype = {"edges": "float32", "other": d.rng.choice(OTHERS)}.get(kind, kind)
        return {name: _cast(d, value, str(dtype), edges) for name, value in d.items()}, str(dtype)


def _cast(d, value, dtype, edges):
    if isinstance(value, Written):
        return Written(_cast(d, value.array, dtype, edges))
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(d, x, dtype, edges) for x in value)
    if not isinstance(value, np.ndarray) or value.dtype != np.float64:
        return value
    if edges:
        value = np.where(d.rng.random(value.shape) < 0.4, d.rng.choice(EDGES, value.shape), value)
    if dtype == "bool":
        return np.asarray(value > 0)
    if dtype.startswith(("int", "uint")):
        value = np.rint(value * 2)
        value = np.abs(value) if dtype[0] == "u" else value
    return np.asarray(value).astype(dtype)


def names_in(text):
    """The operations that expressions use: ``ops.name`` and methods ``x.name(``, in order, each once."""
    found = re.findall(r"\b(?:ops|nn)\.(\w+)|\b[a-z]\w?\.(\w+)\(", text)
    names = [name for pair in found for name in pair if name and name not in NO_OPERATIONS]
    return list(dict.fromkeys(names))


def methods_in(text):
    """The methods of Tensors that expressions use."""
    return list(dict.fromkeys(re.findall(r"(?<![\w.])(?!ops\b|ms\b|np\b|nn\b)[a-z]\w?\.(\w+)\(", text)))
