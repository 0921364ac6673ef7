"""The limits that public code imports from MindSpore's address."""

from minispore.dataset.core.validator_helpers import INT32_MAX


def test_the_largest_int_of_32_bits_is_there():
    assert INT32_MAX == 2147483647
