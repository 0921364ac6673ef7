"""Laws of few bits: numbers rounded to a format, and matrices quantized in tiles with scales."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.laws.law import Broken, law

__all__ = ["FORMATS", "OPERANDS", "Coded", "Tiled", "low_bit_codes", "low_bit_tiles"]

FORMATS = {  # name -> mantissa bits, exponent of the smallest normal number, largest number
    "float8_e4m3fn": (3, -6, 448.0),
    "float8_e5m2": (2, -14, 57344.0),
    "float8_e4m3fnuz": (3, -7, 240.0),
    "float8_e5m2fnuz": (2, -15, 57344.0),
    "float6_e2m3fn": (3, 0, 7.5),
    "float6_e3m2fn": (2, -2, 28.0),
    "float4_e2m1fn": (1, 0, 6.0),
}
OPERANDS = {  # as a recipe of minispore writes it -> mantissa bits, columns of a tile; one row, or all for 0
    "e4m3/tensor/current/even": (3, 0),
    "e5m2/tensor/current(power_of_2)/even": (2, 0),
    "e4m3/1x128/current(power_of_2)/even": (3, 128),
    "e4m3/1x32/rceil/even": (3, 32),
    "e5m2/1x32/ceil/even": (2, 32),
    "e3m2/1x32/rceil/even": (2, 32),
    "e2m3/1x32/rceil/even": (3, 32),
    "e2m1/1x32/rceil/even": (1, 32),
}


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


def exact(name, numbers):
    """The nearest numbers of a format, ties to even, in float64 arithmetic."""
    mantissa, lowest, _ = FORMATS[name]
    step = np.maximum(np.frexp(numbers)[1] - 1, lowest) - mantissa
    return np.ldexp(np.rint(np.ldexp(numbers, -step)), step)


def _numbers(name):
    """Lists of numbers within a format's range: any, numbers of the format, and what lies halfway between two."""
    mantissa, lowest, top = FORMATS[name]
    halves = st.builds(
        lambda n, e, sign: sign * min(np.ldexp(n / 2, e), top),
        *(st.integers(0, 2 ** (mantissa + 2)), st.integers(lowest - mantissa, 3), st.sampled_from([1.0, -1.0])),
    )
    return st.lists(st.floats(-top, top, width=32) | halves.map(float), min_size=1, max_size=8)


def _formats(target, profile):
    for name in FORMATS:
        yield name, st.builds(Coded, st.just(name), _numbers(name))


@law("low_bit_codes", "rounded", _formats, drawn=40, refusable=True)
def low_bit_codes(target, case):
    """A number becomes the nearest of a format of few bits, and a tie the one with the even code."""
    numbers = np.array(case.numbers, np.float32)
    found, wished = target.rounded(case.format, numbers), exact(case.format, numbers.astype(np.float64))
    wrong = found != wished
    if wrong.any():
        at = int(wrong.argmax())
        raise Broken(f"{case.format}: {numbers[at]:.9g} becomes {found[at]:.9g}, not {wished[at]:.9g}")


def _operands(target, profile):
    for name, (_, columns) in OPERANDS.items():
        yield name, st.builds(Tiled, st.just(name), _rows(columns), st.integers(-10, 10))


def _rows(columns):
    """Rows of up to 40 numbers; those beyond the first tile may be larger, so that a scale of all tiles shows."""
    number = st.floats(-1e4, 1e4, width=32).map(lambda x: x if abs(x) > 1e-10 else 0.0)
    widths = st.integers(1, 40) | st.integers(columns + 1, columns + 4)

    def of_width(width):
        row = st.builds(_raised, st.lists(number, min_size=width, max_size=width), st.just(columns), st.integers(0, 12))
        return st.lists(row, min_size=1, max_size=3)

    return widths.flatmap(of_width)


def _raised(numbers, first, power):
    """The numbers, those behind the ``first`` ones times a power of two."""
    return [x * 2.0**power if i >= first else x for i, x in enumerate(numbers)]


@law("low_bit_tiles", "quantized", _operands, drawn=20, refusable=True)
def low_bit_tiles(target, case):
    """A tile's numbers are off by half a step at most, a number changes its own tile alone, and powers of two pass."""
    x = np.array(case.rows, np.float32)
    found = target.quantized(case.operand, x)
    mantissa, columns = OPERANDS[case.operand]
    error, largest = np.abs(found - x.astype(np.float64)), _largest(x, columns)
    most = np.maximum(np.abs(x) * 2.0 ** -(mantissa + 1), largest * 2.0 ** -(mantissa + 1) / _room(case.operand))
    if (error > most * (1 + 2.0**-18)).any():
        at = np.unravel_index(int((error - most).argmax()), x.shape)
        raise Broken(f"{case.label}: {x[at]:.9g} becomes {found[at]:.9g}")
    scaled = target.quantized(case.operand, x * np.float32(2.0**case.power))
    if not np.array_equal(scaled, found * np.float32(2.0**case.power)):
        raise Broken(f"{case.label}: multiplied by 2 ** {case.power} it is not that multiple")
    if (
        columns
        and x.shape[1] > columns
        and not np.array_equal(target.quantized(case.operand, x[:, :columns]), found[:, :columns])
    ):
        raise Broken(f"{case.label}: the first tile depends on the second")


def _largest(x, columns):
    """The largest magnitude of each number's tile."""
    if not columns:
        return np.full(x.shape, np.abs(x).max())
    parts = [np.abs(x[:, i : i + columns]).max(1, keepdims=True) for i in range(0, x.shape[1], columns)]
    return np.repeat(np.concatenate(parts, 1), columns, 1)[:, : x.shape[1]]


def _room(operand):
    """The factor below a tile's largest number at which steps stop to shrink: a quarter of the normal range."""
    short = operand.partition("/")[0]
    _, lowest, top = next(
        form for name, form in FORMATS.items() if name.endswith(f"_{short}fn") or name == f"float8_{short}"
    )
    return top * 2.0**-lowest / 4
