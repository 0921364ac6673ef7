"""The safetensors format: what is written is read back, by us and by the reference library; damage is told apart."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors import numpy as reference

from minispore.safetensors_format import decode, encode, write_atomically

DTYPES = [
    "bool",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
]
NAMES = st.text(st.characters(codec="utf-8"), max_size=5).filter(lambda name: name != "__metadata__")


def arrays_of(dtypes):
    return dtypes.flatmap(
        lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3))
    )


DICTS = st.dictionaries(NAMES, arrays_of(st.sampled_from(DTYPES)), max_size=4)


def assert_same(read, written):
    assert list(read) == list(written)
    for name, array in written.items():
        assert (read[name].dtype, read[name].shape) == (array.dtype, array.shape)
        assert read[name].tobytes() == array.tobytes()


@given(DICTS, st.dictionaries(NAMES, st.text(st.characters(codec="utf-8"))))
def test_arrays_order_and_metadata_survive(arrays, metadata):
    read, texts = decode(encode(arrays, metadata))
    assert_same(read, arrays)
    assert texts == metadata


@given(DICTS)
def test_the_reference_library_reads_what_is_written(arrays):
    read = reference.load(encode(arrays, {}))
    assert read.keys() == arrays.keys()
    assert_same({name: read[name] for name in arrays}, arrays)


@given(DICTS.filter(len))
def test_what_the_reference_library_writes_is_read(arrays):
    arrays = {name: np.ascontiguousarray(array).reshape(array.shape) for name, array in arrays.items()}
    read, _ = decode(reference.save(arrays))
    assert_same({name: read[name] for name in arrays}, arrays)


def test_bfloat16_is_written_as_the_reference_library_writes_it():
    arrays = {"b": np.array([[1.5, -2.0]], ml_dtypes.bfloat16), "none": np.array(3.0, ml_dtypes.bfloat16)}
    assert_same(decode(encode(arrays, {}))[0], arrays)
    assert_same(decode(reference.save(arrays))[0], arrays)


def test_arrays_that_are_not_contiguous_keep_their_values():
    array = np.arange(12).reshape(3, 4).T[::2]
    np.testing.assert_array_equal(decode(encode({"a": array}, {}))[0]["a"], array)


def test_a_dtype_without_a_code_is_refused():
    with pytest.raises(TypeError, match=r"the dtype of 'z' must be one of .*, but got complex64"):
        encode({"z": np.zeros(1, np.complex64)}, {})


@given(DICTS.filter(lambda arrays: sum(a.nbytes for a in arrays.values())), st.data())
def test_no_shorter_and_no_longer_file_is_read(arrays, data):
    whole = encode(arrays, {})
    with pytest.raises(ValueError, match="but got"):
        decode(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(ValueError, match="something follows its end"):
        decode(whole + b"x")


@given(st.binary(max_size=64))
def test_noise_is_refused_with_a_sentence(noise):
    with pytest.raises(ValueError, match="but got"):
        decode(noise)


@given(DICTS.filter(len), st.data())
def test_a_changed_header_is_refused_or_still_describes_every_byte(arrays, data):
    damaged = bytearray(encode(arrays, {}))
    place = data.draw(st.integers(0, 8 + int.from_bytes(damaged[:8], "little") - 1))
    damaged[place] = data.draw(st.integers(0, 255))
    try:
        read, _ = decode(bytes(damaged))
    except ValueError as error:
        assert "but got" in str(error)
    else:
        assert sum(array.nbytes for array in read.values()) == sum(array.nbytes for array in arrays.values())


@pytest.mark.parametrize(
    "header",
    [
        b"[]",
        b'{"a":3}',
        b'{"a":{"dtype":"F32","shape":[1]}}',
        b'{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}',
        b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}',
        b'{"a":{"dtype":"F32","shape":[true],"data_offsets":[0,4]}}',
        b'{"a":{"dtype":"Q9","shape":[1],"data_offsets":[0,4]}}',
        b'{"a":{"dtype":[],"shape":[1],"data_offsets":[0,4]}}',
        b'{"__metadata__":{"x":1}}',
        b'{"a":',
    ],
)
def test_a_header_that_makes_no_sense_is_refused(header):
    with pytest.raises(ValueError, match="but got"):
        decode(len(header).to_bytes(8, "little") + header + b"\0" * 8)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_atomically(path, b"old")
    monkeypatch.setattr("os.fsync", lambda number: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
