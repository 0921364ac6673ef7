"""MindSpore's checkpoint format: pieces of large arrays, the checksum, and values that no MindSpore writes."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minispore.data.serialization import ckpt_file
from minispore.data.serialization.ckpt_file import read, write
from minispore.data.serialization.protobuf import bytes_field, number_field

NAMES = st.text(st.characters(codec="utf-8"), max_size=5)
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
KINDS = st.sampled_from(["bool", "int8", "uint16", "int64", "float16", "float32", "float64"])
ARRAYS = st.dictionaries(NAMES, KINDS.flatmap(lambda kind: hnp.arrays(kind, SHAPES)), max_size=4)


def value(name=b"w", shape=(2,), kind=b"Float32", content=b"\0" * 8):
    tensor = b"".join(number_field(1, n) for n in shape) + bytes_field(2, kind) + bytes_field(3, content)
    return bytes_field(1, bytes_field(1, name) + bytes_field(2, tensor))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("ckpt") / "file"


@given(ARRAYS, st.dictionaries(NAMES, st.text(st.characters(codec="utf-8"))), st.integers(1, 40))
def test_arrays_order_and_texts_survive_in_pieces_of_any_length(path, arrays, texts, piece):
    texts = {name: text for name, text in texts.items() if name not in arrays}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ckpt_file, "_PIECE", piece)
        write(path, arrays, texts)
    found, found_texts = read(path)
    assert list(found) == list(arrays) and found_texts == texts
    for name, array in arrays.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert found[name].tobytes() == array.tobytes()


def test_a_checksum_is_checked(path):
    data = value()
    path.write_bytes(data + b"crc_num" + zlib.crc32(data).to_bytes(10, "big"))
    assert read(path)[0]["w"].tolist() == [0, 0]
    path.write_bytes(data[:-1] + b"\1" + b"crc_num" + zlib.crc32(data).to_bytes(10, "big"))
    with pytest.raises(ValueError, match=r"^be unchanged since it was written with the checksum \d+, but got \d+$"):
        read(path)


@pytest.mark.parametrize(
    "data, message",
    [
        (value() + value(), r"hold the content of 'w', of shape \(2,\) and Float32, but got 16 bytes"),
        (value() + value(shape=(1,), content=b"\0" * 4), "hold one value for a name, but got several for 'w'"),
        (value(shape=(2**40, 2**40)), r"of shape \(1099511627776, 1099511627776\) and Float32, but got 8 bytes"),
        (value(shape=(1,) * 65, content=b"\0" * 4), "hold arrays that NumPy can"),
        (value(kind=b"Int4"), "hold dtypes among .* but got 'Int4' for 'w'"),
        (value(kind=b"str", content=b"\0\0\xff\xff"), "hold names and texts in Unicode"),
        (value(kind=b"str", content=b"") * 2, "hold one value for a name"),
        (value(name=b"\xff"), "hold names and texts in Unicode"),
        (bytes_field(1, bytes_field(1, b"w")), r"hold each field of a value once, but got the fields \[1\]"),
        (bytes_field(1, bytes_field(1, b"w") * 2), r"hold each field of a value once, but got the fields \[1, 1\]"),
        (bytes_field(1, bytes_field(3, b"w")), "hold fields of its format, but got number 3 of kind 2"),
    ],
)
def test_what_no_mindspore_writes_is_refused(path, data, message):
    path.write_bytes(data)
    with pytest.raises(ValueError, match=message):
        read(path)
