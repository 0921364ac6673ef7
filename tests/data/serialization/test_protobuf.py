"""Protobuf's wire format: what is written is read back, and a message cut off is refused."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore.data.serialization.protobuf import BYTES, NUMBER, bytes_field, fields, number_field, packed_numbers

KINDS = {1: NUMBER, 2: BYTES, 300: BYTES}
FIELDS = st.one_of(
    st.tuples(st.just(1), st.integers(0, 2**64 - 1)),
    st.tuples(st.sampled_from([2, 300]), st.binary(max_size=300)),
)


def encoded(items):
    return b"".join((number_field if number == 1 else bytes_field)(number, value) for number, value in items)


def decoded(data):
    file = io.BytesIO(data)
    found = list(fields(file, 0, len(data), KINDS))
    return [(number, data[slice(*value)] if isinstance(value, tuple) else value) for number, value in found]


@given(st.lists(FIELDS))
def test_fields_come_back(items):
    assert decoded(encoded(items)) == items


@given(FIELDS)
def test_every_part_of_a_field_is_refused(item):
    data = encoded([item])
    for length in range(1, len(data)):
        with pytest.raises(ValueError, match=r"^be complete, but"):
            decoded(data[:length])


@pytest.mark.parametrize(
    "data, message",
    [
        (b"\x08\x96\x01\x18\x01", "hold fields of its format, but got number 3 of kind 0"),
        (b"\x0a\x00", "hold fields of its format, but got number 1 of kind 2"),
        (b"\x08" + b"\xff" * 10 + b"\x01", "hold numbers of at most ten bytes"),
    ],
)
def test_what_the_message_cannot_have_is_refused(data, message):
    with pytest.raises(ValueError, match=message):
        decoded(data)


def test_packed_numbers_are_read_at_once():
    data = b"".join(number_field(1, n)[1:] for n in (0, 127, 128, 2**32, 2**64 - 1))
    assert packed_numbers(data).tolist() == [0, 127, 128, 2**32, 2**64 - 1]
    assert packed_numbers(b"").tolist() == []


@pytest.mark.parametrize(("data", "message"), [(b"\x01\x80", "ends within a number"), (b"\x80" * 10 + b"\x01", "ten")])
def test_packed_numbers_that_are_broken_are_refused(data, message):
    with pytest.raises(ValueError, match=message):
        packed_numbers(data)
