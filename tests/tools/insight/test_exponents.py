"""Exponents: what float16 keeps of numbers at a scale is what a cast to float16 keeps of them."""

import numpy as np
import pytest

from minispore.tools.insight.exponents import Exponents

EDGES = np.array([2.0**e * f for e in (-40, -26, -25, -24, -15, -14, 0, 15, 16) for f in (1, 1 - 2**-12, 1 + 2**-12)])
DRAWN = np.exp2(np.random.default_rng(0).uniform(-40, 17, 300)) * np.random.default_rng(1).choice([-1, 1], 300)
NUMBERS = np.concatenate([[0.0, 0.0, np.nan, np.inf], EDGES, -EDGES, DRAWN])


def counted(*arrays):
    found = Exponents()
    for array in arrays:
        found.add(array)
    return found


def in_float16(numbers):
    with np.errstate(over="ignore"):
        return np.abs(numbers.astype(np.float16))


def test_the_numbers_are_counted():
    found, size = counted(NUMBERS[:50], NUMBERS[50:]), np.abs(NUMBERS[4:])
    assert (found.numbers, found.zeros, found.not_finite, found.nonzero) == (NUMBERS.size, 2, 2, size.size)
    assert found.greatest == size.max()
    assert found.headroom == np.log2(65504 / size.max())
    for e in range(-41, 18):
        assert found.histogram[e] == ((size >= 2.0**e) & (size < 2.0 ** (e + 1))).sum()


@pytest.mark.parametrize("power", [-3, 0, 1, 12])
def test_the_share_that_is_flushed_is_what_a_cast_flushes(power):
    cast = in_float16(NUMBERS[4:] * 2.0**power)
    assert counted(NUMBERS).flushed(power) == (cast == 0).mean()


def test_the_share_of_subnormal_numbers_is_that_of_a_cast():
    cast = in_float16(NUMBERS[4:])
    assert counted(NUMBERS).subnormal == pytest.approx(((cast > 0) & (cast < 2.0**-14)).mean(), abs=1e-15)


@pytest.mark.parametrize("greatest", [1.0, 65504.0, 65519.9, 65520.0, 3e-9, 0.75])
def test_the_greatest_power_is_the_last_at_which_nothing_overflows(greatest):
    power = counted(np.array([greatest, 1e-12])).greatest_power()
    assert np.isfinite(in_float16(np.array(greatest * 2.0**power)))
    assert np.isinf(in_float16(np.array(greatest * 2.0 ** (power + 1))))


@pytest.mark.parametrize("share", [1e-6, 0.01, 0.3, 1.0])
@pytest.mark.parametrize("numbers", [EDGES, DRAWN, np.array([2.0**-25]), np.array([0.0, 3.0])], ids=len)
def test_the_least_power_is_the_first_that_flushes_less_than_the_share(numbers, share):
    power, nonzero = counted(numbers).least_power(share), numbers[numbers != 0]
    flushed = [(in_float16(nonzero * 2.0 ** (power - below)) == 0).mean() for below in (0, 1)]
    assert flushed[0] < share <= flushed[1]


def test_zeros_have_no_powers():
    found = counted(np.zeros(3))
    assert (found.headroom, found.greatest_power(), found.least_power(0.1)) == (None, None, None)
    assert (found.flushed(), found.subnormal) == (0, 0)


def test_what_is_joined_is_counted_as_if_it_were_one():
    one, two = counted(NUMBERS[:60]), counted(NUMBERS[60:])
    one.join(two)
    assert vars(one) == vars(counted(NUMBERS))
