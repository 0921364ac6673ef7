"""Cases for the laws of few bits: numbers, matrices, pairs of matrices, and courses of magnitudes."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

__all__ = ["FORMATS", "OPERANDS", "PRODUCTS", "Amaxes", "Coded", "Kind", "Matrix", "Pair", "Tiled", "kind_of"]

FORMATS = {  # name -> mantissa bits, exponent of the smallest normal number, largest number
    "float8_e4m3fn": (3, -6, 448.0),
    "float8_e5m2": (2, -14, 57344.0),
    "float8_e4m3fnuz": (3, -7, 240.0),
    "float8_e5m2fnuz": (2, -15, 57344.0),
    "float6_e2m3fn": (3, 0, 7.5),
    "float6_e3m2fn": (2, -2, 28.0),
    "float4_e2m1fn": (1, 0, 6.0),
}
_ELEMENTS, _MODES = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1"), ("floor", "ceil", "even", "rceil")
OPERANDS = (  # as a recipe of minispore writes them: format, rows and columns of a tile, rule of the scale, rounding
    "e4m3/tensor/current/even",
    "e5m2/tensor/current(power_of_2)/even",
    "e4m3/1x128/current(power_of_2)/even",
    "e4m3/1x128/current/even",
    "e4m3/128x128/current(power_of_2)/even",
    "e2m1/1x16/two_levels/even",
    "e2m1/16x16/two_levels/even",
    *(f"{element}/1x32/{mode}/even" for element in _ELEMENTS for mode in _MODES),
)
PRODUCTS = {  # a recipe -> its operands x, w and dy
    "current_fp8": ("e4m3/tensor/current/even", "e4m3/tensor/current/even", "e5m2/tensor/current/even"),
    "block_fp8": (OPERANDS[2], OPERANDS[4], OPERANDS[2]),
    "mxfp8": ("e4m3/1x32/rceil/even",) * 3,
    "mxfp6": ("e3m2/1x32/rceil/even",) * 3,
    "mxfp4": ("e2m1/1x32/even/even",) * 3,
    "nvfp4": (OPERANDS[5], OPERANDS[6], OPERANDS[5]),
}


class Kind(NamedTuple):
    """An operand, read from its text; ``tile`` is None for one scale of the whole tensor."""

    mantissa: int
    lowest: int
    top: float
    tile: tuple
    rule: str

    @property
    def binade(self):
        """The power of two at or below the largest number."""
        return 2.0 ** (np.frexp(self.top)[1] - 1)


def kind_of(operand):
    """The parts of an operand's text.

    Examples:
        >>> from minispore.tools.testing.strategies.low_bits import kind_of
        >>> kind_of("e4m3/1x32/rceil/even")
        Kind(mantissa=3, lowest=-6, top=448.0, tile=(1, 32), rule='rceil')
    """
    short, tile, rule, _ = operand.split("/")
    form = next(form for name, form in FORMATS.items() if name.partition("_")[2].removesuffix("fn") == short)
    return Kind(*form, None if tile == "tensor" else tuple(map(int, tile.split("x"))), rule)


@dataclass(frozen=True)
class Coded:
    """Numbers to round to a format, within its range."""

    format: str
    numbers: list

    @property
    def label(self):
        """The format and the numbers."""
        return f"{self.format} of {self.numbers}"


@dataclass(frozen=True)
class Tiled:
    """A matrix to quantize along its rows, its numbers given row by row, and a power of two."""

    operand: str
    rows: list
    power: int

    @property
    def label(self):
        """The operand and the matrix's shape."""
        return f"{self.operand} of {len(self.rows)} x {len(self.rows[0])}"


@dataclass(frozen=True)
class Matrix:
    """A matrix of many sizes of numbers, made by a seed; a seed of more choices follows it."""

    operand: str
    rows: int
    columns: int
    seed: int

    @property
    def label(self):
        """The operand and the matrix's shape."""
        return f"{self.operand} of {self.rows} x {self.columns}"

    @property
    def numbers(self):
        """The matrix, float32."""
        return drawn(np.random.default_rng(self.seed), (self.rows, self.columns))

    @property
    def choices(self):
        """A generator for whatever else a law chooses."""
        return np.random.default_rng(self.seed + 1)


@dataclass(frozen=True)
class Pair:
    """The inputs of a layer's three products by a recipe: x of (m, k), w of (n, k), dy of (m, n)."""

    recipe: str
    m: int
    k: int
    n: int
    seed: int

    @property
    def label(self):
        """The recipe and the sizes."""
        return f"{self.recipe} of {self.m} x {self.k} x {self.n}"

    @property
    def matrices(self):
        """The matrices x, w and dy, float32."""
        rng = np.random.default_rng(self.seed)
        return [drawn(rng, shape) for shape in ((self.m, self.k), (self.n, self.k), (self.m, self.n))]

    @property
    def choices(self):
        """A generator for whatever else a law chooses."""
        return np.random.default_rng(self.seed + 1)


@dataclass(frozen=True)
class Amaxes:
    """The largest magnitudes of an operand's numbers in a course of steps, with a delayed scale."""

    operand: str
    numbers: list

    @property
    def label(self):
        """The operand and the magnitudes."""
        return f"{self.operand} after {self.numbers}"


def drawn(rng, shape, spread=6):
    """Numbers of many sizes: normal ones times powers of two by row, with outliers and zeros."""
    x = rng.standard_normal(shape) * np.exp2(rng.integers(-spread, spread + 1, (shape[0], 1)))
    x[rng.random(shape) < 0.05] = 0
    x[rng.random(shape) < 0.01] *= 64
    return x.astype(np.float32)


SEEDS = st.integers(0, 2**32 - 2)


def coded(name):
    """Lists of numbers within a format's range: any, numbers of the format, and those halfway between two."""
    mantissa, lowest, top = FORMATS[name]
    halves = st.builds(
        lambda n, e, sign: sign * min(np.ldexp(n / 2, e), top),
        *(st.integers(0, 2 ** (mantissa + 2)), st.integers(lowest - mantissa, 3), st.sampled_from([1.0, -1.0])),
    )
    numbers = st.lists(st.floats(-top, top, width=32) | halves.map(float), min_size=1, max_size=8)
    return st.builds(Coded, st.just(name), numbers)


def tiled(operand):
    """Rows of up to 40 numbers; those beyond the first tile may be larger, so that a scale of all tiles shows."""
    columns = (kind_of(operand).tile or (0, 0))[1]
    number = st.floats(-1e4, 1e4, width=32).map(lambda x: x if abs(x) > 1e-10 else 0.0)
    widths = st.integers(1, 40) | st.integers(columns + 1, columns + 4)

    def of_width(width):
        row = st.builds(_raised, st.lists(number, min_size=width, max_size=width), st.just(columns), st.integers(0, 12))
        return st.lists(row, min_size=1, max_size=3)

    return st.builds(Tiled, st.just(operand), widths.flatmap(of_width), st.integers(-30, 30))


def _raised(numbers, first, power):
    """The numbers, those behind the ``first`` ones times a power of two."""
    return [x * 2.0**power if i >= first else x for i, x in enumerate(numbers)]


def matrices(operand):
    """Matrices of up to three tiles each way."""
    rows, columns = kind_of(operand).tile or (1, 1)
    up_to = (st.integers(1, min(40, 3 * rows + 2) if rows < 128 else 140), st.integers(1, 2 * columns + 40))
    return st.builds(Matrix, st.just(operand), *up_to, SEEDS)


def pairs(recipe, least=1):
    """Pairs of up to 70 each way."""
    return st.builds(Pair, st.just(recipe), *[st.integers(least, 70)] * 3, SEEDS)


def amaxes(operand):
    """Courses of up to twelve magnitudes, of which some are zero or not finite."""
    usual = st.floats(2.0**-20, 2.0**20, width=32)
    odd = st.sampled_from([0.0, float("inf"), float("nan"), 2.0**-133, 3e38])
    return st.builds(Amaxes, st.just(operand), st.lists(usual | usual | odd, min_size=1, max_size=12))
