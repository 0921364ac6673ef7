"""Laws of formats of few bits: values of codes, codes of numbers, and rounding by chance."""

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.strategies.low_bits import FORMATS, OPERANDS, Matrix, coded

__all__ = ["low_bit_chance", "low_bit_codes", "low_bit_keys", "low_bit_round_trip"]

BITS = 8  # of a draw, in the law that tries all draws
TIMES = 3


def exact(name, numbers):
    """The nearest numbers of a format, ties to even, in float64 arithmetic."""
    step = _steps(name, numbers)
    return np.ldexp(np.rint(np.ldexp(numbers, -step)), step)


def _steps(name, numbers):
    """The exponents of the steps between neighbours."""
    mantissa, lowest, _ = FORMATS[name]
    return np.maximum(np.frexp(numbers)[1] - 1, lowest) - mantissa


def _formats(target, profile):
    for name in FORMATS:
        yield name, coded(name)


@law("low_bit_codes", "rounded", _formats, drawn=40, refusable=True)
def low_bit_codes(target, case):
    """A number becomes the nearest of a format of few bits, and a tie the one with the even code."""
    numbers = np.array(case.numbers, np.float32)
    found, wished = target.rounded(case.format, numbers), exact(case.format, numbers.astype(np.float64))
    wrong = found != wished
    if wrong.any():
        at = int(wrong.argmax())
        raise Broken(f"{case.format}: {numbers[at]:.9g} becomes {found[at]:.9g}, not {wished[at]:.9g}")


@law("low_bit_round_trip", "decoded encoded", _formats, drawn=15, refusable=True)
def low_bit_round_trip(target, case):
    """The value of a code has that code, larger numbers have no smaller values, and negated ones the negated values."""
    codes = np.arange(2 ** int(case.format[5]), dtype=np.uint8)
    values = target.decoded(case.format, codes)
    single = np.isfinite(values) & (values != 0)
    again = target.encoded(case.format, values[single])
    if not np.array_equal(again, codes[single]):
        at = int((again != codes[single]).argmax())
        raise Broken(f"{case.format}: the value of the code {codes[single][at]} has the code {again[at]}")
    numbers = np.sort(np.array(case.numbers, np.float32))
    found, negated = (target.decoded(case.format, target.encoded(case.format, x)) for x in (numbers, -numbers))
    if (np.diff(found) < 0).any():
        raise Broken(f"{case.format}: the values of {numbers.tolist()} are {found.tolist()}, not in this order")
    if not np.array_equal(negated, -found):
        raise Broken(f"{case.format}: {(-numbers).tolist()} becomes {negated.tolist()}, not {(-found).tolist()}")


def _signed_formats(target, profile):
    for name in FORMATS:
        if not name.endswith("fnuz"):
            yield name, coded(name)


@law("low_bit_chance", "rounded_by", _signed_formats, drawn=20, refusable=True)
def low_bit_chance(target, case):
    """Over all draws the mean of a number's roundings is the number, cut to the drawn bits; a format's numbers stay."""
    numbers = np.array(case.numbers, np.float32)
    bits = np.broadcast_to(np.arange(2**BITS, dtype=np.uint32)[:, None], (2**BITS, len(numbers))).copy()
    found = target.rounded_by(case.format, np.broadcast_to(numbers, bits.shape).copy(), bits, BITS)
    short = np.abs(numbers.astype(np.float64)) - np.abs(found.mean(0, dtype=np.float64))
    step = np.exp2(_steps(case.format, numbers.astype(np.float64)))
    wrong = (short < 0) | (short * 2**BITS > step)
    wrong |= (exact(case.format, numbers.astype(np.float64)) == numbers) & (found != numbers).any(0)
    if wrong.any():
        at = int(wrong.argmax())
        raise Broken(f"{case.format}: the mean of {numbers[at]:.9g} is {found[:, at].mean(dtype=np.float64):.9g}")


def _by_chance(target, profile):
    for operand in (OPERANDS[5], "e2m1/1x32/rceil/even", OPERANDS[0]):
        operand = operand.removesuffix("even") + "stochastic"
        yield operand, st.builds(Matrix, st.just(operand), *[st.integers(8, 40)] * 2, st.integers(0, 2**16))


@law("low_bit_keys", "quantized_by_chance", _by_chance, drawn=30, refusable=True)
def low_bit_keys(target, case):
    """The same seed draws the same bits, and no two operands of a step draw the same."""
    found, again = (target.quantized_by_chance(case.operand, case.numbers, TIMES, case.seed) for _ in range(2))
    if not all(map(np.array_equal, found, again)):
        raise Broken(f"{case.label}: from the seed {case.seed} it is another matrix when it is drawn again")
    for i in range(1, TIMES):
        if np.array_equal(found[0], found[i]):
            raise Broken(f"{case.label}: the operand {i + 1} of a step is drawn as the first")
