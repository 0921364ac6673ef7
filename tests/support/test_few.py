"""A few drawn numbers: how many, that parameters of the test stay, and that an error names the number."""

import pytest
from support.few import few

drawn = []


@pytest.mark.parametrize("line", [1, 2])
@few(seed=2**32)
def test_each_parameter_meets_a_few_numbers(line, seed):
    assert 0 <= seed < 2**32
    drawn.append((line, seed))


def test_they_are_at_least_four_of_each():
    test_each_parameter_meets_a_few_numbers(line=3)
    assert len([seed for line, seed in drawn if line == 3]) >= 4


def test_an_error_names_the_number():
    @few(seed=1)
    def law(seed):
        raise ValueError("no")

    with pytest.raises(AssertionError, match="with the seed 0"):
        law()
