"""How a case is drawn: shapes, values and arguments of an operation's inputs, from a number and nothing else.

It knows no framework. A domain is a function of the :class:`Drawn` values so far, so that an input may follow another.
Arrays of float64 are those that take the dtype of the case; all others stay as they are drawn.
"""

import numpy as np

FLOATS = ("float32", "float32", "float16", "float16", "edges", "other")  # what the cases of an operation are in turn
OTHERS = ("float64", "int32", "int64", "int8", "uint8", "int16", "bool")
EDGES = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0])


class Written:
    """An input that is a Parameter, because the operation writes it."""

    def __init__(self, array):
        self.array = array


class Drawn(dict):
    """The values drawn so far, by name; lengths of axes that share a letter are the same."""

    def __init__(self, row, number):
        super().__init__()
        # The operation's own text takes part, so that no two rows meet the same numbers.
        self.rng = np.random.default_rng([number, *row.text.encode()])
        self.lengths = {}

    def length(self, letter):
        """A length: 4 to 7 for a capital letter, else 1 to 4; digits say what they are."""
        if letter not in self.lengths:
            low = 4 if letter.isupper() else 1
            self.lengths[letter] = int(letter) if letter.isdigit() else int(self.rng.integers(low, low + 4))
        return self.lengths[letter]

    def shape(self, spec):
        """Lengths by letters, or ``"?"`` for any shape and ``"*"`` for any with an axis at least."""
        if not isinstance(spec, str):
            return tuple(spec(self) if callable(spec) else spec)
        if spec not in ("?", "*"):
            return tuple(self.length(letter) for letter in spec.split())
        rank = int(self.rng.integers(spec == "*", 5))
        return tuple(int(n) for n in self.rng.choice([1, 2, 3, 4, 0], rank, p=[0.25, 0.25, 0.25, 0.22, 0.03]))


# Arrays


def reals(spec="?", low=-2.0, high=2.0):
    """Numbers between two."""
    return lambda d: d.rng.uniform(low, high, d.shape(spec))


def positive(spec="?"):
    """Numbers above 0, well away from it."""
    return reals(spec, 0.3, 2.0)


def inside(spec="?"):
    """Numbers between -1 and 1."""
    return reals(spec, -0.9, 0.9)


def above(spec="?"):
    """Numbers above 1."""
    return reals(spec, 1.1, 4.0)


def distinct(spec="?"):
    """Numbers that stay apart in float16 too."""

    def draw(d):
        shape = d.shape(spec)
        count = int(np.prod(shape))
        return (d.rng.permutation(count).reshape(shape) - count // 2 + d.rng.uniform(-0.1, 0.1, shape)) * 0.25

    return draw


def away(spec="?"):
    """Numbers of both signs that stay away from 0."""
    return lambda d: (lambda s: d.rng.uniform(0.4, 2.0, s) * d.rng.choice([-1.0, 1.0], s))(d.shape(spec))


def wide(spec="?"):
    """Numbers of both signs, some of them large."""
    return reals(spec, -9.0, 9.0)


def below(limit, spec="?", dtype=np.int32):
    """Whole numbers from 0; the limit may be a letter or a function."""
    return lambda d: d.rng.integers(0, _limit(d, limit), d.shape(spec)).astype(dtype)


def wholes(low, high, spec="?", dtype=np.int32):
    """Whole numbers from ``low`` to ``high - 1``."""
    return lambda d: d.rng.integers(low, high, d.shape(spec)).astype(dtype)


def order(limit, dtype=np.int32):
    """The whole numbers below a limit in some order."""
    return lambda d: d.rng.permutation(_limit(d, limit)).astype(dtype)


def bools(spec="?"):
    """True and False."""
    return lambda d: d.rng.random(d.shape(spec)) < 0.5


def shares(spec):
    """Rows above 0 that sum to 1."""
    return lambda d: (lambda x: x / x.sum(-1, keepdims=True))(d.rng.uniform(0.1, 1.0, d.shape(spec)))


def square(spec):
    """Matrices that can be inverted well."""
    return lambda d: (lambda s: d.rng.uniform(-0.4, 0.4, s) + 3 * np.eye(s[-1]))(d.shape(spec))


def definite(spec):
    """Symmetric matrices above 0."""
    return lambda d: (lambda a: a @ a.swapaxes(-1, -2) + np.eye(a.shape[-1]))(d.rng.uniform(-1, 1, d.shape(spec)))


def rising(spec):
    """Rows in order."""
    return lambda d: np.sort(d.rng.uniform(-3, 3, d.shape(spec)), -1)


def written(domain):
    """A Parameter of that domain."""
    return lambda d: Written(domain(d))


# Shapes that follow another input


def like(name):
    """The shape of another input."""
    return lambda d: np.shape(d[name].array if isinstance(d[name], Written) else d[name])


def fitting(name):
    """A shape that broadcasts to another input's."""

    def draw(d):
        shape = np.shape(d[name])
        shape = shape[int(d.rng.integers(0, len(shape) + 1)) :] if d.rng.random() < 0.4 else shape
        return tuple(1 if d.rng.random() < 0.3 else n for n in shape)

    return draw


# Arguments


def one_of(*values):
    """One of the values."""
    return lambda d: values[int(d.rng.integers(len(values)))]


def whole(low, high):
    """A whole number from ``low`` to ``high - 1``."""
    return lambda d: int(d.rng.integers(low, high))


def number(low, high):
    """A number that float16 holds exactly."""
    return lambda d: float(np.float16(d.rng.uniform(low, high)))


def size(letter):
    """The length that a letter stands for."""
    return lambda d: d.length(letter)


def axis_of(name):
    """An axis of an input, from the front or from the back."""
    return lambda d: (lambda n: int(d.rng.integers(-n, n)))(np.ndim(d[name]))


def axes_of(name):
    """Several axes of an input, or an empty tuple."""

    def draw(d):
        rank = np.ndim(d[name])
        return tuple(int(a) for a in sorted(d.rng.permutation(rank)[: int(d.rng.integers(0, rank + 1))]))

    return draw


def order_of_axes(name):
    """A permutation of an input's axes."""
    return lambda d: tuple(int(a) for a in d.rng.permutation(np.ndim(d[name])))


def told(function):
    """What a function of the values so far says."""
    return function


def _limit(d, limit):
    if callable(limit):
        return limit(d)
    return d.length(limit) if isinstance(limit, str) else limit
