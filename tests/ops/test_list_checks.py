"""Checks of lengths: what each of several may be."""

import pytest

from minispore.nn.layer.pooling3d import check_lengths


@pytest.mark.parametrize("value", [(1, 2**63), [None, 10**400]])
def test_an_int_among_lengths_has_at_most_64_bits(value):
    with pytest.raises(ValueError, match=r"must be below 2 \*\* 63"):
        check_lengths("Op", "n", value)
