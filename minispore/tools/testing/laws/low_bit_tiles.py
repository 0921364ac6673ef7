"""Laws of matrices that are quantized in tiles, each tile with a scale of its own."""

import numpy as np

from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.strategies.low_bits import OPERANDS, kind_of, matrices, tiled

__all__ = [
    "low_bit_clipping",
    "low_bit_error",
    "low_bit_locality",
    "low_bit_not_finite",
    "low_bit_powers",
    "low_bit_turned",
    "low_bit_zeros",
]

ROOM = 1 + 2.0**-18  # for the roundings of float32 scales


def _explicit(target, profile):
    for operand in OPERANDS:
        yield operand, tiled(operand)


def _drawn(target, profile):
    for operand in OPERANDS:
        yield operand, matrices(operand)


def of_tiles(x, tile):
    """The largest magnitude of each number's tile, in float64."""
    rows, columns = tile or x.shape
    wide = np.pad(np.abs(x.astype(np.float64)), ((0, -x.shape[0] % rows), (0, -x.shape[1] % columns)))
    parts = wide.reshape(wide.shape[0] // rows, rows, wide.shape[1] // columns, columns).max((1, 3))
    return np.repeat(np.repeat(parts, rows, 0), columns, 1)[: x.shape[0], : x.shape[1]]


@law("low_bit_error", "quantized", _explicit, drawn=20, refusable=True)
def low_bit_error(target, case):
    """A number is off by half a step at most, and by what its rule of scales clips."""
    x = np.array(case.rows, np.float32)
    found, kind = target.quantized(case.operand, x), kind_of(case.operand)
    error, most = np.abs(found - x.astype(np.float64)), allowed(kind, x) * ROOM
    if not (error <= most).all():
        at = np.unravel_index(int((error - most).argmax()), x.shape)
        raise Broken(f"{case.label}: {x[at]:.9g} becomes {found[at]:.9g}")


def allowed(kind, x):
    """The largest error of each number: of a normal code, of a subnormal one, or of clipping."""
    size, amax, half = np.abs(x.astype(np.float64)), of_tiles(x, kind.tile), 2.0 ** -(kind.mantissa + 1)
    if kind.rule != "two_levels":
        return np.maximum(size * max(half, _clipped(kind)), 2 * amax / kind.binade * half * 2.0**kind.lowest)
    unit = max(size.max(), 2.0**-120) / (kind.top * 448)
    scale = amax / kind.top
    off = np.maximum(scale / 16, unit * 2.0**-10)  # of the scale, which is an e4m3 number
    return np.maximum(size * half, (scale + off) * half * 2.0**kind.lowest) + off * kind.top


def _clipped(kind):
    """The share that a rule clips of a tile's largest number, at most."""
    largest = {"floor": 2.0, "even": 2 - 2.0 ** -(kind.mantissa + 1)}.get(kind.rule)
    return 1 - kind.top / kind.binade / largest if largest else 0.0


@law("low_bit_powers", "quantized", _explicit, drawn=20, refusable=True)
def low_bit_powers(target, case):
    """A matrix times a power of two is quantized to that multiple, to the bit."""
    x, power = np.array(case.rows, np.float32), np.float32(2.0**case.power)
    if not np.array_equal(target.quantized(case.operand, x * power), target.quantized(case.operand, x) * power):
        raise Broken(f"{case.label}: multiplied by 2 ** {case.power} it is not that multiple")


@law("low_bit_clipping", "quantized", _explicit, drawn=20, refusable=True)
def low_bit_clipping(target, case):
    """A tile's largest number is rounded and not clipped, but by the rules floor and even, and by NVFP4 a sixteenth."""
    x = np.array(case.rows, np.float32)
    kind, amax = kind_of(case.operand), of_tiles(x, kind_of(case.operand).tile)
    most = max(1 / (2.0 ** (kind.mantissa + 1) + 1), _clipped(kind))
    most = {"current": 0.0, "two_levels": 1 / 16}.get(kind.rule, most)
    seen = (np.abs(x) == amax) & (amax > 0)
    if kind.rule == "two_levels":  # where the tile's scale is a normal number
        seen &= amax / kind.top >= amax.max() / (kind.top * 448) * 2.0**-6
    error = np.abs(target.quantized(case.operand, x) - x.astype(np.float64))
    wrong = seen & (error > amax * (most + 2.0**-18))
    if wrong.any():
        at = np.unravel_index(int(wrong.argmax()), x.shape)
        raise Broken(f"{case.label}: {x[at]:.9g}, the largest of its tile, is off by {error[at]:.3g}")


@law("low_bit_locality", "quantized", _drawn, drawn=10, refusable=True)
def low_bit_locality(target, case):
    """A number that changes changes its own tile alone, where the tensor's largest number stays."""
    x, choices, kind = case.numbers, case.choices, kind_of(case.operand)
    i, j = (int(choices.integers(n)) for n in x.shape)
    y = x.copy()
    y[i, j] = np.float32(choices.choice([0, x[i, j] / 2, 64 * np.abs(x).max() + 1]))
    if kind.rule == "two_levels" and np.abs(x).max() != np.abs(y).max():
        return
    changed = target.quantized(case.operand, x) != target.quantized(case.operand, y)
    rows, columns = kind.tile or x.shape
    changed[i // rows * rows : (i // rows + 1) * rows, j // columns * columns : (j // columns + 1) * columns] = False
    if changed.any():
        raise Broken(f"{case.label}: another number at {(i, j)} changes {changed.sum()} numbers of other tiles")


@law("low_bit_turned", "quantized quantized_along", _drawn, drawn=10, refusable=True)
def low_bit_turned(target, case):
    """Along axis 0 a matrix is quantized as its transpose along axis 1; square tiles do not tell the axes apart."""
    x, tile = case.numbers, kind_of(case.operand).tile
    down = target.quantized_along(case.operand, x, 0)
    if not np.array_equal(down, target.quantized(case.operand, np.ascontiguousarray(x.T)).T):
        raise Broken(f"{case.label}: along axis 0 it is not the transposed matrix along axis 1, transposed")
    if (tile is None or tile[0] == tile[1]) and not np.array_equal(down, target.quantized(case.operand, x)):
        raise Broken(f"{case.label}: its tiles are squares, and it is another matrix along axis 0")


@law("low_bit_zeros", "quantized", _drawn, drawn=10, refusable=True)
def low_bit_zeros(target, case):
    """Rows and columns of zeros at the ends change no other number."""
    x = case.numbers
    below, beside = (int(n) for n in case.choices.integers(0, 40, 2))
    more = target.quantized(case.operand, np.pad(x, ((0, below), (0, beside))))
    if not np.array_equal(more[: x.shape[0], : x.shape[1]], target.quantized(case.operand, x)):
        raise Broken(f"{case.label}: with {below} rows and {beside} columns of zeros it is another matrix")


@law("low_bit_not_finite", "quantized", _drawn, drawn=10, refusable=True)
def low_bit_not_finite(target, case):
    """An inf or a nan gives no finite number in its place."""
    choices = case.choices
    for bad in (np.inf, -np.inf, np.nan):
        x = case.numbers
        at = tuple(int(choices.integers(n)) for n in x.shape)
        x[at] = bad
        with np.errstate(all="ignore"):
            found = target.quantized(case.operand, x)[at]
        if np.isfinite(found):
            raise Broken(f"{case.label}: {bad} at {at} becomes {found:.9g}")
