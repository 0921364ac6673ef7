"""The safetensors format: what is written is read back, by us and by the reference library; damage is told apart."""

import json

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors import numpy as reference

from minispore.data.serialization.safetensors_file import read, write

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


def assert_same(found, written):
    assert list(found) == list(written)
    for name, array in written.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert found[name].tobytes() == array.tobytes()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("safetensors") / "file"


@given(DICTS, st.dictionaries(NAMES, st.text(st.characters(codec="utf-8"))))
def test_arrays_order_and_texts_survive(path, arrays, texts):
    write(path, arrays, texts)
    found, found_texts = read(path)
    assert_same(found, arrays)
    assert found_texts == texts


@given(DICTS)
def test_other_programs_read_and_write_the_same_files(path, arrays):
    write(path, arrays, {})
    elsewhere = reference.load_file(path)
    assert_same({name: elsewhere[name] for name in arrays}, arrays)
    reference.save_file({name: array.copy() for name, array in arrays.items()}, path)
    found, _ = read(path)
    assert_same({name: found[name] for name in arrays}, arrays)


@pytest.mark.parametrize("note", ["", "{", "[" * 100_000, '{"b": 1}', "3", "null", '"ba"', "[1]", '[["a"], "b"]'])
def test_an_order_note_that_is_no_list_of_names_is_refused(path, note):
    reference.save_file({"a": np.ones(1), "b": np.zeros(2)}, path, {"minispore.order": note})
    with pytest.raises(ValueError, match="note the order of its arrays as a list of names, but got"):
        read(path)


@pytest.mark.parametrize(
    "note, order", [('["b", "a"]', "ba"), ('["a"]', "ab"), ('["b", "a", "a"]', "ab"), ("[]", "ab")]
)
def test_the_noted_order_counts_where_it_is_one_of_the_files_arrays(path, note, order):
    reference.save_file({"a": np.ones(1), "b": np.zeros(1)}, path, {"minispore.order": note})
    assert "".join(read(path)[0]) == order


def test_every_array_begins_at_a_multiple_of_its_items_size(path):
    write(path, {"x": np.ones(1, np.int8), "y": np.ones(3, np.float16), "z": np.ones(1)}, {"t": "odd"})
    length = int.from_bytes(path.read_bytes()[:8], "little")
    header = json.loads(path.read_bytes()[8 : 8 + length])
    assert length % 8 == 0 and [header[name]["data_offsets"][0] for name in "zyx"] == [0, 8, 14]


def test_bfloat16_and_arrays_that_are_not_contiguous_keep_their_values(path):
    arrays = {"b": np.array([[1.5, -2.0]], ml_dtypes.bfloat16).T, "none": np.array(3.0, ml_dtypes.bfloat16)}
    write(path, arrays, {})
    assert_same(read(path)[0], arrays)


def test_a_dtype_without_a_code_is_refused(path):
    with pytest.raises(TypeError, match=r"the dtype of 'z' must be one of .*, but got complex64"):
        write(path, {"z": np.zeros(1, np.complex64)}, {})


@given(DICTS.filter(lambda arrays: sum(a.nbytes for a in arrays.values())), st.data())
def test_no_shorter_and_no_longer_file_is_read(path, arrays, data):
    write(path, arrays, {})
    whole = path.read_bytes()
    for damaged in (whole[: data.draw(st.integers(0, len(whole) - 1))], whole + b"x"):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=f"be a whole safetensors file, but got {len(damaged)} bytes"):
            read(path)


@given(st.binary(max_size=64))
def test_noise_is_refused_with_a_sentence(path, noise):
    path.write_bytes(noise)
    with pytest.raises(ValueError, match="be a whole safetensors file, but got"):
        read(path)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    target = tmp_path / "file"
    write(target, {"a": np.ones(2)}, {})
    old = target.read_bytes()
    monkeypatch.setattr("os.fsync", lambda number: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write(target, {"a": np.zeros(2)}, {})
    assert target.read_bytes() == old
    assert list(tmp_path.iterdir()) == [target]
