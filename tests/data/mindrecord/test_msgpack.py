"""MessagePack of a flat map from names to ints, floats and texts: a row's plain fields."""

import pytest

from minispore.data.mindrecord.msgpack import packed, unpacked


@pytest.mark.parametrize(
    "value", [0, 127, 128, -32, -33, 2**63 - 1, -(2**63), 0.5, 0.1, 1e300, "", "é" * 40, "x" * 70000]
)
def test_a_plain_field_comes_back_from_its_bytes(value):
    assert unpacked(packed({"a": value, "b": 1})) == {"a": value, "b": 1}
